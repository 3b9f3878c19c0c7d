/**
 * `stddev`: how far numbers are from their mean, as the standard deviation of a sample (divided by n - 1, as STDDEV in SQL and STDEV
 * in spreadsheets). Fewer than two numbers have none. One value that is no number makes the result unknown.
 *
 * The sums of the numbers and of their squares are kept as integers, exactly, and the result is rounded once: it does not depend on
 * the order, and a number that leaves takes all of its rounding with it. A change costs O(1).
 */
import { type Accumulator, type Answer, known } from "../../base/accumulator.ts";
import type { Member } from "../../base/ordered-list.ts";
import { inUnits, rootFromUnits } from "../../base/units.ts";
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type Aggregate, NUMBER } from "../built-in.ts";

export const STDDEV: Aggregate = {
  name: "stddev",
  takes: "numbers",
  result: () => NUMBER,
  alwaysKnown: false,
  summary: "the standard deviation of a sample; unknown for fewer than two numbers",
  example: { values: [1, 4, 7], gives: 3 },
  compute: deviation,
  accumulator: () => new Deviation(),
  candidates,
};

function deviation(values: readonly Maybe[]): number | undefined {
  const sums = new Sums();
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    sums.add(value);
  }
  return sums.deviation;
}

/** The count, sum and sum of squares of numbers, in units and squares of units. */
class Sums {
  #count = 0n;
  #sum = 0n;
  #squares = 0n;

  add(value: number): void {
    const units = inUnits(value);
    this.#count += 1n;
    this.#sum += units;
    this.#squares += units * units;
  }

  remove(value: number): void {
    const units = inUnits(value);
    this.#count -= 1n;
    this.#sum -= units;
    this.#squares -= units * units;
  }

  get deviation(): number | undefined {
    const count = this.#count;
    if (count < 2n) return undefined;
    return finite(rootFromUnits(count * this.#squares - this.#sum * this.#sum, count * (count - 1n)));
  }
}

class Deviation implements Accumulator {
  readonly #values = new Map<Member, Maybe>();
  readonly #sums = new Sums();
  #unknown = 0;

  add(member: Member, value: Maybe): void {
    this.#values.set(member, value);
    if (typeof value === "number") this.#sums.add(value);
    else this.#unknown += 1;
  }

  remove(member: Member): void {
    const value = this.#values.get(member);
    this.#values.delete(member);
    if (typeof value === "number") this.#sums.remove(value);
    else this.#unknown -= 1;
  }

  answer(): Answer {
    return known(this.#unknown > 0 ? undefined : this.#sums.deviation);
  }
}

/** Returns the mean of the others, and the two values at the same distance from it with which the deviation is the target. */
function candidates(target: number, others: readonly number[]): readonly number[] {
  const count = others.length;
  if (count === 0) return [];
  const mean = others.reduce((a, b) => a + b, 0) / count;
  const squares = others.reduce((sum, other) => sum + (other - mean) ** 2, 0);
  // With x the squares are `squares + (x - mean)² · count / (count + 1)`, and there are count + 1 numbers.
  const distance = Math.sqrt(Math.max(0, ((target ** 2 * count - squares) * (count + 1)) / count));
  return Number.isFinite(distance) ? [mean + distance, mean - distance, mean] : [];
}
