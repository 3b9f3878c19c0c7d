/** Aggregates over the items of a list: each computes what the aggregate of the same name does over facts. */
import type { Value } from "../../base/value.ts";
import { AVG, SUM } from "../aggregate/sum.ts";
import { MAX, MIN } from "../aggregate/extreme.ts";
import { MEDIAN } from "../aggregate/median.ts";
import type { HostSignature } from "../../base/host-types.ts";
import { type Aggregate, ANY, type BuiltInFunction, listOf, need, NUMBER, type PureFunction } from "../built-in.ts";

const NUMBERS: HostSignature = { params: [need("list", listOf(NUMBER))], result: NUMBER };

/** The signature of `min(list)` and `max(list)`. */
export const EXTREME_OF_LIST: HostSignature = { params: [need("list", listOf(ANY))], result: ANY, gives: "item" };

export const LIST_TOTAL_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: "sum",
    signature: NUMBERS,
    summary: "the sum of the numbers in a list; 0 for an empty one",
    example: { call: "sum([3, 1, 2])", gives: 6 },
    compute: overItems(SUM),
    yields: true,
  },
  {
    name: "avg",
    signature: NUMBERS,
    summary: "the mean of the numbers in a list; unknown for an empty one",
    example: { call: "avg([3, 1, 2])", gives: 2 },
    compute: overItems(AVG),
    yields: true,
  },
  {
    name: "median",
    signature: NUMBERS,
    summary: "the number in the middle of a list, or the mean of the two in the middle; unknown for an empty one",
    example: { call: "median([3, 1, 8, 2])", gives: 2.5 },
    compute: overItems(MEDIAN),
    yields: true,
  },
];

/** Returns the smallest item of a list, or of several numbers. */
export const smallest: (ofNumbers: PureFunction) => PureFunction = (ofNumbers) => oneListOr(MIN, ofNumbers);
/** Returns the largest item of a list, or of several numbers. */
export const largest: (ofNumbers: PureFunction) => PureFunction = (ofNumbers) => oneListOr(MAX, ofNumbers);

function oneListOr(aggregate: Aggregate, otherwise: PureFunction): PureFunction {
  const over = overItems(aggregate);
  return (...values) => (values.length === 1 ? over(values[0]) : otherwise(...values));
}

function overItems({ compute }: Aggregate): PureFunction {
  return (list) => (Array.isArray(list) ? compute(list as readonly Value[]) : undefined);
}
