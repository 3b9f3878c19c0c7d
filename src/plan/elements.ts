/** Plans conditional elements one after the other; an `or` continues with one builder for each alternative. */
import { unreachable } from "../base/invariant.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import type * as ast from "../language/ast.ts";
import { windowsOf } from "../language/check/within.ts";
import { kindOf } from "./known-kinds.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { addFilter, trueOrUnknown, aggregatedValue } from "./unknown-tests.ts";
import { lowerExpr, type Place, timeKindOf } from "./lower-expr.ts";
import { conjunctsOf, variablesOf } from "./test-contents.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import { filterBy, planPattern } from "./patterns.ts";
import type { PlanExpr } from "./plan.ts";
import { orPending, waitForWindows } from "./open-windows.ts";

/** Adds elements to a builder, and returns the builders that they end with: one for each alternative. */
export function planElements(builder: RuleBuilder, elements: readonly ast.Element[]): RuleBuilder[] {
  let ends = [builder];
  for (const element of elements) ends = ends.flatMap((end) => planElement(end, element));
  return ends;
}

function planElement(builder: RuleBuilder, element: ast.Element): RuleBuilder[] {
  switch (element.kind) {
    case "pattern":
      planOne(builder, element);
      return [builder];
    case "where":
      filterBy(builder, element.test);
      return [builder];
    case "let":
      planLet(builder, element);
      return [builder];
    case "absence":
      planAbsence(builder, planElements(builder.question(), element.elements), element.quantifier);
      if (element.quantifier === "not") waitWhereNotJudged(builder, element.elements);
      return [builder];
    case "forall":
      planForall(builder, element);
      return [builder];
    case "aggregate":
      planAggregate(builder, element);
      return [builder];
    case "items":
      planItems(builder, element);
      return [builder];
    case "row":
      return [builder]; // the elements of the query follow
    case "or":
      return planAlternatives(builder, element);
    default:
      return unreachable(element);
  }
}

function planLet(builder: RuleBuilder, { name, value }: ast.LetElement): void {
  builder.let(name.name, normaliseValue(lowerExpr(builder, value)));
  const time = timeKindOf(builder.program.times.types.get(value));
  const row = builder.program.tables.rows.get(value);
  builder.places.set(name.name, { kind: "value", level: builder.level, time, row });
}

/** Adds the items of a list. Where something is judged, a list that may be unknown has an item of which everything is unknown. */
function planItems(builder: RuleBuilder, { variable, list }: ast.ItemsElement): void {
  const lowered = normaliseValue(lowerExpr(builder, list));
  const mayBeUnknown = builder.unknownTests !== undefined && kindOf(builder, lowered) !== "list";
  builder.eachItem(variable.name, lowered, mayBeUnknown);
  const time = timeKindOf(builder.program.times.types.get(list));
  builder.places.set(variable.name, { kind: "value", level: builder.level, time });
  if (builder.unknownTests !== undefined) builder.unknownTests.first ??= builder.level;
  if (mayBeUnknown) addFilter(builder, trueOrUnknown({ op: "value", level: builder.level }));
}

function planOne(builder: RuleBuilder, pattern: ast.Pattern): void {
  planPattern(builder, {
    variable: pattern.variable?.name,
    type: pattern.type.name,
    tests: pattern.tests,
  });
}

/** Adds a `not` or `exists`. Where it may be unknown what the inner builders find, it becomes a value and a test of it. */
function planAbsence(builder: RuleBuilder, inner: readonly RuleBuilder[], quantifier: "not" | "exists"): void {
  if (!inner.some((one) => one.doubtful)) {
    builder.aggregate(inner, quantifier, undefined, false);
    return;
  }
  builder.aggregate(inner, "exists-value", undefined, true);
  const found: PlanExpr = { op: "value", level: builder.level };
  addFilter(builder, quantifier === "exists" ? found : { op: "not", of: found });
}

/** Adds a `forall`: no fact of the pattern for which the test is not true; where something is judged, none for which it is false. */
function planForall(builder: RuleBuilder, element: ast.ForallElement): void {
  const inner = builder.question();
  planOne(inner, element.pattern);
  const test = lowerExpr(inner, element.test);
  if (builder.unknownTests === undefined) inner.filter(normalise({ op: "nottrue", of: test }));
  else addFilter(inner, normalise({ op: "not", of: test }));
  planAbsence(builder, [inner], "not");
  waitWhereNotJudged(builder, [element.pattern]);
}

