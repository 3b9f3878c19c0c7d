/**
 * Matches in the order in which their rule fires on them, when all were completed by one change.
 *
 * Only the first is ever asked for. So they are a heap, which a match joins when it comes; one that is gone is dropped when it
 * would be the first.
 */
import { addToHeap, dropFirst, makeHeap } from "../base/heap-order.ts";
import { compareFacts, type Match } from "./match.ts";
import type { MatchList } from "./match-list.ts";
import type { Production } from "./production.ts";

/** The list is compacted when more than this many dead matches are in it, and more dead than live ones. */
const COMPACT_AFTER = 64;

export class FiringOrder {
  readonly production: Production;
  readonly #matches: MatchList;
  readonly #compare: (a: Match, b: Match) => number;
  #heap: Match[];

  /** Takes the levels of the facts that decide, in the written order of the conditions. */
  constructor(production: Production, matches: MatchList, levels: readonly number[], newestFirst: boolean) {
    this.production = production;
    this.#matches = matches;
    this.#compare = newestFirst ? (a, b) => compareFacts(levels, b, a) : (a, b) => compareFacts(levels, a, b);
    this.#heap = makeHeap(matches.toArray(), this.#compare);
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
    while (this.#heap[0]?.alive === false) dropFirst(this.#heap, this.#compare);
    return this.#heap[0];
  }
}
