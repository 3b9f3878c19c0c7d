/**
 * What a rule is to the session: when it may fire, and what it wants done, as functions of a match.
 * The compiler makes these; nothing here knows syntax.
 */
import type { SupportPlan } from "../base/support.ts";
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { GateAnswer, VerdictAnswer } from "../base/answers.ts";
import type { Match } from "./match.ts";

export interface Production {
  readonly name: string;
  /** Position among the rules of the program: earlier fires first where nothing else decides. */
  readonly order: number;
  readonly salience: number;
  readonly group: string | undefined;
  readonly noLoop: boolean;
  /** Which of the alternatives of its `or`s this reads the matches of. */
  readonly alternative?: number;
  /** The variables of the rule, in written order. */
  readonly bindings: readonly Binding[];
  /**
   * The facts of a match in written order, for the order of firing and for identity. The functions of a rule with a direct
   * end are given the fact; all others are given the match.
   */
  facts(match: Match | undefined, fact?: Fact): readonly Fact[];
  /** The levels of the facts in a match, in written order of the conditions. */
  readonly factLevels?: readonly number[];
  /** Below 0 when the facts of the first of two matches were asserted earlier, in written order of the conditions. */
  compareFacts?(a: Match, b: Match): number;
  /** Of a rule that inserts logical facts: what these rest on. */
  readonly support?: SupportPlan;
  /** Two matches of the rule are one when their identities are equal (alternatives of `or` can find the same twice). */
  identity(match: Match | undefined, fact?: Fact): string;
  readonly actions: readonly ActionPlan[];
  /** The reaction of a gate or guardian: it fires when no rule is left and all outcomes stand. */
  readonly reaction?: boolean;
  /** Where the session keeps what it works out once for each rule. */
  note?: unknown;
}

export interface Binding {
  readonly name: string;
  /** The fact or value that the variable has in a match. */
  read(match: Match | undefined, fact?: Fact): Fact | Maybe;
}

export type ActionPlan =
  | {
      readonly kind: "effect";
      readonly name: string;
      args(match: Match | undefined, fact?: Fact): Maybe[];
      readonly simple?: readonly SimpleArg[];
    }
  | { readonly kind: "focus"; group(match: Match | undefined, fact?: Fact): Maybe }
  | { readonly kind: "insert"; readonly type: string; readonly logical: boolean; readonly fields: WantedFields }
  | { readonly kind: "xuple"; readonly space: string; readonly type: string; readonly fields: WantedFields }
  | { readonly kind: "update"; readonly target: Target; readonly changes: WantedFields }
  | { readonly kind: "retract"; readonly target: Target }
  /** Asks a gate; what it says is recorded. */
  | { readonly kind: "decide"; answer(match: Match | undefined, fact?: Fact): GateAnswer }
  /** Asks a guardian; what it says is recorded. */
  | { readonly kind: "verify"; answer(match: Match | undefined, fact?: Fact): VerdictAnswer }
  | { readonly kind: "halt" };

/**
 * An argument that needs no expression: a constant, or a slot of a fact. The fact is that of the match so many levels up, or,
 * below 0, the only fact of a rule with a direct terminal.
 */
export type SimpleArg = { readonly value: Maybe } | { readonly slot: number; readonly up: number };

type WantedFields = (match: Match | undefined, fact?: Fact) => FieldValues;
type Target = (match: Match | undefined, fact?: Fact) => Fact | undefined;

/** Names of fields, and beside each its value. A missing one leaves the field out (insert) or clears it (update). */
export interface FieldValues {
  readonly names: readonly string[];
  readonly values: readonly Maybe[];
}
