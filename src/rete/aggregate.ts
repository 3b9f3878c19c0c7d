/**
 * Says one thing about all the matches that an inner chain finds for a match: that there is none (`not`), that there is
 * one (`exists`), or an aggregate of their values.
 *
 * The inner chain begins at the same match, so that the match is an ancestor of everything found for it.
 * Invariant: after a flush, a match above has a match here exactly when the answer passes, with the answer's value.
 */
import type { Accumulator, Held } from "../base/accumulator.ts";
import { ListVersion } from "../base/ordered-list.ts";
import { type Maybe, same } from "../base/value.ts";
import { type DoubtfulMatch, Doubtful, type MatchTruth } from "./doubtful.ts";
import { Item } from "./item.ts";
import type { Match } from "./match.ts";
import { removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, revalue, type Slots, type ValueReader } from "./node.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Tally } from "./tally.ts";

export interface AggregateSpec {
  readonly name: string;
  readonly rank: number;
  /** The level of the matches above. */
  readonly leftLevel: number;
  /** Makes the accumulator of one match above. */
  readonly accumulator: () => Accumulator;
  /** Returns the value that an inner match contributes. */
  readonly value: (inner: Match) => Maybe;
  readonly valueReads: Reads;
  /** The levels whose values the value uses. */
  readonly valueLevels: ReadonlySet<number>;
  /** What the inner chains read of the facts of the match above. */
  readonly outerReads: Reads;
  /** True to send a match with a missing value on when the result is unknown. */
  readonly passUnknown: boolean;
  /** True when it can be unknown whether an inner match counts. */
  readonly doubtful: boolean;
  /** One inner match that counts for certain is enough, however many are in doubt. */
  readonly oneSuffices: boolean;
  /** The condition that it is the value of, in the author's words; undefined for other aggregates. */
  readonly asked: string | undefined;
}

interface Group {
  readonly accumulator: Accumulator;
  passed: Match | undefined;
  /** True when the value was in doubt at the last flush: the same missing value may now have another reason. */
  inDoubt: boolean;
  /** The milliseconds it had taken by then to decide which inner matches count. */
  took: number;
}

export class AggregateNode extends BetaNode implements MatchReader, Flushable {
  readonly #spec: AggregateSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #groups = new Map<Match, Group>();
  readonly #changed = new Set<Match>();

