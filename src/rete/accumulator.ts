/** What can be said about a group of matches, kept up to date as they come and go. */
import type { Maybe } from "../base/value.ts";
import { type Accumulator, type Answer, known } from "./answer.ts";
import { Collector, DistinctCollector } from "./collector.ts";
import { ExactSum } from "./exact-sum.ts";
import { Extreme } from "./extreme.ts";
import type { Match } from "./match.ts";

export type AccumulatorKind =
  "not" | "exists" | "exists-value" | "count" | "sum" | "avg" | "min" | "max" | "collect" | "distinct";

export function accumulator(kind: AccumulatorKind): Accumulator {
  switch (kind) {
    case "not":
      return new Counter((count) => ({ passes: count === 0, value: undefined }));
    case "exists":
      return new Counter((count) => ({ passes: count > 0, value: undefined }));
    case "exists-value":
      return new Counter((count) => ({ passes: true, value: count > 0 }));
    case "count":
      return new Counter((count) => ({ passes: true, value: count }));
    case "sum":
      return new Summer((sum) => sum.total);
    case "avg":
      return new Summer((sum, count) => (count === 0 ? undefined : sum.dividedBy(count)));
    case "min":
      return new Extreme(-1);
    case "max":
      return new Extreme(1);
    case "collect":
      return new Collector();
    case "distinct":
      return new DistinctCollector();
  }
}

class Counter implements Accumulator {
  #count = 0;
  readonly #answer: (count: number) => Answer;

  constructor(answer: (count: number) => Answer) {
    this.#answer = answer;
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

/** One value that is no number makes the sum unknown. */
class Summer implements Accumulator {
  readonly #values = new Map<Match, Maybe>();
  readonly #sum = new ExactSum();
  #unknown = 0;
  readonly #result: (sum: ExactSum, count: number) => number | undefined;

  constructor(result: (sum: ExactSum, count: number) => number | undefined) {
    this.#result = result;
  }

  add(match: Match, value: Maybe): void {
    this.#values.set(match, value);
    if (typeof value === "number") this.#sum.add(value);
    else this.#unknown += 1;
  }

  remove(match: Match): void {
    const value = this.#values.get(match);
    this.#values.delete(match);
    if (typeof value === "number") this.#sum.add(-value);
    else this.#unknown -= 1;
  }

  answer(): Answer {
    if (this.#unknown > 0) return known(undefined);
    const result = this.#result(this.#sum, this.#values.size);
    return known(result !== undefined && Number.isFinite(result) ? result + 0 : undefined);
  }
}
