/**
 * The keys of facts: which fields they are, and what a reference to a fact can be written as.
 *
 * A key may be a reference to a type with one key. It stands in the id of its fact as that key does: a `Basket` whose key is
 * the customer `Customer~c1` is `Basket~c1`.
 */
import { keyPart } from "../../base/identity.ts";
import type { Field } from "./builtin-types.ts";
import type { Context } from "./context.ts";
import type { Symbols } from "./symbols.ts";
import { isNumeric, isText, type Type } from "./types.ts";

/** Returns the key fields of a type, in declared order. */
export function keysOf(symbols: Symbols, type: string): Field[] {
  return [...(symbols.type(type)?.fields.values() ?? [])].filter((field) => field.key);
}

/**
 * Returns the field by whose value a reference to a type can be written: its only key or, where that is a reference itself, the
 * key of what it refers to. Undefined for a type with no key or several.
 */
export function plainKeyOf(symbols: Symbols, type: string): Field | undefined {
  const seen = new Set<string>();
  for (let name = type; !seen.has(name);) {
    seen.add(name);
    const [key, ...others] = keysOf(symbols, name);
    if (key === undefined || others.length > 0) return undefined;
    if (key.type.kind !== "fact") return key;
    name = key.type.type;
  }
  return undefined;
}

/** Returns whether a value of this kind can be the key of the referenced fact. */
export function isKeyOf({ symbols }: Context, wanted: Type, kind: "number" | "string"): boolean {
  if (wanted.kind !== "fact") return false;
  if (symbols.type(wanted.type) === undefined) return true;
  const key = plainKeyOf(symbols, wanted.type);
  return key !== undefined && (kind === "string" ? isText(key.type) : isNumeric(key.type));
}

/**
 * Returns what a plain value is in the id of a fact, as the value of a key: a reference may be written as an id or as a key.
 * Undefined for what is no key.
 */
export function writtenKeyPart(type: Type, value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  const isId = type.kind === "fact" && typeof value === "string" && value.startsWith(`${type.type}~`);
  return keyPart(value, isId);
}
