/**
 * Names for values: `let net = o.qty * o.price`.
 *
 * In the condition of a rule or query a `let` is an element with a node of its own. Everywhere else, in actions, conditions,
 * gates, guardians and pipelines, the checked program has the expression in place of the name, so that what judges needs to know
 * nothing of names. Explanations read conditions of rules in the same way (`inlinedElements`): what is missing is a part of the
 * expression, and so is what could be changed.
 */
import type * as ast from "../ast.ts";
import { bind } from "./bind.ts";
import { clockIn } from "./clock.ts";
import type { ConditionUse } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./scope.ts";
import { carryTableUse } from "./table-uses.ts";
import { forEachNode } from "../walk.ts";
import { asText, carryTimes } from "./times.ts";
import { typeOf } from "./typing.ts";
import { carryValueFields, fieldsOfValue, joinValueFields } from "./value-fields.ts";

/** The most parts that names add to an expression, and everything that is used to a statement, when they are written out. */
export const MOST_PARTS = 10_000;

/** What to do about a statement that grows too large. */
export const SPLIT_HINT = "compute a part of it in a rule that inserts a logical fact, and match that fact";

/** The names of one statement, and what they stand for. */
export class Lets {
  readonly #cx: Context;
  readonly #values: Map<string, ast.Expr>;
  readonly #follows: boolean;
  /** Paths that were reported: a tree may be read more than once. */
  readonly #reported = new Set<ast.PathExpr>();

  /** With `follows` the name itself stays where a field of a computed value is used: a rule can follow it. */
  constructor(cx: Context, outer?: Lets, follows = false) {
    this.#cx = cx;
    this.#follows = follows;
    this.#values = new Map(outer === undefined ? [] : outer.#values);
  }

