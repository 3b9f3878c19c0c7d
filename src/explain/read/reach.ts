/**
 * How far facts get through the parts of a condition: the number of partial matches of every prefix, and the deepest
 * one.
 */
import { findings } from "./judge.ts";
import type { Part } from "./parts.ts";
import { nearest } from "./nearest.ts";
import { compareNearness, distanceOf, type Nearness } from "./nearness.ts";
import { extended } from "./solve.ts";
import type { Chosen, Fixed } from "./chosen.ts";
import type { World } from "./world.ts";

export interface Reach {
  /** How many partial matches each prefix has, up to the first that has none. */
  readonly counts: readonly number[];
  /** The number of parts that the deepest partial matches fulfil. */
  readonly depth: number;
  readonly deepest: Chosen;
  /** False when there were too many partial matches to look at all of them. */
  readonly complete: boolean;
}

/** The most partial matches of one prefix that are followed, and the most facts that are read. */
const MAX_MATCHES = 10_000;
const MAX_READS = 500_000;

export function reach(parts: readonly Part[], world: World, start: Chosen, fixed: Fixed): Reach {
  if (world.context.judging === true) return furthest(parts, world, start);
  const counts: number[] = [];
  const limit = world.readCount + MAX_READS;
  let level: readonly Chosen[] = [start];
  let complete = true;
  for (const part of parts) {
    const next: Chosen[] = [];
    for (const chosen of level) {
      for (const longer of extended(part, world, chosen, fixed)) {
        next.push(longer);
        if (next.length >= MAX_MATCHES) break;
      }
      if (next.length >= MAX_MATCHES || world.readCount > limit) {
        complete = false;
        break;
      }
    }
    counts.push(next.length);
    if (next.length === 0)
      return { counts, depth: counts.length - 1, deepest: closest(part, world, level, fixed), complete };
    level = next;
  }
  return { counts, depth: parts.length, deepest: level[0] ?? start, complete };
}

/** Returns the reach in judging, where a fact that may match gets as far as one that does. */
function furthest(parts: readonly Part[], world: World, start: Chosen): Reach {
  for (let depth = parts.length; depth > 0; depth--) {
    for (const { chosen, gap } of findings(parts.slice(0, depth), world, start)) {
      if (gap === undefined) return { counts: [], depth, deepest: chosen, complete: true };
    }
  }
  return { counts: [], depth: 0, deepest: start, complete: true };
}

/**
 * The most facts that are read, and the most partial matches that are compared, to find the one closest to a full
 * match: those whose next part is a pattern, and those whose next part is a test, which reads no facts of its own.
 */
const MAX_READS_FOR_CLOSEST = 200_000;
const MAX_COMPARED = 40;
const MAX_TESTED = 1_000;

/** Returns the partial match that comes nearest to fulfilling the next part. */
function closest(part: Part, world: World, level: readonly Chosen[], fixed: Fixed): Chosen {
  const [first] = level;
  if (first === undefined) throw new Error("broken promise: a level that is continued has matches");
  if (part.kind !== "pattern" && part.kind !== "where") return first;
  const tries =
    part.kind === "where"
      ? MAX_TESTED
      : Math.min(MAX_COMPARED, MAX_READS_FOR_CLOSEST / Math.max(1, world.count(part.type)));
  const limit = world.readCount + MAX_READS_FOR_CLOSEST;
  let best = first;
  let least: Nearness | undefined;
  for (const chosen of level.slice(0, Math.max(1, Math.floor(tries)))) {
    const nearness = nearnessOf(part, world, chosen, fixed);
    if (nearness !== undefined && (least === undefined || compareNearness(nearness, least) < 0)) {
      best = chosen;
      least = nearness;
    }
    if (world.readCount > limit) break;
  }
  return best;
}

/** Returns how near a partial match is to fulfilling a test, or a pattern with its nearest fact; undefined when it has none. */
function nearnessOf(
  part: Extract<Part, { kind: "pattern" | "where" }>,
  world: World,
  chosen: Chosen,
  fixed: Fixed,
): Nearness | undefined {
  if (part.kind === "where") return [distanceOf(part.test, { world, chosen, ownFact: undefined })];
  return nearest(part, world, chosen, fixed, 1)[0]?.nearness;
}
