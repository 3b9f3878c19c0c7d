/** Checks the leaves of a gate's requirement: what they may contain, and that their evidence has a trust field. */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";

export function checkLeaves(cx: Context, gate: ast.GateDecl, requirement: ast.Expr): void {
  for (const test of gate.subject?.tests ?? []) refuseConditions(cx, test);
  const leaves = leavesOf(requirement);
  for (const leaf of leaves) checkLeaf(cx, leaf);
  warnOfNeverFalse(cx, requirement, false);
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
  if (leaf.kind === "fact-quorum") {
    refuseConditions(cx, leaf.pattern);
    checkTested(cx, leaf.test, 'after ":" write one condition alone, or a test without conditions');
  } else checkTested(cx, leaf, COMBINE);
}

const COMBINE = "combine conditions with and, or, not and at least";

/** Checks a condition with its arguments, or a test. */
function checkTested(cx: Context, expr: ast.Expr, hint: string): void {
  const isNamed = expr.kind === "call" && cx.symbols.conditions.get(expr.name.name) !== undefined;
  if (isNamed) refuseConditions(cx, expr.args);
  else if (expr.kind !== "path") refuseConditions(cx, expr, hint);
}

/** Reports a condition inside a test, where it could be compared, or replaced by a default when it is unknown. */
function refuseConditions(cx: Context, part: unknown, hint: string = COMBINE): void {
  forEachNode(part, (node) => {
    const { kind } = node;
    const call = kind === "call" ? (node as unknown as ast.CallExpr) : undefined;
    const path = kind === "path" ? (node as unknown as ast.PathExpr) : undefined;
    const named = call !== undefined && cx.symbols.conditions.get(call.name.name) !== undefined;
    const bare = path !== undefined && cx.resolutions.get(path) === "condition";
    if (!named && !bare && kind !== "quorum" && kind !== "fact-quorum") return;
    const what = named ? `condition "${call.name.name}"` : bare ? `condition "${path.root.name}"` : '"at least … of"';
    cx.report.error("E214", node["span"] as Span, `${what} is not allowed inside a test`, hint);
  });
}

/** Warns of a quorum over an open population below `not`: it is never false, so the `not` is never true. */
function warnOfNeverFalse(cx: Context, expr: ast.Expr, negated: boolean): void {
  if (expr.kind === "not") return warnOfNeverFalse(cx, expr.operand, !negated);
  if (expr.kind === "logic" || expr.kind === "quorum") {
    for (const item of expr.items) warnOfNeverFalse(cx, item, negated);
    return;
  }
  if (expr.kind !== "fact-quorum" || expr.closed || !negated) return;
  const message = `further ${expr.pattern.type.name} facts may come, so this is never false, and "not" of it never true`;
  const { value } = expr.count;
  cx.report.warning("W244", expr.span, message, `when no more can come, write: at least ${value} of all …`);
}

// ---------------------------------------------------------------- trust

/** Checks that leaves read their evidence fact by fact, as trust requires, and that some evidence has the trust field. */
function checkTrust(cx: Context, gate: ast.GateDecl, leaves: readonly ast.Expr[], span: Span): void {
  const types: string[] = [];
  for (const leaf of leaves) types.push(...evidenceTypes(cx, leaf));
  const named = gate.settings.find((one) => one.kind === "trust-field");
  const field = named?.field.name ?? "trust";
  const carries = types.some((type) => cx.symbols.type(type)?.fields.has(field) ?? true);
  if (carries) return;
  const message = `no evidence type of gate "${gate.name.name}" has the trust field "${field}"`;
  const hint = named === undefined ? "name the field: trust field level" : "use a field of an evidence type";
  cx.report.error("E202", (named?.field ?? { span }).span, message, hint);
}

function evidenceTypes(cx: Context, leaf: ast.Expr): string[] {
  if (leaf.kind === "fact-quorum") {
    if (asksInside([leaf.pattern.tests, leaf.test])) refuse(cx, leaf.span);
    return [leaf.pattern.type.name, ...(isCondition(cx, leaf.test) ? evidenceTypes(cx, leaf.test) : [])];
  }
  const name = leaf.kind === "call" ? leaf.name.name : leaf.kind === "path" ? leaf.root.name : "";
  const condition = cx.symbols.conditions.get(name)?.decl;
  if (condition?.evidence !== null && condition !== undefined) {
    if (asksInside([condition.evidence.pattern.tests, condition.test])) refuse(cx, leaf.span);
    return [condition.evidence.pattern.type.name];
  }
  const body = withoutNots(condition?.test ?? leaf);
  if (body.kind === "exists") return [body.pattern.type.name];
  if (body.kind === "exists-in") return body.sources.map((source) => source.type.name);
  if (asksInside(body)) refuse(cx, leaf.span);
  return [];
}

function isCondition(cx: Context, expr: ast.Expr): boolean {
  return expr.kind === "call" || (expr.kind === "path" && cx.resolutions.get(expr) === "condition");
}

function withoutNots(expr: ast.Expr): ast.Expr {
  return expr.kind === "not" ? withoutNots(expr.operand) : expr;
}

function asksInside(part: unknown): boolean {
  let found = false;
  forEachNode(part, (node) => {
    found ||= isQuestion(node);
  });
  return found;
}

function isQuestion({ kind }: Readonly<Record<string, unknown>>): boolean {
  return kind === "exists" || kind === "exists-in" || kind === "aggregate-in";
}

function refuse(cx: Context, span: Span): void {
  const message = "with trust verified, a question about facts is not allowed inside a larger test";
  cx.report.error("E214", span, message, "move it into its own condition: condition name : exists …");
}
