/** `not` and `exists`: what only the number of members decides. */
import type { Accumulator, Answer } from "../base/accumulator.ts";

/** `exists-value` always passes, with true or false as its value: an `exists` inside a test. */
export type Quantifier = "not" | "exists" | "exists-value";

/** Returns whether a name is that of a quantifier. */
export function isQuantifier(name: string): name is Quantifier {
  return Object.hasOwn(ANSWERS, name);
}

const ANSWERS: Readonly<Record<Quantifier, (count: number) => Answer>> = {
  not: (count) => ({ passes: count === 0, value: undefined }),
  exists: (count) => ({ passes: count > 0, value: undefined }),
  "exists-value": (count) => ({ passes: true, value: count > 0 }),
};

/** Counts the members of a group. */
export class QuantifierAccumulator implements Accumulator {
  #count = 0;
  readonly #answer: (count: number) => Answer;

  constructor(quantifier: Quantifier) {
    this.#answer = ANSWERS[quantifier];
  }

  add(): void {
    this.#count += 1;
  }

  remove(): void {
    this.#count -= 1;
  }

  answer(): Answer {
    return this.#answer(this.#count);
  }
}
