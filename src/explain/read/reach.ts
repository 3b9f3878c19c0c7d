/**
 * How far facts get through the parts of a condition: the number of partial matches of every prefix, and the deepest
 * one.
 */
import { findings } from "./judge.ts";
import type { Part } from "./parts.ts";
import { nearest } from "./nearest.ts";
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
 * match.
 */
const MAX_READS_FOR_CLOSEST = 200_000;
const MAX_COMPARED = 40;

/** Returns the partial match whose next pattern has the nearest fact. */
function closest(part: Part, world: World, level: readonly Chosen[], fixed: Fixed): Chosen {
  const [first] = level;
  if (first === undefined) throw new Error("broken promise: a level that is continued has matches");
  if (part.kind !== "pattern") return first;
  const tries = Math.max(
    1,
    Math.min(MAX_COMPARED, Math.floor(MAX_READS_FOR_CLOSEST / Math.max(1, world.count(part.type)))),
  );
  let best = first;
  let fewest = Infinity;
  for (const chosen of level.slice(0, tries)) {
    const [near] = nearest(part, world, chosen, fixed, 1);
    if (near === undefined || near.failing.length >= fewest) continue;
    best = chosen;
    fewest = near.failing.length;
    if (fewest === 1) break;
  }
  return best;
}
