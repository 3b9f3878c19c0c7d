/** Warns of a `forall` that may hold for no facts (W256), because nothing beside it asks for one. */
import type * as ast from "../../ast.ts";
import { sourceOf } from "../../copied.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";

/** Warns of the `forall` elements of a statement; `nodes` are all of its nodes. */
export function warnOfEmptyForall(cx: Context, nodes: readonly Record<string, unknown>[]): void {
  if (!nodes.some(({ kind }) => kind === "forall")) return;
  const foralls: ast.ForallElement[] = [];
  const asked = new Set<string>();
  for (const node of nodes) {
    if (node["kind"] === "forall" && sourceOf(node) === undefined) foralls.push(node as unknown as ast.ForallElement);
    for (const type of askedBy(node)) asked.add(type);
  }
  for (const { pattern, span } of foralls) {
    const type = pattern.type.name;
    if (asked.has(type)) continue;
    const from = usesItself(cx, pattern) ? pattern.span.start : pattern.type.span.start;
    const words = `exists ${cx.report.source.text.slice(from, pattern.span.end)}`;
    const message = `this forall also holds when there is no ${type} that fits its pattern`;
    const fix = cx.report.fix(`ask for one: ${words}`, { start: span.start, end: span.start }, `${words} `);
    cx.report.warning(
      "W256",
      { start: span.start, end: pattern.span.end },
      message,
      `to ask for one, add: ${words}`,
      fix,
    );
  }
}

/** Returns the types of which an element asks for facts; patterns inside `not` and `forall` do not. */
function askedBy(node: Record<string, unknown>): string[] {
  switch (node["kind"]) {
    case "block":
    case "query":
    case "pattern-condition":
      return typesOf(node["elements"] as readonly ast.Element[]);
    case "exists":
      return [(node["pattern"] as ast.Pattern).type.name];
    case "absence": {
      const { quantifier, elements } = node as unknown as ast.AbsenceElement;
      return quantifier === "exists" ? typesOf(elements) : [];
    }
    case "or":
      return (node as unknown as ast.OrElement).alternatives.flatMap(typesOf);
    default:
      return [];
  }
}

function typesOf(elements: readonly ast.Element[]): string[] {
  return elements.flatMap((element) => {
    if (element.kind === "aggregate") return [element.pattern.type.name];
    return element.kind === "pattern" ? [element.type.name] : [];
  });
}

/** Returns whether the tests of a pattern use its variable. */
function usesItself(cx: Context, { variable, tests }: ast.Pattern): boolean {
  let found = false;
  forEachNode(tests, (node) => {
    const path = node as unknown as ast.PathExpr;
    if (node["kind"] === "path" && cx.resolutions.get(path) === "variable") found ||= path.root.name === variable?.name;
  });
  return found;
}
