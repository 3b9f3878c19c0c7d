/**
 * A map that can be continued without copying it: a continued map has what the map before has, and changes of its own. The map
 * before must not change after that.
 *
 * Changes are kept in layers. A layer that is not at least twice as large as the one above is merged with it, so that there are
 * O(log n) of them, and an entry is copied O(log n) times.
 */

/** Stands for an entry that a layer below has, and this map has not. */
const GONE: unique symbol = Symbol("gone");

/** What a map can hold: anything but undefined, which stands for no entry. */
type Entry = string | number | boolean | object;

type Layer<Key, Item> = Map<Key, Item | typeof GONE>;

export class LayeredMap<Key, Item extends Entry> implements ReadonlyMap<Key, Item> {
  /** The layers of the maps before, the oldest first. They never change. */
  readonly #below: readonly ReadonlyMap<Key, Item | typeof GONE>[];
  readonly #own: Layer<Key, Item> = new Map();
  #size: number;

  private constructor(below: readonly ReadonlyMap<Key, Item | typeof GONE>[], size: number) {
    this.#below = below;
    this.#size = size;
  }

  static empty<Key, Item extends Entry>(): LayeredMap<Key, Item> {
    return new LayeredMap<Key, Item>([], 0);
  }

  /** Returns a map that continues another one. */
  static over<Key, Item extends Entry>(map: ReadonlyMap<Key, Item>): LayeredMap<Key, Item> {
    return map instanceof LayeredMap
      ? (map as LayeredMap<Key, Item>).continued()
      : new LayeredMap<Key, Item>([map], map.size);
  }

  /** Returns a map that continues this one. */
  continued(): LayeredMap<Key, Item> {
    const layers = [...this.#below];
    let top: ReadonlyMap<Key, Item | typeof GONE> = this.#own;
    for (let next = layers.at(-1); next !== undefined && next.size < 2 * top.size; next = layers.at(-1)) {
      layers.pop();
      top = merged(next, top, layers.length === 0);
    }
    if (top.size > 0) layers.push(top);
    return new LayeredMap<Key, Item>(layers, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  get(key: Key): Item | undefined {
    let found = this.#own.get(key);
    for (let at = this.#below.length - 1; found === undefined && at >= 0; at--) found = this.#below[at]?.get(key);
    return found === GONE ? undefined : found;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Sets an entry. One that a map before has is then the last. */
  set(key: Key, item: Item): this {
    if (!this.has(key)) this.#size += 1;
    else if (this.#own.get(key) === GONE) this.#own.delete(key);
    this.#own.set(key, item);
    return this;
  }

  delete(key: Key): void {
    if (!this.has(key)) return;
    this.#size -= 1;
    this.#own.delete(key);
    if (this.#below.some((layer) => layer.has(key))) this.#own.set(key, GONE);
  }

  *entries(): Generator<[Key, Item], undefined> {
    const layers = [...this.#below, this.#own];
    for (const [at, layer] of layers.entries()) {
      for (const [key, item] of layer) {
        if (item !== GONE && !layers.some((above, place) => place > at && above.has(key))) yield [key, item];
      }
    }
  }

  *keys(): Generator<Key, undefined> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<Item, undefined> {
    for (const [, item] of this.entries()) yield item;
  }

  [Symbol.iterator](): Generator<[Key, Item], undefined> {
    return this.entries();
  }

  forEach(work: (item: Item, key: Key, map: ReadonlyMap<Key, Item>) => void): void {
    for (const [key, item] of this.entries()) work(item, key, this);
  }
}

/** Returns two layers as one. Nothing is below the lowest one, so that it needs no marks for entries that are gone. */
function merged<Key, Item>(
  lower: ReadonlyMap<Key, Item | typeof GONE>,
  upper: ReadonlyMap<Key, Item | typeof GONE>,
  isLowest: boolean,
): Layer<Key, Item> {
  const layer: Layer<Key, Item> = new Map(lower);
  for (const [key, item] of upper) {
    layer.delete(key);
    if (item !== GONE || !isLowest) layer.set(key, item);
  }
  return layer;
}
