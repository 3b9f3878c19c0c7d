/**
 * Matches in the order in which their rule fires on them, when all were completed by one change.
 *
 * Only the first is ever asked for. So they are a heap, which a match joins when it comes; one that is gone is dropped when it
 * would be the first.
 */
import { addToHeap, dropFirst, makeHeap } from "../base/heap-order.ts";
import { compareMatches, type Match } from "./match.ts";
import type { MatchList } from "./match-list.ts";
import type { Production } from "./production.ts";
import type { Tally } from "./tally.ts";

/** The list is compacted when more than this many dead matches are in it, and more dead than live ones. */
const COMPACT_AFTER = 64;

export class FiringOrder {
  readonly production: Production;
  readonly #matches: MatchList;
  readonly #compare: (a: Match, b: Match) => number;
  readonly #tally: Tally;
  #heap: Match[];
  /** How often items had changed places when the heap was made. */
  #moves: number | undefined;

  /** Takes the levels of the facts and items that decide, in the written order of the conditions. */
  constructor(
    production: Production,
    matches: MatchList,
    levels: readonly number[],
    newestFirst: boolean,
    tally: Tally,
  ) {
    this.production = production;
    this.#matches = matches;
    this.#compare = (a, b) => compareMatches(levels, a, b, newestFirst);
    this.#heap = makeHeap(matches.toArray(), this.#compare);
    this.#tally = tally;
    this.#moves = tally.moves;
  }

  add(match: Match): void {
    if (this.#heap.length > 2 * this.#matches.size + COMPACT_AFTER) {
      this.#heap = makeHeap(
        this.#heap.filter(({ alive }) => alive),
        this.#compare,
      );
    }
    addToHeap(this.#heap, match, this.#compare);
  }

  first(): Match | undefined {
    if (this.#tally.moves !== this.#moves) {
      this.#moves = this.#tally.moves;
      this.#heap = makeHeap(this.#heap, this.#compare);
    }
    while (this.#heap[0]?.alive === false) dropFirst(this.#heap, this.#compare);
    return this.#heap[0];
  }
}
