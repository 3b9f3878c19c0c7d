/**
 * Items by key, for joins: the items whose key equals a given one.
 *
 * A key is one value, or a list of values for an index on several fields: 1 and "1" are different keys, and no text is put
 * together. An item with a value that equals nothing (missing, a list, an object) is not entered.
 */
import type { Maybe } from "../base/value.ts";

/** One value; for an index on several fields the list of their values. */
export type Key = Maybe | readonly Maybe[];

export interface Index<Item> {
  readonly entries: number;
  add(key: Key, item: Item): void;
  remove(key: Key, item: Item): void;
  /** Calls back for every item with the key. */
  each(key: Key, visit: (item: Item) => void): void;
}

/** An index on so many fields, at least one. */
export function makeIndex<Item extends object>(fields: number): Index<Item> {
  return fields === 1 ? new ByValue() : new ByValues(fields);
}

/** A bucket of one item is the item itself: most keys have only one. */
type Bucket<Item> = Item | Set<Item>;

class ByValue<Item extends object> implements Index<Item> {
  readonly #buckets = new Map<Maybe, Bucket<Item>>();
  #entries = 0;

  get entries(): number {
    return this.#entries;
  }

  add(key: Key, item: Item): void {
    if (!isKey(key)) return;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, item);
    else if (bucket instanceof Set) {
      if (bucket.has(item)) return;
      bucket.add(item);
    } else {
      if (bucket === item) return;
      this.#buckets.set(key, new Set([bucket, item]));
    }
    this.#entries += 1;
  }

  remove(key: Key, item: Item): void {
    if (!isKey(key)) return;
    const bucket = this.#buckets.get(key);
    if (bucket instanceof Set) {
      if (!bucket.delete(item)) return;
      if (bucket.size === 0) this.#buckets.delete(key);
    } else {
      if (bucket !== item) return;
      this.#buckets.delete(key);
    }
    this.#entries -= 1;
  }

  each(key: Key, visit: (item: Item) => void): void {
    const bucket = isKey(key) ? this.#buckets.get(key) : undefined;
    if (bucket === undefined) return;
    if (bucket instanceof Set) for (const item of bucket) visit(item);
    else visit(bucket);
  }
}

/** Nested: the first value leads to an index on the others. */
class ByValues<Item extends object> implements Index<Item> {
  readonly #fields: number;
  readonly #inner = new Map<Maybe, Index<Item>>();
  #entries = 0;

  constructor(fields: number) {
    this.#fields = fields;
  }

  get entries(): number {
    return this.#entries;
  }

  add(key: Key, item: Item): void {
    const [first, ...rest] = key as readonly Maybe[];
    if (!isKey(first)) return;
    let inner = this.#inner.get(first);
    if (inner === undefined) this.#inner.set(first, (inner = makeIndex(this.#fields - 1)));
    const before = inner.entries;
    inner.add(this.#innerKey(rest), item);
    this.#entries += inner.entries - before;
    if (inner.entries === 0) this.#inner.delete(first);
  }

  remove(key: Key, item: Item): void {
    const [first, ...rest] = key as readonly Maybe[];
    const inner = isKey(first) ? this.#inner.get(first) : undefined;
    if (inner === undefined) return;
    const before = inner.entries;
    inner.remove(this.#innerKey(rest), item);
    this.#entries += inner.entries - before;
    if (inner.entries === 0) this.#inner.delete(first);
  }

  each(key: Key, visit: (item: Item) => void): void {
    const [first, ...rest] = key as readonly Maybe[];
    if (isKey(first)) this.#inner.get(first)?.each(this.#innerKey(rest), visit);
  }

  #innerKey(rest: readonly Maybe[]): Key {
    return this.#fields === 2 ? rest[0] : rest;
  }
}

function isKey(value: Key): value is string | number | boolean {
  return value !== undefined && typeof value !== "object";
}
