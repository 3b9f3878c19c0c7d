/** Numbers from 0 to 1 in a sequence that repeats for the same start: a session without a source of its own is repeatable. */
export class SeededRandom {
  /** Where the sequence stands; belongs into a snapshot. */
  state: number;

  constructor(state = 0) {
    this.state = state;
  }

  /** Mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
