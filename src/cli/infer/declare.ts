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
    this.#taken = new Set([...types.keys(), "date", "instant", "duration"]);
  }

  text(): string {
    const written = Array.from(this.#types, ([name, fields]) => `type ${name}(${this.#typeFields(name, fields)})`);
    const records = Array.from(this.#records, ([fields, name]) => `record ${name}(${fields})`);
    return format([...records, ...written].join("\n\n") + "\n").text;
  }

  #typeFields(type: string, fields: Fields): string {
    const key = keyOf(type, fields);
    const all = [...fields.entries()];
    const known = all.filter(({ name }) => isField(name));
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
    if (!all.every(({ name }) => isField(name))) return undefined;
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
      const found = candidates.find((one) => !this.#taken.has(one) && isTypeName(one));
      if (found !== undefined) {
        this.#taken.add(found);
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

function isField(name: string): boolean {
  return WORD.test(name) && isRight(`type T(${name}: any)`);
}

const known = new Map<string, boolean>();

/** Returns whether a program has no errors: what a name may be is asked of the language itself. */
function isRight(source: string): boolean {
  let right = known.get(source);
  if (right === undefined) {
    right = !check(source).diagnostics.some(({ severity }) => severity === "error");
    known.set(source, right);
  }
  return right;
}
