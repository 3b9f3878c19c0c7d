/**
 * Finds patterns of a rule that no test connects: every combination of their facts would be a match.
 *
 * A pattern that fixes a field to a constant is not reported: control facts are written that way.
 */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import { isLiteral } from "./literals.ts";

interface Part {
  readonly name: string;
  readonly words: string;
  readonly span: Span;
  /** True when the pattern has a test of its own against a constant. */
  pinned: boolean;
}

export function warnUnconnected(cx: Context, rule: ast.RuleDecl): void {
  const groups = new Groups();
  const parts = rule.body.kind === "block" ? blockParts(cx, rule.body, groups) : slashParts(cx, rule.body, groups);
  const [first] = parts;
  if (first === undefined) return;
  const pinned = new Set(parts.filter((part) => part.pinned).map((part) => groups.of(part.name)));
  const apart = parts.find(
    (part) => groups.of(part.name) !== groups.of(first.name) && !pinned.has(groups.of(part.name)),
  );
  if (apart === undefined) return;
  cx.report.warning(
    "W301",
    apart.span,
    `"${apart.words}" shares no test with the patterns before it: every combination matches`,
    "add a test that uses a variable of an earlier pattern",
  );
}

/** Sets of names that tests connect. */
class Groups {
  readonly #parent = new Map<string, string>();

  of(name: string): string {
    let root = name;
    for (let next = this.#parent.get(root); next !== undefined; next = this.#parent.get(root)) root = next;
    if (root !== name) this.#parent.set(name, root);
    return root;
  }

  join(names: readonly string[]): void {
    const [first, ...rest] = names;
    if (first === undefined) return;
    for (const name of rest) {
      const root = this.of(name);
      if (root !== this.of(first)) this.#parent.set(root, this.of(first));
    }
  }
}

function blockParts(cx: Context, body: ast.BlockBody, groups: Groups): Part[] {
  const parts: Part[] = [];
  for (const [index, element] of body.elements.entries()) {
    const mentioned = variablesIn(cx, element);
    if (element.kind !== "pattern") {
      groups.join(element.kind === "aggregate" ? [...mentioned, element.name.name] : mentioned);
      continue;
    }
    const name = element.variable?.name ?? `pattern ${index}`;
    groups.join([name, ...mentioned]);
    const words =
      element.variable === null ? `${element.type.name}(…)` : `${element.variable.name}: ${element.type.name}`;
    parts.push({ name, words, span: element.span, pinned: element.tests.some((test) => pins(cx, test, name)) });
  }
  return parts;
}

function slashParts(cx: Context, body: ast.SlashBody, groups: Groups): Part[] {
  const parts: Part[] = [];
  for (const source of body.sources.flat()) {
    if (source.kind === "aggregate-source") {
      groups.join([source.variable.name, ...variablesIn(cx, source.value)]);
      continue;
    }
    const words = `${source.variable.name}: ${source.type.name}`;
    parts.push({ name: source.variable.name, words, span: source.span, pinned: false });
  }
  const conjuncts = body.test?.kind === "logic" && body.test.op === "and" ? body.test.items : [body.test];
  for (const test of conjuncts) {
    groups.join(variablesIn(cx, test));
    for (const part of parts) part.pinned ||= test !== null && pins(cx, test, part.name);
  }
  return parts;
}

function variablesIn(cx: Context, node: unknown): string[] {
  const names = new Set<string>();
  forEachNode(node, (inner) => {
    if (inner["kind"] !== "path") return;
    const path = inner as unknown as ast.PathExpr;
    if (cx.resolutions.get(path) === "variable") names.add(path.root.name);
  });
  return [...names];
}

/** Returns whether a test compares a field with a constant: `name.field == constant`, or a bare field. */
function pins(cx: Context, test: ast.Expr, name: string): boolean {
  if (test.kind === "logic" && test.op === "and") return test.items.some((item) => pins(cx, item, name));
  if (test.kind !== "compare" || test.op !== "==") return false;
  return [test.left, test.right].some((side, index) => {
    const other = index === 0 ? test.right : test.left;
    if (side.kind !== "path" || !isLiteral(other)) return false;
    return cx.resolutions.get(side) === "own-field" || side.root.name === name;
  });
}
