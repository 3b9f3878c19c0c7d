/** The decision tables of a plan, each with one index for all expressions and sessions that ask it. */
import { must } from "../base/invariant.ts";
import type { Plan } from "../plan/plan.ts";
import { DecisionTable } from "../tables/decide.ts";

/** Returns the function that finds a table by its name in the plan; a table is made when it is first asked for. */
export function decisionTables({ tables }: Pick<Plan, "tables">): (key: string) => DecisionTable {
  const made = new Map<string, DecisionTable>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const table = new DecisionTable(must(tables?.[key], "expressions name tables of the plan"));
    made.set(key, table);
    return table;
  };
}
