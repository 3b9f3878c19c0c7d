/**
 * Questions about facts inside expressions. Expressions ask them through the world, because finding facts evaluates
 * expressions in turn.
 */
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { ConditionUse } from "../../language/check/condition-uses.ts";
import type { Chosen } from "./chosen.ts";
import { askedCondition, conditionTruth } from "./conditions.ts";
import { type Finding, findings, foundTruth } from "./judge.ts";
import { aggregateOf, factsFound } from "./members.ts";
import type { Part, PatternPart } from "./parts.ts";
import type { EvaluationScope } from "./scope.ts";
import { isFound, solutions } from "./solve.ts";
import type { World } from "./world.ts";

export interface FactQuestions {
  /** Returns whether some facts fulfil the parts. */
  isFound(parts: readonly Part[], world: World, from: Chosen): boolean;
  /** Yields every way to fulfil the parts. */
  solutions(parts: readonly Part[], world: World, from: Chosen): Iterable<Chosen>;
  /** Returns whether some facts fulfil the parts, where a fact may be in doubt. */
  foundTruth(parts: readonly Part[], world: World, from: Chosen): Truth;
  /** Yields every way in which the parts are or may be fulfilled. */
  findings(parts: readonly Part[], world: World, from: Chosen): Iterable<Finding>;
  /** Returns whether some facts fulfil the patterns of a test. In judging, a fact that may match makes "no" unknown. */
  factsFound(parts: readonly PatternPart[], scope: EvaluationScope): Truth;
  /** Returns the value of an aggregate inside an expression. */
  aggregateOf(expr: ast.AggregateInExpr, scope: EvaluationScope): Maybe;
  /** Returns the truth of a condition that a test uses. */
  conditionTruth(use: ConditionUse, scope: EvaluationScope): Truth;
}

export const QUESTIONS: FactQuestions = {
  isFound,
  solutions,
  foundTruth,
  findings,
  factsFound,
  aggregateOf,
  conditionTruth: (use, scope) => {
    const asked = askedCondition(use, scope);
    return asked === undefined ? undefined : conditionTruth(asked);
  },
};
