/** What the clock showed after each of the last changes. */
interface Move {
  readonly change: number;
  readonly to: number;
}

export class ClockHistory {
  readonly #limit: number;
  #moves: Move[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  clear(): void {
    this.#moves = [];
  }

  /** Notes that a change moved the clock. */
  moved(change: number, to: number): void {
    this.#moves.push({ change, to });
    if (this.#moves.length > 2 * this.#limit + 1) this.#moves = this.#moves.slice(-this.#limit - 1);
  }

  /** Returns what the clock showed after a change; undefined when it was not set, or that is no longer known. */
  after(change: number): number | undefined {
    let low = 0;
    let high = this.#moves.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#moves[middle]?.change ?? 0) <= change) low = middle + 1;
      else high = middle;
    }
    return this.#moves[low - 1]?.to;
  }
}