  /** Returns names that begin with these; those that are added to them are not seen outside. */
  inside(): Lets {
    return new Lets(this.#cx, this, this.#follows);
  }

  /** Checks a `let`, and binds its name for what follows. */
  add(one: ast.LetElement, scope: Scope): void {
    const type = typeOf(this.#cx, one.value, scope);
    bind(this.#cx, one.name, scope, { type, kind: "value" });
    this.note(one);
  }

  /** Notes what a name stands for, after its expression was checked. */
  note({ name, value, span }: ast.LetElement): void {
    const inlined = this.inline(value);
    if (inlined === value || sizeOf(inlined) - sizeOf(value) <= MOST_PARTS) this.#values.set(name.name, inlined);
    else {
      const message = `"${name.name}" grows by more than ${MOST_PARTS} parts when the names in it are written out`;
      this.#cx.report.error("E307", span, message, SPLIT_HINT);
    }
  }

  /** Forgets a name that is no longer the only one: the alternatives of an `or` bind it in different ways. */
  forget(name: string): void {
    this.#values.delete(name);
  }

  /** Returns a tree with expressions in place of names; a part without names stays the same object. */
  inline<Node>(node: Node): Node {
    return this.#values.size === 0 ? node : this.#inlined(node);
  }

  #inlined<Node>(node: Node): Node {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) {
      const items = node.map((item: unknown) => this.#inlined(item));
      return items.some((item, at) => item !== node[at]) ? (items as Node) : node;
    }
    if ("kind" in node && node.kind === "path") return this.#path(node as unknown as ast.PathExpr) as Node;
    const changed = Object.entries(node).flatMap(([key, child]: [string, unknown]) => {
      const written = key === "span" ? child : this.#inlined(child);
      return written === child ? [] : [[key, written] as const];
    });
    if (changed.length === 0) return node;
    const copy = { ...node, ...Object.fromEntries(changed) };
    const { conditionUses } = this.#cx;
    const condition = conditionUses.get(node as unknown as ConditionUse);
    if (condition !== undefined) conditionUses.set(copy as unknown as ConditionUse, condition);
    carryTableUse(this.#cx, node as unknown as ast.CallExpr, copy as unknown as ast.CallExpr, (expr) =>
      this.#inlined(expr),
    );
    carryTimes(this.#cx, node as unknown as ast.Expr, copy as unknown as ast.Expr);
    carryValueFields(this.#cx, node, copy);
    return copy;
  }

  #path(path: ast.PathExpr): ast.Expr {
    const { resolutions, report } = this.#cx;
    const value = resolutions.get(path) === "variable" ? this.#values.get(path.root.name) : undefined;
    if (value === undefined) return path;
    if (path.fields.length === 0) return asText(this.#cx, path, value);
    if (value.kind === "call" && this.#cx.tables.uses.has(value)) return this.#output(path, value);
    const read = value.kind === "path" ? undefined : fieldsOfValue(this.#cx, path, value);
    if (read !== undefined) return read;
    if (value.kind !== "path") {
      if (this.#follows || this.#reported.has(path)) return path;
      this.#reported.add(path);
      const message = `"${path.root.name}" is computed, so its field cannot be followed here`;
      report.error("E214", path.span, message, "name the field itself: let name = (if … then a.field else b.field)");
      return path;
    }
    const longer = { ...value, fields: [...value.fields, ...path.fields], span: path.span };
    const resolution = resolutions.get(value);
    if (resolution !== undefined) resolutions.set(longer, resolution);
    carryTimes(this.#cx, path, longer);
    joinValueFields(this.#cx, value, path, longer);
    return longer;
  }

  /** Returns an output of a table in place of a field of the name that stands for its row. */
  #output(path: ast.PathExpr, call: ast.CallExpr): ast.Expr {
    const [field] = path.fields;
    if (field === undefined) return call;
    const made: ast.PropertyExpr = { kind: "property", of: call, field, span: path.span };
    this.#cx.valueFields.set(made, [true]);
    carryTimes(this.#cx, path, made);
    return made;
  }
}

/** Returns whether a `let` is written somewhere in a statement. */
export function usesLet(decl: ast.Declaration): boolean {
  let found = false;
  forEachNode(decl, ({ kind }) => (found ||= kind === "let"));
  return found;
}

const sizes = new WeakMap<object, number>();

/** Returns the number of parts of a tree. Parts that occur several times count each time, and are counted once. */
function sizeOf(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  const known = sizes.get(node);
  if (known !== undefined) return known;
  let size = 1;
  for (const [key, child] of Object.entries(node)) if (key !== "span") size += sizeOf(child);
  sizes.set(node, size);
  return size;
}

// ---------------------------------------------------------------- actions

/** Returns the actions without `let`, with expressions in place of its names. */
export function withoutLets(cx: Context, actions: readonly ast.Action[], outer?: Lets): readonly ast.Action[] {
  const lets = new Lets(cx, outer);
  const kept: ast.Action[] = [];
  for (const action of actions) {
    if (action.kind === "let") lets.note(action);
    else kept.push(lets.inline(action));
  }
  return kept;
}

// ---------------------------------------------------------------- the clock

/**
 * Returns the elements of a rule or query without the names for values that read the clock, and with their expressions in place of
 * the names: such a value would be another one at every instant, so it is no part of a match. Undefined when there are none.
 */
export function withoutClockLets(
  cx: Context,
  elements: readonly ast.Element[],
): { readonly elements: readonly ast.Element[]; readonly lets: Lets } | undefined {
  let found = false;
  forEachNode(elements, (node) => {
    found ||= node["kind"] === "let" && clockIn(cx, node["value"] as ast.Expr) !== undefined;
  });
  if (!found) return undefined;
  const lets = new Lets(cx, undefined, true);
  return { elements: clockInlined(cx, lets, elements), lets };
}

function clockInlined(cx: Context, lets: Lets, elements: readonly ast.Element[], isChoice = false): ast.Element[] {
  return elements.flatMap((element): ast.Element[] => {
    if (element.kind === "absence") {
      return [{ ...element, elements: clockInlined(cx, lets.inside(), element.elements) }];
    }
    if (element.kind === "or") {
      const alternatives = element.alternatives.map((one) => clockInlined(cx, lets.inside(), one, true));
      return [{ ...element, alternatives }];
    }
    const read = lets.inline(element);
    if (read.kind !== "let" || clockIn(cx, read.value) === undefined) return [read];
    if (isChoice) {
      const message = `"${read.name.name}" reads the clock, so it cannot be named inside "or"`;
      cx.report.error(
        "E214",
        read.span,
        message,
        "write the let before the alternatives, or its expression in the test",
      );
    }
    lets.note(read);
    return [];
  });
}

// ---------------------------------------------------------------- elements

const inlined = new WeakMap<readonly ast.Element[], readonly ast.Element[]>();

/** Returns the elements of a rule, query or step with expressions in place of the names that `let` binds in them. */
export function inlinedElements(elements: readonly ast.Element[]): readonly ast.Element[] {
  return inlined.get(elements) ?? elements;
}

/** Notes how the elements of a statement that was checked read without the names that `let` binds in them. */
export function noteInlined(cx: Context, elements: readonly ast.Element[]): void {
  const read = inlineSequence(new Lets(cx, undefined, true), elements);
  if (read.some((element, at) => element !== elements[at])) inlined.set(elements, read);
}

function inlineSequence(lets: Lets, elements: readonly ast.Element[]): ast.Element[] {
  return elements.map((element): ast.Element => {
    switch (element.kind) {
      case "let":
        lets.note(element);
        return { ...element, value: lets.inline(element.value) };
      case "absence":
        return { ...element, elements: inlineSequence(lets.inside(), element.elements) };
      case "or": {
        const alternatives = element.alternatives.map((one) => inlineSequence(lets, one));
        for (const name of element.alternatives.flat().flatMap(letNames)) lets.forget(name);
        return { ...element, alternatives };
      }
      default:
        return lets.inline(element);
    }
  });
}

function letNames(element: ast.Element): string[] {
  if (element.kind === "let") return [element.name.name];
  return element.kind === "or" ? element.alternatives.flat().flatMap(letNames) : [];
}
