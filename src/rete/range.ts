/**
 * Bounds of a field: which values of it the tests of a node leave to a match. They only narrow: the test of the node decides about every
 * fact that lies between them, so they may leave too much and never too little.
 */
import { compareText, type Maybe } from "../base/value.ts";
import type { Match } from "./match.ts";
import type { KeyPart } from "./table.ts";

/** A value that has an order among others: numbers come before strings. */
export type Ordinal = number | string;

/** A value of the match with which a test compares the field. */
export interface Bound {
  readonly value: KeyPart;
  /** Whether the test is false of the value itself. */
  readonly excluded: boolean;
}

/** The bounds that the tests of a node set for one field; at least one of them is there. */
export interface Range {
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
}

/** The bounds for one match, both included; undefined where there is none. Both are numbers or both are strings. */
export interface Interval {
  readonly low: Ordinal | undefined;
  readonly high: Ordinal | undefined;
}

/** Returns the bounds for a match; undefined when no value is between them, or one of them compares with nothing. */
export function intervalOf({ from, to }: Range, match: Match): Interval | undefined {
  const low = from?.value(match, undefined);
  const high = to?.value(match, undefined);
  if ((from !== undefined && !isOrdinal(low)) || (to !== undefined && !isOrdinal(high))) return undefined;
  const interval = {
    low: typeof low === "number" && from?.excluded === true ? justAbove(low) : (low as Ordinal | undefined),
    high: typeof high === "number" && to?.excluded === true ? -justAbove(-high) : (high as Ordinal | undefined),
  };
  return isEmpty(interval) ? undefined : interval;
}

function isEmpty({ low, high }: Interval): boolean {
  if (low === undefined || high === undefined) return false;
  return typeof low !== typeof high || compareOrdinals(low, high) > 0;
}

/** Returns whether a value has an order: the test of a bound is never true of any other. */
export function isOrdinal(value: Maybe): value is Ordinal {
  return typeof value === "string" || (typeof value === "number" && !Number.isNaN(value));
}

/** Returns a number below 0, 0 or above 0. Two numbers or two strings are in the order in which tests compare them. */
export function compareOrdinals(a: Ordinal, b: Ordinal): number {
  if (typeof a === "number") return typeof b !== "number" || a < b ? -1 : a > b ? 1 : 0;
  return typeof b === "number" ? 1 : compareText(a, b);
}

/** Returns the least value that can be compared with a value. */
export function leastLike(value: Ordinal): Ordinal {
  return typeof value === "number" ? -Infinity : "";
}

/** Returns the greatest value that can be compared with a value; undefined for strings, of which none is the greatest. */
export function greatestLike(value: Ordinal): Ordinal | undefined {
  return typeof value === "number" ? Infinity : undefined;
}

/** A little more than half of the distance to the next double, as a part of the number. */
const HALF_A_STEP = 2 ** -53 + 2 ** -60;

/** Returns the next double after a number. For numbers below 2^-1000 it may be the number itself, which only leaves more to test. */
export function justAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  return Number.isFinite(value) ? value + Math.abs(value) * HALF_A_STEP : value;
}
