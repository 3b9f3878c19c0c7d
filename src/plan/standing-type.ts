/**
 * The standing plan of the facts of a type. It needs no source text: a session of a saved plan makes it too.
 *
 *     root ── join parameters ── join Person[.age == $1.age] ── terminal
 *     level 0       level 1               level 2
 */
import { plainXxHash64 } from "../base/xxhash64.ts";
import { NodeTable } from "./node-table.ts";
import type { JoinPlan, Layout, PlanExpr } from "./plan.ts";
import { canonicalText } from "./read/canonical.ts";
import { PARAMETER_LEVEL, type StandingPlan, standingNames } from "./standing.ts";

const FACT_LEVEL = PARAMETER_LEVEL + 1;

/** Returns the standing plan of the facts of a type whose given fields equal the parameters. The variable is `fact`. */
export function planStandingType(type: string, fields: readonly string[], purpose: string): StandingPlan {
  const { rule, parameters } = standingNames(`${type}(${fields.join(", ")})`, purpose);
  const table = new NodeTable(plainXxHash64, true);
  const field = (level: number, name: string, of: string): PlanExpr => ({ op: "field", level, field: name, type: of });
  const keys = fields.map((name) => ({
    field: field(FACT_LEVEL, name, type),
    equals: field(PARAMETER_LEVEL, name, parameters),
  }));
  const join = (left: number | undefined, level: number, joined: Pick<JoinPlan, "type" | "words" | "keys">): number => {
    const equalities = joined.keys.map((key) => `${canonicalText(key.field)} == ${canonicalText(key.equals)}`);
    const text = `${joined.type}[${equalities.join(", ")}]`;
    return table.add(
      { kind: "join", left, right: undefined, level, tests: [], range: undefined, text, ...joined },
      rule,
    ).id;
  };
  const root = join(undefined, PARAMETER_LEVEL, { type: parameters, words: parameters, keys: [] });
  const end = join(root, FACT_LEVEL, { type, words: `fact: ${type}`, keys });
  const layout: Layout = {
    bindings: [{ name: "fact", kind: "fact", level: FACT_LEVEL }],
    facts: [PARAMETER_LEVEL, FACT_LEVEL],
    actions: [],
  };
  const text = `${rule} 0 ${JSON.stringify(layout)}`;
  table.add({ kind: "terminal", left: end, ends: [end], level: FACT_LEVEL + 1, rule, layout: 0, text }, rule);
  const planned = { name: rule, order: 0, salience: 0, group: undefined, noLoop: false, layouts: [layout] };
  return { plan: { nodes: table.nodes, rules: [planned] }, parameters, names: fields, calls: false };
}
