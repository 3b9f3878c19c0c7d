/** Checks conditional elements in written order, and decides which variables are visible after them. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import { unreachable } from "../../base/invariant.ts";
import { Report } from "../../base/diagnostic.ts";
import type * as ast from "../ast.ts";
import { sourceOf } from "../copied.ts";
import { checkArguments, paramsOf } from "./arguments.ts";
import { bind, hideAll } from "./bind.ts";
import type { Context } from "./context.ts";
import { checkItems } from "./items.ts";
import { type Scope } from "./scope.ts";
import { forEachNode } from "../walk.ts";
import { windowsOf } from "./within.ts";
import { checkPattern, checkTest, TYPING, typeOf, typeOfAggregate, typesOf } from "./typing.ts";
import { REPORTED, sameType } from "./types.ts";

/** The most elements in a row. Each extends the matches of the one before, with a call of its own. */
const MOST_ELEMENTS = 1000;

export function checkElements(cx: Context, elements: readonly ast.Element[], scope: Scope): void {
  const beyond = elements[MOST_ELEMENTS];
  if (beyond !== undefined) {
    const hint = "let one rule insert a logical fact for what it found, and match that fact in the next";
    cx.report.error("E307", beyond.span, `there are more than ${MOST_ELEMENTS} elements in a row`, hint);
  }
  for (const element of elements) checkElement(reportingFor(cx, element), element, scope);
}

/** Returns a context that reports nothing for elements which were copied from a query: they are checked there. */
function reportingFor(cx: Context, element: ast.Element): Context {
  return sourceOf(element) === undefined ? cx : { ...cx, report: new Report(cx.report.source) };
}

function checkElement(cx: Context, element: ast.Element, scope: Scope): void {
  switch (element.kind) {
    case "pattern":
      return checkPattern(cx, element, scope);
    case "absence":
      return checkAbsence(cx, element, scope);
    case "or":
      return checkOr(cx, element, scope);
    case "forall":
      return checkForall(cx, element, scope);
    case "aggregate":
      return checkAggregate(cx, element, scope);
    case "where":
      return checkTest(cx, element.test, scope);
    case "let":
      return bind(cx, element.name, scope, {
        type: typeOf(cx, element.value, scope),
        kind: "value",
        named: true,
      });
    case "row":
      return checkRow(cx, element, scope);
    case "items":
      return checkItems(cx, element, scope, TYPING);
    default:
      unreachable(element);
  }
}

/** Checks the query and the arguments of `q in adults(18)`; its variables are bound by the elements that follow. */
function checkRow(cx: Context, row: ast.RowElement, scope: Scope): void {
  const { variable, query, args, span } = row;
  if (reportMissingComma(cx, row, scope)) return;
  const types = typesOf(cx, args, scope);
  if (scope.get(variable.name) !== undefined) {
    cx.report.error("E204", variable.span, `variable "${variable.name}" is already bound`, "choose another name");
  }
  const declared = cx.symbols.queries.get(query.name);
  if (declared !== undefined) {
    checkArguments(cx, `query ${query.name}`, paramsOf(cx, declared.decl.params), false, args, span, types);
    return;
  }
  scope.add({ name: variable.name, type: REPORTED, kind: "value" }); // nothing more is reported about it
  if (cx.symbols.excuses(cx.symbols.queries, query.name)) return;
  const known = [
    ...cx.symbols.written(cx.symbols.queries, cx.report.source),
    ...cx.symbols.functionNames(cx.report.source),
  ];
  const hint = didYouMean(nearest(query.name, known)) ?? "declare it: query name { … }";
  cx.report.error("E213", query.span, `unknown query "${query.name}"`, hint);
}

/** Reports `l in o.lines (A() or B())`, which reads as the call of a query. Returns whether it is that. */
function reportMissingComma(cx: Context, { variable, query }: ast.RowElement, scope: Scope): boolean {
  const [root = ""] = query.name.split(".");
  if (scope.get(root) === undefined || cx.symbols.queries.get(query.name) !== undefined) return false;
  scope.add({ name: variable.name, type: REPORTED, kind: "value" });
  cx.report.error(
    "E213",
    query.span,
    `"${query.name}" is no query`,
    'put a comma before "(": a group follows the list',
  );
  return true;
}

function checkAbsence(cx: Context, element: ast.AbsenceElement, scope: Scope): void {
  const inner = scope.inner();
  checkElements(cx, element.elements, inner);
  refuseInnerWindows(cx, element, inner);
  hideAll(scope, inner, `bound only inside "${element.quantifier}"`);
}

/** Reports a window inside `not` that depends on a variable bound there: for each of its facts it would close at another time. */
function refuseInnerWindows(cx: Context, { quantifier, elements }: ast.AbsenceElement, inner: Scope): void {
  if (quantifier === "exists") return;
  const bound = new Set([...inner.added()].map(({ name }) => name));
  for (const { variable, length, anchor } of windowsOf(elements)) {
    forEachNode([length, anchor], (node) => {
      const path = node as unknown as ast.PathExpr;
      if (path.kind !== "path" || cx.resolutions.get(path) !== "variable") return;
      const { name } = path.root;
      if (!bound.has(name) || name === variable?.name) return;
      const message = `this window depends on "${name}", which is bound inside "not"`;
      cx.report.error("E214", path.span, message, `bind "${name}" before the "not"`);
    });
  }
}

function checkForall(cx: Context, element: ast.ForallElement, scope: Scope): void {
  const inner = scope.inner();
  checkPattern(cx, element.pattern, inner);
  checkTest(cx, element.test, inner);
  hideAll(scope, inner, 'bound only inside "forall"');
}

function checkAggregate(cx: Context, element: ast.AggregateElement, scope: Scope): void {
  const inner = scope.inner();
  checkPattern(cx, element.pattern, inner);
  const type = typeOfAggregate(cx, element.fn, element.value, inner);
  hideAll(scope, inner, `bound only inside "${element.fn.name}"`);
  bind(cx, element.name, scope, { type, kind: "value" });
}

/** Checks an `or`. A variable is visible after it when every alternative binds it to the same type. */
function checkOr(cx: Context, element: ast.OrElement, scope: Scope): void {
  const scopes = element.alternatives.map((alternative) => {
    const inner = scope.inner();
    checkElements(cx, alternative, inner);
    return inner;
  });
  const [first, ...others] = scopes;
  if (first === undefined) return;
  for (const inner of scopes) hideAll(scope, inner, 'bound in only some alternatives of "or"');
  for (const variable of first.added()) {
    const everywhere = others.every((other) =>
      [...other.added()].some((twin) => twin.name === variable.name && sameType(twin.type, variable.type)),
    );
    if (everywhere) scope.add(variable);
  }
}
