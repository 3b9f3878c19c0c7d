/** The aggregates, by name. A new one is an entry in a file of `aggregate/`, and its line here. */
import { must } from "../base/invariant.ts";
import { COLLECT } from "./aggregate/collect.ts";
import { COUNT } from "./aggregate/count.ts";
import { DISTINCT } from "./aggregate/distinct.ts";
import { MAX, MIN } from "./aggregate/extreme.ts";
import { MEDIAN } from "./aggregate/median.ts";
import { PERCENTILE } from "./aggregate/percentile.ts";
import { FIRST, LAST, TOP } from "./aggregate/ranked.ts";
import { STDDEV } from "./aggregate/stddev.ts";
import { AVG, SUM } from "./aggregate/sum.ts";
import { type Aggregate, ANY } from "./built-in.ts";

const ENTRIES: readonly Aggregate[] = [
  COUNT,
  SUM,
  AVG,
  MEDIAN,
  PERCENTILE,
  STDDEV,
  MIN,
  MAX,
  FIRST,
  LAST,
  TOP,
  COLLECT,
  DISTINCT,
];

export const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** Returns the aggregate of a checked program; `name` in any case. */
export function aggregateNamed(name: string): Aggregate {
  return must(AGGREGATES.get(name.toLowerCase()), `"${name}" is an aggregate`);
}

/** Returns whether an aggregate, with its name in any case, counts facts and reads no value of them. */
export function countsFacts(name: string): boolean {
  return AGGREGATES.get(name.toLowerCase())?.takes === "facts";
}

/** Returns whether the value of an aggregate, with its name in any case, is a list. */
export function givesList(name: string): boolean {
  return AGGREGATES.get(name.toLowerCase())?.result(ANY).kind === "list";
}
