/**
 * A sum that numbers can be added to and removed from without rounding.
 *
 * It is kept as a list of numbers that do not overlap, whose exact sum is the sum (Shewchuk, "Adaptive Precision
 * Floating-Point Arithmetic", 1997). Removing a number adds its negative, so that no rounding remains, and the result
 * does not depend on the order.
 *
 * Very large numbers are kept in a second list, scaled down by a power of two, which is exact. So neither list can
 * overflow, and a sum that was too large for a number is exact again when the large numbers are removed.
 */
import { fromUnits, inUnits } from "./units.ts";

/** Numbers from this size on go to the scaled list: the sum of 2^60 smaller numbers cannot overflow. */
const SCALED_FROM = 2 ** 960;
const SCALE_BITS = 100;
const SCALE = 2 ** SCALE_BITS;

export class ExactSum {
  #parts: number[] = [];
  /** Parts of the large numbers, each divided by SCALE. */
  #scaled: number[] = [];

  add(value: number): void {
    if (Math.abs(value) < SCALED_FROM) this.#parts = added(this.#parts, value);
    else this.#scaled = added(this.#scaled, value / SCALE);
  }

  /** Returns the nearest number to the exact sum; infinite when the sum is too large for a number. */
  get total(): number {
    return this.#scaled.length === 0 ? nearest(this.#parts) : fromUnits(this.#units(), 1n);
  }

  /** Returns the nearest number to the exact sum divided by a count, rounded once. */
  dividedBy(count: number): number {
    const exact = this.#scaled.length === 0 && this.#parts.length <= 1;
    return exact ? (this.#parts[0] ?? 0) / count : fromUnits(this.#units(), BigInt(count));
  }

  #units(): bigint {
    let units = 0n;
    for (const part of this.#scaled) units += inUnits(part);
    units <<= BigInt(SCALE_BITS);
    for (const part of this.#parts) units += inUnits(part);
    return units;
  }
}

function added(parts: readonly number[], value: number): number[] {
  let rest = value;
  const kept: number[] = [];
  for (const part of parts) {
    const [high, low] = twoSum(rest, part);
    if (low !== 0) kept.push(low);
    rest = high;
  }
  if (rest !== 0) kept.push(rest);
  return kept;
}

function nearest(parts: readonly number[]): number {
  let index = parts.length - 1;
  let high = parts[index] ?? 0;
  let low = 0;
  while (index > 0) {
    index -= 1;
    [high, low] = twoSum(high, parts[index] ?? 0);
    if (low !== 0) break;
  }
  const next = parts[index - 1];
  return index > 0 && next !== undefined && Math.sign(low) === Math.sign(next) ? roundHalf(high, low) : high;
}

/** Returns the rounded sum of two numbers, and the rounding error. */
function twoSum(a: number, b: number): [number, number] {
  const [large, small] = Math.abs(a) >= Math.abs(b) ? [a, b] : [b, a];
  const high = large + small;
  return [high, small - (high - large)];
}

/** Returns the neighbour of `high` when `low` is exactly half a step, otherwise `high`. Called when more of the same sign follows. */
function roundHalf(high: number, low: number): number {
  const doubled = low * 2;
  const rounded = high + doubled;
  return doubled === rounded - high ? rounded : high;
}
