/**
 * The facts that a test is given. A given fact takes the place of a fact of the program with the same key; given facts may
 * refer to each other by name, also to one further down.
 */
import { must } from "../../base/invariant.ts";
import type { Maybe } from "../../base/value.ts";
import { namedFactIds } from "../../plan/named-facts.ts";
import { dataOf, type InitialFact } from "../../plan/program-data.ts";
import type * as ast from "../../language/ast.ts";
import { SessionError } from "../../session/errors.ts";
import type { ChangeBy } from "../../session/options.ts";
import type { Program } from "../program.ts";
import { FactChecker } from "../fact-check.ts";
import type { Session } from "../session.ts";

/** Tests may assert facts of protected types: their author writes the program too. */
export const BY_AUTHOR: ChangeBy = { role: "policy" };

export class GivenFacts {
  readonly #program: Program;
  readonly #checker: FactChecker;
  readonly #items: readonly ast.GivenItem[];
  readonly #named: ReadonlyMap<string, ast.GivenItem>;
  readonly #programNames: ReadonlyMap<string, string>;
  /** The ids of named given facts that are known: from their keys, or because they were asserted. */
  readonly #ids = new Map<string, string>();
  /** The ids of the given facts that were asserted. */
  readonly #asserted = new Map<ast.GivenItem, string>();

  constructor(program: Program, decl: ast.TestDecl) {
    this.#program = program;
    this.#checker = new FactChecker(program, BY_AUTHOR);
    this.#items = decl.items.filter((item) => item.kind === "given");
    this.#named = new Map(this.#items.flatMap((item) => (item.name === null ? [] : [[item.name.name, item] as const])));
    this.#programNames = namedFactIds(program.checked);
    for (const [name, item] of this.#named) {
      const id = this.#keyId(item);
      if (id !== undefined) this.#ids.set(name, id);
    }
  }

  /** The ids that names in expectations stand for. */
  get names(): ReadonlyMap<string, string> {
    return this.#ids;
  }

  /** The ids of the facts that were asserted: the named ones first, then the others, each in written order. */
  get ids(): readonly string[] {
    const ofItems = (items: readonly ast.GivenItem[]): string[] =>
      items.flatMap((item) => this.#asserted.get(item) ?? []);
    return [
      ...ofItems(this.#items.filter(({ name }) => name !== null)),
      ...ofItems(this.#items.filter(({ name }) => name === null)),
    ];
  }

  /** Returns the facts of the program that no given fact takes the place of. */
  otherFacts(facts: readonly InitialFact[]): InitialFact[] {
    const replaced = new Set(this.#items.map((item) => this.#keyId(item)));
    return facts.filter(({ type, fields }) => {
      const id = this.#checker.idOf(type, fields);
      return id === undefined || !replaced.has(id);
    });
  }

  /** Returns plain data as a value; the name of a given fact is its id. */
  valueOf(value: ast.Value): Maybe {
    return this.#valueOf(value, (name) => this.#ids.get(name)) as Maybe;
  }

  /** Returns the id of a fact that is written as its id or, for a type with one key, as that key. */
  idOf(type: string, reference: Maybe): Maybe {
    if (typeof reference === "string" && reference.startsWith(`${type}~`)) return reference;
    const keys = this.#checker.schema.types.get(type)?.fields.filter((field) => field.key) ?? [];
    const [key] = keys;
    return key === undefined || keys.length > 1 ? reference : this.#checker.idOf(type, { [key.name]: reference });
  }

  get size(): number {
    return this.#items.length;
  }

  /** Asserts some of the given facts. */
  assertInto(session: Session, items: readonly ast.GivenItem[]): void {
    for (const item of items) this.#assert(session, item, []);
  }

  #assert(session: Session, item: ast.GivenItem, waiting: readonly ast.GivenItem[]): void {
    if (this.#asserted.has(item)) return;
    if (waiting.includes(item)) throw inCircle(item);
    const fields = this.#fieldsOf(item.fact, (name) => {
      const other = must(this.#named.get(name), "a given fact that resolved");
      if (!this.#ids.has(name)) this.#assert(session, other, [...waiting, item]);
      return this.#ids.get(name);
    });
    // A rule may have made a fact with this key before.
    const type = item.fact.type.name;
    const { id } = this.#checker.isKeyed(type)
      ? session.upsert(type, fields, BY_AUTHOR)
      : session.assert(type, fields, BY_AUTHOR);
    this.#asserted.set(item, id);
    if (item.name !== null) this.#ids.set(item.name.name, id);
  }

  #keyId(item: ast.GivenItem): string | undefined {
    return this.#checker.isKeyed(item.fact.type.name)
      ? this.#checker.idOf(
          item.fact.type.name,
          this.#fieldsOf(item.fact, () => undefined),
        )
      : undefined;
  }

  #fieldsOf(fact: ast.FactLiteral, idOf: (name: string) => string | undefined): Record<string, unknown> {
    const names = [...(this.#program.checked.symbols.type(fact.type.name)?.fields.keys() ?? [])];
    const entries = fact.args.flatMap((arg, index) => {
      const name = arg.name?.name ?? names[index];
      const value = this.#valueOf(arg.value, idOf);
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(entries);
  }

  #valueOf(value: ast.Value, idOf: (name: string) => string | undefined): unknown {
    const { checked } = this.#program;
    if (value.kind === "list") return value.items.map((item) => this.#valueOf(item, idOf));
    if (value.kind === "path" && checked.resolutions.get(value) === "variable") return idOf(value.root.name);
    return dataOf(checked, value, this.#programNames);
  }
}

function inCircle(item: ast.GivenItem): SessionError {
  const message = `the given fact ${item.name?.name ?? item.fact.type.name} refers to itself through facts without a key`;
  return new SessionError("E532", message, "give one of the types a key");
}
