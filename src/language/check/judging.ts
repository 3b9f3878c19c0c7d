/** Checks quorums and references to gates, guardians and pipelines. */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { checkArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import { checkPattern, hideAll } from "./elements.ts";
import type { Scope } from "./scope.ts";
import { didYouMean } from "./symbols.ts";
import { checkTest, typeOf } from "./typing.ts";
import { factOf } from "./types.ts";

export function checkQuorum(cx: Context, expr: ast.QuorumExpr, scope: Scope): void {
  if (!onlyInGates(cx, expr, scope)) return;
  for (const item of expr.items) checkTest(cx, item, scope);
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

export function checkFactQuorum(cx: Context, expr: ast.FactQuorumExpr, scope: Scope): void {
  if (!onlyInGates(cx, expr, scope)) return;
  checkCount(cx, expr.count);
  const inner = scope.outsidePattern();
  checkPattern(cx, expr.pattern, inner);
  checkTest(cx, expr.test, inner);
  hideAll(scope, inner, 'bound only inside "at least … of", whose test ends at "and" unless it is in parentheses');
}

function onlyInGates(cx: Context, expr: ast.Expr, scope: Scope): boolean {
  if (scope.has("conditions")) return true;
  cx.report.error(
    "E214",
    expr.span,
    '"at least … of" is allowed only in the requirement of a gate',
    "to count facts, use the aggregate count",
  );
  return false;
}

function checkCount(cx: Context, count: ast.NumberExpr): boolean {
  if (Number.isInteger(count.value) && count.value >= 1) return true;
  cx.report.error("E231", count.span, `"at least ${count.value}" requires nothing`, "write an integer of 1 or more");
  return false;
}

export function checkOutcome(cx: Context, expr: ast.OutcomeExpr, scope: Scope): void {
  if (!scope.has("outcomes")) {
    cx.report.error(
      "E214",
      expr.span,
      `"${expr.of} … passes" is allowed only in a pipeline`,
      expr.of === "gate" ? 'in a rule, match GateResult(gate == "…")' : 'in a rule, match Verdict(guardian == "…")',
    );
    return;
  }
  checkJudgeCall(cx, expr.of, expr.name, expr.args, expr.span, scope);
}

/** `deploy(r)`: checks that the gate or guardian exists and gets a fact of its type. */
export function checkJudgeCall(
  cx: Context,
  of: "gate" | "guardian" | "pipeline",
  name: ast.Label,
  args: readonly ast.Expr[],
  span: Span,
  scope: Scope,
): void {
  const names = { gate: cx.symbols.gates, guardian: cx.symbols.guardians, pipeline: cx.symbols.pipelines }[of];
  const found = names.get(name.name);
  if (found === undefined) {
    for (const arg of args) typeOf(cx, arg, scope);
    if (cx.symbols.excuses(names, name.name)) return;
    cx.report.error("E213", name.span, `unknown ${of} "${name.name}"`, didYouMean(names.nearest(name.name)));
    return;
  }
  const { subject } = found.decl;
  const params = subject === null ? [] : [{ name: "subject", type: factOf(subject.type.name), optional: false }];
  checkArguments(cx, `${of} ${name.name}`, params, false, args, span, scope);
}
