/** json-logic-engine: each rule is an expression, compiled once and asked for each fact. */
import type { Thing } from "../../data/alpha-work.ts";
import { load, type Peer } from "../peer.ts";

interface Package {
  readonly LogicEngine: new () => { build(logic: object): (fact: Thing) => unknown };
}

const OPERATORS = { "<": "<", ">=": ">=", "==": "===" } as const;

export const jsonLogicEngine: Peer = {
  name: "json-logic-engine",
  alpha: async ({ tests, rules }, joined, fire) => {
    const { LogicEngine } = await load<Package>("json-logic-engine");
    const engine = new LogicEngine();
    const built = rules.map((positions) => {
      const terms = positions.flatMap((position) => tests[position] ?? []);
      return engine.build({
        [joined]: terms.map(({ field, op, value }) => ({ [OPERATORS[op]]: [{ var: field }, value] })),
      });
    });
    return async (facts) => {
      for (const fact of facts) {
        for (let rule = 0; rule < built.length; rule++) if (built[rule]?.(fact) === true) fire(rule, fact.id);
      }
    };
  },
};
