/** Facts founded by matches that do not name all their facts: by the types these look at, in the order of founding. */
import type { Fact } from "../../rete/fact.ts";
import { ANY_TYPE } from "../../base/support.ts";

interface Entry {
  readonly fact: Fact;
  readonly height: number;
}

/** A list of so many entries is never tidied. */
const SOME = 16;

export class FoundedInOrder {
  /** How many entries were looked at. */
  steps = 0;
  readonly #byType = new Map<string, Entry[]>();
  /** How long a list may grow before entries that are no longer right are dropped. */
  readonly #limits = new Map<string, number>();
  readonly #heightOf: (fact: Fact) => number | undefined;

  constructor(heightOf: (fact: Fact) => number | undefined) {
    this.#heightOf = heightOf;
  }

  get isEmpty(): boolean {
    return this.#byType.size === 0;
  }

  add(fact: Fact, height: number, types: Iterable<string>): void {
    for (const type of types) {
      const entries = this.#byType.get(type);
      if (entries === undefined) this.#byType.set(type, [{ fact, height }]);
      else {
        entries.push({ fact, height });
        if (entries.length > (this.#limits.get(type) ?? SOME)) this.#tidy(type);
      }
    }
  }

  clear(): void {
    this.#byType.clear();
    this.#limits.clear();
  }

  /** A walk through the facts as they are now. */
  walk(): Walk {
    return new Walk(this);
  }

  entries(type: string): Entry[] {
    return this.#byType.get(type) ?? [];
  }

  /** False once the fact is gone, or was founded again in another way. */
  isRight({ fact, height }: Entry): boolean {
    this.steps += 1;
    return this.#heightOf(fact) === height;
  }

  #tidy(type: string): void {
    const right = this.entries(type).filter((entry) => this.isRight(entry));
    if (right.length === 0) this.#byType.delete(type);
    else this.#byType.set(type, right);
    this.#limits.set(type, Math.max(SOME, 2 * right.length));
  }
}

/** Meets every fact at most once for each type, the latest first. */
export class Walk {
  readonly #all: FoundedInOrder;
  readonly #places = new Map<string, Place>();

  constructor(all: FoundedInOrder) {
    this.#all = all;
  }

  /** The facts that look at a type and were founded at this height or later, without those that it gave before. */
  since(type: string, height: number): Fact[] {
    return [...this.#sinceIn(type, height), ...this.#sinceIn(ANY_TYPE, height)];
  }

  #sinceIn(type: string, height: number): Fact[] {
    const place = this.#placeIn(type);
    const { entries, next } = place;
    const right: Entry[] = [];
    for (; place.next >= 0; place.next--) {
      const entry = entries[place.next] as Entry;
      if (entry.height < height) break;
      if (this.#all.isRight(entry)) right.push(entry);
    }
    const passed = next - place.next;
    if (right.length < passed && next === entries.length - 1) {
      // What was passed in vain at the end is not passed again.
      entries.length = place.next + 1;
      for (let at = right.length - 1; at >= 0; at--) entries.push(right[at] as Entry);
    }
    return right.map(({ fact }) => fact);
  }

  #placeIn(type: string): Place {
    let place = this.#places.get(type);
    if (place === undefined) {
      const entries = this.#all.entries(type);
      this.#places.set(type, (place = { entries, next: entries.length - 1 }));
    }
    return place;
  }
}

interface Place {
  readonly entries: Entry[];
  next: number;
}
