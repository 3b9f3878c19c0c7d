/**
 * Warns of names that hide others (W255): a variable with the name of a constant or of a fact of the program, and a field that is
 * meant where a variable of the same name is known.
 */
import type * as ast from "../../ast.ts";
import { originOf, sourceOf } from "../../copied.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";

/** Warns of the names of a statement; `nodes` are all of its nodes. */
export function warnOfHiddenNames(cx: Context, decl: ast.Declaration, nodes: readonly Record<string, unknown>[]): void {
  const bound = boundNames(decl, nodes);
  for (const name of bound.values()) warnOfHiddenConstant(cx, name);
  for (const node of nodes) {
    if (node["kind"] === "pattern" && sourceOf(node) === undefined)
      warnInPattern(cx, node as unknown as ast.Pattern, bound);
  }
}

function warnOfHiddenConstant(cx: Context, { name, span }: ast.Ident): void {
  const { symbols, report } = cx;
  const what = symbols.knows(symbols.constants, name, report.source) ? "constant" : "fact";
  if (what === "fact" && !symbols.knows(symbols.facts, name, report.source)) return;
  cx.report.warning("W255", span, `"${name}" hides the ${what} of that name`, "choose another name for the variable");
}

/** Warns of a bare field with the name of a variable that is bound above it. */
function warnInPattern(cx: Context, pattern: ast.Pattern, bound: ReadonlyMap<string, ast.Ident>): void {
  const warned = new Set<string>();
  forEachNode(pattern.tests, (node) => {
    if (node["kind"] !== "path") return;
    const path = node as unknown as ast.PathExpr;
    const { name, span } = path.root;
    const variable = bound.get(name);
    if (variable === undefined || warned.has(name) || cx.resolutions.get(path) !== "own-field") return;
    if (variable.span.start >= pattern.span.start || originOf(path) !== undefined) return;
    warned.add(name);
    const message = `"${name}" is the field of ${pattern.type.name}, and hides the variable of that name`;
    cx.report.warning("W255", span, message, "rename the variable, or write the field with the name of its fact");
  });
}

/** Returns the variables that a statement binds: of facts, aggregates, `let`, and parameters. */
function boundNames(decl: ast.Declaration, nodes: readonly Record<string, unknown>[]): ReadonlyMap<string, ast.Ident> {
  const bound = new Map<string, ast.Ident>();
  const add = (name: ast.Ident | null | undefined): void => {
    if (name !== null && name !== undefined && !bound.has(name.name)) bound.set(name.name, name);
  };
  if (decl.kind === "condition" || decl.kind === "query" || (decl.kind === "function" && decl.body !== null)) {
    for (const { name } of decl.params) add(name);
  }
  for (const node of nodes) {
    if (sourceOf(node) !== undefined) continue;
    switch (node["kind"]) {
      case "pattern":
      case "source":
      case "items":
      case "aggregate-source":
        add(node["variable"] as ast.Ident | null);
        break;
      case "let":
      case "aggregate":
        add(node["name"] as ast.Ident);
        break;
      default:
    }
  }
  return bound;
}
