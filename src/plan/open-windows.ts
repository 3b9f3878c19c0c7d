/** Windows that are open: what is judged gets a gap for the fact that may still come, and `not` in a rule waits until they close. */
import type * as ast from "../language/ast.ts";
import { zoneOf } from "../language/check/clock.ts";
import { windowsIn } from "../language/check/within.ts";
import { expressionText } from "../language/print-part.ts";
import { lowerExpr } from "./lower-expr.ts";
import { normalise } from "./normalise.ts";
import type { PlanExpr } from "./plan.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { spanPending } from "./time-tests.ts";
import { chainOf, lengthOf, timeOf } from "./within.ts";

/** Adds whether a window is open to a builder, and returns the value: unknown while it is, then false. */
function addPending(builder: RuleBuilder, expr: ast.WithinExpr): PlanExpr {
  const { kind } = timeOf(builder, expr);
  const lower = (part: ast.Value): PlanExpr => lowerExpr(builder, part);
  const anchor = lower(expr.anchor);
  const end = expr.side === "before" ? anchor : chainOf(builder, expr, anchor, lengthOf(builder, expr, lower), "+");
  const zone = kind === "date" ? zoneOf(builder.program) : undefined;
  return builder.timer(spanPending(end, zone), `${expressionText(expr)}: closes`);
}

/** Notes for what is judged that a further fact may come while a window among the tests is open. */
export function noteWindows(builder: RuleBuilder, tests: readonly ast.Expr[]): void {
  if (builder.unknownTests === undefined) return;
  for (const window of windowsIn(tests)) {
    const gap = builder.branch();
    const pending = addPending(gap, window);
    gap.filter(normalise({ op: "nottrue", of: { op: "not", of: pending } }));
    const fits = { test: pending, level: gap.level, fact: undefined, open: true } as const;
    builder.unknownTests.gaps.push({ end: gap.node ?? 0, fits });
  }
}

/** Has a builder wait until windows have closed. */
export function waitForWindows(builder: RuleBuilder, windows: readonly ast.WithinExpr[]): void {
  for (const window of windows) builder.filter(normalise({ op: "not", of: addPending(builder, window) }));
}

/** Returns whether there are facts, or unknown while a window is open in which one may come. */
export function orPending(builder: RuleBuilder, found: PlanExpr, tests: readonly ast.Expr[]): PlanExpr {
  if (builder.unknownTests !== undefined) return found; // has a gap
  const pending = windowsIn(tests).map((window) => addPending(builder, window));
  return pending.length === 0 ? found : { op: "or", items: [found, ...pending] };
}
