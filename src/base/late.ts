/**
 * Maps and sets that take no room before something is put into them. V8 gives every `new Map()` a table of its own, and an idle
 * session would have dozens of empty ones.
 */
export class LateMap<Key, Value> implements Iterable<[Key, Value]> {
  #map: Map<Key, Value> | undefined = undefined;

  get size(): number {
    return this.#map === undefined ? 0 : this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map === undefined ? undefined : this.#map.get(key);
  }

  has(key: Key): boolean {
    return this.#map !== undefined && this.#map.has(key);
  }

  set(key: Key, value: Value): void {
    (this.#map ??= new Map()).set(key, value);
  }

  delete(key: Key): boolean {
    return this.#map !== undefined && this.#map.delete(key);
  }

  /** Removes everything, and the table with it. */
  clear(): void {
    this.#map = undefined;
  }

  keys(): Iterable<Key> {
    return this.#map === undefined ? NOTHING : this.#map.keys();
  }

  values(): Iterable<Value> {
    return this.#map === undefined ? NOTHING : this.#map.values();
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.#map ?? NOTHING)[Symbol.iterator]();
  }
}

/** A set that is made when something is first added. */
export class LateSet<Item> implements Iterable<Item> {
  #set: Set<Item> | undefined = undefined;

  get size(): number {
    return this.#set === undefined ? 0 : this.#set.size;
  }

  has(item: Item): boolean {
    return this.#set !== undefined && this.#set.has(item);
  }

  add(item: Item): void {
    (this.#set ??= new Set()).add(item);
  }

  delete(item: Item): boolean {
    return this.#set !== undefined && this.#set.delete(item);
  }

  /** Removes everything, and the table with it. */
  clear(): void {
    this.#set = undefined;
  }

  [Symbol.iterator](): Iterator<Item> {
    return (this.#set ?? NOTHING)[Symbol.iterator]();
  }
}

const NOTHING: readonly never[] = [];
