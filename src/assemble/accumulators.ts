/** Which accumulator an aggregate node has for each of its groups. */
import type { Accumulator, ToldAccumulator } from "../base/accumulator.ts";
import { EVIDENCE_READINGS } from "../base/judging.ts";
import { aggregateNamed } from "../functions/aggregates.ts";
import { EvidenceAccumulator } from "../gates/evidence-accumulator.ts";
import type { AggregateFunction } from "../plan/plan.ts";
import { isQuantifier, QuantifierAccumulator } from "../rete/quantifier.ts";

/** Returns the factory of the accumulators for a quantifier, a condition or an aggregate. */
export function accumulatorOf(aggregate: AggregateFunction): () => Accumulator {
  const reading = EVIDENCE_READINGS.get(aggregate);
  if (reading !== undefined) return () => new EvidenceAccumulator(reading);
  return isQuantifier(aggregate) ? () => new QuantifierAccumulator(aggregate) : aggregateNamed(aggregate).accumulator;
}

/** Returns the factory of the accumulators for a group whose members know their values. */
export function toldAccumulatorOf(aggregate: AggregateFunction): () => ToldAccumulator {
  const { accumulator, toldAccumulator = accumulator } = aggregateNamed(aggregate);
  return toldAccumulator;
}
