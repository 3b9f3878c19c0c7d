/**
 * A sum that numbers can be added to and taken from without ever losing a digit.
 *
 * It is kept as a list of numbers that do not overlap, whose exact sum is the sum (Shewchuk, "Adaptive Precision
 * Floating-Point Arithmetic", 1997). Taking a number away is adding its negative, so that no rounding is left behind, and
 * the result does not depend on the order.
 */
export class ExactSum {
  #parts: number[] = [];

  add(value: number): void {
    let rest = value;
    const kept: number[] = [];
    for (const part of this.#parts) {
      const [high, low] = twoSum(rest, part);
      if (low !== 0) kept.push(low);
      rest = high;
    }
    if (rest !== 0) kept.push(rest);
    this.#parts = kept;
  }

  /** The nearest number to the exact sum. */
  get total(): number {
    let index = this.#parts.length - 1;
    let high = this.#parts[index] ?? 0;
    let low = 0;
    while (index > 0) {
      index -= 1;
      [high, low] = twoSum(high, this.#parts[index] ?? 0);
      if (low !== 0) break;
    }
    const next = this.#parts[index - 1];
    return index > 0 && next !== undefined && Math.sign(low) === Math.sign(next) ? roundHalf(high, low) : high;
  }
}

/** The sum of two numbers, and what rounding it lost. */
function twoSum(a: number, b: number): [number, number] {
  const [large, small] = Math.abs(a) >= Math.abs(b) ? [a, b] : [b, a];
  const high = large + small;
  return [high, small - (high - large)];
}

/** When the rest is exactly half a step and more of the same sign follows, the sum is rounded away. */
function roundHalf(high: number, low: number): number {
  const doubled = low * 2;
  const rounded = high + doubled;
  return doubled === rounded - high ? rounded : high;
}
