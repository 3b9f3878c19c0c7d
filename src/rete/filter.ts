/** Lets matches pass for which a test is true. */
import type { Match } from "./match.ts";
import {
  BetaNode,
  childrenOf,
  type MatchReader,
  type Reads,
  readsAny,
  removeMatch,
  type Slots,
  type ValueReader,
} from "./node.ts";
import type { Tally } from "./tally.ts";

export type MatchTest = (match: Match) => boolean;

export class FilterNode extends BetaNode implements MatchReader, ValueReader {
  readonly #test: MatchTest;
  readonly #reads: Reads;
  readonly #values: ReadonlySet<number>;

  /** `values` are the levels whose values the test uses. */
  constructor(name: string, left: BetaNode, test: MatchTest, reads: Reads, values: ReadonlySet<number>, tally: Tally) {
    super(name, left.rank + 1, tally);
    this.#test = test;
    this.#reads = reads;
    this.#values = values;
  }

  leftAdded(match: Match): void {
    if (this.#test(match)) this.emit(match, undefined, undefined);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#values.has(level);
  }

  revalued(match: Match): void {
    const passed = childrenOf(match, this);
    const passes = this.#test(match);
    if (passes && passed.length === 0) this.emit(match, undefined, undefined);
    if (!passes) for (const one of passed) removeMatch(one);
  }

  withdraw(match: Match): void {
    for (const passed of childrenOf(match, this)) removeMatch(passed);
  }

  redo(match: Match): void {
    this.leftAdded(match);
  }
}
