/**
 * A map from ids that grows in small steps: a `Map` with half a million entries that grows stops everything for 40 ms and more.
 *
 * Up to 8,192 entries it is one `Map`. Then the entries are spread over 64 maps by the end of their ids, and each grows for itself.
 */

/** The number of entries from which they are spread. */
const SPREAD_FROM = 8_192;
/** A power of two. */
const PARTS = 64;
/** The characters at the end of an id that say which map it is in. */
const END = 4;

export class IdMap<Item> {
  #only: Map<string, Item> | undefined = new Map();
  #parts: readonly Map<string, Item>[] = NO_PARTS;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): Item | undefined {
    return (this.#only ?? this.#partOf(id)).get(id);
  }

  /** Enters an item under an id that has none. */
  add(id: string, item: Item): void {
    if (this.#only !== undefined && this.#size >= SPREAD_FROM) this.#spread(this.#only);
    (this.#only ?? this.#partOf(id)).set(id, item);
    this.#size += 1;
  }

  delete(id: string): void {
    if ((this.#only ?? this.#partOf(id)).delete(id)) this.#size -= 1;
  }

  /** The items in the order in which they were added; undefined when they are spread. */
  get inOrder(): Iterable<Item> | undefined {
    return this.#only?.values();
  }

  /** Removes all entries. */
  clear(): void {
    if (this.#size === 0 && this.#only !== undefined) return;
    this.#only = new Map();
    this.#parts = NO_PARTS;
    this.#size = 0;
  }

  #spread(entries: ReadonlyMap<string, Item>): void {
    this.#only = undefined;
    this.#parts = Array.from({ length: PARTS }, () => new Map());
    for (const [id, item] of entries) this.#partOf(id).set(id, item);
  }

  #partOf(id: string): Map<string, Item> {
    let hash = 0;
    for (let at = Math.max(0, id.length - END); at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) | 0;
    return this.#parts[(hash ^ (hash >>> 6)) & (PARTS - 1)] as Map<string, Item>;
  }
}

const NO_PARTS: readonly never[] = [];
