/** One value from the values of many facts. */
import { type Maybe, order, same, type Value } from "../../base/value.ts";
import { ExactSum } from "../../rete/exact-sum.ts";

/** `values` has one entry for each fact, in fact order; an entry may be missing. */
export function aggregate(fn: string, values: readonly Maybe[]): Maybe {
  switch (fn) {
    case "count":
      return values.length;
    case "sum":
      return finite(sumOf(values)?.total);
    case "avg":
      return values.length === 0 ? undefined : finite(sumOf(values)?.dividedBy(values.length));
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

/** Undefined when one of the values is no number. */
function sumOf(values: readonly Maybe[]): ExactSum | undefined {
  const sum = new ExactSum();
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    sum.add(value);
  }
  return sum;
}

function finite(number: number | undefined): number | undefined {
  return number !== undefined && Number.isFinite(number) ? number + 0 : undefined;
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
