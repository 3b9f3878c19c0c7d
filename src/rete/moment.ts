/**
 * Tells moments of a session apart: whoever computes something late can see whether the facts are still those it was asked about.
 *
 * Invariant: while `number` stays the same, no fact, no match and no judge of the network has changed.
 */
export class Moment {
  /** The number of the moment; a later one is higher. */
  number = 0;

  /** Notes that something changes now. */
  pass(): void {
    this.number += 1;
  }
}
