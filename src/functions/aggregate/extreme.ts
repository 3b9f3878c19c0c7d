/** `min` and `max`: the smallest or the largest of numbers or strings. A change costs O(log n). */
import { type Accumulator, type Answer, known } from "../../base/accumulator.ts";
import type { Member } from "../../base/ordered-list.ts";
import { type Maybe, order } from "../../base/value.ts";
import type { Aggregate } from "../built-in.ts";
import { type Placed, ValueHeap } from "./value-heap.ts";

export const MIN: Aggregate = {
  name: "min",
  takes: "ordered",
  result: (value) => value,
  alwaysKnown: false,
  summary: "the smallest value",
  example: { values: [5, 5, 8], gives: 5 },
  compute: (values) => extremeOf(values, -1),
  accumulator: () => new Extreme(-1),
};

export const MAX: Aggregate = {
  name: "max",
  takes: "ordered",
  result: (value) => value,
  alwaysKnown: false,
  summary: "the largest value",
  example: { values: [5, 5, 8], gives: 8 },
  compute: (values) => extremeOf(values, 1),
  accumulator: () => new Extreme(1),
};

/** 1 for the largest, -1 for the smallest. */
type Direction = 1 | -1;

/** Compares the first with itself too: a single value without an order is unknown. */
function extremeOf(values: readonly Maybe[], direction: Direction): Maybe {
  let extreme = values[0];
  for (const value of values) {
    const difference = order(value, extreme);
    if (difference === undefined) return undefined;
    if (difference * direction > 0) extreme = value;
  }
  return extreme;
}

/** Unknown while a value is missing or has no order, and while numbers and strings are mixed. */
class Extreme implements Accumulator {
  readonly #placed = new Map<Member, Placed>();
  readonly #numbers: ValueHeap;
  readonly #strings: ValueHeap;
  #unordered = 0;

  constructor(direction: Direction) {
    this.#numbers = new ValueHeap(direction);
    this.#strings = new ValueHeap(direction);
  }

  add(member: Member, value: Maybe): void {
    if (typeof value !== "number" && typeof value !== "string") {
      this.#unordered += 1;
      return;
    }
    const placed = { value, place: 0 };
    this.#placed.set(member, placed);
    this.#heapOf(placed).push(placed);
  }

  remove(member: Member): void {
    const placed = this.#placed.get(member);
    if (placed === undefined) {
      this.#unordered -= 1;
      return;
    }
    this.#placed.delete(member);
    this.#heapOf(placed).remove(placed);
  }

  answer(): Answer {
    const [number, string] = [this.#numbers.first?.value, this.#strings.first?.value];
    const mixed = number !== undefined && string !== undefined;
    return known(this.#unordered > 0 || mixed ? undefined : (number ?? string));
  }

  #heapOf({ value }: Placed): ValueHeap {
    return typeof value === "number" ? this.#numbers : this.#strings;
  }
}
