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
  /** Returns why the test is unknown. */
  readonly whyUnknown: (match: Match) => string;
  /** What is looked for, when the line tests fact by fact; undefined when it is tested once. */
  readonly wanted: string | undefined;
  /** Decides whether a fact that was found is tested; undefined when all of them are. */
  readonly fits: MatchTruth | undefined;
  readonly spent: Spent | undefined;
  /** Decides whether a line that found nothing to test does not apply. */
  readonly off:
    | { readonly watch: WatchNode; readonly test: (match: Match) => Tested; readonly spent: Spent | undefined }
    | undefined;
  readonly actions: readonly string[];
}

export interface LineFinding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
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
  const found = findingOf(line, subject);
  const took = elapsed?.() ?? 0;
  const spent = stopwatch === undefined ? NOTHING : spentOn(line, subject);
  return took === 0 && spent.size === 0 ? found : { ...found, took, spent };
}

const NOTHING: ReadonlyMap<Match, number> = new Map();

function spentOn({ watch, spent, off }: LineSpec, subject: Match): ReadonlyMap<Match, number> {
  const spentHere = watch.matches(subject).flatMap((match) => [...(spent?.(match) ?? NOTHING)]);
  const limits = off?.watch.matches(subject).flatMap((match) => [...(off.spent?.(match) ?? NOTHING)]) ?? [];
  return new Map([...spentHere, ...limits]);
}

function findingOf(line: LineSpec, subject: Match): LineFinding {
  if (line.watch.blind !== undefined) return unknown(line, undefined, line.watch.blind);
  const gap = line.watch.gaps.words(subject);
  if (gap !== undefined) return unknown(line, undefined, gap);
  let unknownLine: LineFinding | undefined;
  let tested = 0;
  for (const match of line.watch.matches(subject)) {
    const fit = line.fits?.test(match);
    if (fit?.truth === false) continue;
    tested += 1;
    const { truth, threw } = fit === undefined || fit.truth === true ? line.test(match) : fit;
    const why = fit?.truth === undefined ? line.fits?.words(match, threw) : undefined;
    if (threw !== undefined) return { state: "threw", reasons: [line.reason(match), why ?? threw], took: 0 };
    if (truth === false) return { state: "false", reasons: [line.reason(match)], took: 0 };
    if (truth === undefined) unknownLine ??= unknown(line, match, why ?? line.whyUnknown(match));
  }
  if (unknownLine !== undefined) return unknownLine;
  if (tested > 0 || isOff(line, subject)) return FINE;
  return unknown(line, undefined, `no ${line.wanted ?? "matching fact"}`);
}

function isOff({ off }: LineSpec, subject: Match): boolean {
  if (off === undefined || off.watch.blind !== undefined) return false;
  const [match] = off.watch.matches(subject);
  return match !== undefined && off.test(match).truth === true;
}

function unknown(line: LineSpec, match: Match | undefined, why: string): LineFinding {
  return { state: "unknown", reasons: [line.reason(match), `unknown: ${why}`], took: 0 };
}

/** Returns the text of a remark when it applies for certain; undefined otherwise. */
export function remarkOf(line: LineSpec, subject: Match): string | undefined {
  if (line.watch.blind !== undefined) return undefined;
  const isSure = (match: Match): boolean => line.fits === undefined || line.fits.test(match).truth === true;
  const found = line.watch.matches(subject).find((one) => isSure(one) && line.test(one).truth === true);
  return found === undefined ? undefined : line.reason(found);
}