/** Has a rule wait until the windows inside a `not` have closed: until then a fact may come. What is judged has gaps for them. */
function waitWhereNotJudged(builder: RuleBuilder, elements: readonly ast.Element[]): void {
  if (builder.unknownTests === undefined) waitForWindows(builder, windowsOf(elements));
}

function planAggregate(builder: RuleBuilder, element: ast.AggregateElement): void {
  const inner = builder.question();
  planOne(inner, element.pattern);
  const aggregate = element.fn.name.toLowerCase();
  const value =
    element.value === null || aggregateNamed(aggregate).takes === "facts"
      ? undefined
      : aggregatedValue(inner, normaliseValue(lowerExpr(inner, element.value)));
  const judging = builder.unknownTests !== undefined;
  builder.aggregate([inner], aggregate, value, judging);
  builder.places.set(element.name.name, aggregatePlace(builder, element.fn));
  if (judging && builder.kinds.get(builder.level) === undefined) {
    addFilter(builder, trueOrUnknown({ op: "value", level: builder.level }));
  }
}

/** Returns the place of an aggregate that was added last. */
export function aggregatePlace(builder: RuleBuilder, fn: ast.Ident): Place {
  const time = timeKindOf(builder.program.times.aggregates.get(fn));
  return { kind: "value", level: builder.level, time };
}

/** Adds an `or`. After it only the variables are known that every alternative binds. */
function planAlternatives(builder: RuleBuilder, element: ast.OrElement): RuleBuilder[] {
  const ends = element.alternatives.map((alternative) => planElements(builder.branch(), alternative));
  const bound = ends.map(([first]) => new Set(first?.places.keys()));
  for (const end of ends.flat()) {
    for (const name of [...end.places.keys()]) if (!bound.every((names) => names.has(name))) end.places.delete(name);
  }
  return ends.flat();
}

/** Adds the nodes that answer an `EXISTS(…)`, `exists P(…)` or aggregate inside an expression, and returns its value. */
export function planSubquery(
  builder: RuleBuilder,
  expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr,
): PlanExpr {
  const value: PlanExpr = { op: "value", level: addSubquery(builder, expr) };
  if (expr.kind === "aggregate-in") return value;
  const tests = expr.kind === "exists" ? expr.pattern.tests : expr.test === null ? [] : [expr.test];
  return orPending(builder, value, tests);
}

/** Adds the aggregate of a question, and returns its level. */
function addSubquery(builder: RuleBuilder, expr: ast.ExistsExpr | ast.ExistsInExpr | ast.AggregateInExpr): number {
  const inner = builder.question();
  if (expr.kind === "exists") {
    planOne(inner, expr.pattern);
    builder.aggregate([inner], "exists-value", undefined, true);
    return builder.level;
  }
  planSources(inner, expr.sources, expr.test === null ? [] : [expr.test]);
  if (expr.kind === "exists-in") {
    builder.aggregate([inner], "exists-value", undefined, true);
    return builder.level;
  }
  const aggregate = expr.name.name.toLowerCase();
  const value =
    expr.value === null || aggregateNamed(aggregate).takes === "facts"
      ? undefined
      : aggregatedValue(inner, normaliseValue(lowerExpr(inner, expr.value)));
  builder.aggregate([inner], aggregate, value, true);
  return builder.level;
}

/** Adds the patterns of variables in order, each with the tests for which it binds the last variable. */
export function planSources(builder: RuleBuilder, sources: readonly ast.SourceVar[], tests: readonly ast.Expr[]): void {
  const waiting = new Set(conjunctsOf(tests));
  const names = sources.map((source) => source.variable.name);
  for (const [index, source] of sources.entries()) {
    const later = new Set(names.slice(index + 1));
    const ready = [...waiting].filter(
      (test) => ![...variablesOf(builder.program, test)].some((name) => later.has(name)),
    );
    for (const test of ready) waiting.delete(test);
    planPattern(builder, { variable: source.variable.name, type: source.type.name, tests: ready });
  }
  for (const test of waiting) filterBy(builder, test);
}
