/** What is done to a session in one case: the facts it begins with, and one change after the other. */
import type { Value } from "../base/value.ts";

export interface GivenFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
}

/** A fact with a number of its own, so that changes can mean it whatever its id will be. */
export interface LabelledFact extends GivenFact {
  readonly label: number;
}

/** A change of a fact that is not there is passed over: histories stay histories when parts are left out. */
export type Change =
  | { readonly is: "assert"; readonly fact: LabelledFact }
  | { readonly is: "retract"; readonly label: number }
  /** Null takes the value away. */
  | { readonly is: "update"; readonly label: number; readonly field: string; readonly value: Value | null };

export interface History {
  readonly facts: readonly LabelledFact[];
  readonly changes: readonly Change[];
}
