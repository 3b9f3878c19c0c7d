/** Rows: the answers of questions as the host sees them, and their order. */
import type { Value } from "../base/value.ts";
import { Fact } from "../rete/fact.ts";
import { placeOf } from "../rete/match.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { FactView } from "../session/results.ts";
import { factView } from "../session/views.ts";

/** One answer of a query: the value of each variable. Facts are views. */
export type QueryRow = Readonly<Record<string, FactView | Value | undefined>>;

/** Returns the row of an answer, with the facts as they are now. */
export function rowOf({ production, match, fact }: Bound): QueryRow {
  return Object.fromEntries(production.bindings.map((binding) => [binding.name, viewOf(binding.read(match, fact))]));
}

/** Returns the numbers by which rows are ordered: of its facts in the order of assertion, of items their places, as written. */
export function orderOf({ production, match, fact }: Bound): number[] {
  const { orderLevels } = production;
  if (orderLevels === undefined || match === undefined) return production.facts(match, fact).map(({ order }) => order);
  return orderLevels.map((level) => placeOf(match.at(level)));
}

/** Returns one row for each answer, in the order of the facts; of the same facts, in the order of the alternatives of an `or`. */
export function rowsOf(answers: Iterable<Bound>): QueryRow[] {
  return Array.from(answers, (bound) => ({ bound, order: orderOf(bound) }))
    .sort((a, b) => compareLists(a.order, b.order) || alternativeOf(a.bound) - alternativeOf(b.bound))
    .map(({ bound }) => rowOf(bound));
}

/** Compares two lists of numbers, the first difference first. */
export function compareLists(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function alternativeOf({ production }: Bound): number {
  return production.alternative ?? 0;
}

function viewOf(bound: Fact | Value | undefined): FactView | Value | undefined {
  return bound instanceof Fact ? factView(bound) : bound;
}
