/**
 * Work that waits until a change has gone through: nodes that look at many matches at once (not, exists, aggregates,
 * followed references) say what changed only when all of it is known, so that nothing flickers in between.
 */
export interface Settling {
  readonly rank: number;
  settle(): void;
}

/** Higher than every rank. */
const NONE = 2 ** 30;

export class Settler {
  /** Waiting nodes by rank: what a node stands on settles before it. */
  readonly #waiting: Set<Settling>[] = [];
  #lowest: number = NONE;

  wake(node: Settling): void {
    (this.#waiting[node.rank] ??= new Set()).add(node);
    if (node.rank < this.#lowest) this.#lowest = node.rank;
  }

  run(): void {
    if (this.#lowest === NONE) return;
    while (this.#lowest < this.#waiting.length) {
      const rank = this.#lowest;
      this.#settleAll(rank);
      if (this.#lowest === rank) this.#lowest += 1;
    }
    this.#lowest = NONE;
  }

  /** All of a rank, also those that wake meanwhile; a lower one that wakes comes first. */
  #settleAll(rank: number): void {
    const waiting = this.#waiting[rank];
    if (waiting === undefined) return;
    for (const node of waiting) {
      waiting.delete(node);
      node.settle();
      if (this.#lowest < rank) return;
    }
  }
}
