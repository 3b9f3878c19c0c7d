/**
 * Lets matches pass for which a memory holds no fact that pairs with them (`not`), or one (`exists`).
 *
 * A match needs to know one such fact, not all of them: it waits on the first that is found (its blocker), and only when that
 * goes away another one is looked for. A match without a blocker waits in the table, where a new fact finds it.
 *
 * Invariant: after a flush, an entry is in the table exactly when no fact of the memory pairs with its match; otherwise it
 * hangs on a fact that does. The match has been sent on exactly when that is what the node asks for.
 */
import { type FactEntry, type FactIndex, LeftEntry, type RightInput } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { PairSpec, PairTest } from "./join.ts";
import type { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchInput, readsAny, type Slots, touches } from "./node.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import { type Sorted, sortedOf } from "./ordered-table.ts";
import { intervalOf, type Range } from "./range.ts";
import type { Tally } from "./tally.ts";

/** A match at a `not` or `exists`, with the fact that blocks it or lets it through. */
export class BlockEntry extends LeftEntry {
  readonly absence: AbsenceNode;
  blocker: Fact | undefined = undefined;
  /** The neighbours in the list of entries that wait on the same fact. */
  previousBlocked: BlockEntry | undefined = undefined;
  nextBlocked: BlockEntry | undefined = undefined;
  /** The match that was sent on; undefined while there is none. */
  passed: Match | undefined = undefined;
  /** True while the entry is scheduled for the next flush. */
  changed: boolean = false;

  constructor(match: Match, absence: AbsenceNode) {
    super(match, absence);
    this.absence = absence;
  }
}

export class AbsenceNode extends BetaNode implements MatchInput, RightInput, Flushable {
  readonly spec: PairSpec;
  /** True for `not`. */
  readonly negated: boolean;
  readonly #test: PairTest | undefined;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #changed: BlockEntry[] = [];

  constructor(spec: PairSpec, negated: boolean, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.negated = negated;
    this.#test = spec.test;
    this.#flushQueue = flushQueue;
  }

  leftAdded(match: Match): void {
    if (!this.overflowed) this.redoEntry(new BlockEntry(match, this));
  }

  met(entry: BlockEntry, fact: Fact): void {
    if (this.#test !== undefined && this.#test(entry.match, fact) !== true) return;
    this.spec.table.table.leave(entry);
    this.#block(entry, fact);
    this.#schedule(entry);
  }

  get index(): FactIndex | undefined {
    return this.spec.index;
  }

  get range(): Range | undefined {
    return this.spec.range;
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

  /** Removes the entry and what was sent on: a match with another value in a field that is read here is another match. */
  retractEntry(entry: BlockEntry): void {
    this.#leave(entry);
    const { passed } = entry;
    entry.passed = undefined;
    if (passed !== undefined) removeMatch(passed);
  }

  /** Looks for a fact that pairs with the match, and schedules the decision for the next flush. */
  redoEntry(entry: BlockEntry): void {
    const fact = this.#find(entry.match);
    if (fact !== undefined) this.#block(entry, fact);
    else this.#wait(entry);
    this.#schedule(entry);
  }

  /** Looks for another blocker; the old one is gone and no longer in any index. */
  lost(entry: BlockEntry): void {
    release(entry);
    this.redoEntry(entry);
  }

  dropEntry(entry: BlockEntry): void {
    this.#leave(entry);
    entry.changed = false;
  }

  #leave(entry: BlockEntry): void {
    this.spec.table.table.leave(entry);
    release(entry);
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return this.#changed.filter((entry) => entry.changed && !ignore(entry.match)).length;
  }

  flush(): void {
    for (let entry = this.#changed.pop(); entry !== undefined; entry = this.#changed.pop()) {
      if (!entry.changed) continue;
      entry.changed = false;
      this.#decide(entry);
    }
  }

  #decide(entry: BlockEntry): void {
    const { passed } = entry;
    const passes = (entry.blocker === undefined) === this.negated;
    if (passed !== undefined && passed.alive) {
      if (passes) return;
      entry.passed = undefined;
      removeMatch(passed);
    } else if (passes) entry.passed = this.emit(entry.match, undefined, undefined);
  }

  #find(match: Match): Fact | undefined {
    const { index, key, range } = this.spec;
    const test = this.#test;
    let found = index?.table.find(key, match, undefined);
    const sorted = range === undefined || found === undefined ? undefined : sortedOf(found);
    if (range !== undefined && sorted !== undefined) return this.#findIn(sorted, range, match);
    for (; found !== undefined; found = found.next) {
      if (test === undefined || test(match, found.fact) === true) return found.fact;
    }
    return undefined;
  }

  #findIn(sorted: Sorted<FactEntry>, range: Range, match: Match): Fact | undefined {
    const interval = intervalOf(range, match);
    if (interval === undefined) return undefined;
    const test = this.#test;
    return sorted.firstWithin(interval, ({ fact }) => test === undefined || test(match, fact) === true)?.fact;
  }

  /** Puts the entry into the table. A match whose key equals nothing can never be paired and is left out. */
  #wait(entry: BlockEntry): void {
    const { table, key } = this.spec;
    table.table.enter(entry, key, entry.match, undefined);
  }

  #block(entry: BlockEntry, fact: Fact): void {
    const first = fact.blocked;
    entry.blocker = fact;
    entry.previousBlocked = undefined;
    entry.nextBlocked = first;
    if (first !== undefined) first.previousBlocked = entry;
    fact.blocked = entry;
  }

  #schedule(entry: BlockEntry): void {
    if (!entry.changed) this.#changed.push(entry);
    entry.changed = true;
    this.#flushQueue.schedule(this);
  }
}

/** Removes an entry from the list of its blocker. */
function release(entry: BlockEntry): void {
  const { blocker, previousBlocked, nextBlocked } = entry;
  if (blocker === undefined) return;
  entry.blocker = undefined;
  if (previousBlocked === undefined) blocker.blocked = nextBlocked;
  else previousBlocked.nextBlocked = nextBlocked;
  if (nextBlocked !== undefined) nextBlocked.previousBlocked = previousBlocked;
}
