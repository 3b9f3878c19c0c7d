/** Aggregates whose value does not depend on the order of facts with equal keys. */
import type { Operand, Ranked } from "./engine-program.ts";

/** Returns the same part of a case with values that are their own keys. */
export function withoutTies(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutTies);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([name, child]) => [name, withoutTies(child)] as const);
  const copy = Object.fromEntries(entries) as { ranked?: Ranked; value?: Operand };
  return copy.ranked === undefined || copy.value === undefined
    ? copy
    : { ...copy, ranked: { ...copy.ranked, key: copy.value } };
}
