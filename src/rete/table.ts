/**
 * Things in buckets by key, for joins. A thing joins and leaves a bucket by a few assignments, and a bucket that empties
 * leaves its table, so nothing stays behind.
 *
 * A key is made of parts, each worked out from a match or a fact when it is needed: 1 and "1" are different keys, and no
 * text is put together. What has a part that equals nothing (missing, a list, an object) has no bucket.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";

/** One part of a key, of a match or of a fact. */
export type KeyPart = (match: Match | undefined, fact: Fact | undefined) => Maybe;

/** What can be in a bucket. */
export interface Linked<Self> {
  bucket: Bucket<Self> | undefined;
  previous: Self | undefined;
  next: Self | undefined;
}

export class Bucket<Item> {
  first: Item | undefined = undefined;
  readonly table: Table<Item>;
  /** Where the table has it: the value of its only part, or the list of values. */
  readonly key: Maybe | readonly Maybe[];

  constructor(table: Table<Item>, key: Maybe | readonly Maybe[]) {
    this.table = table;
    this.key = key;
  }
}

export interface Table<Item> {
  /** How many things are in its buckets. */
  entries: number;
  /** The bucket with this key, if there is anything in it. */
  find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined;
  /** The bucket with this key, made when there is none; undefined when a part equals nothing. */
  open(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined;
  /** Forgets a bucket that became empty. */
  close(bucket: Bucket<Item>): void;
}

export function makeTable<Item>(parts: number): Table<Item> {
  if (parts === 0) return new OneBucket();
  return parts === 1 ? new ByValue() : new ByValues(parts);
}

export function enter<Item extends Linked<Item>>(bucket: Bucket<Item>, item: Item): void {
  const { first } = bucket;
  item.bucket = bucket;
  item.next = first;
  item.previous = undefined;
  if (first !== undefined) first.previous = item;
  bucket.first = item;
  bucket.table.entries += 1;
}

/** Does nothing when the thing is in no bucket. Its `next` stays, so that whoever is walking along the bucket can go on. */
export function leave<Item extends Linked<Item>>(item: Item): void {
  const { bucket, previous, next } = item;
  if (bucket === undefined) return;
  item.bucket = undefined;
  if (previous === undefined) bucket.first = next;
  else previous.next = next;
  if (next !== undefined) next.previous = previous;
  bucket.table.entries -= 1;
  if (bucket.first === undefined) bucket.table.close(bucket);
}

/** Without a key everything is in one bucket. */
class OneBucket<Item> implements Table<Item> {
  entries = 0;
  readonly #bucket: Bucket<Item> = new Bucket<Item>(this, undefined);

  find(): Bucket<Item> {
    return this.#bucket;
  }

  open(): Bucket<Item> {
    return this.#bucket;
  }

  close(): void {
    // the only bucket stays
  }
}

class ByValue<Item> implements Table<Item> {
  entries = 0;
  readonly #buckets = new Map<Maybe, Bucket<Item>>();

  find([part]: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined {
    return this.#buckets.get(part?.(match, fact));
  }

  open([part]: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined {
    const value = part?.(match, fact);
    if (!isKey(value)) return undefined;
    let bucket = this.#buckets.get(value);
    if (bucket === undefined) this.#buckets.set(value, (bucket = new Bucket<Item>(this, value)));
    return bucket;
  }

  close(bucket: Bucket<Item>): void {
    this.#buckets.delete(bucket.key as Maybe);
  }
}

/** Nested: each value leads to a map on the values behind it, the last one to the bucket. */
class ByValues<Item> implements Table<Item> {
  entries = 0;
  readonly #last: number;
  readonly #outer: Level<Item> = new Map();

  constructor(parts: number) {
    this.#last = parts - 1;
  }

  find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined {
    let level = this.#outer;
    for (let index = 0; index < this.#last; index++) {
      const inner = level.get(parts[index]?.(match, fact));
      if (inner === undefined) return undefined;
      level = inner as Level<Item>;
    }
    return level.get(parts[this.#last]?.(match, fact)) as Bucket<Item> | undefined;
  }

  open(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Bucket<Item> | undefined {
    const key: Maybe[] = [];
    for (const part of parts) {
      const value = part(match, fact);
      if (!isKey(value)) return undefined;
      key.push(value);
    }
    let level = this.#outer;
    for (let index = 0; index < this.#last; index++) {
      let inner = level.get(key[index]) as Level<Item> | undefined;
      if (inner === undefined) level.set(key[index], (inner = new Map()));
      level = inner;
    }
    let bucket = level.get(key[this.#last]) as Bucket<Item> | undefined;
    if (bucket === undefined) level.set(key[this.#last], (bucket = new Bucket<Item>(this, key)));
    return bucket;
  }

  close(bucket: Bucket<Item>): void {
    this.#closeBelow(this.#outer, bucket.key as readonly Maybe[], 0);
  }

  #closeBelow(level: Level<Item>, key: readonly Maybe[], index: number): void {
    if (index < this.#last) {
      const inner = level.get(key[index]) as Level<Item>;
      this.#closeBelow(inner, key, index + 1);
      if (inner.size > 0) return;
    }
    level.delete(key[index]);
  }
}

type Level<Item> = Map<Maybe, Bucket<Item> | Level<Item>>;

function isKey(value: Maybe): value is string | number | boolean {
  return value !== undefined && typeof value !== "object";
}
