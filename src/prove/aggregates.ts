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
    case "percentile":
      return percentileOf(values);
    case "stddev":
      return deviationOf(values);
    case "first":
      return byKey(values)?.[0]?.[0];
    case "last":
      return byKey(values)?.pop()?.[0];
    case "top":
      return topOf(values);
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

// ---------------------------------------------------------------- what is ordered by a key

/** Returns `[value, key, …]` in the order of the keys, equal ones in fact order; undefined when a part is missing or has no order. */
function byKey(values: readonly Maybe[]): (readonly Value[])[] | undefined {
  const all: (readonly Value[])[] = [];
  for (const one of values) {
    if (!Array.isArray(one)) return undefined;
    const parts = one as readonly Value[];
    const known = all[0] ?? parts;
    if (orderOf(parts[1], known[1]) === undefined) return undefined;
    // After all whose key is not larger.
    const after = all.filter((other) => orderOf(other[1], parts[1]) !== 1).length;
    all.splice(after, 0, parts);
  }
  return all;
}

function topOf(values: readonly Maybe[]): Maybe {
  const left = byKey(values);
  if (left === undefined) return undefined;
  const count = left[0]?.[2] ?? 0;
  if (typeof count !== "number" || count < 0 || count % 1 !== 0) return undefined;
  const top: Value[] = [];
  while (top.length < count && left.length > 0) {
    const largest = left.at(-1)?.[1];
    const at = left.findIndex((one) => orderOf(one[1], largest) === 0);
    top.push(...left.splice(at, 1).flatMap(([value]) => (value === undefined ? [] : [value])));
  }
  return top;
}

/** Returns the value on the line between the two sorted numbers around the place of a percent. */
function percentileOf(values: readonly Maybe[]): number | undefined {
  const pairs = values.filter((one) => Array.isArray(one)) as (readonly Value[])[];
  const numbers = numbersIn(pairs.map(([value]) => value));
  const percent = pairs[0]?.[1];
  if (numbers === undefined || pairs.length < values.length || typeof percent !== "number") return undefined;
  if (percent < 0 || percent > 100) return undefined;
  numbers.sort((a, b) => a - b);
  const [top, bottom] = fractionOf(percent);
  const steps = top * BigInt(numbers.length - 1);
  const whole = 100n * bottom;
  const low = Number((steps - (steps % whole)) / whole);
  const part = steps % whole;
  const [below = 0, above = below] = numbers.slice(low, low + 2);
  const units = inSmallestUnits(below) * (whole - part) + inSmallestUnits(above) * part;
  return finite(units < 0n ? -quotientOf(-units, whole) : quotientOf(units, whole));
}

/** Returns the decimal that a number is written as, as a fraction. */
function fractionOf(number: number): readonly [bigint, bigint] {
  const [digits = "0", exponent = "0"] = String(number).split("e");
  const [whole = "0", fraction = ""] = digits.split(".");
  const power = Number(exponent) - fraction.length;
  const value = BigInt(whole + fraction);
  return power < 0 ? [value, 10n ** BigInt(-power)] : [value * 10n ** BigInt(power), 1n];
}

/** Returns the standard deviation of a sample: the double whose square is nearest to the exact variance. */
function deviationOf(values: readonly Maybe[]): number | undefined {
  const numbers = numbersIn(values);
  if (numbers === undefined || numbers.length < 2) return undefined;
  const count = BigInt(numbers.length);
  const sum = unitsOf(numbers);
  let squares = 0n;
  for (const number of numbers) squares += (count * inSmallestUnits(number) - sum) ** 2n;
  return finite(nearestRoot(squares, count * count * (count - 1n)));
}

/** Returns the double nearest to the square root of squares / divisor, found by halving the range of all doubles. */
function nearestRoot(squares: bigint, divisor: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  const double = (bits: bigint): number => (view.setBigUint64(0, bits), view.getFloat64(0));
  /** 1 when half a number is above the root, -1 below, 0 when it is the root. */
  const compare = (doubled: bigint): number => {
    const rest = doubled * doubled * divisor - 4n * squares;
    return rest > 0n ? 1 : rest < 0n ? -1 : 0;
  };
  let [low, high] = [0n, 0x7fefffffffffffffn];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (compare(2n * inSmallestUnits(double(middle))) > 0) high = middle - 1n;
    else low = middle;
  }
  const below = inSmallestUnits(double(low));
  const next = low === 0x7fefffffffffffffn ? 1n << 2098n : inSmallestUnits(double(low + 1n));
  const beyond = compare(below + next);
  return double(beyond > 0 || (beyond === 0 && low % 2n === 0n) ? low : low + 1n);
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
