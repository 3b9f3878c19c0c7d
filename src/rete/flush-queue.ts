/**
 * Work that waits until a change has gone through: nodes that look at many matches at once (not, exists, aggregates,
 * followed references) say what changed only when all of it is known, so that nothing flickers in between.
 */
export interface Flushable {
  readonly rank: number;
  /** Kept by the settler. */
  scheduled: boolean;
  flush(): void;
}

/** Higher than every rank. */
const NONE = 2 ** 30;

export class FlushQueue {
  /** Waiting nodes by rank: what a node stands on settles before it. */
  readonly #waiting: Flushable[][] = [];
  #lowest: number = NONE;

  schedule(node: Flushable): void {
    if (node.scheduled) return;
    node.scheduled = true;
    const { rank } = node;
    const waiting = this.#waiting[rank];
    if (waiting === undefined) this.#waiting[rank] = [node];
    else waiting.push(node);
    if (rank < this.#lowest) this.#lowest = rank;
  }

  run(): void {
    if (this.#lowest === NONE) return;
    while (this.#lowest < this.#waiting.length) {
      const rank = this.#lowest;
      this.#flushAll(rank);
      if (this.#lowest === rank) this.#lowest += 1;
    }
    this.#lowest = NONE;
  }

  /** All of a rank, also those that wake meanwhile; a lower one that wakes comes first. */
  #flushAll(rank: number): void {
    const waiting = this.#waiting[rank];
    if (waiting === undefined) return;
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      node.scheduled = false;
      node.flush();
      if (this.#lowest < rank) return;
    }
  }
}
