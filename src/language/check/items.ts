/**
 * Items of lists: `l in o.lines`, `any(l in lines : …)`, `[x.qty for x in lines]`, `lines[0]`.
 *
 * A test on each item is evaluated in a loop, not by nodes of the network. So nothing inside it asks for facts, and the fields of
 * an item are those of its value: a reference in a list is not followed. An element is a node: its variable is a value like any other.
 */
import { Report } from "../../base/diagnostic.ts";
import type * as ast from "../ast.ts";
import { pathWords } from "../print-expression.ts";
import { bind, hideAll } from "./bind.ts";
import type { Context, Typing } from "./context.ts";
import { isKnown, refuseReference, typeOfField } from "./paths.ts";
import type { Scope } from "./scope.ts";
import type { Signature } from "./signature.ts";
import { forEachNode } from "../walk.ts";
import { describe, isNumeric, listOf, REPORTED, type Type } from "./types.ts";
import { noteHeldTime, noteValueFields } from "./value-fields.ts";

/** Checks the element `l in o.lines`. Its variable is bound for what follows. */
export function checkItems(cx: Context, { variable, list }: ast.ItemsElement, scope: Scope, typing: Typing): void {
  const type = typing.typeOfList(cx, list, scope, whatIsNamed(cx, variable, list));
  const item = type.kind === "list" ? type.item : type.kind === "any" ? type : REPORTED;
  if (type.kind !== "list" && type.kind !== "any") {
    const message = `"${variable.name} in" needs a list, found ${describe(type)}`;
    cx.report.error("E203", list.span, message, hintForItems(variable, type));
  }
  bind(cx, variable, scope, { type: item, kind: "value" });
}

/** Returns what to write instead when a name is that of a query or type, and no list. */
function whatIsNamed({ symbols }: Context, { name }: ast.Ident, list: ast.Expr): string | undefined {
  if (list.kind !== "path" || list.fields.length > 0) return undefined;
  const named = list.root.name;
  if (symbols.queries.get(named) !== undefined) return `it is a query: ${name} in ${named}(…)`;
  return symbols.type(named) === undefined ? undefined : `to match facts, write a pattern: ${name}: ${named}(…)`;
}

function hintForItems({ name }: ast.Ident, type: Type): string | undefined {
  if (type.kind === "string") return `to take its parts: ${name} in split(text, ",")`;
  return type.kind === "fact" ? `to match facts, write a pattern: ${name}: ${type.type}(…)` : undefined;
}

/** Checks `any(v in list : test)` and `all(v in list : test)`. */
export function checkItemTest(cx: Context, expr: ast.ItemTestExpr, scope: Scope, typing: Typing): void {
  const inner = itemScope(cx, expr, expr.quantifier, scope, typing);
  typing.checkTest(cx, expr.test, inner, true);
  hideAll(scope, inner, `bound only inside "${expr.quantifier}"`);
}

/** Returns the type of `[value for v in list if test]`. */
export function typeOfComprehension(cx: Context, expr: ast.ComprehensionExpr, scope: Scope, typing: Typing): Type {
  const inner = itemScope(cx, expr, "for", scope, typing);
  if (expr.test !== null) typing.checkTest(cx, expr.test, inner, true);
  const type = typing.typeOfValue(cx, expr.value, inner);
  hideAll(scope, inner, 'bound only inside its "for"');
  return listOf(type);
}

function itemScope(
  cx: Context,
  { variable, list }: ast.ItemTestExpr | ast.ComprehensionExpr,
  word: string,
  scope: Scope,
  typing: Typing,
): Scope {
  const type = typing.typeOf(cx, list, scope);
  if (type.kind !== "list" && type.kind !== "any") {
    const message = `"${word} ${variable.name} in" needs a list, found ${describe(type)}`;
    cx.report.error("E203", list.span, message);
  }
  const inner = scope.inner("items");
  bind(cx, variable, inner, {
    type: type.kind === "list" ? type.item : type.kind === "any" ? type : REPORTED,
    kind: "item",
  });
  return inner;
}

/** Reports `l in o.lines` where `l` is no name: it is meant for each item. Returns whether it was reported. */
export function reportItemName(cx: Context, { left, right }: ast.InExpr, scope: Scope, typing: Typing): boolean {
  if (left.kind !== "path" || right.kind !== "path" || left.fields.length > 0) return false;
  if (isKnown(cx, left, scope) || scope.whyHidden(left.root.name) !== undefined || !isKnown(cx, right, scope))
    return false;
  const silent = { ...cx, report: new Report(cx.report.source) };
  if (typing.typeOf(silent, right, scope).kind !== "list" || cx.resolutions.get(right) === "constant") return false;
  const hint = `to test the items of a list: any(${left.root.name} in ${pathWords(right)} : …)`;
  cx.report.error("E205", left.span, `unknown variable "${left.root.name}"`, hint);
  return true;
}

/** Returns the type of `list[n]`. */
export function typeOfItem(cx: Context, expr: ast.ItemExpr, scope: Scope, typing: Typing): Type {
  const list = typing.typeOf(cx, expr.list, scope);
  const at = typing.typeOf(cx, expr.at, scope);
  if (!isNumeric(at) && at.kind !== "any") {
    const hint = at.kind === "string" || at.kind === "union" ? "read a field with a dot: x.name" : undefined;
    cx.report.error("E203", expr.at.span, `the place of an item is a number, found ${describe(at)}`, hint);
  }
  if (list.kind === "list") return list.item;
  if (list.kind === "any") return list;
  cx.report.error("E203", expr.list.span, `"[…]" needs a list, found ${describe(list)}`);
  return REPORTED;
}

/** Returns the type of a field of a computed value, and notes whether it is read off the value or of the fact that it refers to. */
export function typeOfProperty(cx: Context, expr: ast.PropertyExpr, scope: Scope, typing: Typing): Type {
  const type = typing.typeOf(cx, expr.of, scope);
  if (scope.has("items")) refuseReference(cx, type, undefined, expr.field);
  if (type.kind !== "fact" && (type.kind !== "any" || scope.has("items"))) noteValueFields(cx, expr, [true]);
  const found = typeOfField(cx, type, expr.field);
  noteHeldTime(cx, expr, type, found);
  return found;
}

/** Reports a question about facts inside a test on items; returns whether it is one. */
export function refuseInItems(cx: Context, scope: Scope, what: string, span: ast.Expr["span"]): boolean {
  if (!scope.has("items")) return false;
  const message = `${what} cannot be asked about the items of a list`;
  cx.report.error("E214", span, message, "ask it outside, or give its value a name before: let x = …");
  return true;
}

/** Reports an item that is passed to a function of the program which could read fields of the fact that it refers to. */
export function refuseItemsAsFacts(cx: Context, call: ast.CallExpr, { params }: Signature, scope: Scope): void {
  if (!scope.has("items")) return;
  for (const [index, arg] of call.args.entries()) {
    const type = params[index]?.type;
    if ((type?.kind !== "fact" && type?.kind !== "any") || !mentionsItem(cx, arg)) continue;
    const message = `an item of a list cannot be passed to ${call.name.name} as ${describe(type)}`;
    const hint = type.kind === "any" ? "give the parameter the type of the items" : "match the fact outside the list";
    cx.report.error("E214", arg.span, message, hint);
  }
}

function mentionsItem({ resolutions }: Context, value: ast.Value): boolean {
  let found = false;
  forEachNode(value, (node) => (found ||= resolutions.get(node as unknown as ast.PathExpr) === "item"));
  return found;
}
