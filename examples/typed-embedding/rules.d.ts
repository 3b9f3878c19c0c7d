// Made by "sluice types examples/typed-embedding/rules.tsd"; make it anew when the rules change.

import type { FactOf } from "sluice";

/** A fact of type Ticket, as it is read. */
export interface Ticket {
  readonly id: string;
  readonly title: string;
  readonly severity: "low" | "high";
  readonly hours: number;
  readonly owner?: string;
}

/** What is given to assert it. */
export interface TicketInput {
  readonly id: string;
  readonly title: string;
  readonly severity: "low" | "high";
  readonly hours: number;
  readonly owner?: string | null | undefined;
}

/** What can be changed of it; null clears a field. */
export interface TicketChanges {
  readonly title?: string;
  readonly severity?: "low" | "high";
  readonly hours?: number;
  readonly owner?: string | null;
}

/** A fact of type Engineer, as it is read. */
export interface Engineer {
  readonly id: string;
  readonly name: string;
  readonly on_call: boolean;
}

/** What is given to assert it. */
export interface EngineerInput {
  readonly id: string;
  readonly name: string;
  readonly on_call: boolean;
}

/** What can be changed of it; null clears a field. */
export interface EngineerChanges {
  readonly name?: string;
  readonly on_call?: boolean;
}

/** For program.session<Rules>(). */
export interface Rules {
  readonly facts: {
    readonly Ticket: { readonly fields: Ticket; readonly input: TicketInput; readonly changes: TicketChanges };
    readonly Engineer: { readonly fields: Engineer; readonly input: EngineerInput; readonly changes: EngineerChanges };
  };
  readonly actions: {
    readonly page: [engineer: string, text: string];
    readonly assign: [ticket: string, engineer: string];
  };
  readonly queries: {
    readonly open_tickets: { readonly args: { readonly least: number; }; readonly row: { readonly t: FactOf<"Ticket", Ticket>; } };
  };
  readonly rules: {
    readonly "page who is on call": { readonly t: FactOf<"Ticket", Ticket>; readonly e: FactOf<"Engineer", Engineer>; };
    readonly "nobody has it": { readonly t: FactOf<"Ticket", Ticket>; readonly e: FactOf<"Engineer", Engineer>; };
  };
}
