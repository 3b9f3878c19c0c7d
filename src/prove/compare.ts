/**
 * Three-valued logic and comparisons, written a second time: the engine has its own, and the two must agree. Undefined
 * is unknown, and a missing value.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";

export function negation(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** Returns the conjunction: one false decides; otherwise one unknown does. */
export function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

/** Returns the disjunction: one true decides; otherwise one unknown does. */
export function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(undefined) ? undefined : false;
}

/** Returns a boolean as it is; any other value is unknown. */
export function truthOf(value: Maybe): Truth {
  return typeof value === "boolean" ? value : undefined;
}

/** Compares two plain values, or two lists or objects by what is in them; a plain value and a list are not compared. */
export function isEqual(a: Maybe, b: Maybe): Truth {
  if (a === undefined || b === undefined || isPlain(a) !== isPlain(b)) return undefined;
  return isPlain(a) ? a === b : canonical(a) === canonical(b);
}

function isPlain(value: Maybe): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Returns -1, 0 or 1 for two numbers or two strings; other values have no order. */
export function orderOf(a: Maybe, b: Maybe): number | undefined {
  if (typeof a === "number" && typeof b === "number") return Math.sign(a - b);
  if (typeof a === "string" && typeof b === "string") return orderOfTexts(a, b);
  return undefined;
}

function orderOfTexts(a: string, b: string): number {
  const left = codePoints(a);
  const right = codePoints(b);
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at === -1) return left.length === right.length ? 0 : -1;
  const other = right[at];
  return other === undefined || (left[at] ?? 0) > other ? 1 : -1;
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** Returns deep equality, which distinguishes values in `distinct`; tests in rules never use it. */
export function isSame(a: Maybe, b: Maybe): boolean {
  return canonical(a) === canonical(b);
}

/** Returns a string that is equal for two values exactly when they are the same, lists and objects item by item. */
export function canonical(value: Maybe): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `[${value.map((item: Maybe) => canonical(item)).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value as Readonly<Record<string, Maybe>>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(",")}}`;
}
