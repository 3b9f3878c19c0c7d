/** What a handler asks for while its firing waits, kept so that it can be staged again after changes of others. */
import type { Activation } from "../agenda/activation.ts";
import type { Role } from "../admission/admission.ts";

export interface Author {
  /** Whether it may write facts of engine-kept types. */
  readonly byEngine?: boolean;
  /** `policy` may write facts of protected types. */
  readonly role?: Role | undefined;
  /** The activation that supports the fact, which is then logical. */
  readonly support?: Activation;
}

/** A change that a handler asked for, as it can be staged again: the fields are copies. */
export type Wanted =
  | {
      readonly op: "insert" | "upsert";
      readonly type: string;
      readonly fields: object;
      readonly author: Author;
      /** The number of the fact that it made, if that has no key: the handler knows it by this number. */
      readonly keyless: number | undefined;
    }
  | { readonly op: "update"; readonly id: string; readonly fields: object; readonly author: Author }
  | { readonly op: "retract"; readonly id: string; readonly author: Author }
  | { readonly op: "focus"; readonly group: string };

/** Returns a copy of data that was admitted: it is nested only as deep as admission allows. */
export function copyOf(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) return data.map(copyOf);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyOf(value)]));
}
