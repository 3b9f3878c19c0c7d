/**
 * Pairs matches (left) with facts (right) that agree on a key and pass the tests.
 *
 * Invariant: a pair has been sent on exactly when both halves are remembered, their keys are equal and the test is true.
 */
import type { AlphaMemory, FactIndex } from "./alpha.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import {
  BetaNode,
  childrenOf,
  type MatchIndex,
  type MatchInput,
  type Reads,
  readsAny,
  removeMatch,
  type Slots,
} from "./node.ts";
import type { Tally } from "./tally.ts";

export type PairTest = (match: Match, fact: Fact) => boolean;

export interface JoinParts {
  readonly name: string;
  readonly left: BetaNode;
  readonly leftIndex: MatchIndex;
  readonly memory: AlphaMemory;
  readonly right: FactIndex;
  readonly test: PairTest | undefined;
  /** What keys and tests read of the match and of the fact. */
  readonly leftReads: Reads;
  readonly rightReads: Slots;
}

export class JoinNode extends BetaNode implements MatchInput {
  readonly left: BetaNode;
  readonly leftIndex: MatchIndex;
  readonly memory: AlphaMemory;
  readonly right: FactIndex;
  readonly #test: PairTest | undefined;
  readonly #leftReads: Reads;
  readonly #rightReads: Slots;
  /** Matches that are being changed: they come back through redo, so facts do not pair with them until then. */
  readonly #withdrawn = new Set<Match>();

  constructor(parts: JoinParts, tally: Tally) {
    super(parts.name, parts.left.rank + 1, tally);
    this.left = parts.left;
    this.leftIndex = parts.leftIndex;
    this.memory = parts.memory;
    this.right = parts.right;
    this.#test = parts.test;
    this.#leftReads = parts.leftReads;
    this.#rightReads = parts.rightReads;
  }

  leftAdded(match: Match): void {
    if (this.overflowed) return;
    const test = this.#test;
    this.right.each(this.leftIndex.key(match), (fact) => {
      if (test === undefined || test(match, fact)) this.emit(match, fact, undefined);
    });
  }

  leftRemoved(match: Match): void {
    this.#withdrawn.delete(match);
  }

  rightAdded(fact: Fact): void {
    if (this.overflowed) return;
    const test = this.#test;
    this.leftIndex.each(this.right.key(fact), (match) => {
      if (this.#withdrawn.size > 0 && this.#withdrawn.has(match)) return;
      if (test === undefined || test(match, fact)) this.emit(match, fact, undefined);
    });
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#leftReads, level, slots);
  }

  readsRight(slots: Slots): boolean {
    for (const slot of slots) if (this.#rightReads.has(slot)) return true;
    return false;
  }

  readsValue(): boolean {
    return false;
  }

  revalued(): void {
    // never asked for: see readsValue
  }

  withdraw(match: Match): void {
    this.#withdrawn.add(match);
    for (const pair of childrenOf(match, this)) removeMatch(pair);
  }

  redo(match: Match): void {
    this.#withdrawn.delete(match);
    this.leftAdded(match);
  }
}
