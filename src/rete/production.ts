/**
 * What a rule is to the session: when it may fire, and what it wants done, as functions of a match.
 * The compiler makes these; nothing here knows syntax.
 */
import type { SupportPlan } from "../base/support.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { GateAnswer, VerdictAnswer } from "../base/answers.ts";
import type { Match } from "./match.ts";
import type { SimpleArg } from "./simple-arg.ts";

export interface Production {
  readonly name: string;
  /** Position among the rules of the program: earlier fires first where nothing else decides. */
  readonly order: number;
  readonly salience: number;
  readonly group: string | undefined;
  readonly noLoop: boolean;
  /** The alternative of its `or`s whose matches this production reads. */
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
  /** The variables of these facts, in the same order; absent when one of them has no variable. */
  readonly factNames?: readonly string[];
  /** The levels of facts and of the items of lists, in written order; absent where there are no items. */
  readonly orderLevels?: readonly number[];
  /** How many of the facts are written before the first item; absent where there are no items. */
  readonly leadingFacts?: number;
  /** Returns what tells the items of a match from others, in written order; absent where there are no items. */
  items?(match: Match): readonly ItemIdentity[];
  /** Compares two matches by their facts and items, in the written order of the conditions. */
  compare?(a: Match, b: Match, newestFirst: boolean): number;
  /** What the logical facts of the rule depend on; absent when it inserts none. */
  readonly support?: SupportPlan;
  /** Returns the identity of a match. Alternatives of `or` can find the same match twice. */
  identity(match: Match | undefined, fact?: Fact): string;
  readonly actions: readonly ActionPlan[];
  /** True for the reaction of a gate or guardian: it fires when no rule is left and all outcomes are settled. */
  readonly reaction?: boolean;
}

/** What tells an item of a list from the others: its value, and how many equal items stand before it. */
export type ItemIdentity = readonly [value: Value, nth: number];

export interface Binding {
  readonly name: string;
  /** Returns the fact or value of the variable in a match. */
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
  | { readonly kind: "xuple-fact"; readonly space: string; readonly target: Target }
  | { readonly kind: "update"; readonly target: Target; readonly changes: WantedFields }
  | { readonly kind: "retract"; readonly target: Target }
  /** Asks a gate and records the answer. */
  | { readonly kind: "decide"; answer(match: Match | undefined, fact?: Fact): GateAnswer }
  /** Asks a guardian and records the verdict. */
  | { readonly kind: "verify"; answer(match: Match | undefined, fact?: Fact): VerdictAnswer }
  | { readonly kind: "halt" };

type WantedFields = (match: Match | undefined, fact?: Fact) => FieldValues;
type Target = (match: Match | undefined, fact?: Fact) => Fact | undefined;

/** Names of fields with their values. A missing value leaves the field out (insert) or clears it (update). */
export interface FieldValues {
  readonly names: readonly string[];
  readonly values: readonly Maybe[];
}
