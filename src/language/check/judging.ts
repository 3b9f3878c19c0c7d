/** Checks quorums and references to gates, guardians and pipelines. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { checkArguments } from "./arguments.ts";
import { clockPath } from "./clock.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import { describe, factOf, REPORTED, type Type } from "./types.ts";

/** Reports a quorum that can never be reached. */
export function checkQuorum(cx: Context, expr: ast.QuorumExpr): void {
  if (expr.items.length === 0) {
    cx.report.error("E232", expr.span, "empty list of conditions", "add at least one condition");
    return;
  }
  if (!checkCount(cx, expr.count)) return;
  if (expr.count.value > expr.items.length) {
    cx.report.error(
      "E230",
      expr.count.span,
      `"at least ${expr.count.value} of" can never be true: the list has only ${expr.items.length}`,
      `write a number from 1 to ${expr.items.length}`,
    );
  }
}

/** Returns whether a quorum is in the requirement of a gate, and reports it where it is not. */
export function isInGate(cx: Context, expr: ast.Expr, scope: Scope): boolean {
  if (scope.has("conditions")) return true;
  cx.report.error(
    "E214",
    expr.span,
    '"at least … of" is allowed only in the requirement of a gate',
    "to count facts, use the aggregate count",
  );
  return false;
}

/** Checks `wait until t`: in a requirement or a condition, with a time. */
export function checkWait(cx: Context, expr: ast.WaitExpr, type: Type, scope: Scope): void {
  if (!scope.has("conditions") && !scope.has("waiting")) {
    const message = '"wait until" is allowed only in the requirement of a gate and in conditions';
    cx.report.error("E214", expr.span, message, "compare with the clock: now >= …");
    return;
  }
  cx.resolutions.set(clockPath(type.kind === "date" ? "today" : "now", expr.span), "clock");
  if (type === REPORTED || type.kind === "instant" || type.kind === "date") return;
  const hint = type.kind === "duration" ? "say from when: wait until r.at + 15 min" : "give an instant or a date";
  cx.report.error("E203", expr.until.span, `"wait until" needs a time, found ${describe(type)}`, hint);
}

/** Returns whether a count is an integer of 1 or more, and reports it where it is not. */
export function checkCount(cx: Context, count: ast.NumberExpr): boolean {
  if (Number.isInteger(count.value) && count.value >= 1) return true;
  cx.report.error("E231", count.span, `"at least ${count.value}" requires nothing`, "write an integer of 1 or more");
  return false;
}

/** Returns whether an outcome is asked for in a pipeline, and reports it where it is not. */
export function isInPipeline(cx: Context, expr: ast.OutcomeExpr, scope: Scope): boolean {
  if (scope.has("outcomes")) return true;
  cx.report.error(
    "E214",
    expr.span,
    `"${expr.of} … passes" is allowed only in a pipeline`,
    expr.of === "gate" ? 'in a rule, match GateResult(gate == "…")' : 'in a rule, match Verdict(guardian == "…")',
  );
  return false;
}

/**
 * Checks that the gate or guardian of `deploy(r)` exists and gets a fact of its type. `types` are those of the
 * arguments.
 */
export function checkJudgeCall(
  cx: Context,
  of: "gate" | "guardian" | "pipeline",
  name: ast.Label,
  args: readonly ast.Expr[],
  span: Span,
  types: readonly Type[],
): void {
  const names = { gate: cx.symbols.gates, guardian: cx.symbols.guardians, pipeline: cx.symbols.pipelines }[of];
  const found = names.get(name.name);
  if (found === undefined) {
    if (cx.symbols.excuses(names, name.name)) return;
    cx.report.error(
      "E213",
      name.span,
      `unknown ${of} "${name.name}"`,
      didYouMean(nearest(name.name, cx.symbols.written(names, cx.report.source))),
    );
    return;
  }
  const { subject } = found.decl;
  const params = subject === null ? [] : [{ name: "subject", type: factOf(subject.type.name), optional: false }];
  checkArguments(cx, `${of} ${name.name}`, params, false, args, span, types);
}
