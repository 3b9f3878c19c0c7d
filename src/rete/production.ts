/**
 * What a rule is to the session: when it may fire, and what it wants done, as functions of a match.
 * The compiler makes these; nothing here knows syntax.
 */
import type { Maybe, Value } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { GateAnswer, VerdictAnswer } from "./keeper.ts";
import type { Match } from "./match.ts";

export interface Production {
  readonly name: string;
  /** Position among the rules of the program: earlier fires first where nothing else decides. */
  readonly order: number;
  readonly salience: number;
  readonly group: string | undefined;
  readonly noLoop: boolean;
  /** The variables of the rule, in written order. */
  readonly bindings: readonly Binding[];
  /** The facts of a match in written order, for the order of firing and for identity. */
  facts(match: Match): readonly Fact[];
  /**
   * True when `facts` names every fact that a match rests on: no exists, forall, aggregate or followed reference. Circles
   * of logical facts are then found by looking; otherwise by taking facts out for a trial, which costs more.
   */
  readonly namesAllFacts?: boolean;
  /** Two matches of the rule are one when their identities are equal (alternatives of `or` can find the same twice). */
  identity(match: Match): string;
  readonly actions: readonly ActionPlan[];
  /** The reaction of a gate or guardian: it fires when no rule is left and all outcomes stand. */
  readonly reaction?: boolean;
}

export interface Binding {
  readonly name: string;
  /** The fact or value that the variable has in a match. */
  read(match: Match): Fact | Maybe;
}

export type ActionPlan =
  | { readonly kind: "effect"; readonly name: string; args(match: Match): Maybe[] }
  | { readonly kind: "focus"; group(match: Match): Maybe }
  | { readonly kind: "insert"; readonly type: string; readonly logical: boolean; fields(match: Match): FieldValues }
  | { readonly kind: "xuple"; readonly space: string; readonly type: string; fields(match: Match): FieldValues }
  | { readonly kind: "update"; target(match: Match): Fact | undefined; changes(match: Match): FieldValues }
  | { readonly kind: "retract"; target(match: Match): Fact | undefined }
  /** Asks a gate; what it says is recorded. */
  | { readonly kind: "decide"; answer(match: Match): GateAnswer }
  /** Asks a guardian; what it says is recorded. */
  | { readonly kind: "verify"; answer(match: Match): VerdictAnswer }
  | { readonly kind: "halt" };

/** A missing value leaves the field out (insert) or clears it (update). */
export type FieldValues = Readonly<Record<string, Value | undefined>>;
