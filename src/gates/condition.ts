/**
 * A condition: what the evidence of each subject says, kept up to date.
 *
 * The evidence chain begins at the subject's match, as the inner chain of a fold does, so the subject is an ancestor of
 * everything found for it. Several gates over the same subjects share a condition.
 * Invariant: once settled, every gate that watches has been told the value that the evidence gives.
 */
import type { Maybe } from "../base/value.ts";
import { type MatchTruth, Gaps } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import { type MatchInput, type MatchReader, type Reads, readsAny, type Slots, type ValueReader } from "../rete/node.ts";
import type { FlushQueue, Flushable } from "../rete/flush-queue.ts";
import type { SeenFact } from "../base/answers.ts";
import { Evidence, type Piece } from "./evidence.ts";
import { type Code, codeOf, UNKNOWN } from "./requirement.ts";
import type { Truth } from "../base/truth.ts";
import type { Reading } from "../base/judging.ts";

export interface ConditionSpec {
  readonly rank: number;
  /** The level of the subject's matches. */
  readonly subjectLevel: number;
  readonly reading: Reading;
  /** Three-valued, on a match of the evidence chain; `threw` says in words what a function of the host threw. */
  readonly test: (evidence: Match) => { readonly truth: Truth; readonly threw: string | undefined };
  readonly by: ((evidence: Match) => Maybe) | undefined;
  readonly trusted: ((evidence: Match) => boolean) | undefined;
  /** What test, order and trust read, by level. */
  readonly reads: Reads;
  readonly values: ReadonlySet<number>;
  /** Whether a match is evidence; undefined when all of them are. */
  readonly fits: MatchTruth | undefined;
  readonly words: ConditionWords;
}

/** For traces: made once, used only when somebody asks. */
export interface ConditionWords {
  /** What was looked for, such as `TestRun with release == "r-42"`. */
  wanted(subject: Match): string;
  /** The facts of a piece of evidence, with the fields that the test reads, or those by which it may be evidence. */
  facts(evidence: Match, unsure: boolean): readonly Pick<SeenFact, "id" | "values">[];
  /** Why the test is unknown. */
  unclear(evidence: Match): string;
}

/** Hears when the value of a leaf is another one. */
export interface LeafWatcher {
  leafChanged(subject: Match, place: number, code: Code): void;
}

export class ConditionNode implements MatchInput, Flushable {
  readonly rank: number;
  readonly parts: ConditionSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  /** Subjects for which nothing can be looked for. */
  readonly gaps: Gaps;
  readonly #subjects = new Map<Match, Evidence>();
  readonly #changed = new Set<Match>();
  readonly #watchers: { readonly watcher: LeafWatcher; readonly place: number }[] = [];
  /** Why what is found no longer tells anything; undefined when it does. */
  #blind: string | undefined = undefined;

  constructor(parts: ConditionSpec, flushQueue: FlushQueue) {
    this.rank = parts.rank;
    this.parts = parts;
    this.#flushQueue = flushQueue;
    this.gaps = new Gaps(parts.subjectLevel, (subject) => this.#schedule(subject));
  }

  get blind(): string | undefined {
    return this.#blind;
  }

  /** With a reason it is unknown for every subject, until called without one. */
  setBlind(reason: string | undefined): void {
    if (reason === this.#blind) return;
    this.#blind = reason;
    for (const subject of this.#subjects.keys()) this.#schedule(subject);
  }

  /** Tells the watcher all values, and from here on every other one. */
  watch(watcher: LeafWatcher, place: number): void {
    this.#watchers.push({ watcher, place });
    for (const [subject, { code }] of this.#subjects) watcher.leafChanged(subject, place, code);
  }

  unwatch(watcher: LeafWatcher): void {
    const others = this.#watchers.filter((one) => one.watcher !== watcher);
    this.#watchers.splice(0, this.#watchers.length, ...others);
  }

  evidence(subject: Match): Evidence | undefined {
    return this.#subjects.get(subject);
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    let entries = 0;
    for (const [subject, evidence] of this.#subjects) if (!ignore(subject)) entries += 1 + evidence.size;
    return entries + this.#changed.size + this.gaps.otherEntries(ignore);
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
    const subject = match.at(this.parts.subjectLevel);
    const piece = this.#piece(match);
    if (piece === undefined) return;
    this.#evidence(subject).add(piece);
    this.#schedule(subject);
  }

  lost(match: Match): void {
    const subject = match.at(this.parts.subjectLevel);
    const evidence = this.#subjects.get(subject);
    if (evidence === undefined || !subject.alive) return;
    evidence.remove(match);
    this.#schedule(subject);
  }

  flush(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const subject of changed) if (subject.alive) this.#tell(subject);
  }

  #tell(subject: Match): void {
    const evidence = this.#evidence(subject);
    const code = this.#blind !== undefined || this.gaps.has(subject) ? UNKNOWN : evidence.value(this.parts.reading);
    if (code === evidence.code) return;
    evidence.code = code;
    for (const { watcher, place } of this.#watchers) watcher.leafChanged(subject, place, code);
  }

  /** Undefined when the match is no evidence. */
  #piece(match: Match): Piece | undefined {
    const { test, by, trusted, fits } = this.parts;
    const fit = fits?.test(match);
    if (fit?.truth === false) return undefined;
    const unsure = fit !== undefined && fit.truth === undefined;
    const { truth, threw } = unsure ? fit : test(match);
    return { match, code: codeOf(truth), trusted: trusted?.(match) ?? true, by: by?.(match), threw, unsure };
  }

  #evidence(subject: Match): Evidence {
    const known = this.#subjects.get(subject);
    if (known !== undefined) return known;
    const made = new Evidence(this.parts.reading);
    this.#subjects.set(subject, made);
    return made;
  }

  #schedule(subject: Match): void {
    this.#changed.add(subject);
    this.#flushQueue.schedule(this);
  }
}

/** Where the end of an evidence chain hands its matches to the condition. */
export class ConditionInput implements MatchReader, ValueReader {
  readonly #condition: ConditionNode;
  /** Matches that are being changed, and are no evidence for that time. */
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
    return readsAny(this.#condition.parts.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#condition.parts.values.has(level);
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
