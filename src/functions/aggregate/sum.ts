/** `sum` and `avg`: exact, and rounded once. One value that is no number makes the result unknown. A change costs O(1). */
import { type Accumulator, type Answer, known, type ToldAccumulator } from "../../base/accumulator.ts";
import { ExactSum } from "../../base/exact-sum.ts";
import type { Member } from "../../base/ordered-list.ts";
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type Aggregate, NUMBER } from "../built-in.ts";

export const SUM: Aggregate = {
  name: "sum",
  takes: "numbers",
  result: () => NUMBER,
  alwaysKnown: false,
  summary: "the sum",
  example: { values: [5, 5, 8], gives: 18 },
  compute: (values) => summed(values, total),
  accumulator: () => new Summer(total),
  toldAccumulator: () => new ToldSummer(total),
  total: true,
  candidates: (target, others) => [target - plainSum(others)],
};

export const AVG: Aggregate = {
  name: "avg",
  takes: "numbers",
  result: () => NUMBER,
  alwaysKnown: false,
  summary: "the mean",
  example: { values: [5, 5, 8], gives: 6 },
  compute: (values) => summed(values, mean),
  accumulator: () => new Summer(mean),
  toldAccumulator: () => new ToldSummer(mean),
  candidates: (target, others) => [target * (others.length + 1) - plainSum(others)],
};

/** What a sum of so many numbers comes to; a result that is not finite is unknown. */
type Result = (sum: ExactSum, count: number) => number | undefined;

const total: Result = (sum) => finite(sum.total);
const mean: Result = (sum, count) => (count === 0 ? undefined : finite(sum.dividedBy(count)));

function summed(values: readonly Maybe[], result: Result): number | undefined {
  const sum = new ExactSum();
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    sum.add(value);
  }
  return result(sum, values.length);
}

class ToldSummer implements ToldAccumulator {
  readonly #sum = new ExactSum();
  #count = 0;
  #unknown = 0;
  readonly #result: Result;

  constructor(result: Result) {
    this.#result = result;
  }

  add(_: Member, value: Maybe): void {
    this.#count += 1;
    if (typeof value === "number") this.#sum.add(value);
    else this.#unknown += 1;
  }

  remove(_: Member, value: Maybe): void {
    this.#count -= 1;
    if (typeof value === "number") this.#sum.add(-value);
    else this.#unknown -= 1;
  }

  answer(): Answer {
    return known(this.#unknown > 0 ? undefined : this.#result(this.#sum, this.#count));
  }
}

class Summer implements Accumulator {
  readonly #values = new Map<Member, Maybe>();
  readonly #told: ToldSummer;

  constructor(result: Result) {
    this.#told = new ToldSummer(result);
  }

  add(member: Member, value: Maybe): void {
    this.#values.set(member, value);
    this.#told.add(member, value);
  }

  remove(member: Member): void {
    const value = this.#values.get(member);
    this.#values.delete(member);
    this.#told.remove(member, value);
  }

  answer(): Answer {
    return this.#told.answer();
  }
}

function plainSum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
