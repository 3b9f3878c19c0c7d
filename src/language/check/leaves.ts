/** Checks the leaves of a gate's requirement: what they may contain, and that their evidence has a trust field. */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import { clockIn } from "./clock.ts";
import { type ConditionUse, isQuestion } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import { windowsIn } from "./within.ts";

export function checkLeaves(cx: Context, gate: ast.GateDecl, requirement: ast.Expr): void {
  const leaves = leavesOf(requirement);
  for (const leaf of leaves) checkLeaf(cx, leaf);
  warnOfNeverFalse(cx, requirement, false);
  warnOfEarlyFailure(cx, requirement);
  const verified = gate.settings.find((one) => one.kind === "trust" && one.level === "verified");
  if (verified !== undefined) checkTrust(cx, gate, leaves, verified.span);
}

/** Returns the operands below `and`, `or`, `not` and `at least … of (…)`. */
function leavesOf(expr: ast.Expr): ast.Expr[] {
  switch (expr.kind) {
    case "not":
      return leavesOf(expr.operand);
    case "logic":
    case "quorum":
      return expr.items.flatMap(leavesOf);
    default:
      return [expr];
  }
}

function checkLeaf(cx: Context, leaf: ast.Expr): void {
  refuseQuorums(cx, leaf.kind === "fact-quorum" ? [leaf.pattern, leaf.test] : leaf);
}

/** Reports a quorum inside a test, where it could be compared, or replaced by a default when it is unknown. */
function refuseQuorums(cx: Context, part: unknown): void {
  forEachNode(part, ({ kind, span }) => {
    if (kind !== "quorum" && kind !== "fact-quorum") return;
    const hint = "combine conditions with and, or, not and at least";
    cx.report.error("E214", span as Span, '"at least … of" is not allowed inside a test', hint);
  });
}

/** Warns of a quorum over an open population and of a wait below `not`: they are never false, so the `not` is never true. */
function warnOfNeverFalse(cx: Context, expr: ast.Expr, negated: boolean): void {
  if (expr.kind === "not") return warnOfNeverFalse(cx, expr.operand, !negated);
  if (expr.kind === "logic" || expr.kind === "quorum") {
    for (const item of expr.items) warnOfNeverFalse(cx, item, negated);
    return;
  }
  if (expr.kind === "wait" && negated) {
    const hint = "to stop at a time, compare with the clock: now < …";
    cx.report.warning("W244", expr.span, 'this waits and is never false, so "not" of it is never true', hint);
    return;
  }
  if (expr.kind !== "fact-quorum" || expr.closed || !negated || windowsIn(expr.pattern.tests).length > 0) return;
  const message = `further ${expr.pattern.type.name} facts may come, so this is never false, and "not" of it never true`;
  const { value } = expr.count;
  cx.report.warning("W244", expr.span, message, `when no more can come, write: at least ${value} of all …`);
}

/** Warns of `now >= t` as a part that must be true: the gate fails before that time, where most authors mean that it waits. */
function warnOfEarlyFailure(cx: Context, expr: ast.Expr): void {
  if (expr.kind === "logic" || expr.kind === "quorum") {
    for (const item of expr.items) warnOfEarlyFailure(cx, item);
    return;
  }
  const wanted = expr.kind === "compare" ? timeWaitedFor(cx, expr) : undefined;
  if (wanted === undefined) return;
  const { text } = cx.report.source;
  const rewritten = `wait until ${text.slice(wanted.span.start, wanted.span.end)}`;
  const fix = cx.report.fix("wait instead of failing", expr.span, rewritten);
  const message = "this is false before that time, so the gate fails until then";
  cx.report.warning("W261", expr.span, message, `to hold the gate until then, write: ${rewritten}`, fix);
}

