/**
 * Lets matches pass for which a test is true.
 *
 * A test can use several values that one change makes others. It is asked again when the change has been flushed, so that one
 * that was true and is true does not flicker in between.
 */
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, type Slots, type ValueReader } from "./node.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Tally } from "./tally.ts";

export type MatchTest = (match: Match) => boolean;

export interface FilterSpec {
  readonly name: string;
  readonly left: BetaNode;
  readonly test: MatchTest;
  readonly reads: Reads;
  /** The levels whose values the test uses. */
  readonly values: ReadonlySet<number>;
}

export class FilterNode extends BetaNode implements MatchReader, ValueReader, Flushable {
  readonly #spec: FilterSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #revalued = new Set<Match>();

  constructor(spec: FilterSpec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.#spec = spec;
    this.#flushQueue = flushQueue;
  }

  leftAdded(match: Match): void {
    if (this.#spec.test(match)) this.emit(match, undefined, undefined);
  }

  leftRemoved(match: Match): void {
    this.#revalued.delete(match); // what was made of the match went with it
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#spec.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#spec.values.has(level);
  }

  revalued(match: Match): void {
    this.#revalued.add(match);
    this.#flushQueue.schedule(this);
  }

  flush(): void {
    const revalued = [...this.#revalued];
    this.#revalued.clear();
    for (const match of revalued) if (match.alive) this.#testAgain(match);
  }

  retract(match: Match): void {
    for (const passed of childrenOf(match, this)) removeMatch(passed);
  }

  reassert(match: Match): void {
    this.leftAdded(match);
  }

  #testAgain(match: Match): void {
    const passed = childrenOf(match, this);
    const passes = this.#spec.test(match);
    if (passes && passed.length === 0) this.emit(match, undefined, undefined);
    if (!passes) for (const one of passed) removeMatch(one);
  }
}
