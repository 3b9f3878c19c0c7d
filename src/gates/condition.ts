/**
 * A condition: the value that the evidence gives for each subject, kept up to date.
 *
 * The evidence chain begins at the subject's match, as the inner chain of an aggregate does, so the subject is an
 * ancestor of everything found for it. Several gates over the same subjects share a condition.
 * Invariant: after a flush, every gate that watches has received the value that the evidence gives.
 */
import type { Maybe } from "../base/value.ts";
import { type MatchTruth, Gaps } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import { type MatchInput, type MatchReader, type Reads, readsAny, type Slots, type ValueReader } from "../rete/node.ts";
import type { FlushQueue, Flushable } from "../rete/flush-queue.ts";
import type { SeenFact } from "../base/answers.ts";
import { type Coming, Evidence, type Piece } from "./evidence.ts";
import { type Code, codeOf, UNKNOWN } from "./requirement.ts";
import type { Truth } from "../base/truth.ts";
import type { Reading } from "../base/judging.ts";

export interface ConditionSpec {
  readonly rank: number;
  /** The level of the subject's matches. */
  readonly subjectLevel: number;
  readonly reading: Reading;
  /** Tests a match of the evidence chain; `threw` is the message of a host function that threw. */
  readonly test: (evidence: Match) => { readonly truth: Truth; readonly threw: string | undefined };
  /** The condition that is asked about each match of the evidence chain, in place of the test; undefined: the test is. */
  readonly asked: AskedCondition | undefined;
  readonly by: ((evidence: Match) => Maybe) | undefined;
  readonly per: ((evidence: Match) => Maybe) | undefined;
  readonly trusted: ((evidence: Match) => boolean) | undefined;
  /** The slots that test, order and trust read, by level. */
  readonly reads: Reads;
  readonly values: ReadonlySet<number>;
  /** Decides whether a match is evidence; undefined when all of them are. */
  readonly fits: MatchTruth | undefined;
  /** True where the evidence must come within a window: when that has closed, no further fact can come. */
  readonly closes: boolean;
  readonly words: ConditionWords;
}

/** A condition whose subjects are the evidence of another one: `at least 2 of all v: Reviewer : approved(r, v.id)`. */
export interface AskedCondition {
  readonly condition: ConditionNode;
  /** The condition as written, and what it stands for. */
  readonly text: string;
  readonly definition: string | undefined;
  /** Returns the condition with the values of its arguments, equal for equal calls; undefined where that is not known. */
  readonly call: CallKey;
}

/** Returns a text that is equal for calls of one condition with the same arguments; undefined where an argument is missing. */
export type CallKey = (subject: Match) => string | undefined;

/** Words for traces. Computed only when a trace is read. */
export interface ConditionWords {
  /**
   * Returns what was looked for, such as `TestRun with release == "r-42"`; with `counted`, also what a quorum asks of
   * each fact.
   */
  wanted(subject: Match, counted?: boolean): string;
  /** The window in which the evidence must come, as written; undefined where it may come at any time. */
  readonly inTime: string | undefined;
  /** The type of the evidence. */
  readonly type: string;
  /**
   * Returns the facts of a piece of evidence with the fields that the test reads, or, when `unsure`, with the fields
   * that decide whether it is evidence.
   */
  facts(evidence: Match, unsure: boolean): readonly Pick<SeenFact, "id" | "values">[];
  /** Returns why the test is unknown. */
  whyUnknown(evidence: Match): string;
}

/** Receives the changed values of a leaf. */
export interface LeafWatcher {
  leafChanged(subject: Match, place: number, code: Code): void;
}

type TestedPiece = Pick<Piece, "code" | "threw">;

export class ConditionNode implements MatchInput, Flushable, LeafWatcher {
  readonly rank: number;
  readonly spec: ConditionSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  /** The subjects for which no evidence can be looked up, because a value in the lookup is missing. */
  readonly gaps: Gaps;
  /** The subjects for which further evidence may come, because a window is open. */
  readonly windows: Gaps;
  readonly #subjects = new Map<Match, Evidence>();
  readonly #changed = new Set<Match>();
  readonly #watchers: { readonly watcher: LeafWatcher; readonly place: number }[] = [];
  /** Why the evidence cannot be relied on; undefined when it can. */
  #blind: string | undefined = undefined;

