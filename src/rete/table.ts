/**
 * Things by key, for joins. Those with one key are chained: a thing joins and leaves its chain by a few assignments, and a
 * key that nothing has any more leaves the table, so nothing stays behind.
 *
 *     key ──▶ first ⇄ newest ⇄ … ⇄ oldest but the first        (a new thing comes second: the table is not touched)
 *
 * A key is made of parts, each worked out from a match or a fact when it is needed: 1 and "1" are different keys, and text is
 * put together only for lists and objects. What has a part that is missing has no place.
 */
import { type Maybe, plainKey } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";

/** One part of a key, of a match or of a fact. */
export type KeyPart = (match: Match | undefined, fact: Fact | undefined) => Maybe;

/** An item of a table. */
export interface Linked<Self> {
  /** What the table finds the place of the item by, in most tables its key; undefined while it is in no table. */
  key: unknown;
  previous: Self | undefined;
  next: Self | undefined;
}

export abstract class Table<Item extends Linked<Item>> {
  /** The number of items in the table. */
  entries = 0;

  /** Returns the first item with this key; the others are linked from it. */
  abstract find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Item | undefined;

  /** Adds an item; returns false when a part of the key equals nothing, and the item is left out. */
  abstract enter(item: Item, parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): boolean;

  /** Removes an item; does nothing when it is not in the table. Its `next` stays, so that an iteration can go on. */
  leave(item: Item): void {
    const { key, previous, next } = item;
    if (key === undefined) return;
    item.key = undefined;
    this.entries -= 1;
    if (next !== undefined) next.previous = previous;
    if (previous === undefined) this.setFirst(key, next);
    else previous.next = next;
  }

  /** Replaces the first item of a key, or removes the key. */
  protected abstract setFirst(key: unknown, item: Item | undefined): void;

  /** Begins the chain of a key with its first item. */
  protected begin(item: Item, key: unknown): void {
    item.key = key;
    item.previous = undefined;
    item.next = undefined;
    this.entries += 1;
  }

  protected join(first: Item, item: Item): void {
    const { next } = first;
    item.key = first.key;
    item.previous = first;
    item.next = next;
    if (next !== undefined) next.previous = item;
    first.next = item;
    this.entries += 1;
  }
}

export function makeTable<Item extends Linked<Item>>(parts: number): Table<Item> {
  if (parts === 0) return new OneChain();
  return parts === 1 ? new ByValue() : new ByValues(parts);
}

/** A table without a key: all items are in one chain. */
class OneChain<Item extends Linked<Item>> extends Table<Item> {
  #first: Item | undefined = undefined;

  find(): Item | undefined {
    return this.#first;
  }

  enter(item: Item): boolean {
    const first = this.#first;
    if (first === undefined) {
      this.#first = item;
      this.begin(item, true);
    } else this.join(first, item);
    return true;
  }

  protected setFirst(_key: unknown, item: Item | undefined): void {
    this.#first = item;
  }
}

class ByValue<Item extends Linked<Item>> extends Table<Item> {
  readonly #first = new Map<Maybe, Item>();

  find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Item | undefined {
    return this.#first.get(plainKey(parts[0]?.(match, fact)));
  }

  enter(item: Item, parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): boolean {
    const value = plainKey(parts[0]?.(match, fact));
    if (value === undefined) return false;
    const first = this.#first.get(value);
    if (first === undefined) {
      this.#first.set(value, item);
      this.begin(item, value);
    } else this.join(first, item);
    return true;
  }

  protected setFirst(key: unknown, item: Item | undefined): void {
    if (item === undefined) this.#first.delete(key as Maybe);
    else this.#first.set(key as Maybe, item);
  }
}

/** A table by several values: nested maps, the last of which leads to the chain. */
class ByValues<Item extends Linked<Item>> extends Table<Item> {
  readonly #last: number;
  readonly #outer: Level<Item> = new Map();
  /** The key values of the item that is being added. */
  readonly #values: Maybe[];

  constructor(parts: number) {
    super();
    this.#last = parts - 1;
    this.#values = Array.from({ length: parts }, () => undefined);
  }

  find(parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): Item | undefined {
    let level = this.#outer;
    for (let index = 0; index < this.#last; index++) {
      const inner = level.get(plainKey(parts[index]?.(match, fact)));
      if (inner === undefined) return undefined;
      level = inner as Level<Item>;
    }
    return level.get(plainKey(parts[this.#last]?.(match, fact))) as Item | undefined;
  }

  enter(item: Item, parts: readonly KeyPart[], match: Match | undefined, fact: Fact | undefined): boolean {
    const values = this.#values;
    for (let at = 0; at < parts.length; at++) {
      const value = plainKey(parts[at]?.(match, fact));
      if (value === undefined) return false;
      values[at] = value;
    }
    const level = this.#open(values);
    const first = level.get(values[this.#last]) as Item | undefined;
    if (first === undefined) {
      level.set(values[this.#last], item);
      this.begin(item, values.slice());
    } else this.join(first, item);
    return true;
  }

  protected setFirst(key: unknown, item: Item | undefined): void {
    const values = key as readonly Maybe[];
    if (item === undefined) this.#closeBelow(this.#outer, values, 0);
    else this.#open(values).set(values[this.#last], item);
  }

  #open(key: readonly Maybe[]): Level<Item> {
    let level = this.#outer;
    for (let index = 0; index < this.#last; index++) {
      let inner = level.get(key[index]) as Level<Item> | undefined;
      if (inner === undefined) level.set(key[index], (inner = new Map()));
      level = inner;
    }
    return level;
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

type Level<Item> = Map<Maybe, Item | Level<Item>>;
