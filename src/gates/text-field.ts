/** Reads facts that the engine writes. */
import type { Fact } from "../rete/fact.ts";

/** Returns the string in a field; empty when it is missing, which only the subject can be. */
export function textField(fact: Fact, field: string): string {
  const slot = fact.shape.find(field);
  const value = slot === undefined ? undefined : fact.values[slot];
  return typeof value === "string" ? value : "";
}
