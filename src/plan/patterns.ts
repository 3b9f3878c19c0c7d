/**
 * Plans one pattern: the tests on its own fact become alpha nodes, equalities with earlier variables become the keys of
 * the join, other tests on both become tests of the join, and what needs more (a followed reference, a subquery)
 * comes as a filter after it.
 */
import type * as ast from "../language/ast.ts";
import { canonicalText } from "./read/canonical.ts";
import { isAlwaysKnown } from "./known-kinds.ts";
import type { PatternFact, RuleBuilder } from "./rule-builder.ts";
import { addFilter, useAsKey, notingUnknown } from "./unknown-tests.ts";
import { callsIn, levelsOf, mapLevels, uses } from "./read/levels.ts";
import { lastAmong, type PlannedFact, planLast } from "./last.ts";
import { lowerExpr } from "./lower-expr.ts";
import { conjunctsOf, followsOwn, hasSubquery } from "./test-contents.ts";
import { conjuncts, normalise } from "./normalise.ts";
import type { JoinPlan, PlanExpr } from "./plan.ts";
import { noteWindows } from "./open-windows.ts";
import { isFieldAt, rangeOf } from "./ranges.ts";
import { takenApart } from "./within.ts";

/** A pattern to plan. */
export interface PatternPart {
  readonly variable: string | undefined;
  readonly type: string;
  /** Tests in which bare names are fields of this pattern, and tests of the rule that are first possible here. */
  readonly tests: readonly ast.Expr[];
  /** Tests that are written elsewhere and first possible here. */
  readonly moved?: readonly MovedTest[];
}

/** A test that is planned with another pattern than the one in which it is written. */
export interface MovedTest {
  readonly test: ast.Expr;
  /** The fact of the pattern in which it is written: bare names are its fields. Undefined where it is written in none. */
  readonly fact: PatternFact | undefined;
}

/** Adds a pattern to a builder, with lookups before and filters after its join where its tests need them. Returns its fact. */
export function planPattern(builder: RuleBuilder, part: PatternPart): PlannedFact {
  const tests = conjunctsOf(part.tests);
  const last = lastAmong(tests);
  if (last === undefined) return planFacts(builder, part, tests);
  return planLast(builder, last, () =>
    planFacts(
      builder,
      part,
      tests.filter((test) => test !== last),
    ),
  );
}

/** Adds the facts of a pattern for which all tests are true, and returns the level of the fact. */
function planFacts(builder: RuleBuilder, part: PatternPart, all: readonly ast.Expr[]): PlannedFact {
  const { program } = builder.context;
  const { moved = [] } = part;
  noteWindows(builder, all);
  const tests = takenApart(all);
  const judging = builder.unknownTests !== undefined;
  const late = tests.filter((test) => hasSubquery(program, test, judging) || followsOwn(program, test, part.variable));
  const early = tests.filter((test) => !late.includes(test));
  const lateMoved = moved.filter(({ test }) => followsOwn(program, test, part.variable, false));
  const planned = planEarly(
    builder,
    part,
    early,
    moved.filter((one) => !lateMoved.includes(one)),
  );
  const fact = { level: planned.level, type: part.type };
  for (const test of late) filterBy(builder, test, fact);
  for (const one of lateMoved) filterBy(builder, one.test, one.fact);
  return fact;
}

/** Adds a filter; bare names in the test are fields of `fact`. */
export function filterBy(builder: RuleBuilder, test: ast.Expr, fact?: PatternFact): void {
  addFilter(builder, normalise(builder.within(fact, () => lowerExpr(builder, test))));
}

/**
 * Adds the join of a pattern, and returns its level. Lowering may add lookups before the join, and each moves the join down a
 * level. The tests are lowered again until no lookup is added: then every lookup that they need is there.
 */
function planEarly(
  builder: RuleBuilder,
  part: PatternPart,
  tests: readonly ast.Expr[],
  moved: readonly MovedTest[],
): { readonly level: number } {
  for (;;) {
    const level = builder.level + 1;
    const place = { kind: "fact", level, type: part.type } as const;
    if (part.variable !== undefined) builder.places.set(part.variable, place);
    const lowered = builder.within(place, () => tests.map((test) => lowerExpr(builder, test)));
    for (const { test, fact } of moved) lowered.push(builder.within(fact, () => lowerExpr(builder, test)));
    if (builder.level + 1 !== level) continue;
    planTests(builder, part, lowered);
    return { level };
  }
}

