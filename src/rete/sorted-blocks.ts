/**
 * Items in the order of a number or string, in blocks of bounded size: what lies between two values is found in O(log n) without looking at
 * the rest. Items with equal keys are in the order in which they came, so that each of them is found again by its place alone.
 *
 *     blocks:   [ 1 3 3 7 ] [ 8 8 9 ] [ 12 15 ]        keys between 3 and 8: from the second of the first block to the second of the second
 *
 * Where the items are spans, they are in the order of where they begin, and each knows how far the spans of its block up to it reach: the search
 * for spans around a value goes back from the last that begins early enough, until none before reaches so far.
 */
import { compareOrdinals, type Ordinal } from "./range.ts";

/** A block that grows beyond this is cut in two. */
const MOST_IN_BLOCK = 128;
/** A block becomes one with the next when both together are no larger than this. */
const FEW_IN_BLOCK = 32;

/** Where an item is among the sorted ones. */
export class Place<Item> {
  readonly item: Item;
  readonly key: Ordinal;
  /** Where a span ends; undefined for one without end, and for items that are no spans. */
  readonly end: Ordinal | undefined;
  /** Tells items with equal keys apart. Written when the place is taken. */
  order = 0;

  constructor(item: Item, key: Ordinal, end: Ordinal | undefined) {
    this.item = item;
    this.key = key;
    this.end = end;
  }
}

interface Block<Item> {
  readonly keys: Ordinal[];
  readonly places: Place<Item>[];
  /** For each span, the highest end of the spans up to it; undefined where one has no end. Empty where the items are no spans. */
  readonly reach: (Ordinal | undefined)[];
}

export class SortedBlocks<Item> {
  readonly #blocks: Block<Item>[] = [];
  readonly #areSpans: boolean;
  #taken = 0;

  constructor(areSpans: boolean) {
    this.#areSpans = areSpans;
  }

