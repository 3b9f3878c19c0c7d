/**
 * Adds the value of an aggregate over one pattern to each match, without inner matches: the value is that of the group of facts
 * with the key of the match (running-group.ts).
 *
 * Where all that stands below are tests of the value (`where n >= 3`), a value that none of them lets pass makes no match.
 *
 * Invariant: after a flush, a match above has a match here exactly when the answer passes and a node below wants it, with the
 * answer's value.
 */
import type { Held } from "../base/accumulator.ts";
import { sameHeld } from "./aggregate.ts";
import { type FactIndex, LeftEntry, type RightInput } from "./alpha-memory.ts";
import { FilterNode } from "./filter.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchInput, type Reads, readsAny, type Slots } from "./node.ts";
import type { RunningGroup, RunningIndex } from "./running-group.ts";
import type { KeyPart } from "./table.ts";
import type { Tally } from "./tally.ts";

export interface RunningNodeSpec {
  readonly name: string;
  readonly left: BetaNode;
  readonly index: RunningIndex;
  /** Computes the key of a match. */
  readonly key: readonly KeyPart[];
  /** The slots of the match that the key reads. */
  readonly leftReads: Reads;
}

/** A match that waits on a group. */
export class RunningEntry extends LeftEntry {
  readonly node: RunningNode;
  /** Undefined for a match whose key equals nothing. */
  group: RunningGroup | undefined = undefined;
  previousWaiting: RunningEntry | undefined = undefined;
  nextWaiting: RunningEntry | undefined = undefined;
  /** The match that was sent on; undefined while there is none. */
  passed: Match | undefined = undefined;
  /** True while the entry is scheduled for the next flush. */
  changed: boolean = false;

  constructor(match: Match, node: RunningNode) {
    super(match, node);
    this.node = node;
  }
}

export class RunningNode extends BetaNode implements MatchInput, RightInput, Flushable {
  readonly spec: RunningNodeSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #changed: RunningEntry[] = [];
  /** Whether nodes below came or went since it was last found out what they want. */
  #isRewired = true;
  /** The nodes below, where all of them are tests of the value; undefined where one wants all values. */
  #tests: readonly FilterNode[] | undefined = undefined;
  /** The number below which none of these tests is true. */
  #least = -Infinity;
  /** A match that is asked about before there is one; made when it is first needed. */
  #probe: Match | undefined = undefined;

  constructor(spec: RunningNodeSpec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.#flushQueue = flushQueue;
  }

  leftAdded(match: Match): void {
    if (!this.overflowed) this.redoEntry(new RunningEntry(match, this));
  }

  reads(level: number, slots: Slots): boolean {
    return level < this.level && readsAny(this.spec.leftReads, level, slots);
  }

  /** Removes what was sent on: a match with another key is another match. */
  retractEntry(entry: RunningEntry): void {
    this.spec.index.leave(entry);
    const { passed } = entry;
    entry.passed = undefined;
    if (passed !== undefined) removeMatch(passed);
  }

  /** Lets the match wait on the group of its key, and schedules the decision for the next flush. */
  redoEntry(entry: RunningEntry): void {
    this.spec.index.wait(entry, this.spec.key);
    this.schedule(entry);
  }

  dropEntry(entry: RunningEntry): void {
    this.spec.index.leave(entry);
    entry.changed = false;
  }

  /** Schedules a match: what is said about its group may be something else. */
  schedule(entry: RunningEntry): void {
    if (!entry.changed) this.#changed.push(entry);
    entry.changed = true;
    this.#flushQueue.schedule(this);
  }

  override attach(child: MatchInput): void {
    super.attach(child);
    this.#rewired();
  }

  override detach(child: MatchInput): void {
    super.detach(child);
    this.#rewired();
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return this.#changed.filter((entry) => entry.changed && !ignore(entry.match)).length;
  }

  flush(): void {
    // Tests that are not made yet cannot say which values they let pass.
    if (this.asleep && this.#changed.length > 0) this.tally.wakeBelow?.(this);
    if (this.#isRewired) this.#lookBelow();
    for (let entry = this.#changed.pop(); entry !== undefined; entry = this.#changed.pop()) {
      if (!entry.changed) continue;
      entry.changed = false;
      this.#decide(entry);
    }
  }

  #decide(entry: RunningEntry): void {
    const { group, passed } = entry;
    const { passes, value } = group === undefined ? this.spec.index.nothing : group.answer();
    const isWanted = passes && this.#wants(value);
    if (passed !== undefined && passed.alive) {
      if (isWanted && sameHeld(passed.held, value)) return;
      entry.passed = undefined;
      removeMatch(passed);
    }
    if (isWanted) entry.passed = this.emit(entry.match, undefined, value);
  }

  /** Returns whether a node below does something with a value. */
  #wants(value: Held): boolean {
    const tests = this.#tests;
    if (tests === undefined) return true;
    if (typeof value === "number" && value < this.#least) return false;
    const probe = (this.#probe ??= new Match(undefined, undefined, undefined, this));
    probe.held = value;
    return tests.some(({ spec }) => spec.test(probe));
  }

  #rewired(): void {
    this.#isRewired = true;
    this.#flushQueue.schedule(this);
  }

  /** Finds out which values the nodes below want, and asks again about all matches. */
  #lookBelow(): void {
    this.#isRewired = false;
    const tests = this.children.filter((child) => child instanceof FilterNode && child.spec.ofValue !== undefined);
    this.#tests = tests.length > 0 && tests.length === this.children.length ? (tests as FilterNode[]) : undefined;
    this.#least = Infinity;
    for (const { spec } of this.#tests ?? []) this.#least = Math.min(this.#least, spec.ofValue?.least ?? -Infinity);
    this.spec.left.matches.each((match) => {
      const entry = entryOf(match, this);
      if (entry !== undefined) this.schedule(entry);
    });
  }

  // ---------------------------------------------------------------- as a node that pairs facts: it pairs none

  get index(): FactIndex {
    return this.spec.index;
  }

  get range(): undefined {
    return undefined;
  }

  met(): void {
    // the groups take in the facts
  }

  rightAdded(): void {
    // the groups take in the facts
  }

  readsRight(): boolean {
    return false;
  }
}

function entryOf(match: Match, node: RunningNode): RunningEntry | undefined {
  let { entries: entry } = match;
  while (entry !== undefined && entry.input !== node) entry = entry.nextOfMatch;
  return entry as RunningEntry | undefined;
}
