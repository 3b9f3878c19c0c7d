/** Facts founded by matches that do not name all their facts: by the types these look at, in the order of founding. */
import type { Fact } from "../rete/fact.ts";
import { ANY_TYPE } from "../rete/production.ts";

interface Entry {
  readonly fact: Fact;
  readonly height: number;
}

export class FoundedInOrder {
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
        if (entries.length > (this.#limits.get(type) ?? LEAST)) this.#tidy(type, entries);
      }
    }
  }

  clear(): void {
    this.#byType.clear();
    this.#limits.clear();
  }

  /** The facts that look at a type and were founded at this height or later, the latest first. */
  *since(type: string, height: number): Iterable<Fact> {
    yield* this.#sinceIn(type, height);
    yield* this.#sinceIn(ANY_TYPE, height);
  }

  *#sinceIn(type: string, height: number): Iterable<Fact> {
    const entries = this.#byType.get(type) ?? [];
    for (let at = entries.length - 1; at >= 0; at--) {
      const entry = entries[at] as Entry;
      if (entry.height < height) return;
      if (this.#isRight(entry)) yield entry.fact;
    }
  }

  #tidy(type: string, entries: readonly Entry[]): void {
    const right = entries.filter((entry) => this.#isRight(entry));
    this.#byType.set(type, right);
    this.#limits.set(type, Math.max(LEAST, 2 * right.length));
  }

  #isRight({ fact, height }: Entry): boolean {
    return this.#heightOf(fact) === height;
  }
}

const LEAST = 16;
