/**
 * A checksum of plain data: 64 bits that change when the data was damaged on its way. It is not a signature: who wants to can
 * make other data with the same checksum.
 *
 * Data that is equal as JSON has the same checksum, whatever the order of the names in its objects.
 */

/** The deepest nesting of data; deeper data has no checksum. */
const MAX_DEPTH = 1_000;

/** What begins each kind of value, so that no two values are added in the same way. */
const KIND = { text: 1, number: 2, true: 3, false: 4, null: 5, list: 6, object: 7 } as const;

/** Adds up plain data, one value after the other. */
export class Checksum {
  #high = 0x9e37_79b9;
  #low = 0x85eb_ca6b;
  readonly #number = new Float64Array(1);
  readonly #words = new Uint32Array(this.#number.buffer);

  /** Adds a value of JSON. Returns false when it is nested more than 1,000 levels deep, or is not JSON. */
  add(value: unknown, depth = 0): boolean {
    switch (typeof value) {
      case "string":
        this.#text(value);
        return true;
      case "number":
        this.#mix(KIND.number);
        this.#float(value);
        return true;
      case "boolean":
        this.#mix(value ? KIND.true : KIND.false);
        return true;
      case "object":
        if (value === null) return this.#null();
        if (depth >= MAX_DEPTH) return false;
        return Array.isArray(value) ? this.#list(value, depth) : this.#object(value as Record<string, unknown>, depth);
      default:
        return false;
    }
  }

  /** Returns another one that begins with the same values. */
  copy(): Checksum {
    const copy = new Checksum();
    copy.#high = this.#high;
    copy.#low = this.#low;
    return copy;
  }

  /** Returns the checksum of all values so far: 16 hexadecimal digits. */
  digest(): string {
    const high = finish(this.#high ^ this.#low);
    const low = finish(Math.imul(this.#low, 0xc2b2_ae35) ^ this.#high);
    return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
  }

  #null(): boolean {
    this.#mix(KIND.null);
    return true;
  }

  #list(items: readonly unknown[], depth: number): boolean {
    this.#mix(KIND.list);
    this.#mix(items.length);
    for (const item of items) if (!this.add(item, depth + 1)) return false;
    return true;
  }

  /** Adds an object by its names in order; what JSON leaves out does not count. */
  #object(object: Readonly<Record<string, unknown>>, depth: number): boolean {
    const names = Object.keys(object);
    if (!isSorted(names)) names.sort();
    this.#mix(KIND.object);
    for (const name of names) {
      const value = object[name];
      if (value === undefined) continue;
      this.#text(name);
      if (!this.add(value, depth + 1)) return false;
    }
    this.#mix(KIND.object);
    return true;
  }

  #text(text: string): void {
    this.#mix(KIND.text);
    this.#mix(text.length);
    for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
  }

  #float(value: number): void {
    this.#number[0] = value === 0 ? 0 : value;
    this.#mix(this.#words[0] as number);
    this.#mix(this.#words[1] as number);
  }

  #mix(word: number): void {
    const high = Math.imul(this.#high ^ word, 0x9e37_79b1);
    const low = Math.imul(this.#low ^ word, 0x5f35_6495);
    this.#high = high ^ (high >>> 15);
    this.#low = low ^ (low >>> 13);
  }
}

function isSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++) if ((names[at - 1] as string) > (names[at] as string)) return false;
  return true;
}

/** Mixes the bits of a word, so that each depends on all (the last steps of MurmurHash3). */
function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
