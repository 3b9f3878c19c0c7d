/** Reads fields of facts. */
import type { Maybe } from "../../base/value.ts";
import type { FactView } from "../../session/results.ts";

/** Returns the value of a field; undefined when it is missing, also for names that every object has. */
export function fieldOf(fact: FactView, name: string): Maybe {
  return Object.hasOwn(fact.fields, name) ? fact.fields[name] : undefined;
}
