/**
 * Which tests of one field a value passes, found without trying them: equality by a map, comparisons by a binary search
 * for the stretch between two boundaries that the value lies in.
 */
import type { Test } from "../data/alpha-work.ts";

/** Positions of tests, ascending. */
type Passed = readonly number[];

const NONE: Passed = [];

export class FieldTests {
  readonly #equal = new Map<number | string, number[]>();
  readonly #boundaries: readonly number[];
  /** `#passed[i]`: for values from boundary i - 1 on and below boundary i. */
  readonly #passed: readonly Passed[];

  constructor(tests: readonly { readonly test: Test; readonly position: number }[]) {
    for (const { test, position } of tests) {
      if (test.op === "==") this.#equal.set(test.value, [...(this.#equal.get(test.value) ?? []), position]);
    }
    const compared = tests.filter(({ test }) => test.op !== "==");
    this.#boundaries = [...new Set(compared.map(({ test }) => Number(test.value)))].sort((a, b) => a - b);
    this.#passed = [Number.NEGATIVE_INFINITY, ...this.#boundaries].map((from) =>
      compared.filter(({ test }) => (test.op === "<" ? from < Number(test.value) : from >= Number(test.value))).map(at),
    );
  }

  passedBy(value: number | string): Passed {
    return typeof value === "number" && this.#boundaries.length > 0
      ? (this.#passed[this.#stretch(value)] ?? NONE)
      : (this.#equal.get(value) ?? NONE);
  }

  /** How many boundaries are not above the value. */
  #stretch(value: number): number {
    let low = 0;
    let high = this.#boundaries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#boundaries[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function at({ position }: { readonly position: number }): number {
  return position;
}