/** Returns t of `now >= t`, `today >= t`, and of the same the other way round. */
function timeWaitedFor(cx: Context, { op, left, right }: ast.CompareExpr): ast.Expr | undefined {
  const isClock = (side: ast.Expr): boolean => side.kind === "path" && cx.resolutions.get(side) === "clock";
  if (op === ">=" && isClock(left) && clockIn(cx, right) === undefined) return right;
  return op === "<=" && isClock(right) && clockIn(cx, left) === undefined ? left : undefined;
}

// ---------------------------------------------------------------- trust

/** Checks that leaves read their evidence fact by fact, as trust requires, and that some evidence has the trust field. */
function checkTrust(cx: Context, gate: ast.GateDecl, leaves: readonly ast.Expr[], span: Span): void {
  const types: string[] = [];
  for (const leaf of leaves) types.push(...evidenceTypes(cx, leaf));
  const named = gate.settings.find((one) => one.kind === "trust-field");
  const field = named?.field.name ?? "trust";
  for (const leaf of leaves) refuseLastFacts(cx, leaf, field);
  const carries = types.some((type) => cx.symbols.type(type)?.fields.has(field) ?? true);
  if (carries) return;
  const message = `no evidence type of gate "${gate.name.name}" has the trust field "${field}"`;
  const hint = named === undefined ? "name the field: trust field level" : "use a field of an evidence type";
  cx.report.error("E202", (named?.field ?? { span }).span, message, hint);
}

/** Reports a window such as `over last 3` of evidence that may not be verified: it would take the place of verified evidence. */
function refuseLastFacts(cx: Context, leaf: ast.Expr, field: string): void {
  const asked = isCondition(cx, leaf) ? cx.conditionUses.get(leaf)?.decl : undefined;
  forEachNode(asked === undefined ? leaf : [asked.evidence, asked.test], (node) => {
    const { kind, type, window } = node as unknown as ast.LastExpr;
    if (kind !== "last" || cx.symbols.type(type.name)?.fields.has(field) === false) return;
    const message = `with trust verified, the last ${type.name} facts cannot be counted: one that is not verified would take the place of one that is`;
    const hint = `count those that are, in a gate without it: ${type.name}(${field} == "verified") over last …`;
    cx.report.error("E214", asked === undefined ? window.span : leaf.span, message, hint);
  });
}

function evidenceTypes(cx: Context, leaf: ast.Expr): string[] {
  if (leaf.kind === "fact-quorum") {
    const isAsked = isCondition(cx, leaf.test);
    if (asksInside(cx, [leaf.pattern.tests, isAsked ? [] : leaf.test])) refuse(cx, leaf.span);
    return [leaf.pattern.type.name, ...(isAsked ? evidenceTypes(cx, leaf.test) : [])];
  }
  const condition = isCondition(cx, leaf) ? cx.conditionUses.get(leaf)?.decl : undefined;
  if (condition?.evidence !== null && condition !== undefined) {
    if (asksInside(cx, [condition.evidence.pattern.tests, condition.test])) refuse(cx, leaf.span);
    return [condition.evidence.pattern.type.name];
  }
  const body = withoutNots(condition?.test ?? leaf);
  if (body.kind === "exists") return [body.pattern.type.name];
  if (body.kind === "exists-in") return body.sources.map((source) => source.type.name);
  if (asksInside(cx, body)) refuse(cx, leaf.span);
  return [];
}

function isCondition(cx: Context, expr: ast.Expr): expr is ConditionUse {
  return cx.conditionUses.has(expr as ConditionUse);
}

function withoutNots(expr: ast.Expr): ast.Expr {
  return expr.kind === "not" ? withoutNots(expr.operand) : expr;
}

function asksInside(cx: Context, part: unknown): boolean {
  let found = false;
  forEachNode(part, (node) => {
    found ||= isQuestion(node) || cx.conditionUses.has(node as unknown as ConditionUse);
  });
  return found;
}

function refuse(cx: Context, span: Span): void {
  const message = "with trust verified, a question about facts is not allowed inside a larger test";
  cx.report.error("E214", span, message, "move it into its own condition: condition name : exists …");
}
