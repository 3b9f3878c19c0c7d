/** Reads facts that the engine keeps. */
import type { Fact } from "../rete/fact.ts";

/** The text in a field; empty when it is missing, which only the subject can be. */
export function textField(fact: Fact, field: string): string {
  const slot = fact.shape.find(field);
  const value = slot === undefined ? undefined : fact.values[slot];
  return typeof value === "string" ? value : "";
}
