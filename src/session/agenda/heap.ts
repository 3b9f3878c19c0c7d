/** A binary heap of activations. Each knows its position, so that any of them can be removed in O(log n). */
import { must } from "../../base/invariant.ts";
import type { Activation, Compare } from "./activation.ts";

export class Heap {
  readonly #items: Activation[] = [];
  readonly #compare: Compare;
  /** True when the order of items may have changed since they were added. */
  #isStale = false;

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Has all items put in order again when the first is asked for. */
  reorder(): void {
    this.#isStale = true;
  }

  first(): Activation | undefined {
    if (this.#isStale) this.#makeHeap();
    return this.#items[0];
  }

  items(): readonly Activation[] {
    return this.#items;
  }

  push(item: Activation): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  remove(item: Activation): void {
    const position = item.heapPosition;
    item.heapPosition = -1;
    const last = must(this.#items.pop(), "a waiting activation is on the agenda");
    if (last === item) return;
    this.#rise(last, position);
    if (last.heapPosition === position) this.#sink(last, position);
  }

  #makeHeap(): void {
    this.#isStale = false;
    for (let position = (this.#items.length >> 1) - 1; position >= 0; position--) {
      this.#sink(this.#at(position), position);
    }
  }

  /** Moves an item up from a free place until its parent fires before it. */
  #rise(item: Activation, from: number): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#at(above);
      if (this.#compare(parent, item) <= 0) break;
      this.#put(parent, position);
      position = above;
    }
    this.#put(item, position);
  }

  #sink(item: Activation, from: number): void {
    let position = from;
    for (;;) {
      const below = this.#smallerChild(position);
      if (below < 0 || this.#compare(item, this.#at(below)) <= 0) break;
      this.#put(this.#at(below), position);
      position = below;
    }
    this.#put(item, position);
  }

  #smallerChild(position: number): number {
    const left = 2 * position + 1;
    if (left >= this.#items.length) return -1;
    const right = left + 1;
    if (right >= this.#items.length) return left;
    return this.#compare(this.#at(left), this.#at(right)) <= 0 ? left : right;
  }

  #put(item: Activation, position: number): void {
    this.#items[position] = item;
    item.heapPosition = position;
  }

  #at(position: number): Activation {
    return must(this.#items[position], "a place inside the heap is taken");
  }
}
