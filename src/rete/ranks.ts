/** A set of numbers below a limit that can be sorted quickly. */

/** Up to this many numbers are sorted by insertion. */
const INSERTION_UP_TO = 16;
/** From one number in this many on, marking bits is faster than comparing. */
const DENSE = 128;

export class Ranks {
  readonly ranks: Int32Array;
  size: number = 0;
  /** A bit for each number below the limit; all 0 between two uses. */
  readonly #marks: Int32Array;

  constructor(limit: number) {
    this.ranks = new Int32Array(limit);
    this.#marks = new Int32Array((limit + 31) >> 5);
  }

  add(rank: number): void {
    this.ranks[this.size++] = rank;
  }

  /** Sorts the numbers in ascending order. */
  sort(): void {
    if (this.size <= INSERTION_UP_TO) this.#insert();
    else if (this.ranks.length <= this.size * DENSE) this.#markAll();
    else this.ranks.subarray(0, this.size).sort();
  }

  #insert(): void {
    const { ranks, size } = this;
    for (let at = 1; at < size; at++) {
      const rank = ranks[at] as number;
      let before = at - 1;
      for (; before >= 0 && (ranks[before] as number) > rank; before--) ranks[before + 1] = ranks[before] as number;
      ranks[before + 1] = rank;
    }
  }

  #markAll(): void {
    const { ranks, size } = this;
    const marks = this.#marks;
    for (let at = 0; at < size; at++) {
      const rank = ranks[at] as number;
      marks[rank >> 5] = (marks[rank >> 5] as number) | (1 << (rank & 31));
    }
    let at = 0;
    for (let word = 0; word < marks.length; word++) {
      for (let left = marks[word] as number; left !== 0; left &= left - 1) {
        ranks[at++] = (word << 5) + 31 - Math.clz32(left & -left);
      }
      marks[word] = 0;
    }
  }
}
