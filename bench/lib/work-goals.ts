/**
 * The goals of single kinds of work, measured beside a program by hand and CLIPS. Each has how it grows.
 *
 * Drools is not measured here. Where a goal is to be ahead of it, the goal was worked out from the times of Drools 8.44 beside CLIPS 6.41 or a
 * program by hand, measured once in one sitting.
 */
import { divided, type Find, type Goal, NEWER } from "./goal.ts";

/** Linear and n log n, with what no longer fits into the caches: a program by hand grows so. */
const LINEAR = 1.2;
const SORTED = 1.3;
/** As good as independent of the size. */
const FLAT = 0.2;
/** Log n, and what no longer fits into the caches: a heap by hand grows so. */
const LOGARITHMIC = 0.3;
/** Two orders of the same patterns differ by no more. */
const SAME = 1.2;

const OBJECTS = "facts are copied, checked and kept under an id, and matches are objects";
const ORDER = "the facts of every pattern are kept and indexed, whatever the order";
const NO_ORDER = "places in ordered blocks are objects, and collecting them takes its part";
const INNER = "a payment joins a group for every least amount that it passes";
const SCANS = "a change makes a fact, a place in an index and one in a heap";

export const WORK_GOALS: readonly Goal[] = [
  againstClips("load 99,000 facts", ["load", "load", 99_000], 1, OBJECTS),
  againstHand("load 99,000 facts", ["load", "load", 99_000], 3.1, OBJECTS),
  growth("load, by facts", ["load", "load", 99_000]),
  againstClips("9,000 replacements among 99,000 facts", ["load", "replace", 99_000], 29 / 44, OBJECTS),
  againstHand("W6, 50 rules of counts and sums, 100,000 payments", ["aggregates", "W6", 100_000], 49, INNER),
  growth("W6, by payments", ["aggregates", "W6", 100_000], LINEAR, INNER),
  againstClips("W7, six patterns in good order, 4,000", ["joins", "W7 good", 4000], 8 / 9, OBJECTS),
  againstClips("W7, the same in bad order", ["joins", "W7 bad", 4000], 22 / 44, ORDER),
  growth("W7, good order, by facts", ["joins", "W7 good", 4000]),
  growth("W7, bad order, by facts", ["joins", "W7 bad", 4000]),
  growth("W7, a pattern linked only later, by facts", ["joins", "W7 cross", 2000]),
  ...(["bad", "cross"] as const).map((order): Goal => ({
    what: `W7 with 2,000 in ${order} order, against the good one`,
    must: undefined,
    goal: SAME,
    unit: "x",
    of: (find) =>
      divided(find("joins", `W7 ${order}`, 2000, "sluice", "warm"), find("joins", "W7 good", 2000, "sluice", "warm")),
    why: ORDER,
  })),
  againstClips("W8, not over 16,000 bids", ["negation", "W8", 16_000], 1, NO_ORDER),
  growth("W8, by bids", ["negation", "W8", 16_000], LINEAR, NO_ORDER),
  againstHand("W8up, not over 16,000 rising bids", ["negation", "W8up", 16_000], undefined, NO_ORDER),
  growth("W8up, by bids", ["negation", "W8up", 16_000], SORTED, NO_ORDER),
  ...(["chain", "tree"] as const).flatMap((shape) => {
    const size = shape === "chain" ? 16_000 : 20_000;
    return (["derive", "retract"] as const).flatMap((step) => {
      const work = `${shape}, named: ${step}`;
      const what = `W11, ${shape} of ${size.toLocaleString("en")} logical facts, ${step}`;
      return [
        againstClips(what, ["logical", work, size], 1, OBJECTS),
        growth(`W11, ${shape}, ${step}, by facts`, ["logical", work, size], LINEAR, OBJECTS),
      ];
    });
  }),
  againstHand("W14, 1,000 changes of a group of 32,000", ["aggregates", "W14", 32_000], undefined, SCANS),
  growth("W14, by the size of the group", ["aggregates", "W14", 32_000], LOGARITHMIC, SCANS),
  againstHand("W15, spans and points, 8,000", ["joins", "W15", 8000], undefined, NO_ORDER),
  againstClips("W15, spans and points, 4,000", ["joins", "W15", 4000], undefined, NO_ORDER),
  growth("W15, by spans and points", ["joins", "W15", 8000], SORTED, NO_ORDER),
  againstClips(
    "W16, 400 rules with contains, 2,000 texts",
    ["texts", "W16", 400],
    undefined,
    "every rule looks for its word",
  ),
  growth("W16, by rules", ["texts", "W16", 800], FLAT, "every rule looks for its word"),
];

type Place = readonly [bench: string, work: string, size: number];

function warm(find: Find, [bench, work, size]: Place, engine: string): number | undefined {
  return find(bench, work, size, engine, "warm");
}

function againstClips(what: string, place: Place, share: number | undefined, why: string): Goal {
  return {
    what: `${what}, against CLIPS 6.30`,
    must: undefined,
    goal: share === undefined ? undefined : share / NEWER,
    unit: "x",
    of: (find) => divided(warm(find, place, "sluice"), warm(find, place, "clips")),
    why,
  };
}

function againstHand(what: string, place: Place, goal: number | undefined, why: string): Goal {
  return {
    what: `${what}, against a program by hand`,
    must: undefined,
    goal,
    unit: "x",
    of: (find) => divided(warm(find, place, "sluice"), warm(find, place, "hand")),
    why,
  };
}

/** Without a goal it is shown beside the others. */
function growth(what: string, [bench, work, size]: Place, goal?: number, why = ""): Goal {
  return {
    what: `${what}: growth`,
    must: undefined,
    goal,
    unit: "power",
    of: (find) => find(bench, work, size, "sluice", "grows"),
    why,
  };
}
