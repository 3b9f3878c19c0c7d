/**
 * The ends of rules with a single pattern.
 *
 * Such a rule matches exactly the facts that pass its alpha nodes, so nothing needs to be remembered for it: no match is
 * made, only the listener hears when a fact passes and when it no longer does.
 */
import type { Fact } from "./fact.ts";
import type { FactListener } from "./port.ts";
import type { Production } from "./production.ts";

export class DirectTerminal {
  #production: Production;
  /** The position of its rule in the program. */
  order: number;
  salience: number;
  /** Data that the session computes once and needs for every firing. */
  note: unknown;
  /** False after the rule was removed. */
  attached: boolean;
  readonly listener: FactListener;

  constructor(production: Production, listener: FactListener) {
    this.#production = production;
    this.order = production.order;
    this.salience = production.salience;
    this.note = undefined;
    this.attached = true;
    this.listener = listener;
  }

  get production(): Production {
    return this.#production;
  }

  /** Replaces the production when the program is replaced and the rule stays. */
  set production(production: Production) {
    this.#production = production;
    this.order = production.order;
    this.salience = production.salience;
    this.note = undefined;
  }
}

/** Terminals with one listener and one salience, in the order of their rules. Shared, so it is never changed. */
export type TerminalGroup = readonly DirectTerminal[];

/** Compares two terminals by the order in which they fire for a fact: by salience, then by rule. */
export function compareTerminals(a: DirectTerminal, b: DirectTerminal): number {
  return b.salience - a.salience || a.order - b.order;
}

/** Returns the groups of terminals that are sorted by `compareTerminals`. */
export function groupsOf(sorted: readonly DirectTerminal[]): TerminalGroup[] {
  const groups: DirectTerminal[][] = [];
  const last = new Map<FactListener, DirectTerminal[]>();
  for (const end of sorted) {
    const group = last.get(end.listener);
    if (group?.[0]?.salience === end.salience) {
      group.push(end);
      continue;
    }
    const made = [end];
    groups.push(made);
    last.set(end.listener, made);
  }
  return groups;
}

export function tell(group: TerminalGroup, fact: Fact): void {
  group[0]?.listener.factPassed(group, fact);
}
