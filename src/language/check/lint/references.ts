/**
 * Warns of a reference to a fact that is not there (W254), in facts of the program and of its tests.
 *
 * A program whose facts come from outside states none of them, so only types of which it states facts are looked at; and only those
 * that no rule inserts, in a program that removes no facts.
 */
import { idOfParts } from "../../../base/identity.ts";
import { SmallSteps, type Steps } from "../../../base/slices.ts";
import type * as ast from "../../ast.ts";
import { forEachNode } from "../../walk.ts";
import type { Context } from "../context.ts";
import { factArgument, plainValue } from "../facts.ts";
import { keysOf, writtenKeyPart } from "../keys.ts";
import type { Symbols } from "../symbols.ts";
import type { Type } from "../types.ts";

/**
 * Returns the facts that a program states; undefined when no fact can refer to one that is not there. One step for each statement.
 */
export function* statedFacts(
  symbols: Symbols,
  declarations: readonly ast.Declaration[],
): Steps<StatedFacts | undefined> {
  if (!hasReferences(symbols) || declarations.some(({ kind }) => kind === "remove-fact" || kind === "reset"))
    return undefined;
  const stated = new StatedFacts(symbols);
  const small = new SmallSteps();
  for (const decl of declarations) {
    stated.note(decl);
    if (decl.kind !== "fact" || small.isDue()) yield;
  }
  return stated;
}

/** Returns whether a type has a field that refers to facts. */
function hasReferences(symbols: Symbols): boolean {
  const refers = (type: Type): boolean => type.kind === "fact" || (type.kind === "list" && refers(type.item));
  return [...symbols.types.names()].some((name) =>
    [...(symbols.type(name)?.fields.values() ?? [])].some(({ type }) => refers(type)),
  );
}

/** The facts that a program states: their ids by type. */
export class StatedFacts {
  readonly #symbols: Symbols;
  readonly #ids = new Map<string, Set<string>>();
  readonly #skipped = new Set<string>();

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  /** Notes the facts that a statement states, and the types of those that it may insert. */
  note(decl: ast.Declaration): void {
    if (decl.kind === "fact") this.#add(decl.fact);
    else forEachNode(decl, (node) => this.#noteInsert(node));
  }

  /** Warns of the facts of a statement. */
  warn(cx: Context, decl: ast.Declaration): void {
    if (decl.kind === "fact") this.#warnOf(cx, decl.fact, new Map());
    if (decl.kind !== "test") return;
    const given = new Map<string, Set<string>>();
    const facts = decl.items.flatMap((item) => (item.kind === "given" ? [item.fact] : []));
    for (const fact of facts) {
      const id = this.#idOf(fact);
      if (id !== undefined) given.set(fact.type.name, (given.get(fact.type.name) ?? new Set()).add(id));
    }
    for (const fact of facts) this.#warnOf(cx, fact, given);
  }

  #noteInsert(node: Record<string, unknown>): void {
    if (node["kind"] !== "insert" && node["kind"] !== "xuple") return;
    const { fact } = node as unknown as ast.InsertAction | ast.XupleAction;
    if (fact.kind === "fact-literal") this.#skipped.add(fact.type.name);
  }

  #add(fact: ast.FactLiteral): void {
    const id = this.#idOf(fact);
    if (id === undefined) this.#skipped.add(fact.type.name);
    else this.#ids.set(fact.type.name, (this.#ids.get(fact.type.name) ?? new Set()).add(id));
  }

  /** Returns the id of a fact whose type has one key. */
  #idOf(fact: ast.FactLiteral): string | undefined {
    const [key, ...others] = keysOf(this.#symbols, fact.type.name);
    if (key === undefined || others.length > 0) return undefined;
    const names = [...(this.#symbols.type(fact.type.name)?.fields.keys() ?? [])];
    const value = factArgument(fact, key.name, names.indexOf(key.name))?.value;
    const isName = key.type.kind === "fact" && value?.kind === "path";
    const part = value === undefined || isName ? undefined : writtenKeyPart(key.type, plainValue(value, this.#symbols));
    return part === undefined ? undefined : idOfParts(fact.type.name, [part]);
  }

  #warnOf(cx: Context, fact: ast.FactLiteral, given: ReadonlyMap<string, ReadonlySet<string>>): void {
    const fields = [...(this.#symbols.type(fact.type.name)?.fields.values() ?? [])];
    for (const [index, { name, type }] of fields.entries()) {
      const arg = factArgument(fact, name, index);
      if (arg !== undefined) this.#warnOfValue(cx, type, arg.value, given);
    }
  }

  #warnOfValue(cx: Context, type: Type, value: ast.Value, given: ReadonlyMap<string, ReadonlySet<string>>): void {
    if (type.kind === "list" && value.kind === "list") {
      for (const item of value.items) this.#warnOfValue(cx, type.item, item, given);
    }
    if (type.kind !== "fact" || (value.kind !== "text" && value.kind !== "number")) return;
    const stated = this.#ids.get(type.type);
    const here = given.get(type.type);
    if (this.#skipped.has(type.type) || (stated === undefined && here === undefined)) return;
    const written = value.value;
    const part = writtenKeyPart(type, written);
    if (part === undefined) return;
    const id = idOfParts(type.type, [part]);
    if (stated?.has(id) === true || here?.has(id) === true) return;
    const message = `there is no ${type.type} ${JSON.stringify(written)} among the facts of this program`;
    cx.report.warning("W254", value.span, message, "correct the key, or state the fact");
  }
}
