/** Plans conditional elements one after the other; `or` makes several chains of one. */
import { unreachable } from "../base/invariant.ts";
import type * as ast from "../language/ast.ts";
import type { Chain } from "./rule-builder.ts";
import { filtered, isThere, taken } from "./doubts.ts";
import { lower } from "./lower.ts";
import { conjunctsOf, variablesOf } from "./needs.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import { filterBy, planPattern } from "./patterns.ts";
import type { FoldFunction, PlanExpr } from "./plan.ts";

/** The ends of the chain: one for each alternative. */
export function planElements(chain: Chain, elements: readonly ast.Element[]): Chain[] {
  let ends = [chain];
  for (const element of elements) ends = ends.flatMap((end) => planElement(end, element));
  return ends;
}

function planElement(chain: Chain, element: ast.Element): Chain[] {
  switch (element.kind) {
    case "pattern":
      planOne(chain, element);
      return [chain];
    case "where":
      filterBy(chain, element.test);
      return [chain];
    case "absence":
      planAbsence(chain, planElements(chain.question(), element.elements), element.quantifier);
      return [chain];
    case "forall":
      planForall(chain, element);
      return [chain];
    case "aggregate":
      planAggregate(chain, element);
      return [chain];
    case "or":
      return planAlternatives(chain, element);
    default:
      return unreachable(element);
  }
}

function planOne(chain: Chain, pattern: ast.Pattern): void {
  planPattern(chain, {
    variable: pattern.variable?.name,
    type: pattern.type.name,
    tests: pattern.tests,
  });
}

/** Where it may be doubtful what the inner chains find, the answer is a value, and what follows from it a test. */
function planAbsence(chain: Chain, inner: readonly Chain[], quantifier: "not" | "exists"): void {
  if (!inner.some((one) => one.doubtful)) {
    chain.fold(inner, quantifier, undefined, false);
    return;
  }
  chain.fold(inner, "exists-value", undefined, true);
  const found: PlanExpr = { op: "value", level: chain.level };
  filtered(chain, quantifier === "exists" ? found : { op: "not", of: found });
}

/** No fact of the pattern for which the test is not true; where something is judged, none for which it is false. */
function planForall(chain: Chain, element: ast.ForallElement): void {
  const inner = chain.question();
  planOne(inner, element.pattern);
  const test = lower(inner, element.test);
  if (chain.doubts === undefined) inner.filter(normalise({ op: "nottrue", of: test }));
  else filtered(inner, normalise({ op: "not", of: test }));
  planAbsence(chain, [inner], "not");
}

function planAggregate(chain: Chain, element: ast.AggregateElement): void {
  const inner = chain.question();
  planOne(inner, element.pattern);
  const fold = element.fn.name.toLowerCase() as FoldFunction;
  const value =
    element.value === null || fold === "count" ? undefined : taken(inner, normaliseValue(lower(inner, element.value)));
  const judging = chain.doubts !== undefined;
  chain.fold([inner], fold, value, judging);
  chain.places.set(element.name.name, { kind: "value", level: chain.level });
  if (judging && chain.kinds.get(chain.level) === undefined) {
    filtered(chain, isThere({ op: "value", level: chain.level }));
  }
}

/** Behind the `or` only the variables are known that every alternative binds. */
function planAlternatives(chain: Chain, element: ast.OrElement): Chain[] {
  const ends = element.alternatives.map((alternative) => planElements(chain.branch(), alternative));
  const bound = ends.map(([first]) => new Set(first?.places.keys()));
  for (const end of ends.flat()) {
    for (const name of [...end.places.keys()]) if (!bound.every((names) => names.has(name))) end.places.delete(name);
  }
  return ends.flat();
}

/** `EXISTS(…)`, `exists P(…)` and aggregates inside an expression: a fold that always passes, with its answer as value. */
export function planSubquery(chain: Chain, expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr): number {
  const inner = chain.question();
  if (expr.kind === "exists") {
    planOne(inner, expr.pattern);
    chain.fold([inner], "exists-value", undefined, true);
    return chain.level;
  }
  planSources(inner, expr.sources, expr.test === null ? [] : [expr.test]);
  if (expr.kind === "exists-in") {
    chain.fold([inner], "exists-value", undefined, true);
    return chain.level;
  }
  const fold = expr.name.name.toLowerCase() as FoldFunction;
  const value =
    expr.value === null || fold === "count" ? undefined : taken(inner, normaliseValue(lower(inner, expr.value)));
  chain.fold([inner], fold, value, true);
  return chain.level;
}

/** Variables in order, each with the tests that are first possible with it. */
export function planSources(chain: Chain, sources: readonly ast.SourceVar[], tests: readonly ast.Expr[]): void {
  const waiting = new Set(conjunctsOf(tests));
  const names = sources.map((source) => source.variable.name);
  for (const [index, source] of sources.entries()) {
    const later = new Set(names.slice(index + 1));
    const ready = [...waiting].filter((test) => ![...variablesOf(chain.program, test)].some((name) => later.has(name)));
    for (const test of ready) waiting.delete(test);
    planPattern(chain, { variable: source.variable.name, type: source.type.name, tests: ready });
  }
  for (const test of waiting) filterBy(chain, test);
}
