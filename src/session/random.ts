/** A generator of random numbers that repeats for the same start. */
export class SeededRandom {
  /** The state of the generator. A snapshot stores it. */
  state: number;

  /** Creates a generator that starts at this state. */
  constructor(state = 0) {
    this.state = state;
  }

  /** Returns the next number, from 0 up to 1 (Mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
