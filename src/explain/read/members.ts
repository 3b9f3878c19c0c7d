/** Facts that expressions ask for: whether some are there, and the values of those that an aggregate is computed from. */
import type { Truth } from "../../base/truth.ts";
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import { windowsIn } from "../../language/check/within.ts";
import { type Chosen, chosenFor } from "./chosen.ts";
import { evaluate } from "./evaluate.ts";
import { inNestedQuestion, noteDoubt } from "./failure.ts";
import { type AggregatePart, innerParts, type PatternPart } from "./parts.ts";
import type { EvaluationScope } from "./scope.ts";
import { aggregateValue } from "./times.ts";
import { openWindow } from "./within.ts";
import type { World } from "./world.ts";

/** Returns whether some facts fulfil the parts. In judging, a fact that may match makes "no" unknown. */
export function factsFound(parts: readonly PatternPart[], scope: EvaluationScope): Truth {
  const { world, chosen } = scope;
  if (world.context.judging !== true) {
    const before = world.calls.failed;
    const isFound = world.questions.isFound(parts, world, chosen);
    world.calls.failed = before; // a failure only leaves a fact out: the question still has an answer
    if (isFound) return true;
    const windows = parts.flatMap(({ tests, early }) => windowsIn([...tests, ...early]));
    return openWindow(windows, scope, evaluate) === undefined ? false : undefined;
  }
  return inNestedQuestion(scope, () => world.questions.foundTruth(parts, world, chosen));
}

/** Returns the value of an aggregate inside an expression. */
export function aggregateOf(expr: ast.AggregateInExpr, scope: EvaluationScope): Maybe {
  const { calls } = scope.world;
  const before = calls.failed;
  const values = inNestedQuestion(scope, () => knownValues(innerParts(expr), expr.value, scope));
  if (values === undefined) {
    if (calls.failed === before) noteDoubt("it is unknown which facts count", scope.world);
    calls.failed = before + 1;
    return undefined;
  }
  if (scope.world.context.judging !== true) calls.failed = before;
  return aggregateValue(scope.world.context.program, expr.name.name, expr.value, values);
}

/** Returns the values of the members; undefined in judging when it is unknown whether one of them counts. */
export function knownValues(
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  scope: EvaluationScope,
): readonly Maybe[] | undefined {
  if (scope.world.context.judging !== true) return memberValues(inner, value, scope);
  const solutions: Chosen[] = [];
  for (const { chosen, sure } of scope.world.questions.findings(inner, scope.world, scope.chosen)) {
    if (!sure) return undefined;
    solutions.push(chosen);
  }
  return valuesFor(solutions, inner, value, scope.world);
}

/** Returns the value of an expression for each solution of the parts; `count()` has no value to compute. */
export function memberValues(inner: readonly PatternPart[], value: ast.Expr | null, scope: EvaluationScope): Maybe[] {
  return valuesFor(scope.world.questions.solutions(inner, scope.world, scope.chosen), inner, value, scope.world);
}

/**
 * Returns the values of the members. A failure while facts are searched only leaves facts out: failures in values alone
 * count.
 */
function valuesFor(
  solutions: Iterable<Chosen>,
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  world: World,
): Maybe[] {
  const values: Maybe[] = [];
  const { calls } = world;
  const before = calls.failed;
  let missed = 0;
  for (const chosen of solutions) {
    const start = calls.failed;
    const one = memberValue(inner, value, chosen, world);
    if (one === undefined && calls.failed !== start) missed += 1;
    values.push(one);
  }
  calls.failed = before + missed;
  return values;
}

function memberValue(
  [first, second]: readonly PatternPart[],
  value: ast.Expr | null,
  chosen: Chosen,
  world: World,
): Maybe {
  if (value === null) return undefined;
  const ownFact = first !== undefined && second === undefined ? chosenFor(chosen, first) : undefined;
  return evaluate(value, { world, chosen, ownFact });
}

/** Returns the value of an aggregate; missing in judging when it is unknown whether one of the members counts. */
export function valueOfAggregate(
  { inner }: AggregatePart,
  { fn, value }: AggregatePart["items"][number],
  world: World,
  from: Chosen,
): Maybe {
  const values = knownValues(inner, value, { world, chosen: from, ownFact: undefined });
  return values === undefined ? undefined : aggregateValue(world.context.program, fn, value, values);
}