/** Joins the facts of a type for which all tests are true. In the tests the new fact is at the level after the last. */
export function planTests(builder: RuleBuilder, part: Omit<PatternPart, "tests">, tests: readonly PlanExpr[]): void {
  const level = builder.level + 1;
  const terms = conjuncts(normalise({ op: "and", items: tests }));
  const alone = terms.filter(
    (term) => levelsOf(term).every((one) => one === level) && (builder.eager || !computes(term)),
  );
  const together = terms.filter((term) => !alone.includes(term));
  const right = planAlpha(
    builder,
    part.type,
    certainFirst(builder, alone).map((term) => mapLevels(notingUnknown(builder, term), () => 0)),
  );
  planJoin(builder, part, right, level, together);
  builder.facts.push(level);
  builder.order.push(level);
  if (builder.unknownTests !== undefined) builder.unknownTests.first ??= level;
}

/** Returns whether evaluating a test can do more than compare: call a function, or divide. */
function computes(term: PlanExpr): boolean {
  return callsIn(term) || uses(term, "chain");
}

/** Returns the tests that may be unknown last: they leave out fewer facts, and there the fewest facts arrive. */
function certainFirst(builder: RuleBuilder, terms: readonly PlanExpr[]): readonly PlanExpr[] {
  if (builder.unknownTests === undefined) return terms;
  const certain = terms.filter((term) => isAlwaysKnown(builder, term));
  return [...certain, ...terms.filter((term) => !certain.includes(term))];
}

/**
 * Adds the alpha nodes of a pattern, and returns the last of them. A pure AND is a chain of nodes in canonical order, shared by
 * prefix. When there is an OR in it, the whole is one node: an OR is never taken apart.
 */
function planAlpha(builder: RuleBuilder, type: string, terms: readonly PlanExpr[]): number | undefined {
  const steps = terms.some(hasOr) ? [normalise({ op: "and", items: terms })] : terms;
  let input: number | undefined;
  for (const test of steps) {
    const node = { kind: "alpha", type, input, test, text: canonicalText(test) } as const;
    input = builder.context.table.add(node, builder.rule).id;
  }
  return input;
}

function hasOr(expr: PlanExpr): boolean {
  return expr.op === "or" || (expr.op === "and" && expr.items.some(hasOr));
}

function planJoin(
  builder: RuleBuilder,
  { variable, type }: Omit<PatternPart, "tests">,
  right: number | undefined,
  level: number,
  terms: readonly PlanExpr[],
): void {
  const outerTests = terms.filter((term) => !levelsOf(term).includes(level));
  const keys: JoinPlan["keys"][number][] = [];
  const tests: PlanExpr[] = [];
  for (const term of terms) {
    const found = asKey(term, level);
    // Where something is judged, a fact whose record lacks the field may fit: it must be found without it.
    const key = builder.unknownTests !== undefined && found?.field.op === "property" ? undefined : found;
    if (key === undefined || !useAsKey(builder, key.equals, outerTests)) tests.push(notingUnknown(builder, term));
    else keys.push(key);
  }
  const parts = [
    ...keys.map((key) => `${canonicalText(key.field)} == ${canonicalText(key.equals)}`),
    ...tests.map(canonicalText),
  ];
  const text = `${type}[${parts.join(", ")}]`;
  const words = variable === undefined ? type : `${variable}: ${type}`;
  const { node: left } = builder;
  const range = rangeOf(builder, tests, level);
  builder.extend({ kind: "join", left, type, right, level, words, keys, tests, range, text });
}

/** Returns a test `field of the new fact == something known before it` as a key; undefined for other tests. */
function asKey(term: PlanExpr, level: number): JoinPlan["keys"][number] | undefined {
  if (term.op !== "compare" || term.by !== "==") return undefined;
  for (const [field, equals] of [
    [term.left, term.right],
    [term.right, term.left],
  ] as const) {
    if (isFieldAt(field, level) && !levelsOf(equals).includes(level)) return { field, equals };
  }
  return undefined;
}
