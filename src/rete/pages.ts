/**
 * Things by number, of which few are there: pages of 32, made when one of their numbers is first used. An empty store of ten
 * thousand numbers takes no more room than one of ten.
 */
export class Pages<Item> {
  #pages: (Item | undefined)[][] = [];

  get(number: number): Item | undefined {
    return this.#pages[number >> 5]?.[number & 31];
  }

  set(number: number, item: Item): void {
    const page = (this.#pages[number >> 5] ??= []);
    page[number & 31] = item;
  }

  delete(number: number): void {
    const page = this.#pages[number >> 5];
    if (page !== undefined) page[number & 31] = undefined;
  }

  /** Yields the items that are there, by number. */
  *values(): Iterable<Item> {
    for (const page of this.#pages) {
      for (const item of page ?? []) if (item !== undefined) yield item;
    }
  }
}
