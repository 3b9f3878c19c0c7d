/** One `need` or `forbid` of a check, or a `warn` or `flag`, and its finding about a subject. */
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { MatchTruth } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import type { CheckState } from "./verdict.ts";
import type { WatchNode } from "./watch.ts";
import type { Track } from "../base/judging.ts";

interface Tested {
  readonly truth: Truth;
  /** The message of a host function that threw. */
  readonly threw: string | undefined;
}

/** Returns the milliseconds that the network took for the subqueries of a line, by the match that holds the result. */
type Spent = (match: Match) => ReadonlyMap<Match, number>;

export interface LineSpec {
  readonly watch: WatchNode;
  readonly track: Track | undefined;
  /** Tests a match: true when the line passes or, for a remark, applies. */
  readonly test: (match: Match) => Tested;
  /** Returns the reason, filled in from the match that was found, if any. */
  readonly reason: (match: Match | undefined) => string;
  /** What the line says in words when it does not pass or, for a remark, applies; undefined without `says`. */
  readonly sentence: SentenceSpec | undefined;
  /** Returns why the test is unknown. */
  readonly whyUnknown: (match: Match) => string;
  /** What is looked for, when the line tests fact by fact; undefined when it is tested once. */
  readonly wanted: string | undefined;
  /** Decides whether a fact that was found is tested; undefined when all of them are. */
  readonly fits: MatchTruth | undefined;
  readonly spent: Spent;
  /** Decides whether a line that found nothing to test does not apply. */
  readonly off:
    { readonly watch: WatchNode; readonly test: (match: Match) => Tested; readonly spent: Spent } | undefined;
  readonly actions: readonly string[];
}

/** The sentence of a line. It decides nothing: what it cannot read is unknown in it. */
interface SentenceSpec {
  /** Finds the values of the sentence, for the matches of the line; undefined when it has none. */
  readonly watch: WatchNode | undefined;
  /** The level of the matches of the line. */
  readonly lineLevel: number;
  readonly filled: (match: Match | undefined) => Sentence;
}

/** A sentence that is filled in. */
export interface Sentence {
  readonly text: string;
  /** Whether one of its values reads `unknown`. */
  readonly saysUnknown: boolean;
}

export interface LineFinding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
  /** What a line that does not pass says in words; absent without `says`. */
  readonly sentence?: string;
  /** The milliseconds that it took; 0 when no deadline is set, NaN when the clock failed. */
  readonly took: number;
  /** The milliseconds that the network took earlier, by result: several lines may use the same one. */
  readonly spent?: ReadonlyMap<Match, number>;
}

const FINE: LineFinding = { state: "true", reasons: [], took: 0 };

/**
 * Returns the finding of a line. Every fact must pass: an unknown test does not pass, and a line with no fact to test
 * is unknown.
 */
export function lookAt(line: LineSpec, subject: Match, stopwatch: Stopwatch | undefined): LineFinding {
  const elapsed = stopwatch?.start();
  const { match, ...found } = findingOf(line, subject);
  const took = elapsed?.() ?? 0; // the sentence is not part of it: a slow one fails nothing
  const spent = stopwatch === undefined ? NOTHING : spentOn(line, subject);
  const timed = took === 0 && spent.size === 0 ? found : { ...found, took, spent };
  const sentence = found.state === "true" ? undefined : sentenceOn(line, subject, match, found);
  return sentence === undefined ? timed : { ...timed, sentence };
}

/** A finding, with the match that it is about, if any. */
type Found = LineFinding & { readonly match?: Match | undefined };

/**
 * Returns what a line that does not pass says. The sentence of a line that is not known to fail accuses nobody: it says that
 * it is not certain, and why. One that would show an unknown value says nothing: what is missing is named instead.
 */
