/** The conclusion of a measurement, in sentences that claim no more than was measured. */
import { percent } from "../sharing-text.ts";
import type { Size, Spread } from "./measure.ts";

/** A difference of less than this part may be chance. */
const NOISE = 0.05;

/** Returns whether a ratio clearly differs from 1: the middle half of the rounds is on one side of it, and far enough. */
export function isClear({ low, median, high }: Spread): boolean {
  return Math.abs(median - 1) >= NOISE && (high < 1 || low > 1);
}

/** Returns the time with sharing as a part of that without: the quotient of the medians that are shown. */
function timeRatio({ shared, apart }: Size): number {
  return apart.ms === 0 ? 1 : shared.ms / apart.ms;
}

/** Returns whether the times clearly differ: by the rounds, and by their medians in the same direction. */
export function isTimeClear(size: Size): boolean {
  if (isSameNetwork(size)) return false;
  const ratio = timeRatio(size);
  return isClear(size.ratio) && Math.abs(ratio - 1) >= NOISE && ratio < 1 === size.ratio.median < 1;
}

/** Returns whether the memory clearly differs: it is measured few times, so a small difference may be chance. */
export function isMemoryClear(size: Size): boolean {
  const { bytes = 0 } = size.apart;
  return !isSameNetwork(size) && bytes > 0 && Math.abs((size.shared.bytes ?? 0) / bytes - 1) >= NOISE;
}

/** Returns whether nothing is shared: then both ways run the same network, and every difference is chance. */
function isSameNetwork({ shared, apart }: Size): boolean {
  return shared.nodes === apart.nodes;
}

/** Returns the sentences about all rules, which are measured last. */
export function conclusionOf(sizes: readonly Size[]): string[] {
  const all = sizes.at(-1);
  if (all === undefined) return [];
  const same = sizes.every(({ difference }) => difference === undefined);
  return [nodesSentence(all), timeSentence(all), ...memorySentence(all), same ? sameSentence(all) : DIFFERENT];
}

const DIFFERENT = "The two ways give different answers. This is a bug in Sluice, not in your rules; please report it.";

/** Returns what both ways have in common; a run that an error ended is compared up to there. */
function sameSentence({ matches, firings, stopped }: Size): string {
  const found = `the same ${count(matches)} ${matches === 1 ? "match" : "matches"}`;
  const fired = `the same ${count(firings)} ${firings === 1 ? "firing" : "firings"} in the same order`;
  return `Both ways give ${found} and ${fired}${stopped === undefined ? "" : ` (both stop with ${stopped})`}.`;
}

function nodesSentence({ rules, shared, apart }: Size): string {
  const yours = `your ${count(rules)} ${rules === 1 ? "rule needs" : "rules need"}`;
  if (shared.nodes === apart.nodes)
    return `Your rules have no node in common: ${yours} ${count(shared.nodes)} nodes either way.`;
  const saved = percent({ nodes: shared.nodes, without: apart.nodes });
  return `With sharing, ${yours} ${count(shared.nodes)} nodes instead of ${count(apart.nodes)}: sharing saves ${saved}.`;
}

function timeSentence(size: Size): string {
  const work = `Matching ${count(size.facts)} ${size.facts === 1 ? "fact" : "facts"} takes`;
  if (!isTimeClear(size)) return `${work} about the same time: the difference is within noise.`;
  const ratio = timeRatio(size);
  return ratio < 1 ? `${work} ${ratio.toFixed(2)} of the time.` : `${work} ${ratio.toFixed(2)} times as long.`;
}

function memorySentence(size: Size): string[] {
  const { shared, apart } = size;
  if (shared.bytes === undefined || apart.bytes === undefined || apart.bytes === 0) return [];
  if (!isMemoryClear(size))
    return ["A session with these facts takes about the same memory: the difference is within noise."];
  const least = Math.min(shared.bytes, apart.bytes);
  const bytes = `${megabytes(shared.bytes, least)} instead of ${megabytes(apart.bytes, least)}`;
  return [`A session with these facts takes ${bytes}, ${(shared.bytes / apart.bytes).toFixed(2)} of the memory.`];
}

/** Returns bytes in the unit and with the decimals that fit the least value beside it. */
export function megabytes(bytes: number, least: number = bytes): string {
  const mb = least / (1024 * 1024);
  if (mb < 0.1) return `${count(Math.max(1, Math.round(bytes / 1024)))} kB`;
  return `${(bytes / (1024 * 1024)).toFixed(mb < 10 ? 2 : 1)} MB`;
}

/** Returns a time in the unit and with the decimals that fit the least value beside it. */
export function milliseconds(ms: number, least: number = ms): string {
  if (least < 1000) return `${ms.toFixed(least < 10 ? 2 : 1)} ms`;
  return `${(ms / 1000).toFixed(2)} s`;
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}