  add(place: Place<Item>): void {
    place.order = this.#taken;
    this.#taken += 1;
    const at = this.#blockOf(place.key, place.order);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push(this.#blockWith([place.key], [place]));
      return;
    }
    const index = indexIn(block, place.key, place.order);
    block.keys.splice(index, 0, place.key);
    block.places.splice(index, 0, place);
    if (this.#areSpans) {
      block.reach.splice(index, 0, place.end);
      reachFrom(block, index);
    }
    if (block.keys.length > MOST_IN_BLOCK) this.#cut(at, block);
  }

  /** Removes what has this place. */
  remove({ key, order }: Place<Item>): void {
    const at = this.#blockOf(key, order);
    const block = this.#blocks[at] as Block<Item>;
    const index = indexIn(block, key, order);
    block.keys.splice(index, 1);
    block.places.splice(index, 1);
    if (this.#areSpans) {
      block.reach.splice(index, 1);
      reachFrom(block, index);
    }
    this.#tidy(at, block);
  }

  /** Adds the items whose keys are between two values, both included, to a list. Without `to` there is no upper end. */
  collect(from: Ordinal, to: Ordinal | undefined, into: Item[]): void {
    for (let at = this.#blockOf(from, -1); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] as Block<Item>;
      const { keys, places } = block;
      for (let index = indexIn(block, from, -1); index < keys.length; index++) {
        if (to !== undefined && compareOrdinals(keys[index] as Ordinal, to) > 0) return;
        into.push((places[index] as Place<Item>).item);
      }
    }
  }

  /** Returns the first of these items that fits, beginning at the lower end. */
  first(from: Ordinal, to: Ordinal | undefined, fits: (item: Item) => boolean): Item | undefined {
    for (let at = this.#blockOf(from, -1); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] as Block<Item>;
      const { keys, places } = block;
      for (let index = indexIn(block, from, -1); index < keys.length; index++) {
        if (to !== undefined && compareOrdinals(keys[index] as Ordinal, to) > 0) return undefined;
        const { item } = places[index] as Place<Item>;
        if (fits(item)) return item;
      }
    }
    return undefined;
  }

  /** Returns the first of these items that fits, beginning at the upper end. */
  last(from: Ordinal, to: Ordinal | undefined, fits: (item: Item) => boolean): Item | undefined {
    for (let at = to === undefined ? this.#blocks.length - 1 : this.#blockOf(to, Infinity); at >= 0; at--) {
      const block = this.#blocks[at];
      if (block === undefined) return undefined;
      const { keys, places } = block;
      const behind = to === undefined ? keys.length : indexIn(block, to, Infinity);
      for (let index = behind - 1; index >= 0; index--) {
        if (compareOrdinals(keys[index] as Ordinal, from) < 0) return undefined;
        const { item } = places[index] as Place<Item>;
        if (fits(item)) return item;
      }
    }
    return undefined;
  }

  /** Adds the spans that a value is in to a list. */
  around(value: Ordinal, into: Item[]): void {
    for (const block of this.#blocks) {
      const { keys, places, reach } = block;
      if (compareOrdinals(keys[0] as Ordinal, value) > 0) return;
      if (endsBefore(reach[reach.length - 1], value)) continue;
      for (let index = indexIn(block, value, Infinity) - 1; index >= 0; index--) {
        if (endsBefore(reach[index], value)) break;
        const { end, item } = places[index] as Place<Item>;
        if (!endsBefore(end, value)) into.push(item);
      }
    }
  }

  /** Returns the number of the last block that begins at or below a place; 0 when there is none. */
  #blockOf(key: Ordinal, order: number): number {
    const blocks = this.#blocks;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (isBelow((blocks[middle] as Block<Item>).places[0] as Place<Item>, key, order)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #cut(at: number, { keys, places }: Block<Item>): void {
    const half = keys.length >> 1;
    const lower = this.#blockWith(keys.slice(0, half), places.slice(0, half));
    this.#blocks.splice(at, 1, lower, this.#blockWith(keys.slice(half), places.slice(half)));
  }

  /** Removes a block that is empty, and makes one of two that are small. */
  #tidy(at: number, { keys, places }: Block<Item>): void {
    const next = this.#blocks[at + 1];
    if (keys.length === 0) this.#blocks.splice(at, 1);
    else if (next !== undefined && keys.length + next.keys.length <= FEW_IN_BLOCK)
      this.#blocks.splice(at, 2, this.#blockWith([...keys, ...next.keys], [...places, ...next.places]));
  }

  #blockWith(keys: Ordinal[], places: Place<Item>[]): Block<Item> {
    const block = { keys, places, reach: this.#areSpans ? places.map(({ end }) => end) : [] };
    if (this.#areSpans) reachFrom(block, 0);
    return block;
  }
}

/** Works out again how far spans reach, from the one that came, or from that after the one that went. */
function reachFrom({ places, reach }: Block<unknown>, from: number): void {
  let highest = from === 0 ? places[0]?.end : reach[from - 1];
  for (let index = from; index < places.length; index++) {
    const { end } = places[index] as Place<unknown>;
    if (endsLater(end, highest)) highest = end;
    reach[index] = highest;
  }
}

/** Returns the first place in a block that is not below a key and order. */
function indexIn({ keys, places }: Block<unknown>, key: Ordinal, order: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const difference = compareOrdinals(keys[middle] as Ordinal, key);
    if (difference < 0 || (difference === 0 && (places[middle] as Place<unknown>).order < order)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether a place is at or below a key and order. */
function isBelow(place: Place<unknown>, key: Ordinal, order: number): boolean {
  const difference = compareOrdinals(place.key, key);
  return difference < 0 || (difference === 0 && place.order <= order);
}

function endsBefore(end: Ordinal | undefined, value: Ordinal): boolean {
  return end !== undefined && compareOrdinals(end, value) < 0;
}

function endsLater(end: Ordinal | undefined, other: Ordinal | undefined): boolean {
  return other !== undefined && (end === undefined || compareOrdinals(end, other) > 0);
}
