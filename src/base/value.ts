/** The values that facts hold, and how they compare. A missing or unknown value is undefined. */
import type { Truth } from "./truth.ts";

/** A value of a field: a string, a number, a boolean, a list or an object. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** A value, or undefined where it is missing. */
export type Maybe = Value | undefined;

/**
 * Compares without coercion: a number is never equal to a string. Lists and objects have no equality, so comparing them
 * is unknown.
 */
export function equal(a: Maybe, b: Maybe): Truth {
  if (a === undefined || b === undefined || typeof a === "object" || typeof b === "object") return undefined;
  return a === b;
}

/** Returns a number below 0, 0 or above 0 for two numbers or two strings; undefined when the two have no order. */
export function order(a: Maybe, b: Maybe): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return undefined;
}

/**
 * Compares strings by code point. UTF-16 units give the same order except between surrogates and the units above them.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Returns the rank of a unit: surrogates, which encode characters beyond U+FFFF, rank above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Compares also lists and objects, item by item. Used for facts, never for tests in rules. */
export function same(a: Maybe, b: Maybe): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item as Maybe, b[index] as Maybe))
    );
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  const other = b as { readonly [name: string]: Value };
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same((a as { readonly [name: string]: Value })[name], other[name]))
  );
}
