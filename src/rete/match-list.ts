/**
 * The matches of a node, linked through the matches themselves.
 *
 * One that goes is only counted; it is taken out of the chain when as many have gone as are left. So a match needs no
 * way back to the one before it, and leaving touches no other match.
 */
import type { Match } from "./match.ts";

/** So many that are gone may stay in any case. */
const FEW = 16;

export class MatchList {
  #first: Match | undefined = undefined;
  #size = 0;
  #gone = 0;

  get first(): Match | undefined {
    let match = this.#first;
    while (match !== undefined && !match.alive) match = match.nextInNode;
    return match;
  }

  get size(): number {
    return this.#size;
  }

  add(match: Match): void {
    match.nextInNode = this.#first;
    this.#first = match;
    this.#size += 1;
  }

  /** The match is no longer alive. */
  removed(): void {
    this.#size -= 1;
    this.#gone += 1;
    if (this.#size === 0) {
      this.#first = undefined;
      this.#gone = 0;
    } else if (this.#gone > this.#size + FEW) this.#sweep();
  }

  /** Nothing may be removed meanwhile; matches added meanwhile are not visited. */
  each(visit: (match: Match) => void): void {
    for (let match = this.#first; match !== undefined; match = match.nextInNode) if (match.alive) visit(match);
  }

  /** The matches as they are now, the oldest first. */
  toArray(): Match[] {
    const matches: Match[] = [];
    this.each((match) => matches.push(match));
    return matches.toReversed();
  }

  #sweep(): void {
    let last: Match | undefined;
    for (let match = this.#first; match !== undefined; match = match.nextInNode) {
      if (!match.alive) continue;
      if (last === undefined) this.#first = match;
      else last.nextInNode = match;
      last = match;
    }
    if (last !== undefined) last.nextInNode = undefined;
    this.#gone = 0;
  }
}
