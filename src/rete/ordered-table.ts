/**
 * A table whose items are also in the order of a field, for joins, `not` and `exists` with an inequality. The items with one key are a bucket:
 *
 *     key ──▶ bucket ──▶ chain of all its items                     (like any other table)
 *                  └───▶ the same items in sorted blocks            (from SORT_FROM items on, until CHAIN_AT are left)
 *
 * A short chain is looked through faster than blocks are kept up to date. Two numbers, so that a bucket that hovers does not change its form
 * all the time.
 *
 * Invariant: in a bucket with blocks, every item that something can be between or around has one place in them.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import { greatestLike, type Interval, isOrdinal, leastLike, type Ordinal } from "./range.ts";
import { Place, SortedBlocks } from "./sorted-blocks.ts";
import { type KeyPart, type Linked, makeTable, Table } from "./table.ts";

/** A bucket with this many items is sorted. */
const SORT_FROM = 33;
/** A sorted bucket with only this many items left is a chain again. */
const CHAIN_AT = 16;

/** Knows what an item of a table is ordered by. */
export interface Ordering<Item> {
  /** Returns the bounds of an item, or its value as the lower bound; undefined when it can neither be between others nor around one. */
  intervalOf(item: Item): Interval | undefined;
}

/** The items with one key. Each of them holds its bucket, or its place in it, where items of other tables hold their key. */
class Bucket<Item> implements Linked<Bucket<Item>> {
  key: unknown = undefined;
  previous: Bucket<Item> | undefined = undefined;
  next: Bucket<Item> | undefined = undefined;
  first: Item | undefined = undefined;
  size = 0;
  sorted: Sorted<Item> | undefined = undefined;
}

/** The place of an item in the blocks of its bucket. */
class BucketPlace<Item> extends Place<Item> {
  readonly bucket: Bucket<Item>;
  readonly blocks: SortedBlocks<Item>;

  constructor(item: Item, key: Ordinal, end: Ordinal | undefined, bucket: Bucket<Item>, blocks: SortedBlocks<Item>) {
    super(item, key, end);
    this.bucket = bucket;
    this.blocks = blocks;
  }
}

/** The items of a bucket in order. */
export class Sorted<Item> {
  readonly #bucket: Bucket<Item>;
  /** Items that have a value or a lower bound only, by it. */
  readonly #lower = new SortedBlocks<Item>(false);
  /** Items that have an upper bound only, by it. */
  #upper: SortedBlocks<Item> | undefined;
  /** Items with two bounds. */
  #spans: SortedBlocks<Item> | undefined;

  constructor(bucket: Bucket<Item>) {
    this.#bucket = bucket;
  }

  /** Puts an item in order and returns its place; undefined for an interval without bounds. */
  add(item: Item, { low, high }: Interval): Place<Item> | undefined {
    const key = low ?? high;
    if (key === undefined) return undefined;
    const blocks = low === undefined ? this.#upperBlocks() : high === undefined ? this.#lower : this.#spanBlocks();
    const place = new BucketPlace(item, key, low === undefined ? undefined : high, this.#bucket, blocks);
    blocks.add(place);
    return place;
  }

  /** Returns the items whose values are in an interval. */
  within(interval: Interval): Item[] {
    const found: Item[] = [];
    const ends = endsOf(interval);
    if (ends !== undefined) this.#lower.collect(ends.from, ends.to, found);
    return found;
  }

  /** Returns an item that fits and whose value is in an interval. The search begins at the end that has no bound, farthest from what does not fit. */
  firstWithin(interval: Interval, fits: (item: Item) => boolean): Item | undefined {
    const ends = endsOf(interval);
    if (ends === undefined) return undefined;
    const { from, to } = ends;
    return interval.high === undefined ? this.#lower.last(from, to, fits) : this.#lower.first(from, to, fits);
  }

  /** Returns the items between whose bounds a value is. */
  around(value: Maybe): Item[] {
    const found: Item[] = [];
    if (!isOrdinal(value)) return found;
    this.#lower.collect(leastLike(value), value, found);
    this.#upper?.collect(value, greatestLike(value), found);
    this.#spans?.around(value, found);
    return found;
  }

  #upperBlocks(): SortedBlocks<Item> {
    return (this.#upper ??= new SortedBlocks<Item>(false));
  }

  #spanBlocks(): SortedBlocks<Item> {
    return (this.#spans ??= new SortedBlocks<Item>(true));
  }
}

/** Returns the least and the greatest value of an interval; undefined for one without bounds. */
function endsOf({ low, high }: Interval): { readonly from: Ordinal; readonly to: Ordinal | undefined } | undefined {
  if (low !== undefined) return { from: low, to: high ?? greatestLike(low) };
  return high === undefined ? undefined : { from: leastLike(high), to: high };
}

/** Returns the bucket of an item of an ordered table in order; undefined while it is a chain only. */
export function sortedOf<Item extends Linked<Item>>({ key }: Item): Sorted<Item> | undefined {
  return bucketOf<Item>(key).sorted;
}

function bucketOf<Item>(key: unknown): Bucket<Item> {
  return key instanceof BucketPlace ? (key as BucketPlace<Item>).bucket : (key as Bucket<Item>);
}

export class OrderedTable<Item extends Linked<Item>> extends Table<Item> {
  readonly #buckets: Table<Bucket<Item>>;
  readonly #ordering: Ordering<Item>;

  constructor(parts: number, ordering: Ordering<Item>) {
    super();
    this.#buckets = makeTable(parts);
    this.#ordering = ordering;
  }

  find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Item | undefined {
    return this.#buckets.find(parts, match, fact)?.first;
  }

  enter(item: Item, parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): boolean {
    let bucket = this.#buckets.find(parts, match, fact);
    if (bucket === undefined) {
      bucket = new Bucket<Item>();
      if (!this.#buckets.enter(bucket, parts, match, fact)) return false;
    }
    const { first } = bucket;
    if (first === undefined) {
      bucket.first = item;
      this.begin(item, bucket);
    } else {
      this.join(first, item);
      item.key = bucket;
    }
    bucket.size += 1;
    if (bucket.sorted !== undefined) this.#place(item, bucket.sorted);
    else if (bucket.size >= SORT_FROM) this.#sort(bucket);
    return true;
  }

  override leave(item: Item): void {
    const { key } = item;
    if (key === undefined) return;
    const bucket = bucketOf<Item>(key);
    if (key instanceof BucketPlace) {
      const place = key as BucketPlace<Item>;
      place.blocks.remove(place);
      item.key = bucket;
    }
    super.leave(item);
    bucket.size -= 1;
    if (bucket.sorted !== undefined && bucket.size <= CHAIN_AT) unsort(bucket);
  }

  protected setFirst(key: unknown, item: Item | undefined): void {
    const bucket = key as Bucket<Item>;
    bucket.first = item;
    if (item === undefined) this.#buckets.leave(bucket);
  }

  #sort(bucket: Bucket<Item>): void {
    const sorted = new Sorted<Item>(bucket);
    bucket.sorted = sorted;
    for (let item = bucket.first; item !== undefined; item = item.next) this.#place(item, sorted);
  }

  #place(item: Item, sorted: Sorted<Item>): void {
    const interval = this.#ordering.intervalOf(item);
    const place = interval === undefined ? undefined : sorted.add(item, interval);
    if (place !== undefined) item.key = place;
  }
}

function unsort<Item extends Linked<Item>>(bucket: Bucket<Item>): void {
  bucket.sorted = undefined;
  for (let item = bucket.first; item !== undefined; item = item.next) item.key = bucket;
}
