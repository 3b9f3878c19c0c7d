/** json-rules-engine: a rule is a tree of conditions; each fact is a run of its own. */
import type { Test, Thing } from "../../data/alpha-work.ts";
import { load, type Peer } from "../peer.ts";

interface Package {
  readonly Engine: new (rules: readonly object[]) => Engine;
}

interface Engine {
  run(facts: Thing): Promise<{ readonly events: readonly { readonly params?: { readonly rule: number } }[] }>;
}

const OPERATORS = { "<": "lessThan", ">=": "greaterThanInclusive", "==": "equal" } as const;

function conditionOf({ field, op, value }: Test): object {
  return { fact: field, operator: OPERATORS[op], value };
}

export const jsonRulesEngine: Peer = {
  name: "json-rules-engine",
  alpha: async ({ tests, rules }, joined, fire) => {
    const { Engine } = await load<Package>("json-rules-engine");
    const engine = new Engine(
      rules.map((positions, rule) => ({
        conditions: {
          [joined === "and" ? "all" : "any"]: positions.flatMap((position) => tests[position] ?? []).map(conditionOf),
        },
        event: { type: "fire", params: { rule } },
      })),
    );
    return async (facts) => {
      for (const fact of facts) {
        const { events } = await engine.run({ ...fact });
        for (const { params } of events) fire(params?.rule ?? 0, fact.id);
      }
    };
  },
};