function sentenceOn(
  { sentence, wanted }: LineSpec,
  subject: Match,
  match: Match | undefined,
  { state, reasons }: LineFinding,
): string | undefined {
  if (sentence === undefined) return undefined;
  const { text, saysUnknown } = sentenceFor(sentence, subject, wanted === undefined ? "any" : match);
  if (state === "false") return text;
  const why = reasons[1]?.replace(/^unknown: /u, "") ?? "";
  if (saysUnknown) return `This cannot be checked (${reasons[0]}): ${why}.`;
  const plain = text.replace(/\.$/u, "");
  return `${plain} (not certain: ${why})${plain === text ? "" : "."}`;
}

/** Returns the sentence for a match of the line; for `any`, the line is tested once, and there is at most one. */
function sentenceFor(
  { watch, lineLevel, filled }: SentenceSpec,
  subject: Match,
  match: Match | "any" | undefined,
): Sentence {
  if (watch === undefined || watch.blind !== undefined || watch.gaps.words(subject) !== undefined)
    return filled(undefined);
  return filled(watch.matches(subject).find((one) => match === "any" || one.at(lineLevel) === match));
}

const NOTHING: ReadonlyMap<Match, number> = new Map();

function spentOn({ watch, spent, off }: LineSpec, subject: Match): ReadonlyMap<Match, number> {
  const spentHere = watch.matches(subject).flatMap((match) => [...spent(match)]);
  const limits = off?.watch.matches(subject).flatMap((match) => [...off.spent(match)]) ?? [];
  return new Map([...spentHere, ...limits]);
}

function findingOf(line: LineSpec, subject: Match): Found {
  if (line.watch.blind !== undefined) return unknown(line, undefined, line.watch.blind);
  const gap = line.watch.gaps.words(subject);
  if (gap !== undefined) return unknown(line, undefined, gap);
  let unknownLine: Found | undefined;
  let tested = 0;
  for (const match of line.watch.matches(subject)) {
    const fit = line.fits?.test(match);
    if (fit?.truth === false) continue;
    tested += 1;
    const { truth, threw } = fit === undefined || fit.truth === true ? line.test(match) : fit;
    const why = fit?.truth === undefined ? line.fits?.words(match, threw) : undefined;
    if (threw !== undefined) return { state: "threw", reasons: [line.reason(match), why ?? threw], took: 0, match };
    if (truth === false) return { state: "false", reasons: [line.reason(match)], took: 0, match };
    if (truth === undefined) unknownLine ??= unknown(line, match, why ?? line.whyUnknown(match));
  }
  if (unknownLine !== undefined) return unknownLine;
  const open = line.watch.windows.words(subject);
  if (open !== undefined) return unknown(line, undefined, open);
  if (tested > 0 || isOff(line, subject)) return FINE;
  return unknown(line, undefined, `no ${line.wanted ?? "matching fact"}`);
}

function isOff({ off }: LineSpec, subject: Match): boolean {
  if (off === undefined || off.watch.blind !== undefined) return false;
  const [match] = off.watch.matches(subject);
  return match !== undefined && off.test(match).truth === true;
}

function unknown(line: LineSpec, match: Match | undefined, why: string): Found {
  return { state: "unknown", reasons: [line.reason(match), `unknown: ${why}`], took: 0, match };
}

/** What a `warn` or `flag` that applies says. */
export interface Remark {
  readonly text: string;
  /** Undefined without `says`. */
  readonly sentence: string | undefined;
}

/** Returns a remark when it applies for certain; undefined otherwise. */
export function remarkOf(line: LineSpec, subject: Match): Remark | undefined {
  if (line.watch.blind !== undefined) return undefined;
  const isSure = (match: Match): boolean => line.fits === undefined || line.fits.test(match).truth === true;
  const found = line.watch.matches(subject).find((one) => isSure(one) && line.test(one).truth === true);
  if (found === undefined) return undefined;
  const sentence = line.sentence === undefined ? undefined : sentenceFor(line.sentence, subject, found).text;
  return { text: line.reason(found), sentence };
}
