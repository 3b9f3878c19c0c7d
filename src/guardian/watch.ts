/**
 * Keeps what a chain finds for each subject, and notifies on changes: the facts that a line of a guardian or a step of
 * a pipeline tests. The tests themselves run later, when nothing is left to fire.
 *
 * The chain begins at the subject's match, so the subject is an ancestor of everything found for it.
 */
import { Gaps } from "../rete/doubtful.ts";
import { comparePlaces, type Match } from "../rete/match.ts";
import { type MatchInput, type MatchReader, type Reads, readsAny, type Slots, type ValueReader } from "../rete/node.ts";

export interface WatchSpec {
  /** The level of the subject's matches. */
  readonly subjectLevel: number;
  /** The slots that are read of the matches, by level. */
  readonly reads: Reads;
  readonly values: ReadonlySet<number>;
}

/** Receives the subjects for which something that was read has changed. */
export interface WatchListener {
  touched(subject: Match, watch: WatchNode): void;
}

export class WatchNode implements MatchInput {
  readonly spec: WatchSpec;
  /** The matches found for each subject. Most chains find at most one; a set is made only for the second. */
  readonly #found = new Map<Match, Match | Set<Match> | undefined>();
  readonly #listeners: WatchListener[] = [];
  /** The subjects for which no facts can be looked up, because a value in the lookup is missing. */
  readonly gaps: Gaps;
  /** The subjects for which a further fact may come, because a window is open. */
  readonly windows: Gaps;
  /** Why the facts cannot be relied on; undefined when they can. */
  #blind: string | undefined = undefined;

  constructor(spec: WatchSpec) {
    this.spec = spec;
    this.gaps = new Gaps(spec.subjectLevel, (subject) => this.#touch(subject));
    this.windows = new Gaps(spec.subjectLevel, (subject) => this.#touch(subject));
  }

  get blind(): string | undefined {
    return this.#blind;
  }

  /** Makes the facts of every subject unreliable, for the given reason; undefined ends this. */
  setBlind(reason: string | undefined): void {
    if (reason === this.#blind) return;
    this.#blind = reason;
    for (const subject of this.#found.keys()) this.#touch(subject);
  }

  listen(listener: WatchListener): void {
    this.#listeners.push(listener);
  }

  leave(listener: WatchListener): void {
    this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  /** Returns the matches of a subject in the order of their facts. */
  matches(subject: Match): readonly Match[] {
    const found = this.#found.get(subject);
    if (found === undefined) return NOTHING;
    return found instanceof Set ? [...found].sort(compareFacts) : [found];
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    let entries = 0;
    for (const [subject, found] of this.#found) if (!ignore(subject)) entries += sizeOf(found);
    return entries + this.gaps.otherEntries(ignore) + this.windows.otherEntries(ignore);
  }

  leftAdded(subject: Match): void {
    if (!this.#found.has(subject)) this.#found.set(subject, undefined);
  }

  leftRemoved(subject: Match): void {
    this.#found.delete(subject);
  }

  found(match: Match): void {
    const subject = match.at(this.spec.subjectLevel);
    const found = this.#found.get(subject);
    if (found instanceof Set) found.add(match);
    else this.#found.set(subject, found === undefined || found === match ? match : new Set([found, match]));
    this.#touch(subject);
  }

  lost(match: Match): void {
    const subject = match.at(this.spec.subjectLevel);
    const found = this.#found.get(subject);
    if (found instanceof Set) found.delete(match);
    else if (found === match) this.#found.set(subject, undefined);
    if (subject.alive) this.#touch(subject);
  }

  /** Notifies that the values of a match changed. */
  changed(match: Match): void {
    this.#touch(match.at(this.spec.subjectLevel));
  }

  #touch(subject: Match): void {
    for (const listener of this.#listeners) listener.touched(subject, this);
  }
}

const NOTHING: readonly Match[] = [];

function sizeOf(found: Match | Set<Match> | undefined): number {
  return found instanceof Set ? found.size : found === undefined ? 0 : 1;
}

/** Hands the matches at the end of a chain to the watch. */
export class WatchInput implements MatchReader, ValueReader {
  readonly #watch: WatchNode;

  constructor(watch: WatchNode) {
    this.#watch = watch;
  }

  leftAdded(match: Match): void {
    this.#watch.found(match);
  }

  leftRemoved(match: Match): void {
    this.#watch.lost(match);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#watch.spec.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#watch.spec.values.has(level);
  }

  revalued(match: Match): void {
    this.#watch.changed(match);
  }

  hearsFrom(level: number): boolean {
    return level >= this.#watch.spec.subjectLevel;
  }

  revaluedAbove(match: Match): void {
    this.#watch.changed(match);
  }

  moved(match: Match): void {
    this.#watch.changed(match);
  }

  retract(match: Match): void {
    this.#watch.changed(match);
  }

  reassert(match: Match): void {
    this.#watch.changed(match);
  }
}

/** Compares two matches of the same chain by the order of their facts and items, from the root down. */
function compareFacts(a: Match, b: Match): number {
  if (a === b || a.parent === undefined || b.parent === undefined) return 0;
  const above = compareFacts(a.parent, b.parent);
  return above !== 0 ? above : comparePlaces(a, b, false);
}
