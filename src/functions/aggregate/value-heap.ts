/** A heap of numbers or of strings. Each item knows its place, so that any of them can go in O(log n). */
import { order } from "../../base/value.ts";

/** A value in a heap; it stands in one heap at a time. */
export interface Placed {
  readonly value: number | string;
  place: number;
}

export class ValueHeap<Item extends Placed = Placed> {
  readonly #items: Item[] = [];
  readonly #direction: 1 | -1;

  /** The first item is the largest for 1, and the smallest for -1. */
  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  /** Adds an item that stands in no heap. */
  push(item: Item): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  /** Removes an item of this heap. */
  remove(item: Item): void {
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, item.place);
    this.#sink(last, last.place);
  }

  #rise(item: Item, from: number): void {
    let place = from;
    while (place > 0) {
      const above = this.#items[(place - 1) >> 1] as Item;
      if (!this.#beats(item, above)) break;
      this.#put(above, place);
      place = (place - 1) >> 1;
    }
    this.#put(item, place);
  }

  #sink(item: Item, from: number): void {
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

  #betterBelow(place: number): Item | undefined {
    const [left, right] = [this.#items[2 * place + 1], this.#items[2 * place + 2]];
    return left !== undefined && right !== undefined && this.#beats(right, left) ? right : left;
  }

  #beats(a: Item, b: Item): boolean {
    return (order(a.value, b.value) ?? 0) * this.#direction > 0;
  }

  #put(item: Item, place: number): void {
    this.#items[place] = item;
    item.place = place;
  }
}
