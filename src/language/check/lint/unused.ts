/**
 * Warns of names that nothing uses (W250): of `let`, of parameters, of facts and items inside `not`, `exists`, `forall` and
 * aggregates, and of constants. The variables of a rule are not among them: a host reads them in firings, and explanations name facts by them; nor are
 * the names of a query, which are its results. A name that begins with `_` is meant to be unused.
 */
import type { Fix } from "../../../base/diagnostic.ts";
import { SmallSteps, type Steps } from "../../../base/slices.ts";
import type { Span } from "../../../base/span.ts";
import type * as ast from "../../ast.ts";
import { sourceOf } from "../../copied.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";

/** Warns of the names of a statement; `nodes` are all of its nodes. */
export function warnOfUnusedNames(cx: Context, decl: ast.Declaration, nodes: readonly Record<string, unknown>[]): void {
  const used = usedVariables(cx, nodes);
  const isUnused = ({ name }: ast.Ident): boolean => !used.has(name) && !name.startsWith("_");
  if (decl.kind === "condition" || decl.kind === "query" || (decl.kind === "function" && decl.body !== null)) {
    for (const { name } of decl.params) if (isUnused(name)) warn(cx, "parameter", name);
  }
  const results = new Set<unknown>(decl.kind === "query" ? shownBy(decl.elements) : []);
  for (const node of nodes) {
    if (node["kind"] === "let" && !results.has(node) && sourceOf(node) === undefined) {
      const { name, span } = node as unknown as ast.LetElement;
      if (isUnused(name)) warn(cx, "name", name, { title: `remove "let ${name.name}"`, span });
    }
    for (const { variable } of innerItems(node)) if (isUnused(variable)) warn(cx, "item", variable);
    const pattern = innerPattern(node);
    const variable = pattern?.variable;
    if (variable !== null && variable !== undefined && isUnused(variable)) {
      const span = { start: variable.span.start, end: pattern?.type.span.start ?? variable.span.end };
      warn(cx, "variable", variable, { title: `remove "${variable.name}:"`, span });
    }
  }
}

/** Returns a name as its own file writes it. */
function lastOf({ name, module }: ast.Ident): string {
  return module === undefined ? name : name.slice(module.length + 1);
}

function warn(
  cx: Context,
  what: string,
  name: ast.Ident,
  removed?: { readonly title: string; readonly span: Span },
): void {
  const fix: Fix | undefined = removed === undefined ? undefined : cx.report.fix(removed.title, removed.span, "");
  cx.report.warning(
    "W250",
    name.span,
    `${what} "${name.name}" is not used`,
    `remove it, or call it "_${lastOf(name)}"`,
    fix,
  );
}

/** Returns the names of variables that a statement uses, also in the sentences of a guardian. */
function usedVariables(cx: Context, nodes: readonly Record<string, unknown>[]): ReadonlySet<string> {
  const used = new Set<string>();
  const note = (node: Record<string, unknown>): void => {
    if (node["kind"] === "path" && cx.resolutions.get(node as unknown as ast.PathExpr) === "variable") {
      used.add((node as unknown as ast.PathExpr).root.name);
    }
    if (node["kind"] !== "text") return;
    // The expressions of sentences have no names of `let` any more, so their words are read.
    for (const { text } of cx.holes.get(node as unknown as ast.TextExpr) ?? []) {
      for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{M}\p{N}_-]*/gu)) used.add(word);
    }
  };
  for (const node of nodes) note(node);
  return used;
}

/** Returns the elements whose names are results of a query. */
function shownBy(elements: readonly ast.Element[]): ast.Element[] {
  return elements.flatMap((element) => (element.kind === "or" ? shownBy(element.alternatives.flat()) : [element]));
}

/** Returns the items that only the other elements of a group can see. Alone they ask whether the list has any. */
function innerItems(node: Record<string, unknown>): ast.ItemsElement[] {
  if (node["kind"] !== "absence" || sourceOf(node) !== undefined) return [];
  const { elements } = node as unknown as ast.AbsenceElement;
  return elements.length < 2 ? [] : elements.filter((one) => one.kind === "items");
}

/** Returns a pattern whose variable only its own tests can see. */
function innerPattern(node: Record<string, unknown>): ast.Pattern | undefined {
  switch (node["kind"]) {
    case "absence": {
      const { elements } = node as unknown as ast.AbsenceElement;
      const [only, ...more] = elements;
      return only?.kind === "pattern" && more.length === 0 && sourceOf(only) === undefined ? only : undefined;
    }
    case "forall":
    case "aggregate":
    case "exists":
    case "fact-quorum":
    case "evidence":
      return sourceOf(node) === undefined ? (node["pattern"] as ast.Pattern) : undefined;
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------- constants

/** Warns of the constants and parameters of a program that nothing uses; `files` are all of its files. */
export function warnOfUnusedConstants(
  cx: Context,
  declarations: readonly ast.Declaration[],
  used: ReadonlySet<string>,
): void {
  for (const decl of declarations) {
    if ((decl.kind !== "const" && decl.kind !== "param") || used.has(decl.name.name)) continue;
    if (lastOf(decl.name).startsWith("_")) continue;
    const what = decl.kind === "param" ? "parameter" : "constant";
    warn(cx, what, decl.name, { title: `remove ${what} "${decl.name.name}"`, span: decl.span });
  }
}

/** Returns the names of the constants that statements use; none when there are no constants. One step for each statement. */
export function* usedConstants(
  { resolutions, holes }: Pick<Context, "resolutions" | "holes">,
  declarations: readonly ast.Declaration[],
): Steps<ReadonlySet<string>> {
  const used = new Set<string>();
  const note = (node: Record<string, unknown>): void => {
    const path = node as unknown as ast.PathExpr;
    if (node["kind"] === "path" && resolutions.get(path) === "constant") used.add(path.root.name);
    if (node["kind"] !== "text") return;
    for (const hole of holes.get(node as unknown as ast.TextExpr) ?? []) forEachNode(hole.expr, note);
  };
  if (!declarations.some(({ kind }) => kind === "const" || kind === "param")) return used;
  const small = new SmallSteps();
  for (const decl of declarations) {
    forEachNode(decl, note);
    if (decl.kind !== "fact" || small.isDue()) yield;
  }
  return used;
}
