/** One value from the values of many facts. */
import { type Maybe, order, same, type Value } from "../base/value.ts";
import { ExactSum } from "../rete/exact-sum.ts";

/** `values` has one entry for each fact, in fact order; an entry may be missing. */
export function aggregate(fn: string, values: readonly Maybe[]): Maybe {
  switch (fn) {
    case "count":
      return values.length;
    case "sum":
      return sumOf(values);
    case "avg": {
      const sum = sumOf(values);
      return sum === undefined || values.length === 0 ? undefined : sum / values.length + 0;
    }
    case "min":
      return extremeOf(values, -1);
    case "max":
      return extremeOf(values, 1);
    case "collect":
      return present(values);
    case "distinct":
      return present(values).filter((value, index, all) => all.findIndex((other) => same(other, value)) === index);
    default:
      return undefined;
  }
}

function present(values: readonly Maybe[]): Value[] {
  return values.filter((value) => value !== undefined);
}

function sumOf(values: readonly Maybe[]): number | undefined {
  const sum = new ExactSum();
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    sum.add(value);
  }
  return Number.isFinite(sum.total) ? sum.total + 0 : undefined;
}

function extremeOf(values: readonly Maybe[], direction: number): Maybe {
  let extreme = values[0];
  for (const value of values) {
    const difference = order(value, extreme);
    if (difference === undefined) return undefined;
    if (difference * direction > 0) extreme = value;
  }
  return extreme;
}
