/** Reads facts that the engine writes. */
import type { Fact } from "../rete/fact.ts";

/** Returns the string in a field; empty when it is missing, which only the subject can be. */
export function textField(fact: Fact, field: string): string {
  const slot = fact.shape.find(field);
  const value = slot === undefined ? undefined : fact.values[slot];
  return typeof value === "string" ? value : "";
}

/**
 * Returns when the subject of a fact was asserted, if the fact is about this one: undefined when the subject is newer than the fact,
 * which was written about an earlier subject with the same id.
 */
export function bornBefore(fact: Fact, born: number): number | undefined {
  return born <= fact.order ? born : undefined;
}
