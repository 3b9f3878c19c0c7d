/**
 * `median`: the number in the middle; of an even count, the mean of the two in the middle, rounded once. One value that is no
 * number makes the result unknown.
 *
 * The lower half is in one heap and the upper half in another, so that a change costs O(log n).
 * Invariant: no number of the lower half is above one of the upper half, and the lower half has as many or one more.
 */
import { type Accumulator, type Answer, known } from "../../base/accumulator.ts";
import { ExactSum } from "../../base/exact-sum.ts";
import type { Member } from "../../base/ordered-list.ts";
import type { Maybe } from "../../base/value.ts";
import { finite } from "../arguments.ts";
import { type Aggregate, NUMBER } from "../built-in.ts";
import { type Placed, ValueHeap } from "./value-heap.ts";

export const MEDIAN: Aggregate = {
  name: "median",
  takes: "numbers",
  result: () => NUMBER,
  alwaysKnown: false,
  summary: "the number in the middle, or the mean of the two in the middle",
  example: { values: [5, 5, 8, 20], gives: 6.5 },
  compute: medianOf,
  accumulator: () => new Halves(),
  candidates,
};

function medianOf(values: readonly Maybe[]): number | undefined {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length) return undefined;
  numbers.sort((a, b) => a - b);
  const half = numbers.length / 2;
  return middle(numbers[Math.ceil(half) - 1], numbers[Math.floor(half)]);
}

/** Returns the mean of the two numbers in the middle, which are the same one for an odd count and missing for no numbers. */
function middle(lower: number | undefined, upper: number | undefined): number | undefined {
  if (lower === undefined || upper === undefined) return undefined;
  if (lower === upper) return finite(lower);
  const sum = new ExactSum();
  sum.add(lower);
  sum.add(upper);
  return finite(sum.dividedBy(2));
}

/** A member may have to be the one in the middle, or that which has the target halfway to the other one in the middle. */
function candidates(target: number, others: readonly number[]): readonly number[] {
  const partner = others.toSorted((a, b) => a - b)[(others.length - 1) / 2];
  return partner === undefined ? [target] : [target, 2 * target - partner];
}

/** A number, and the half that it is in. */
interface HalfNumber extends Placed {
  readonly value: number;
  isLower: boolean;
}

class Halves implements Accumulator {
  readonly #numbers = new Map<Member, HalfNumber>();
  readonly #lower = new ValueHeap<HalfNumber>(1);
  readonly #upper = new ValueHeap<HalfNumber>(-1);
  #unknown = 0;

  add(member: Member, value: Maybe): void {
    if (typeof value !== "number") {
      this.#unknown += 1;
      return;
    }
    const highest = this.#lower.first;
    const number = { value, place: 0, isLower: highest === undefined || value <= highest.value };
    this.#numbers.set(member, number);
    this.#heapOf(number).push(number);
    this.#balance();
  }

  remove(member: Member): void {
    const number = this.#numbers.get(member);
    if (number === undefined) {
      this.#unknown -= 1;
      return;
    }
    this.#numbers.delete(member);
    this.#heapOf(number).remove(number);
    this.#balance();
  }

  answer(): Answer {
    const lower = this.#lower.first?.value;
    const upper = this.#lower.size > this.#upper.size ? lower : this.#upper.first?.value;
    return known(this.#unknown > 0 ? undefined : middle(lower, upper));
  }

  /** Moves a number to the other half when one half has too many; a change leaves at most one too many. */
  #balance(): void {
    const { size } = this.#lower;
    const moved =
      size > this.#upper.size + 1 ? this.#lower.first : size < this.#upper.size ? this.#upper.first : undefined;
    if (moved === undefined) return;
    this.#heapOf(moved).remove(moved);
    moved.isLower = !moved.isLower;
    this.#heapOf(moved).push(moved);
  }

  #heapOf({ isLower }: HalfNumber): ValueHeap<HalfNumber> {
    return isLower ? this.#lower : this.#upper;
  }
}
