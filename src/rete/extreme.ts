/** The smallest or the largest of many values. Each knows its place in a heap, so that any of them can go in O(log n). */
import { type Maybe, order } from "../base/value.ts";
import { type Accumulator, type Answer, known } from "./answer.ts";
import type { Match } from "./match.ts";

interface Placed {
  readonly value: number | string;
  place: number;
}

/** Unknown while a value is missing or has no order, and while numbers and strings are mixed. */
export class Extreme implements Accumulator {
  readonly #placed = new Map<Match, Placed>();
  readonly #numbers: ValueHeap;
  readonly #strings: ValueHeap;
  #unordered = 0;

  /** Above 0 for the largest. */
  constructor(direction: 1 | -1) {
    this.#numbers = new ValueHeap(direction);
    this.#strings = new ValueHeap(direction);
  }

  add(match: Match, value: Maybe): void {
    if (typeof value !== "number" && typeof value !== "string") {
      this.#unordered += 1;
      return;
    }
    const placed = { value, place: 0 };
    this.#placed.set(match, placed);
    this.#heapOf(placed).push(placed);
  }

  remove(match: Match): void {
    const placed = this.#placed.get(match);
    if (placed === undefined) {
      this.#unordered -= 1;
      return;
    }
    this.#placed.delete(match);
    this.#heapOf(placed).remove(placed);
  }

  answer(): Answer {
    const [number, string] = [this.#numbers.first, this.#strings.first];
    const mixed = number !== undefined && string !== undefined;
    return known(this.#unordered > 0 || mixed ? undefined : (number ?? string));
  }

  #heapOf({ value }: Placed): ValueHeap {
    return typeof value === "number" ? this.#numbers : this.#strings;
  }
}

class ValueHeap {
  readonly #items: Placed[] = [];
  readonly #direction: 1 | -1;

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  get first(): number | string | undefined {
    return this.#items[0]?.value;
  }

  push(item: Placed): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  remove(item: Placed): void {
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, item.place);
    this.#sink(last, last.place);
  }

  #rise(item: Placed, from: number): void {
    let place = from;
    while (place > 0) {
      const above = this.#items[(place - 1) >> 1] as Placed;
      if (!this.#beats(item, above)) break;
      this.#put(above, place);
      place = (place - 1) >> 1;
    }
    this.#put(item, place);
  }

  #sink(item: Placed, from: number): void {
    let place = from;
    for (;;) {
      const below = this.#betterBelow(place);
      if (below === undefined || !this.#beats(below, item)) break;
      const freed = below.place;
      this.#put(below, place);
      place = freed;
    }
    this.#put(item, place);
  }

  #betterBelow(place: number): Placed | undefined {
    const [left, right] = [this.#items[2 * place + 1], this.#items[2 * place + 2]];
    return left !== undefined && right !== undefined && this.#beats(right, left) ? right : left;
  }

  #beats(a: Placed, b: Placed): boolean {
    return (order(a.value, b.value) ?? 0) * this.#direction > 0;
  }

  #put(item: Placed, place: number): void {
    this.#items[place] = item;
    item.place = place;
  }
}
