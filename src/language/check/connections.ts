/**
 * Finds patterns of a rule that no test connects: every combination of their facts would be a match.
 *
 * A pattern that at most one fact matches is not reported, because its key is compared with constants. A pattern that compares a field
 * of a type without a key with a constant is not reported either: control facts are written that way.
 */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { sourceOf } from "../copied.ts";
import { forEachNode } from "../walk.ts";
import type { Context } from "./context.ts";
import { isLiteral } from "./literals.ts";

interface Part {
  readonly name: string;
  readonly words: string;
  readonly span: Span;
  readonly type: string;
  /** The fields that are compared with a constant. */
  readonly pinned: Set<string>;
}

export function warnUnconnected(cx: Context, rule: ast.RuleDecl): void {
  const groups = new Groups();
  const parts = rule.body.kind === "block" ? blockParts(cx, rule.body, groups) : slashParts(cx, rule.body, groups);
  const [first] = parts;
  if (first === undefined) return;
  const pinned = new Set(parts.filter((part) => isPinned(cx, part)).map((part) => groups.of(part.name)));
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
  let row: ast.RowElement | undefined;
  for (const [index, element] of body.elements.entries()) {
    if (element.kind === "row") row = element;
    const mentioned = variablesIn(cx, element);
    if (element.kind !== "pattern") {
      groups.join([...mentioned, ...boundBy(element)]);
      continue;
    }
    const name = element.variable?.name ?? `pattern ${index}`;
    groups.join([name, ...mentioned]);
    const words =
      element.variable === null ? `${element.type.name}(…)` : `${element.variable.name}: ${element.type.name}`;
    const pinned = new Set(element.tests.flatMap((test) => pinnedBy(cx, test, name)));
    // The patterns of a query stand in another place, which may be in another file.
    const { span } = sourceOf(element) === undefined ? element : (row ?? element);
    parts.push({ name, words, span, type: element.type.name, pinned });
  }
  return parts;
}

/** Returns the name of the value that an element binds. */
function boundBy(element: ast.Element): string[] {
  if (element.kind === "items") return [element.variable.name];
  return element.kind === "aggregate" || element.kind === "let" ? [element.name.name] : [];
}

function slashParts(cx: Context, body: ast.SlashBody, groups: Groups): Part[] {
  const parts: Part[] = [];
  for (const source of body.sources.flat()) {
    if (source.kind === "aggregate-source") {
      groups.join([source.variable.name, ...variablesIn(cx, source.value)]);
      continue;
    }
    const words = `${source.variable.name}: ${source.type.name}`;
    const { name } = source.variable;
    parts.push({ name, words, span: source.span, type: source.type.name, pinned: new Set() });
  }
  const conjuncts = body.test?.kind === "logic" && body.test.op === "and" ? body.test.items : [body.test];
  for (const test of conjuncts) {
    groups.join(variablesIn(cx, test));
    if (test === null) continue;
    for (const part of parts) for (const field of pinnedBy(cx, test, part.name)) part.pinned.add(field);
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

/** Returns whether at most one fact matches a pattern, or one that controls the rule. */
function isPinned({ symbols }: Context, { type, pinned }: Part): boolean {
  const keys = [...(symbols.type(type)?.fields.values() ?? [])].filter(({ key }) => key);
  return keys.length === 0 ? pinned.size > 0 : keys.every(({ name }) => pinned.has(name));
}

/** Returns the fields of a fact that a test compares with a constant: `name.field == constant`, or a bare field. */
function pinnedBy(cx: Context, test: ast.Expr, name: string): string[] {
  if (test.kind === "logic" && test.op === "and") return test.items.flatMap((item) => pinnedBy(cx, item, name));
  if (test.kind !== "compare" || test.op !== "==") return [];
  const sides = [
    [test.left, test.right],
    [test.right, test.left],
  ] as const;
  return sides.flatMap(([side, other]) => {
    if (side.kind !== "path" || !isConstant(cx, other)) return [];
    const [field] = side.fields;
    if (cx.resolutions.get(side) === "own-field") return field === undefined ? [side.root.name] : [];
    return side.root.name === name && field !== undefined && side.fields.length === 1 ? [field.name] : [];
  });
}

function isConstant(cx: Context, value: ast.Expr): boolean {
  return isLiteral(value) || (value.kind === "path" && cx.resolutions.get(value) === "constant");
}
