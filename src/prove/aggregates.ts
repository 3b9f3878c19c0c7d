/** Aggregates: one value from the values of many facts. */
import type { Maybe, Value } from "../base/value.ts";
import { isSame, orderOf } from "./compare.ts";

/** Returns the value of an aggregate. `values` has one entry for each fact, in fact order; an entry may be missing. */
export function aggregate(name: string, values: readonly Maybe[]): Maybe {
  switch (name.toLowerCase()) {
    case "count":
      return values.length;
    case "sum":
      return sumOf(values);
    case "avg":
      return averageOf(values);
    case "median":
      return medianOf(values);
    case "min":
      return extremeOf(values, -1);
    case "max":
      return extremeOf(values, 1);
    case "collect":
      return present(values);
    case "distinct":
      return present(values).filter((value, index, all) => all.findIndex((other) => isSame(other, value)) === index);
    default:
      return undefined;
  }
}

function present(values: readonly Maybe[]): Value[] {
  return values.filter((value) => value !== undefined);
}

function sumOf(values: readonly Maybe[]): number | undefined {
  const numbers = numbersIn(values);
  return numbers === undefined ? undefined : finite(exactSum(numbers));
}

function averageOf(values: readonly Maybe[]): number | undefined {
  const numbers = numbersIn(values);
  return numbers === undefined || numbers.length === 0 ? undefined : finite(exactAverage(numbers));
}

/** Returns the average of the one or two numbers in the middle. */
function medianOf(values: readonly Maybe[]): number | undefined {
  const sorted = numbersIn(values)?.sort((a, b) => a - b);
  if (sorted === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  return averageOf(sorted.slice(Math.floor(middle), Math.ceil(middle) + 1));
}

function numbersIn(values: readonly Maybe[]): number[] | undefined {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length < values.length ? undefined : numbers;
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

function extremeOf(values: readonly Maybe[], direction: number): Maybe {
  let extreme = values[0];
  // The first is compared with itself too: a single value without an order is unknown.
  for (const value of values) {
    const order = orderOf(value, extreme);
    if (order === undefined) return undefined;
    if (order === direction) extreme = value;
  }
  return extreme;
}

/**
 * Returns the double nearest to the sum, whatever the order of the numbers. Every double is an integer multiple of
 * 2^-1074, so the sum is exact in integers and is rounded once.
 */
export function exactSum(numbers: readonly number[]): number {
  const sum = unitsOf(numbers);
  return sum < 0n ? -fromSmallestUnits(-sum) : fromSmallestUnits(sum);
}

/** Returns the double nearest to the sum divided by the count; the sum itself is not rounded. */
export function exactAverage(numbers: readonly number[]): number {
  const sum = unitsOf(numbers);
  const count = BigInt(numbers.length);
  return sum < 0n ? -quotientOf(-sum, count) : quotientOf(sum, count);
}

function unitsOf(numbers: readonly number[]): bigint {
  let sum = 0n;
  for (const number of numbers) sum += inSmallestUnits(number);
  return sum;
}

/**
 * Returns the quotient in quarters of the smallest unit, with the last bit set when something was cut off: enough to
 * round it once, to 53 bits, or to integer units where a double has fewer bits.
 */
function quotientOf(units: bigint, count: bigint): number {
  const quarters = (units * 4n) / count;
  const sticky = quarters * count === units * 4n ? quarters : quarters | 1n;
  const cut = Math.max(2, sticky.toString(2).length - 53);
  const kept = sticky >> BigInt(cut);
  const rest = sticky - (kept << BigInt(cut));
  const half = 1n << BigInt(cut - 1);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  return Number(up ? kept + 1n : kept) * 2 ** (cut - 2 - 1074);
}

function inSmallestUnits(number: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(number));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const fraction = bits & 0xfffffffffffffn;
  const units = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return number < 0 ? -units : units;
}

function fromSmallestUnits(units: bigint): number {
  const excess = units.toString(2).length - 60;
  if (excess <= 0) return Number(units) * 2 ** -1074;
  const shift = BigInt(excess);
  const top = units >> shift;
  // The part that is cut off matters only to distinguish "exactly between" from "above": one bit is enough.
  const sticky = top << shift === units ? 0n : 1n;
  return Number((top << 1n) | sticky) * 2 ** (excess - 1 - 1074);
}
