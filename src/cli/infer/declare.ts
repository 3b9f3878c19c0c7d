/** Writes declarations of types and records for shapes of facts. What cannot be declared exactly gets the type `any`. */
import { check, format } from "../../tools.ts";
import type { Fields, Shape } from "./shape.ts";

/** The names of fields that are likely keys, likely ones first. */
const KEYS: readonly string[] = ["id", "key", "code", "uuid", "sku", "num", "number"];

/** An object with more fields than this is a table by name, not a record. */
const MOST_FIELDS = 100;

/** Returns the text of declarations for types of facts, by name. */
export function declared(types: ReadonlyMap<string, Fields>): string {
  return new Declarations(types).text();
}

class Declarations {
  readonly #types: ReadonlyMap<string, Fields>;
  readonly #taken: Set<string>;
  /** The names of records, by what they are declared as. */
  readonly #records = new Map<string, string>();

  constructor(types: ReadonlyMap<string, Fields>) {
    this.#types = types;
    this.#taken = new Set([...types.keys(), "date", "instant", "duration"].map(normal));
  }

  text(): string {
    const written = Array.from(this.#types, ([name, fields]) => `type ${name}(${this.#typeFields(name, fields)})`);
    const records = Array.from(this.#records, ([fields, name]) => `record ${name}(${fields})`);
    return format([...records, ...written].join("\n\n") + "\n").text;
  }

  #typeFields(type: string, fields: Fields): string {
    const key = keyOf(type, fields);
    const all = [...fields.entries()];
    const known = declarable(all);
    const words = known.map(({ name, shape, optional }) => {
      const mark = name === key ? "#" : "";
      return `${mark}${name}: ${this.#typeOf(name, type, shape)}${optional ? "?" : ""}`;
    });
    // Fields whose names cannot be written are ignored.
    return [...words, ...(known.length < all.length ? ["..."] : [])].join(", ");
  }

  #typeOf(field: string, owner: string, shape: Shape): string {
    const { kind, options } = shape;
    if (options !== undefined) return options.map((option) => JSON.stringify(option)).join(" | ");
    if (kind === "object") return this.#recordOf(field, owner, shape.fields) ?? "any";
    if (kind === "list") return `${this.#itemOf(field, owner, shape.items)}[]`;
    return kind === undefined || this.#types.has(kind) ? plainWords(kind) : kind;
  }

  #itemOf(field: string, owner: string, items: Shape | undefined): string {
    if (items === undefined || items.kind === "list") return "any";
    if (items.kind === "object") return this.#recordOf(singular(field), owner, items.fields) ?? "any";
    return items.kind === undefined || this.#types.has(items.kind) ? plainWords(items.kind) : items.kind;
  }

  /** Returns the name of a record; undefined for objects that no record can have. */
  #recordOf(field: string, owner: string, fields: Fields | undefined): string | undefined {
    if (fields === undefined || fields.size === 0 || fields.size > MOST_FIELDS) return undefined;
    const all = [...fields.entries()];
    if (declarable(all).length < all.length) return undefined;
    const name = capitalised(field);
    const words = all.map((one) => `${one.name}: ${this.#typeOf(one.name, name, one.shape)}${one.optional ? "?" : ""}`);
    const body = words.join(", ");
    const known = this.#records.get(body);
    if (known !== undefined) return known;
    const free = this.#freeName(name, capitalised(owner));
    this.#records.set(body, free);
    return free;
  }

  #freeName(name: string, owner: string): string {
    const candidates = [name, `${owner}${name}`];
    for (let n = 2; ; n++) {
      const found = candidates.find((one) => !this.#taken.has(normal(one)) && isRecordName(one));
      if (found !== undefined) {
        this.#taken.add(normal(found));
        return found;
      }
      candidates.splice(0, candidates.length, `${owner}${name}${n}`, `Record${n}`);
    }
  }
}

/** Returns the field that is probably the key: it has a usual name, and no two facts have the same value. */
function keyOf(type: string, fields: Fields): string | undefined {
  const own = type.toLowerCase();
  const likely = [...KEYS, `${own}_id`, `${own}id`];
  const keys = [...fields.entries()].filter(
    ({ shape, optional }) => !optional && shape.isUnique && (shape.kind === "string" || shape.kind === "number"),
  );
  const found = likely.map((name) =>
    keys.find((key) => key.name.toLowerCase() === name && key.shape.options === undefined),
  );
  return found.find((key) => key !== undefined)?.name;
}

/** A type of facts called `date` would be meant where a time is. */
function plainWords(kind: string | undefined): string {
  return kind === undefined ? "any" : "string";
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function singular(name: string): string {
  if (/[^aeiou]ies$/u.test(name)) return `${name.slice(0, -3)}y`;
  return /[^s]s$/u.test(name) ? name.slice(0, -1) : name;
}

// ---------------------------------------------------------------- names

const WORD = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;

/** Returns whether a name can be that of a type. */
export function isTypeName(name: string): boolean {
  return WORD.test(name) && isRight(`type ${name}(x: any)`);
}

/** Returns the form in which names are compared: two that differ in their code points alone cannot both be declared. */
export function normal(name: string): string {
  return name.normalize("NFKC");
}

/** Returns the fields that can be declared together. */
function declarable<Field extends { readonly name: string }>(fields: readonly Field[]): readonly Field[] {
  const first = new Map(fields.toReversed().map(({ name }) => [normal(name), name]));
  return fields.filter(({ name }) => isField(name) && first.get(normal(name)) === name);
}

/** Returns whether a name can be that of a record: `String` as a type of fields is `string`. */
function isRecordName(name: string): boolean {
  return isTypeName(name) && isRight(`record ${name}(x: any)\ntype T(r: ${name})\nT(r: {x: 1})`);
}

function isField(name: string): boolean {
  return WORD.test(name) && isRight(`type T(${name}: any)`);
}

/** Returns whether a field of a fact cannot have a name, declared or not. */
export function isReservedField(name: string): boolean {
  return WORD.test(name) && errorsOf(`type T(${name}: any)`).includes("E210");
}

const known = new Map<string, readonly string[]>();

function isRight(source: string): boolean {
  return errorsOf(source).length === 0;
}

/** Returns the codes of the errors of a program: what a name may be is asked of the language itself. */
function errorsOf(source: string): readonly string[] {
  let codes = known.get(source);
  if (codes === undefined) {
    codes = check(source).diagnostics.flatMap(({ severity, code }) => (severity === "error" ? [code] : []));
    known.set(source, codes);
  }
  return codes;
}
