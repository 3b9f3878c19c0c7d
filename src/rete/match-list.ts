/**
 * The matches of a node, linked through the matches themselves.
 *
 * One that goes is only counted; it is taken out of the chain when as many have gone as are left. So a match needs no
 * way back to the one before it, and leaving touches no other match. One that is taken out of the chain forgets its place in it:
 * matches below that are gone may keep it, and would keep all that were there before it.
 */
import type { Match } from "./match.ts";

/** The list is compacted when more than this many dead matches are in it, and more dead than live ones. */
const COMPACT_AFTER = 16;

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

  /** Counts a match that was removed, and compacts the list when too many were. */
  removed(): void {
    this.#size -= 1;
    this.#gone += 1;
    if (this.#size === 0 || this.#gone > this.#size + COMPACT_AFTER) this.#sweep();
  }

  /** Visits all live matches. Nothing may be removed meanwhile; matches added meanwhile are not visited. */
  each(visit: (match: Match) => void): void {
    for (let match = this.#first; match !== undefined; match = match.nextInNode) if (match.alive) visit(match);
  }

  /** Finds all live matches one by one, the newest first. Nothing may be removed meanwhile. */
  *[Symbol.iterator](): Generator<Match, void, undefined> {
    for (let match = this.#first; match !== undefined; match = match.nextInNode) if (match.alive) yield match;
  }

  /** Returns the live matches, the oldest first. */
  toArray(): Match[] {
    const matches: Match[] = [];
    this.each((match) => matches.push(match));
    return matches.toReversed();
  }

  #sweep(): void {
    let last: Match | undefined;
    for (let match = this.#first; match !== undefined;) {
      const next: Match | undefined = match.nextInNode;
      match.nextInNode = undefined;
      if (match.alive) {
        if (last === undefined) this.#first = match;
        else last.nextInNode = match;
        last = match;
      }
      match = next;
    }
    if (last === undefined) this.#first = undefined;
    this.#gone = 0;
  }
}
