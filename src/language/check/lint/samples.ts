/**
 * Values that stand for all others in a test: each constant that a value is compared with, and one value of each region between them.
 * What the type of the value, or the function that returns it, rules out is left out.
 */
import { compareText, deepText, equal, type Maybe, type Value } from "../../../base/value.ts";
import type { BuiltInFunction, ResultRange } from "../../../functions/built-in.ts";
import type { Type } from "../types.ts";

/** A value that is not there, in contrast to one that is not known. */
export const MISSING: unique symbol = Symbol("missing");
export type Sample = Maybe | typeof MISSING;

/** What is known of a value. */
export interface Sampled {
  readonly type: Type | undefined;
  /** Whether it cannot be missing. */
  readonly required: boolean;
  /** The built-in function that returns it. */
  readonly result: BuiltInFunction | undefined;
}

/** Returns one value for each region between the constants, and what stands for a value that is missing or unknown. */
export function samplesOf({ type, required, result }: Sampled, constants: readonly Value[]): readonly Sample[] {
  const absent: Sample[] = required ? [undefined] : [undefined, MISSING];
  if (result?.results !== undefined) return [...numbersWithin(result.results, constants), ...absent];
  const samples = valuesOf(type, constants);
  const possible = result?.settles === true ? samples.filter((one) => !isChanged(result, one, constants)) : samples;
  return [...possible, ...absent];
}

function valuesOf(type: Type | undefined, constants: readonly Value[]): readonly Value[] {
  switch (type?.kind) {
    case "bool":
      return [true, false];
    case "union":
      return type.options;
    case "number":
    case "date":
    case "instant":
    case "duration":
      return numbersAround(constants);
    case "string":
      return textsAround(constants);
    case "list":
      return listsAround(
        constants.filter((one) => Array.isArray(one) && one.every((item) => fits(item as Value, type.item))),
      );
    default:
      return [...numbersAround(constants), ...textsAround(constants), true, false, {}, ...listsAround(constants)];
  }
}

/** Returns whether a value is a constant that a function never returns, because it would change it. */
function isChanged({ compute }: BuiltInFunction, value: Value, constants: readonly Value[]): boolean {
  return constants.some((one) => equal(one, value) === true) && equal(compute(value), value) !== true;
}

function numbersAround(constants: readonly Value[]): number[] {
  const numbers = [...new Set(constants.filter((one) => typeof one === "number"))].sort((a, b) => a - b);
  const samples = [-Infinity];
  for (const [index, number] of numbers.entries()) {
    const next = numbers[index + 1];
    samples.push(number);
    // Halves first, because the sum of two large numbers is infinite.
    if (next !== undefined) samples.push(number / 2 + next / 2);
  }
  return [...samples, Infinity];
}

/** Returns the numbers around constants that are in a range. */
function numbersWithin({ least, most, whole }: ResultRange, constants: readonly Value[]): number[] {
  const ends = [least, most].filter(Number.isFinite);
  const numbers = constants.filter((one) => typeof one === "number");
  const near = whole
    ? numbers.flatMap((one) => [Math.floor(one) - 1, Math.floor(one), Math.ceil(one), Math.ceil(one) + 1])
    : numbers;
  const around = numbersAround([...ends, ...near]).filter((one) => one >= least && one <= most);
  return whole ? around.filter((one) => Number.isInteger(one) || !Number.isFinite(one)) : around;
}

function textsAround(constants: readonly Value[]): string[] {
  const texts = [...new Set(constants.filter((one) => typeof one === "string"))].sort(compareText);
  // Nothing is between a string and the same string with one more NUL.
  return [...new Set(["", ...texts.flatMap((text) => [text, `${text}\0`])])];
}

/** Returns the lists among the constants, the empty one, and one that equals none of them: lists are not ordered. */
function listsAround(constants: readonly Value[]): Value[] {
  const lists = constants.filter((one): one is readonly Value[] => Array.isArray(one));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const different = new Map(lists.map((list) => [deepText(list), list]));
  return [...different.values(), [], Array.from({ length: longest + 1 }, () => 0)];
}

/** Returns whether a constant can be an item of a list. */
function fits(value: Value, type: Type): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string";
    case "number":
    case "duration":
      return typeof value === "number";
    case "bool":
      return typeof value === "boolean";
    case "union":
      return (typeof value === "string" || typeof value === "number") && type.options.includes(value);
    case "list":
      return Array.isArray(value) && value.every((item) => fits(item as Value, type.item));
    default:
      return true;
  }
}
