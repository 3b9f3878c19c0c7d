/** The values that facts hold, and how they compare. A missing or unknown value is undefined. */
import type { Truth } from "./truth.ts";

/** A value of a field: a string, a number, a boolean, a list or an object. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** A value, or undefined where it is missing. */
export type Maybe = Value | undefined;

/**
 * Compares without coercion: a number is never equal to a string. Two lists or objects are equal when all that is in them is;
 * whether one equals a plain value is unknown.
 */
export function equal(a: Maybe, b: Maybe): Truth {
  if (a === undefined || b === undefined) return undefined;
  if (typeof a === "object" || typeof b === "object") return typeof a === typeof b ? same(a, b) : undefined;
  return a === b;
}

/**
 * Returns a plain value that is equal for two values exactly when they are: lists and objects become text that begins with NUL,
 * and a string that begins with NUL gets another one.
 */
export function plainKey(value: Maybe): string | number | boolean | undefined {
  if (typeof value === "string") return value.charCodeAt(0) === 0 ? `\0${value}` : value;
  return typeof value === "object" ? `\0${deepText(value)}` : value;
}

/** Returns a text that is equal for two values exactly when they are: JSON with the names of objects in order. */
export function deepText(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(deepText).join(",")}]`;
  const entries = Object.entries(value as Readonly<Record<string, Value>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${deepText(one)}`).join(",")}}`;
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

/** Compares also lists and objects, item by item. */
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
