/** Plans `over last 20`: the facts of a pattern are counted for each match before it, and the last of them pass. */
import type * as ast from "../language/ast.ts";
import { expressionText } from "../language/print-part.ts";
import { lowerExpr } from "./lower-expr.ts";
import { normalise, normaliseValue } from "./normalise.ts";
import type { FitPlan, PlanExpr } from "./plan.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { addFilter } from "./unknown-tests.ts";

/** The fact of a pattern. */
export interface PlannedFact {
  readonly level: number;
  readonly type: string;
}

/** Returns the test that a fact is among the last ones; undefined where a pattern has none. */
export function lastAmong(tests: readonly ast.Expr[]): ast.LastExpr | undefined {
  return tests.find((test) => test.kind === "last");
}

/**
 * Plans a pattern of which the last facts count, and returns its fact; `plan` adds the pattern without that test. How many facts
 * count is decided before them: the lookups and questions that it needs belong to the match for which they are counted.
 */
export function planLast(builder: RuleBuilder, expr: ast.LastExpr, plan: () => PlannedFact): PlannedFact {
  const count = normaliseValue(builder.within(undefined, () => lowerExpr(builder, expr.count)));
  const { level: from } = builder;
  const noted = builder.unknownTests?.tests.length ?? 0;
  const fact = plan();
  const inPattern = (part: ast.Expr): PlanExpr => builder.within(fact, () => lowerExpr(builder, part));
  if (expr.come !== null) addFilter(builder, normalise(inPattern(expr.come)));
  const key = expr.key === null ? undefined : normaliseValue(inPattern(expr.key));
  const fits = fitOf(builder, builder.unknownTests?.tests.slice(noted) ?? [], fact.level);
  const isLast = builder.last({ from, fact: fact.level, count, key, fits, words: expressionText(expr) });
  builder.unknownTests?.tests.push(isLast);
  return fact;
}

/** Returns what must be true of a fact so that it is counted: the tests of its pattern that may be unknown. */
function fitOf({ level }: RuleBuilder, tests: readonly PlanExpr[], fact: number): FitPlan | undefined {
  const [first] = tests;
  if (first === undefined) return undefined;
  return { test: tests.length === 1 ? first : { op: "and", items: tests }, level, fact };
}
