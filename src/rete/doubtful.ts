/**
 * What may or may not count. Where something is judged, a match for which a test is unknown is neither left out nor counted:
 * it is kept apart, with the reason, and what is said about the group takes it into account.
 */
import type { Accumulator, Answer } from "../base/accumulator.ts";
import { ExactSum } from "../base/exact-sum.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { Match } from "./match.ts";
import type { MatchInput, Reads } from "./node.ts";

/** Decides whether a match counts: true, false or unknown. */
export interface MatchTruth {
  readonly test: (match: Match) => {
    readonly truth: Truth;
    readonly threw: string | undefined;
    /** The time it took in milliseconds; absent when no deadline is set. */
    readonly took?: number;
  };
  /** Says what is unknown; `threw` is the message of a host function that threw. */
  readonly words: (match: Match, threw: string | undefined) => string;
  /** The slots that the test reads, by level. */
  readonly reads: Reads;
  readonly values: ReadonlySet<number>;
  /** True where it cannot be told which facts to look for: the match has no fact of its own. */
  readonly isGap: boolean;
  /** True for a gap in which one more fact may come, because a window is open. */
  readonly isOpen: boolean;
}

/** A match for which it is unknown whether it counts. */
export interface DoubtfulMatch {
  readonly match: Match;
  readonly fits: MatchTruth;
  /** The message of a host function that threw. */
  readonly threw: string | undefined;
}

/** An accumulator whose value is missing while it is unknown whether some match counts. For `exists` one certain match is enough. */
export class Doubtful implements Accumulator {
  readonly #certain: Accumulator;
  readonly #oneSuffices: boolean;
  readonly #counted = new Set<Match>();
  readonly #doubts = new Map<Match, DoubtfulMatch>();
  /** Milliseconds it took to decide whether each match counts, when a deadline is set. */
  readonly #took = new Map<Match, number>();
  readonly #tookAll = new ExactSum();
  /** The number of matches without a usable time, because the clock failed. */
  #untimed = 0;
  /** The matches in doubt because a host function threw. */
  readonly #threw = new Map<Match, DoubtfulMatch>();

  /** Takes the accumulator for matches that count (`certain`); `oneSuffices` is true for `exists`. */
  constructor(certain: Accumulator, oneSuffices: boolean) {
    this.#certain = certain;
    this.#oneSuffices = oneSuffices;
  }

  add(match: Match, value: Maybe): void {
    this.#counted.add(match);
    this.#certain.add(match, value);
  }

  /** Keeps a match apart; `_value` returns what it would contribute. */
  doubt(doubt: DoubtfulMatch, _value: () => Maybe): void {
    this.#doubts.set(doubt.match, doubt);
    if (doubt.threw !== undefined) this.#threw.set(doubt.match, doubt);
  }

  /** Records the milliseconds it took to decide whether a match counts. */
  spend(match: Match, took: number): void {
    this.#count(this.#took.get(match), -1);
    this.#took.set(match, took);
    this.#count(took, 1);
  }

  get took(): number {
    return this.#untimed > 0 ? Number.NaN : this.#tookAll.total;
  }

  #count(took: number | undefined, by: 1 | -1): void {
    if (took === undefined) return;
    if (Number.isFinite(took)) this.#tookAll.add(by * took);
    else this.#untimed += by;
  }

  /** Removes a match; does nothing for one that did not count. */
  remove(match: Match): void {
    this.#count(this.#took.get(match), -1);
    this.#took.delete(match);
    this.#threw.delete(match);
    if (!this.#doubts.delete(match) && this.#counted.delete(match)) this.#certain.remove(match);
  }

  answer(): Answer {
    return this.inDoubt ? { passes: false, value: undefined } : this.#certain.answer();
  }

  get inDoubt(): boolean {
    return this.#doubts.size > 0 && !(this.#oneSuffices && this.#counted.size > 0);
  }

  /** Whether the words for a missing value follow from the matches, and so change with them. */
  get hasReasons(): boolean {
    return false;
  }

  /** Returns why there is no value although no match is in doubt; undefined where that needs no words. */
  get whyUnknown(): string | undefined {
    return undefined;
  }

  /** Returns the first match in doubt, or with `threw` the first in which a host function threw. */
  firstDoubt(threw: boolean): DoubtfulMatch | undefined {
    const [doubt] = (threw ? this.#threw : this.#doubts).values();
    return doubt;
  }
}

/** Says for each subject why it is unknown which facts to look for. */
export class Gaps {
  /** The open gaps by subject; made when the first opens, because most judges never have one. */
  #open: Map<Match, Map<Match, DoubtfulMatch>> | undefined = undefined;
  readonly #level: number;
  readonly #changed: (subject: Match) => void;

  /** Takes the level of the subjects, and a function that is called when a gap opens or closes. */
  constructor(level: number, changed: (subject: Match) => void) {
    this.#level = level;
    this.#changed = changed;
  }

  /** Returns the input for the end of a chain that finds gaps. */
  input(fits: MatchTruth): MatchInput {
    return {
      leftAdded: (match) => this.#add(match, fits),
      leftRemoved: (match) => this.#remove(match),
    };
  }

  has(subject: Match): boolean {
    return this.#open !== undefined && this.#open.has(subject);
  }

  /** Returns the reason in words; undefined when there is no gap. */
  words(subject: Match): string | undefined {
    for (const [match, { fits, threw }] of this.#open?.get(subject) ?? []) return fits.words(match, threw);
    return undefined;
  }

  otherEntries(ignore: (match: Match) => boolean): number {
    let entries = 0;
    for (const [subject, gaps] of this.#open ?? []) if (!ignore(subject)) entries += gaps.size;
    return entries;
  }

  #add(match: Match, fits: MatchTruth): void {
    const subject = match.at(this.#level);
    const doubt = { match, fits, threw: fits.test(match).threw };
    this.#open ??= new Map();
    const known = this.#open.get(subject);
    if (known === undefined) this.#open.set(subject, new Map([[match, doubt]]));
    else known.set(match, doubt);
    this.#changed(subject);
  }

  #remove(match: Match): void {
    const subject = match.at(this.#level);
    const known = this.#open?.get(subject);
    known?.delete(match);
    if (known?.size === 0) this.#open?.delete(subject);
    if (subject.alive) this.#changed(subject);
  }
}
