/** Computations for arguments of the right types; for all others there is no result. */
import type { Maybe, Value } from "../base/value.ts";
import type { PureFunction } from "./built-in.ts";

/** Returns a function of a string. */
export function onText(compute: (text: string) => Maybe): PureFunction {
  return (text) => (typeof text === "string" ? compute(text) : undefined);
}

/** Returns a function of two strings. */
export function onTexts(compute: (a: string, b: string) => Value): PureFunction {
  return (a, b) => (typeof a === "string" && typeof b === "string" ? compute(a, b) : undefined);
}

/** Returns a function of a string and a list of strings; a list with anything else in it is none. */
export function onTextAndList(find: (text: string, list: readonly string[]) => Maybe): PureFunction {
  return (text, list) => (typeof text === "string" && isTexts(list) ? find(text, list) : undefined);
}

/** Returns whether a value is a list of strings. */
export function isTexts(list: Maybe): list is readonly string[] {
  return Array.isArray(list) && list.every((item) => typeof item === "string");
}

/** Returns a function of a number. */
export function onNumber(compute: (value: number) => number): PureFunction {
  return (value) => (typeof value === "number" ? finite(compute(value)) : undefined);
}

/** Returns a function of several numbers. */
export function onNumbers(compute: (values: number[]) => number): PureFunction {
  return (...values) =>
    values.every((value): value is number => typeof value === "number") ? finite(compute(values)) : undefined;
}

/** Returns undefined for a number that is not finite, and 0 for the negative zero. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}
