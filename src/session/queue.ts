/**
 * A list that is long and loses its first items one by one: removing the first or the last moves no other item.
 *
 * The items before the head are gone, and their places are free of references. They are cut off when they are half of the array, so
 * that each item is moved once on average.
 */
export class Queue<Item> {
  readonly #items: (Item | undefined)[];
  #head = 0;

  constructor(items: Iterable<Item> = []) {
    this.#items = [...items];
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  at(index: number): Item | undefined {
    return this.#items[this.#head + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes an item; the others keep their order. */
  removeAt(index: number): void {
    if (index === 0) this.#removeFirst();
    else if (index === this.length - 1) this.#items.pop();
    else this.#items.splice(this.#head + index, 1);
  }

  /** Removes the first items, up to one that does not fit. */
  removeWhile(fits: (item: Item) => boolean): void {
    for (let first = this.at(0); first !== undefined && fits(first); first = this.at(0)) this.#removeFirst();
  }

  /** Returns the items in order. */
  toArray(): Item[] {
    return this.#items.slice(this.#head) as Item[];
  }

  #removeFirst(): void {
    if (this.length === 0) return;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 < this.#items.length) return;
    this.#items.splice(0, this.#head);
    this.#head = 0;
  }
}
