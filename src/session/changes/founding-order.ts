/** Logical facts whose matches do not name all their facts, by the types that the matches look at, in the order of founding. */
import { LateMap } from "../../base/late.ts";
import type { Fact } from "../../rete/fact.ts";
import { empty } from "../../base/empty.ts";
import { ANY_TYPE } from "../../base/support.ts";

interface Entry {
  readonly fact: Fact;
  readonly height: number;
}

/** Outdated entries are dropped from a list of more entries than this, or twice as many as were current last time. */
const COMPACT_AFTER = 16;

export class FoundingOrder {
  /** The number of entries looked at so far. */
  steps = 0;
  readonly #byType = new LateMap<string, Entry[]>();
  /** The length from which a list is compacted, where it is not 16. */
  readonly #compactAfter = new LateMap<string, number>();
  readonly #heightOf: (fact: Fact) => number | undefined;

  constructor(heightOf: (fact: Fact) => number | undefined) {
    this.#heightOf = heightOf;
  }

  get isEmpty(): boolean {
    return this.#byType.size === 0;
  }

  /** Adds a fact that is higher than all facts added before. */
  add(fact: Fact, height: number, types: Iterable<string>): void {
    for (const type of types) {
      const entries = this.#byType.get(type);
      if (entries === undefined) this.#byType.set(type, [{ fact, height }]);
      else {
        entries.push({ fact, height });
        if (entries.length > (this.#compactAfter.get(type) ?? COMPACT_AFTER)) this.#compact(type);
      }
    }
  }

  clear(): void {
    empty(this.#byType);
    empty(this.#compactAfter);
  }

  /** Starts a walk through the facts as they are now. */
  walk(): FoundingWalk {
    return new FoundingWalk(this);
  }

  entries(type: string): Entry[] {
    return this.#byType.get(type) ?? [];
  }

  /** Whether an entry is current: false once the fact is gone, or was founded again in another way. */
  isCurrent({ fact, height }: Entry): boolean {
    this.steps += 1;
    return this.#heightOf(fact) === height;
  }

  #compact(type: string): void {
    const current = this.entries(type).filter((entry) => this.isCurrent(entry));
    if (current.length === 0) this.#byType.delete(type);
    else this.#byType.set(type, current);
    this.#compactAfter.set(type, Math.max(COMPACT_AFTER, 2 * current.length));
  }
}

/** A walk from the latest fact to the earliest, which returns every fact at most once for each type. */
export class FoundingWalk {
  readonly #all: FoundingOrder;
  readonly #places = new Map<string, Place>();

  constructor(all: FoundingOrder) {
    this.#all = all;
  }

  /** Returns the facts that look at a type and were founded at this height or later, without those it returned before. */
  since(type: string, height: number): Fact[] {
    return [...this.#sinceIn(type, height), ...this.#sinceIn(ANY_TYPE, height)];
  }

  #sinceIn(type: string, height: number): Fact[] {
    const place = this.#placeIn(type);
    const { entries, next } = place;
    const current: Entry[] = [];
    for (; place.next >= 0; place.next--) {
      const entry = entries[place.next] as Entry;
      if (entry.height < height) break;
      if (this.#all.isCurrent(entry)) current.push(entry);
    }
    const passed = next - place.next;
    if (current.length < passed && next === entries.length - 1) {
      // Outdated entries at the end are dropped, so that no later walk passes them again.
      entries.length = place.next + 1;
      for (let at = current.length - 1; at >= 0; at--) entries.push(current[at] as Entry);
    }
    return current.map(({ fact }) => fact);
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
