/** GoRules' zen-engine: one decision table that collects every row that holds; each fact is an evaluation. */
import { conditionText, load, type Peer } from "../peer.ts";

interface Package {
  readonly ZenEngine: new () => {
    createDecision(content: object): { evaluate(fact: object): Promise<{ readonly result: unknown }> };
  };
}

function tableOf(rows: readonly object[]): object {
  const content = {
    hitPolicy: "collect",
    inputs: [{ id: "if", type: "expression", name: "if" }],
    outputs: [{ id: "number", type: "expression", name: "number", field: "rule" }],
    rules: rows,
  };
  return {
    nodes: [
      { id: "in", type: "inputNode", name: "in", position: { x: 0, y: 0 } },
      { id: "table", type: "decisionTableNode", name: "table", position: { x: 1, y: 0 }, content },
      { id: "out", type: "outputNode", name: "out", position: { x: 2, y: 0 } },
    ],
    edges: [
      { id: "1", type: "edge", sourceId: "in", targetId: "table" },
      { id: "2", type: "edge", sourceId: "table", targetId: "out" },
    ],
  };
}

export const zenEngine: Peer = {
  name: "zen-engine",
  alpha: async (work, joined, fire) => {
    const { ZenEngine } = await load<Package>("@gorules/zen-engine");
    const rows = work.rules.map((positions, rule) => ({
      _id: String(rule),
      if: conditionText(work, positions, { before: "", joined: ` ${joined} ` }),
      number: String(rule),
    }));
    const decision = new ZenEngine().createDecision(tableOf(rows));
    return async (facts) => {
      for (const fact of facts) {
        const { result } = await decision.evaluate({ ...fact });
        for (const { rule } of result as readonly { rule: number }[]) fire(rule, fact.id);
      }
    };
  },
};
