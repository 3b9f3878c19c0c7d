/**
 * How deep a statement is. Brackets are counted by the lexer; what nests without brackets, such as `else if` after `else if` or a path of
 * many fields, is counted in the tree. Everything that follows a tree, down to the planner, calls itself once for each level.
 */
import type { Report } from "../base/diagnostic.ts";
import type { Span } from "../base/span.ts";

/** The most nodes of a tree that are inside each other; each field of a path is one. */
const MOST_LEVELS = 600;

/** Builds a tree; undefined when it is nested too deeply, which is reported. */
export function builtTree<Tree>(tree: () => Tree, report: Report): Tree | undefined {
  const built = tree();
  const deep = deepestAllowed(built);
  if (deep === undefined) return built;
  const message = `this statement is nested more than ${MOST_LEVELS} levels deep`;
  report.error("E301", deep, message, "name parts of it with let, or use a decision table");
  return undefined;
}

/** Returns the place of the first node that is too deep; undefined when there is none. */
function deepestAllowed(tree: unknown): Span | undefined {
  const open: { readonly node: unknown; readonly level: number; readonly span: Span }[] = [
    { node: tree, level: 0, span: { start: 0, end: 0 } },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, level } = next;
    if (typeof node !== "object" || node === null) continue;
    const { kind, span = next.span, fields } = node as { kind?: unknown; span?: Span; fields?: unknown };
    const length = kind === "path" && Array.isArray(fields) ? fields.length : 0;
    const own = level + (kind === undefined ? 0 : 1) + length;
    if (own > MOST_LEVELS) return span;
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (typeof child === "object" && key !== "span") open.push({ node: child, level: own, span });
    }
  }
  return undefined;
}
