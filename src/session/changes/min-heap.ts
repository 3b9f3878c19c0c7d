/** A binary heap of items, each with a number: the item with the lowest number leaves first. */
export class MinHeap<Item> {
  readonly #items: Item[] = [];
  readonly #numbers: number[] = [];

  /** Adds an item in O(log n). */
  push(item: Item, number: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#number(above) <= number) break;
      this.#move(above, at);
      at = above;
    }
    this.#items[at] = item;
    this.#numbers[at] = number;
  }

  /** Removes and returns the item with the lowest number in O(log n). */
  pop(): Item | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    const number = this.#numbers.pop();
    if (last === undefined || number === undefined || this.#items.length === 0) return first;
    this.#sink(last, number);
    return first;
  }

  /** Puts an item into the free place at the top, and moves it down. */
  #sink(item: Item, number: number): void {
    const { length } = this.#items;
    let at = 0;
    for (let below = 1; below < length; below = 2 * at + 1) {
      if (below + 1 < length && this.#number(below + 1) < this.#number(below)) below += 1;
      if (this.#number(below) >= number) break;
      this.#move(below, at);
      at = below;
    }
    this.#items[at] = item;
    this.#numbers[at] = number;
  }

  #number(at: number): number {
    return this.#numbers[at] as number;
  }

  #move(from: number, to: number): void {
    this.#items[to] = this.#items[from] as Item;
    this.#numbers[to] = this.#number(from);
  }
}
