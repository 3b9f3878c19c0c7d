/**
 * Work that waits until a change has gone through: nodes that look at many matches at once (not, exists, aggregates,
 * followed references) say what changed only when all of it is known, so that nothing flickers in between.
 */
export interface Flushable {
  readonly rank: number;
  /** True while the node is scheduled. Written by the queue. */
  scheduled: boolean;
  flush(): void;
}

/** A number higher than every rank. */
const NONE = 2 ** 30;

export class FlushQueue {
  /** Scheduled nodes by rank, so that the inputs of a node are flushed before it. */
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

  /** Flushes all nodes of a rank, including those scheduled meanwhile; stops when a lower rank is scheduled. */
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
