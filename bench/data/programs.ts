/** Manners, Waltz and WaltzDB: their facts, and what the rules need to know about angles. */
import { readJson } from "../lib/files.ts";

export type Facts = Readonly<Record<string, readonly Readonly<Record<string, number | string>>[]>>;

export function factsOf(program: string, size: number): Facts {
  if (program === "waltz" && size === FOUR_TIMES) return fourTimes(factsOf("waltz", FOUR_TIMES / 4));
  return readJson(`bench/data/${program}${size}.json`) as Facts;
}

const FOUR_TIMES = 200;
/** Further than any drawing is wide. */
const APART = 10_000_000;

/** The same drawings four times, beside each other. */
function fourTimes({ Line = [], ...others }: Facts): Facts {
  const moved = [0, 1, 2, 3].flatMap((place) =>
    Line.map(({ p1, p2 }) => ({ p1: Number(p1) + place * APART, p2: Number(p2) + place * APART })),
  );
  return { ...others, Line: moved };
}
