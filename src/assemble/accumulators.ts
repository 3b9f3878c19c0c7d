/** Which accumulator an aggregate node has for each of its groups. */
import type { Accumulator } from "../base/accumulator.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import type { AggregateFunction } from "../plan/plan.ts";
import { isQuantifier, QuantifierAccumulator } from "../rete/quantifier.ts";

/** Returns the factory of the accumulators for a quantifier or an aggregate. */
export function accumulatorOf(aggregate: AggregateFunction): () => Accumulator {
  return isQuantifier(aggregate) ? () => new QuantifierAccumulator(aggregate) : aggregateNamed(aggregate).accumulator;
}
