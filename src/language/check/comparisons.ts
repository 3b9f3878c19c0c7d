/** Checks comparisons, and the tests on lists and strings: what is compared must be able to be equal, or have an order. */
import type * as ast from "../ast.ts";
import { Report } from "../../base/diagnostic.ts";
import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type { Context, Typing } from "./context.ts";
import { warnOfExactText } from "./exact-text.ts";
import { reportItemName } from "./items.ts";
import { comparedTimeHint } from "./habits.ts";
import type { Scope } from "./scope.ts";
import { checkLastLength, writtenLength } from "./window-length.ts";
import { checkLike, type PatternFault } from "./text-pattern.ts";
import { ANY, comparable, describe, isText, isTime, ordered, STRING, textsOf, type Type } from "./types.ts";
import { timeComparisonHint } from "./times.ts";

export function checkComparison(cx: Context, expr: ast.CompareExpr, scope: Scope, typing: Typing): void {
  const left = typing.typeOf(cx, expr.left, scope);
  const right = typing.typeOf(cx, expr.right, scope);
  const equality = expr.op === "==" || expr.op === "!=";
  if (equality ? comparable(left, right) : ordered(left, right)) {
    checkUnionValue(cx, left, expr.right);
    checkUnionValue(cx, right, expr.left);
    return;
  }
  const verb = equality ? "compared" : "ordered";
  const message =
    describe(left) === describe(right)
      ? `values of type ${describe(left)} cannot be ${verb} with "${expr.op}"`
      : `${describe(left)} and ${describe(right)} cannot be ${verb} with "${expr.op}"`;
  const time = comparedTimeHint(cx, [
    [left, expr.left],
    [right, expr.right],
  ]);
  cx.report.error("E203", expr.span, message, time ?? comparisonHint(left, right));
}

function comparisonHint(left: Type, right: Type): string | undefined {
  if (isTime(left) || isTime(right)) return timeComparisonHint(left, right);
  if ((left.kind === "list") !== (right.kind === "list")) return 'use "contains" or "in" with lists';
  if (left.kind === "fact" || right.kind === "fact") {
    const fact = left.kind === "fact" ? left : right;
    return `compare with a fact${fact.kind === "fact" ? ` of type ${fact.type}` : ""}, or with one of its fields`;
  }
  return isText(left) || isText(right) ? "convert one side: (number) x or (string) x" : undefined;
}

/** Reports a string or number that the field can never hold. */
function checkUnionValue(cx: Context, type: Type, value: ast.Value): void {
  if (type.kind !== "union" || (value.kind !== "text" && value.kind !== "number")) return;
  if (type.options.includes(value.value)) return;
  cx.report.error(
    "E203",
    value.span,
    `${JSON.stringify(value.value)} is not one of ${describe(type)}`,
    didYouMean(nearest(String(value.value), textsOf(type.options))),
  );
}

export function checkIn(cx: Context, expr: ast.InExpr, scope: Scope, typing: Typing): void {
  if (reportItemName(cx, expr, scope, typing)) return;
  const left = typing.typeOf(cx, expr.left, scope);
  if (expr.window !== undefined && expr.right.kind === "range") return checkWindow(cx, expr.right, scope, typing);
  if (expr.right.kind === "range") return checkRange(cx, left, expr.right, scope, typing);
  const right = typing.typeOfList(cx, expr.right, scope);
  if (right.kind !== "list" && right.kind !== "any") {
    cx.report.error("E203", expr.right.span, `"in" needs a list on its right, found ${describe(right)}`);
    return;
  }
  if (expr.right.kind === "list") checkItems(cx, left, expr.right, scope, typing);
  else if (right.kind === "list") requireComparable(cx, left, right.item, expr.span);
}

/** Checks the test that was written out from `over last d`. */
function checkWindow(cx: Context, { from, to }: ast.RangeExpr, scope: Scope, typing: Typing): void {
  typing.typeOf(cx, from, scope);
  checkLastLength(cx, to, typing.typeOf(cx, writtenLength(to), scope));
}

/** Checks a range: both ends can be ordered with the value, and its beginning is not above its end. */
function checkRange(cx: Context, left: Type, range: ast.RangeExpr, scope: Scope, typing: Typing): void {
  for (const end of [range.from, range.to]) {
    const type = typing.typeOf(cx, end, scope);
    if (ordered(left, type)) continue;
    const message = `${describe(left)} and ${describe(type)} cannot be ordered, as a range requires`;
    cx.report.error("E203", end.span, message, comparisonHint(left, type));
  }
  const { from, to, open } = range;
  if (from.kind !== "number" || to.kind !== "number") return;
  if (from.value < to.value || (from.value === to.value && !open)) return;
  cx.report.error("E203", range.span, "nothing is in this range", "write the smaller end first");
}

function checkItems(cx: Context, wanted: Type, list: ast.ListExpr, scope: Scope, typing: Typing): void {
  // The items were reported with the whole list: here their types are computed again, silently.
  const silent = { ...cx, report: new Report(cx.report.source) };
  for (const item of list.items) {
    requireComparable(cx, wanted, typing.typeOfValue(silent, item, scope), item.span);
    checkUnionValue(cx, wanted, item);
  }
}

function requireComparable(cx: Context, left: Type, right: Type, span: Span): void {
  if (comparable(left, right)) return;
  cx.report.error(
    "E203",
    span,
    `${describe(left)} and ${describe(right)} are never equal`,
    comparisonHint(left, right),
  );
}

export function checkContains(cx: Context, expr: ast.ContainsExpr, scope: Scope, typing: Typing): void {
  const left = typing.typeOf(cx, expr.left, scope);
  const isList = expr.any || expr.all === true;
  const right = isList ? typing.typeOfList(cx, expr.right, scope) : typing.typeOf(cx, expr.right, scope);
  if (left.kind !== "any" && left.kind !== "list" && !isText(left)) {
    cx.report.error("E203", expr.left.span, `"contains" needs a string or a list on its left, found ${describe(left)}`);
    return;
  }
  warnOfExactText(cx, expr, left, scope);
  const wanted = left.kind === "list" ? left.item : left.kind === "any" ? ANY : STRING;
  if (!isList) return requireComparable(cx, wanted, right, expr.right.span);
  if (right.kind !== "list" && right.kind !== "any") {
    const words = `"contains ${expr.any ? "any" : "all"}"`;
    cx.report.error("E203", expr.right.span, `${words} needs a list on its right, found ${describe(right)}`);
    return;
  }
  if (expr.right.kind === "list") checkItems(cx, wanted, expr.right, scope, typing);
  else if (right.kind === "list") requireComparable(cx, wanted, right.item, expr.right.span);
}

export function checkLikeTest(cx: Context, expr: ast.LikeExpr, scope: Scope, typing: Typing): void {
  textual(cx, expr.left, scope, "like", typing);
  textual(cx, expr.pattern, scope, "like", typing);
  if (expr.pattern.kind === "text") reportPattern(cx, expr.pattern.span, checkLike(expr.pattern.value, cx.limits));
}

export function reportPattern(cx: Context, span: Span, fault: PatternFault | undefined): void {
  if (fault !== undefined) cx.report.error(fault.code, span, fault.message, fault.hint);
}

export function textual(cx: Context, expr: ast.Expr, scope: Scope, op: string, typing: Typing): void {
  const type = typing.typeOf(cx, expr, scope);
  if (isText(type) || type.kind === "any") return;
  cx.report.error("E203", expr.span, `"${op}" needs a string, found ${describe(type)}`, "convert it with (string) x");
}
