/**
 * Pairs matches (left) with facts (right) that agree on a key and pass the tests.
 *
 * Invariant: a pair has been sent on exactly when both halves are remembered, their keys are equal and the test is true.
 */
import type { Maybe } from "../base/value.ts";
import {
  type AlphaMemory,
  type FactEntry,
  type FactIndex,
  LeftEntry,
  type LeftTable,
  type RightInput,
} from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchInput, type Reads, readsAny, type Slots, touches } from "./node.ts";
import type { Range } from "./range.ts";
import type { KeyPart } from "./table.ts";
import type { Tally } from "./tally.ts";

/** The test of a pair; the pair passes when it is true. */
export type PairTest = (match: Match, fact: Fact) => Maybe;

/** How the matches of a node are paired with the facts of a memory. */
export interface PairSpec {
  readonly name: string;
  readonly left: BetaNode;
  readonly memory: AlphaMemory;
  /** The index of facts and the table of waiting matches, by the same key. At the root there is no index: no match follows the first. */
  readonly index: FactIndex | undefined;
  readonly table: LeftTable;
  /** Computes the key of a match. */
  readonly key: readonly KeyPart[];
  /** The bounds that a match sets for the field by which index and table are ordered; undefined where they are not. */
  readonly range: Range | undefined;
  readonly test: PairTest | undefined;
  /** The slots of match and fact that keys and tests read. */
  readonly leftReads: Reads;
  readonly rightReads: Slots;
}

export class JoinNode extends BetaNode implements MatchInput, RightInput {
  readonly spec: PairSpec;
  readonly #test: PairTest | undefined;

  constructor(spec: PairSpec, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.#test = spec.test;
    this.linksChildren = spec.index !== undefined;
  }

  get index(): FactIndex | undefined {
    return this.spec.index;
  }

  get range(): Range | undefined {
    return this.spec.range;
  }

  /** Returns whether every match is paired with every fact: there is no key and no test. */
  get pairsAll(): boolean {
    return this.#test === undefined && this.spec.key.length === 0;
  }

  leftAdded(match: Match): void {
    if (!this.overflowed) this.redoEntry(new LeftEntry(match, this));
  }

  met(entry: LeftEntry, fact: Fact): void {
    const { match } = entry;
    if (this.#test === undefined || this.#test(match, fact) === true) this.emit(match, fact, undefined);
  }

  /** Pairs an updated fact with the matches that wait. */
  rightAdded(fact: Fact): void {
    this.spec.table.meet(fact, this);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.spec.leftReads, level, slots);
  }

  readsRight(slots: Slots): boolean {
    return touches(slots, this.spec.rightReads);
  }

  /** Removes the entry from the table, so that no fact is paired with it, and its pairs. */
  retractEntry(entry: LeftEntry): void {
    this.spec.table.table.leave(entry);
    for (const pair of childrenOf(entry.match, this)) removeMatch(pair);
  }

  redoEntry(entry: LeftEntry): void {
    const { table, index, key, range } = this.spec;
    const { match } = entry;
    if (!table.table.enter(entry, key, match, undefined)) return;
    if (index === undefined) {
      for (const fact of this.spec.memory.facts()) this.met(entry, fact);
      return;
    }
    let found = index.table.find(key, match, undefined);
    if (found === undefined) return;
    const inRange = index.within(found, range, match);
    if (inRange !== undefined) {
      for (let at = 0; at < inRange.length && match.alive; at++) this.met(entry, (inRange[at] as FactEntry).fact);
      return;
    }
    const test = this.#test;
    for (; found !== undefined; found = found.next) {
      if (test === undefined || test(match, found.fact) === true) this.emit(match, found.fact, undefined);
      if (!match.alive) return;
    }
  }

  dropEntry(entry: LeftEntry): void {
    this.spec.table.table.leave(entry);
  }
}
