/** One `need` or `forbid` of a check, or a `warn` or `flag`: what it says of a subject. */
import type { Stopwatch } from "../base/stopwatch.ts";
import type { Truth } from "../base/truth.ts";
import type { MatchTruth } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import type { CheckState } from "./verdict.ts";
import type { WatchNode } from "./watch.ts";
import type { Track } from "../base/judging.ts";

interface Tested {
  readonly truth: Truth;
  /** What a function of the host threw. */
  readonly threw: string | undefined;
}

/** The milliseconds that the network has taken for the questions of a line, by answer; undefined when nobody asked. */
type Spent = (match: Match) => ReadonlyMap<Match, number>;

export interface LineSpec {
  readonly watch: WatchNode;
  readonly track: Track | undefined;
  /** True when the line passes; for a remark, when there is something to say. */
  readonly test: (match: Match) => Tested;
  /** Filled in from what was found; undefined when nothing was. */
  readonly reason: (match: Match | undefined) => string;
  /** Why the test is unknown. */
  readonly unclear: (match: Match) => string;
  /** What was looked for, where the line is tested fact by fact; undefined when it is tested once. */
  readonly wanted: string | undefined;
  /** Whether a fact that was found is one to test; undefined when all of them are. */
  readonly fits: MatchTruth | undefined;
  readonly spent: Spent | undefined;
  /** True when the line does not apply, asked where there is nothing to test. */
  readonly off:
    | { readonly watch: WatchNode; readonly test: (match: Match) => Tested; readonly spent: Spent | undefined }
    | undefined;
  readonly actions: readonly string[];
}

export interface LineFinding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
  /** In milliseconds; 0 when nobody asked for the time, NaN when the clock failed. */
  readonly took: number;
  /** What the network took before, by answer: several lines may use the same one. */
  readonly spent?: ReadonlyMap<Match, number>;
}

const FINE: LineFinding = { state: "true", reasons: [], took: 0 };

/** Every fact must pass; what is unknown does not, and nothing to look at is unknown. */
export function lookAt(line: LineSpec, subject: Match, stopwatch: Stopwatch | undefined): LineFinding {
  const elapsed = stopwatch?.start();
  const found = findingOf(line, subject);
  const took = elapsed?.() ?? 0;
  const spent = stopwatch === undefined ? NOTHING : spentOn(line, subject);
  return took === 0 && spent.size === 0 ? found : { ...found, took, spent };
}

const NOTHING: ReadonlyMap<Match, number> = new Map();

function spentOn({ watch, spent, off }: LineSpec, subject: Match): ReadonlyMap<Match, number> {
  const own = watch.matches(subject).flatMap((match) => [...(spent?.(match) ?? NOTHING)]);
  const limits = off?.watch.matches(subject).flatMap((match) => [...(off.spent?.(match) ?? NOTHING)]) ?? [];
  return new Map([...own, ...limits]);
}

function findingOf(line: LineSpec, subject: Match): LineFinding {
  if (line.watch.blind !== undefined) return unknown(line, undefined, line.watch.blind);
  const gap = line.watch.gaps.words(subject);
  if (gap !== undefined) return unknown(line, undefined, gap);
  let unclear: LineFinding | undefined;
  let tested = 0;
  for (const match of line.watch.matches(subject)) {
    const fit = line.fits?.test(match);
    if (fit?.truth === false) continue;
    tested += 1;
    const { truth, threw } = fit === undefined || fit.truth === true ? line.test(match) : fit;
    const why = fit?.truth === undefined ? line.fits?.words(match, threw) : undefined;
    if (threw !== undefined) return { state: "threw", reasons: [line.reason(match), why ?? threw], took: 0 };
    if (truth === false) return { state: "false", reasons: [line.reason(match)], took: 0 };
    if (truth === undefined) unclear ??= unknown(line, match, why ?? line.unclear(match));
  }
  if (unclear !== undefined) return unclear;
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

/** The text of a remark, when it applies; what is unknown is not remarked upon. */
export function remarkOf(line: LineSpec, subject: Match): string | undefined {
  if (line.watch.blind !== undefined) return undefined;
  const isSure = (match: Match): boolean => line.fits === undefined || line.fits.test(match).truth === true;
  const found = line.watch.matches(subject).find((one) => isSure(one) && line.test(one).truth === true);
  return found === undefined ? undefined : line.reason(found);
}
