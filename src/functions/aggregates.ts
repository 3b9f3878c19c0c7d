/** The aggregates, by name. A new one is an entry in a file of `aggregate/`, and its line here. */
import { must } from "../base/invariant.ts";
import { COLLECT } from "./aggregate/collect.ts";
import { COUNT } from "./aggregate/count.ts";
import { DISTINCT } from "./aggregate/distinct.ts";
import { MAX, MIN } from "./aggregate/extreme.ts";
import { MEDIAN } from "./aggregate/median.ts";
import { AVG, SUM } from "./aggregate/sum.ts";
import type { Aggregate } from "./built-in.ts";

const ENTRIES: readonly Aggregate[] = [COUNT, SUM, AVG, MEDIAN, MIN, MAX, COLLECT, DISTINCT];

export const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map(ENTRIES.map((entry) => [entry.name, entry]));

/** Returns the aggregate of a checked program; `name` in any case. */
export function aggregateNamed(name: string): Aggregate {
  return must(AGGREGATES.get(name.toLowerCase()), `"${name}" is an aggregate`);
}