  constructor(spec: ConditionSpec, flushQueue: FlushQueue) {
    this.rank = spec.rank;
    this.spec = spec;
    this.#flushQueue = flushQueue;
    this.gaps = new Gaps(spec.subjectLevel, (subject) => this.#schedule(subject));
    this.windows = new Gaps(spec.subjectLevel, (subject) => this.#schedule(subject));
  }

  get blind(): string | undefined {
    return this.#blind;
  }

  /** Makes the condition unknown for every subject, for the given reason; undefined ends this. */
  setBlind(reason: string | undefined): void {
    if (reason === this.#blind) return;
    this.#blind = reason;
    for (const subject of this.#subjects.keys()) this.#schedule(subject);
  }

  /** Sends all current values to the watcher, and every later change. */
  watch(watcher: LeafWatcher, place: number): void {
    this.#watchers.push({ watcher, place });
    for (const [subject, { code }] of this.#subjects) watcher.leafChanged(subject, place, code);
  }

  /** Subscribes to the condition that is asked about each piece of evidence, if there is one. */
  listen(): void {
    this.spec.asked?.condition.watch(this, 0);
  }

  leave(): void {
    this.spec.asked?.condition.unwatch(this);
  }

  /** Takes over the value of the asked condition for a piece of evidence. */
  leafChanged(match: Match, _place: number, code: Code): void {
    const subject = match.at(this.spec.subjectLevel);
    if (this.#subjects.get(subject)?.revalue(match, code) === true) this.#schedule(subject);
  }

  unwatch(watcher: LeafWatcher): void {
    const others = this.#watchers.filter((one) => one.watcher !== watcher);
    this.#watchers.splice(0, this.#watchers.length, ...others);
  }

  evidence(subject: Match): Evidence | undefined {
    return this.#subjects.get(subject);
  }

  /** Returns whether further evidence may come for a subject: for ever, while a window is open, or no longer. */
  comingOf(subject: Match): Coming {
    return !this.spec.closes ? "any time" : this.windows.has(subject) ? "in time" : "never";
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    let entries = 0;
    for (const [subject, evidence] of this.#subjects) if (!ignore(subject)) entries += 1 + evidence.size;
    return entries + this.#changed.size + this.gaps.otherEntries(ignore) + this.windows.otherEntries(ignore);
  }

  leftAdded(subject: Match): void {
    this.#evidence(subject);
    this.#schedule(subject);
  }

  leftRemoved(subject: Match): void {
    this.#subjects.delete(subject);
    this.#changed.delete(subject);
  }

  found(match: Match): void {
    const subject = match.at(this.spec.subjectLevel);
    const piece = this.#piece(match);
    if (piece === undefined) return;
    this.#evidence(subject).add(piece);
    this.#schedule(subject);
  }

  lost(match: Match): void {
    const subject = match.at(this.spec.subjectLevel);
    const evidence = this.#subjects.get(subject);
    if (evidence === undefined || !subject.alive) return;
    evidence.remove(match);
    this.#schedule(subject);
  }

  flush(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const subject of changed) if (subject.alive) this.#notify(subject);
  }

  #notify(subject: Match): void {
    const evidence = this.#evidence(subject);
    const isUncertain = this.#blind !== undefined || this.gaps.has(subject);
    const code = isUncertain ? UNKNOWN : evidence.value(this.spec.reading, this.comingOf(subject));
    if (code === evidence.code) return;
    evidence.code = code;
    for (const { watcher, place } of this.#watchers) watcher.leafChanged(subject, place, code);
  }

  /** Returns the match as a piece of evidence; undefined when it is none. */
  #piece(match: Match): Piece | undefined {
    const { by, per, trusted, fits } = this.spec;
    const fit = fits?.test(match);
    if (fit?.truth === false) return undefined;
    const unsure = fit !== undefined && fit.truth === undefined;
    const { code, threw }: TestedPiece = unsure ? { code: UNKNOWN, threw: fit.threw } : this.#valueOf(match);
    return { match, code, trusted: trusted?.(match) ?? true, by: by?.(match), per: per?.(match), threw, unsure };
  }

  #valueOf(match: Match): TestedPiece {
    const { asked, test } = this.spec;
    if (asked !== undefined) return { code: asked.condition.evidence(match)?.code ?? UNKNOWN, threw: undefined };
    const { truth, threw } = test(match);
    return { code: codeOf(truth), threw };
  }

  #evidence(subject: Match): Evidence {
    const known = this.#subjects.get(subject);
    if (known !== undefined) return known;
    const made = new Evidence(this.spec.reading);
    this.#subjects.set(subject, made);
    return made;
  }

  #schedule(subject: Match): void {
    this.#changed.add(subject);
    this.#flushQueue.schedule(this);
  }
}

/** Hands the matches at the end of an evidence chain to the condition. */
export class ConditionInput implements MatchReader, ValueReader {
  readonly #condition: ConditionNode;
  /** Matches that do not count as evidence while they are updated. */
  readonly #retracted = new Set<Match>();

  constructor(condition: ConditionNode) {
    this.#condition = condition;
  }

  leftAdded(match: Match): void {
    this.#condition.found(match);
  }

  leftRemoved(match: Match): void {
    if (!this.#retracted.delete(match)) this.#condition.lost(match);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#condition.spec.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#condition.spec.values.has(level);
  }

  revalued(match: Match): void {
    this.#condition.lost(match);
    this.#condition.found(match);
  }

  retract(match: Match): void {
    this.#retracted.add(match);
    this.#condition.lost(match);
  }

  reassert(match: Match): void {
    this.#retracted.delete(match);
    this.#condition.found(match);
  }
}
