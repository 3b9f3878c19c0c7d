/**
 * The parameters of a saved query. Its plan is made with a mark in place of each value, an object of no known kind: whatever
 * the planner does for a value of any kind, missing ones included, is right for it. Values are put in when it is asked.
 */
import type { Value } from "../../base/value.ts";
import type { Plan } from "../../plan/plan.ts";

/** No object of a program has a property of this name. */
const PARAMETER = "\u0000parameter";

/** Returns the mark of a parameter, by its place in the list. */
export function markOf(index: number): Value {
  return { [PARAMETER]: index };
}

/** Returns the plan with values for the parameters. Nodes that depend on a value have a text of their own for it. */
export function withValues(plan: Plan, values: readonly (Value | null)[]): Plan {
  if (values.length === 0) return plan;
  const said = ` with ${JSON.stringify(values)}`;
  const nodes = plan.nodes.map((node) => {
    const filled = { found: false };
    const made = fill(node, values, filled) as typeof node;
    return filled.found ? { ...made, text: `${made.text}${said}` } : made;
  });
  return { nodes, rules: fill(plan.rules, values, { found: false }) as Plan["rules"] };
}

function fill(value: unknown, values: readonly (Value | null)[], filled: { found: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, values, filled));
  if (typeof value !== "object" || value === null) return value;
  const index = (value as Readonly<Record<string, unknown>>)[PARAMETER];
  if (typeof index === "number") {
    filled.found = true;
    return values[index] ?? null;
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, values, filled)]));
}
