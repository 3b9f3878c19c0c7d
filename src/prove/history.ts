/** A history of one case: the facts that the session begins with, and the changes that follow. */
import type { Value } from "../base/value.ts";

/** A fact of a history: its type and fields. */
export interface GivenFact {
  /** The name of its type. */
  readonly type: string;
  /** Its fields. */
  readonly fields: Readonly<Record<string, Value>>;
}

/** A fact of a history with a label, so that changes can refer to it before its id is known. */
export interface LabelledFact extends GivenFact {
  /** The label, unique in the history. */
  readonly label: number;
}

/**
 * A change in a history. A change of a fact that does not exist is skipped, so that parts of a history can be left out.
 */
export type Change =
  | { readonly is: "assert"; readonly fact: LabelledFact }
  | { readonly is: "retract"; readonly label: number }
  /** An update; null clears the field. */
  | { readonly is: "update"; readonly label: number; readonly field: string; readonly value: Value | null };

export interface History {
  readonly facts: readonly LabelledFact[];
  readonly changes: readonly Change[];
}
