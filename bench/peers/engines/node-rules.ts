/** node-rules: conditions are functions, tried one after the other on one fact. */
import type { Thing } from "../../data/alpha-work.ts";
import { load, type Peer, predicateOf } from "../peer.ts";

interface Package {
  readonly RuleEngine: new (rules: readonly object[]) => Engine;
}

interface Engine {
  execute(fact: object, done: () => void): void;
}

interface Flow {
  when(holds: boolean): void;
  next(): void;
}

export const nodeRules: Peer = {
  name: "node-rules",
  alpha: async (work, joined, fire) => {
    const { RuleEngine } = await load<Package>("node-rules");
    const engine = new RuleEngine(
      work.rules.map((positions, rule) => {
        const holds = predicateOf(work, positions, joined);
        return {
          name: `r${rule}`,
          condition: (flow: Flow, fact: Thing) => flow.when(holds(fact)),
          consequence: (flow: Flow, fact: Thing) => {
            fire(rule, fact.id);
            flow.next();
          },
        };
      }),
    );
    return async (facts) => {
      for (const fact of facts) await new Promise<void>((done) => engine.execute({ ...fact }, done));
    };
  },
};
