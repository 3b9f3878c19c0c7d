/** One value from the values of many facts. */
import type { Maybe, Value } from "../base/value.ts";
import { isSame, orderOf } from "./compare.ts";

/** `values` has one entry for each fact, in fact order; an entry may be missing. */
export function aggregate(name: string, values: readonly Maybe[]): Maybe {
  switch (name.toLowerCase()) {
    case "count":
      return values.length;
    case "sum":
      return sumOf(values);
    case "avg":
      return averageOf(values);
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
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length) return undefined;
  const sum = exactSum(numbers);
  return Number.isFinite(sum) ? sum : undefined;
}

function averageOf(values: readonly Maybe[]): number | undefined {
  const sum = sumOf(values);
  return sum === undefined || values.length === 0 ? undefined : sum / values.length;
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
 * The double nearest to the sum, whatever the order of the numbers.
 * Every double is a whole multiple of 2^-1074, so the sum is exact in whole numbers and is rounded once.
 */
export function exactSum(numbers: readonly number[]): number {
  let sum = 0n;
  for (const number of numbers) sum += inSmallestUnits(number);
  return sum < 0n ? -fromSmallestUnits(-sum) : fromSmallestUnits(sum);
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
  // What is cut off only matters for telling "exactly between" from "above": one bit says that.
  const sticky = top << shift === units ? 0n : 1n;
  return Number((top << 1n) | sticky) * 2 ** (excess - 1 - 1074);
}