  constructor(spec: AggregateSpec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.rank, spec.leftLevel + 1, tally);
    this.#spec = spec;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#groups.keys(), ...this.#changed].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    this.#group(match);
    this.#schedule(match);
  }

  leftRemoved(match: Match): void {
    this.#groups.delete(match);
    this.#changed.delete(match);
  }

  /** Returns whether an inner chain reads one of the slots: then another value makes the match another one. */
  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#spec.outerReads, level, slots);
  }

  retract(match: Match): void {
    const group = this.#groups.get(match);
    const passed = group?.passed;
    if (group !== undefined) group.passed = undefined;
    if (passed !== undefined) removeMatch(passed);
  }

  reassert(match: Match): void {
    this.#schedule(match);
  }

  flush(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const match of changed) if (match.alive) this.#update(match, this.#group(match));
  }

  innerAdded(inner: Match, fits: MatchTruth | undefined): void {
    const match = inner.at(this.#spec.leftLevel);
    const { accumulator: group } = this.#group(match);
    if (fits === undefined) group.add(inner, this.#spec.value(inner));
    else if (!this.#counted(inner, fits, group)) return;
    this.#schedule(match);
  }

  /** Adds an inner match if it counts or may count; returns false when it does not. */
  #counted(inner: Match, fits: MatchTruth, group: Accumulator): boolean {
    const { truth, threw, took = 0 } = fits.test(inner);
    if (group instanceof Doubtful && took !== 0) group.spend(inner, took);
    if (truth === false) return took !== 0;
    if (truth === true) group.add(inner, this.#spec.value(inner));
    else if (group instanceof Doubtful) group.doubt({ match: inner, fits, threw }, () => this.#spec.value(inner));
    return true;
  }

  /** Returns the inner match that keeps the value of a match unknown: the first in doubt, or with `threw` the first whose function threw. */
  doubt(match: Match, threw = false): DoubtfulMatch | undefined {
    const group = match.parent === undefined ? undefined : this.#groups.get(match.parent)?.accumulator;
    return group instanceof Doubtful ? group.firstDoubt(threw) : undefined;
  }

  /** Returns why the value of a match is unknown although no inner match is in doubt; undefined where that needs no words. */
  whyUnknown(match: Match): string | undefined {
    const group = match.parent === undefined ? undefined : this.#groups.get(match.parent)?.accumulator;
    return group instanceof Doubtful ? group.whyUnknown : undefined;
  }

  /** The condition that it is the value of; undefined for other aggregates. */
  get asked(): string | undefined {
    return this.#spec.asked;
  }

  /** Returns the milliseconds it took to decide which inner matches count for a match. */
  took(match: Match): number {
    const group = match.parent === undefined ? undefined : this.#groups.get(match.parent)?.accumulator;
    return group instanceof Doubtful ? group.took : 0;
  }

  innerRemoved(inner: Match): void {
    const match = inner.at(this.#spec.leftLevel);
    const group = this.#groups.get(match);
    if (group === undefined || !match.alive) return;
    group.accumulator.remove(inner);
    this.#schedule(match);
  }

  usesValue(level: number): boolean {
    return this.#spec.valueLevels.has(level);
  }

  readsInner(level: number, slots: Slots): boolean {
    return readsAny(this.#spec.valueReads, level, slots);
  }

  #group(match: Match): Group {
    const known = this.#groups.get(match);
    if (known !== undefined) return known;
    const { accumulator, doubtful, oneSuffices } = this.#spec;
    const certain = accumulator();
    const made: Group = {
      accumulator: doubtful && !(certain instanceof Doubtful) ? new Doubtful(certain, oneSuffices) : certain,
      passed: undefined,
      inDoubt: false,
      took: 0,
    };
    this.#groups.set(match, made);
    return made;
  }

  #schedule(match: Match): void {
    this.#changed.add(match);
    this.#flushQueue.schedule(this);
  }

  #update(match: Match, group: Group): void {
    const answer = group.accumulator.answer();
    const passes = answer.passes || this.#spec.passUnknown;
    const { passed } = group;
    const sameReason = !hasNewReason(group, answer.value);
    if (passed !== undefined && passed.alive && passes && sameReason && sameHeld(passed.held, answer.value)) return;
    if (passed !== undefined && passed.alive && this.#spec.passUnknown) {
      passed.held = answer.value;
      revalue(passed, this.level);
      return;
    }
    if (passed !== undefined) removeMatch(passed);
    group.passed = undefined;
    if (passes) this.emit(match, undefined, answer.value);
  }

  protected override remember(match: Match): void {
    if (match.parent !== undefined) this.#group(match.parent).passed = match;
  }
}

/** Returns whether two values are the same; of long lists without writing them out. */
export function sameHeld(a: Match["held"], b: Held): boolean {
  if (a instanceof ListVersion) return b instanceof ListVersion && a.sameAs(b);
  return !(a instanceof Item) && !(b instanceof ListVersion) && same(a, b);
}

/**
 * Returns whether nodes below must look again although the value is the same: it is in doubt, it is missing for a reason that may
 * be another one now, or it took another time.
 */
function hasNewReason(group: Group, value: Held): boolean {
  const { accumulator: of, inDoubt, took } = group;
  if (!(of instanceof Doubtful)) return false;
  group.inDoubt = of.inDoubt;
  group.took = of.took;
  return inDoubt || group.inDoubt || (value === undefined && of.hasReasons) || !Object.is(took, group.took);
}

/** Hands the matches at the end of an inner chain to the aggregate. */
export class AggregateInput implements MatchReader, ValueReader {
  readonly aggregate: AggregateNode;
  /** Decides whether a match counts; undefined when all of them do. */
  readonly #fits: MatchTruth | undefined;
  /** Matches that are removed from the aggregate while they are updated. */
  readonly #retracted = new Set<Match>();

  constructor(aggregate: AggregateNode, fits?: MatchTruth) {
    this.aggregate = aggregate;
    this.#fits = fits;
  }

  leftAdded(match: Match): void {
    this.aggregate.innerAdded(match, this.#fits);
  }

  leftRemoved(match: Match): void {
    if (!this.#retracted.delete(match)) this.aggregate.innerRemoved(match);
  }

  reads(level: number, slots: Slots): boolean {
    if (this.aggregate.readsInner(level, slots)) return true;
    return this.#fits !== undefined && readsAny(this.#fits.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.aggregate.usesValue(level) || this.#fits?.values.has(level) === true;
  }

  revalued(match: Match): void {
    this.aggregate.innerRemoved(match);
    this.aggregate.innerAdded(match, this.#fits);
  }

  retract(match: Match): void {
    this.#retracted.add(match);
    this.aggregate.innerRemoved(match);
  }

  reassert(match: Match): void {
    this.#retracted.delete(match);
    this.aggregate.innerAdded(match, this.#fits);
  }
}

/**
 * Stands below a lookup inside an inner chain that follows a reference of the match above: what the reference leads to is read
 * as the fields of the match are.
 */
export class FollowedInput implements MatchReader {
  readonly #aggregate: AggregateNode;
  readonly #leftLevel: number;
  readonly #reads: Reads;

  /** Takes the slots that the inner chains read of the fact that is looked up (`reads`). */
  constructor(aggregate: AggregateNode, leftLevel: number, reads: Reads) {
    this.#aggregate = aggregate;
    this.#leftLevel = leftLevel;
    this.#reads = reads;
  }

  leftAdded(match: Match): void {
    this.retract(match);
    this.reassert(match);
  }

  /** Restarts the match: its reference leads to another fact, or to none. */
  leftRemoved(match: Match): void {
    if (match.at(this.#leftLevel).alive) this.leftAdded(match);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#reads, level, slots);
  }

  retract(match: Match): void {
    this.#aggregate.retract(match.at(this.#leftLevel));
  }

  reassert(match: Match): void {
    this.#aggregate.reassert(match.at(this.#leftLevel));
  }
}
