/** rools: conditions are functions, shared when they are the same function; each fact is an evaluation of its own. */
import type { Thing } from "../../data/alpha-work.ts";
import { load, type Peer, predicateOf } from "../peer.ts";

interface Package {
  readonly Rools: new (options: object) => Engine;
  readonly Rule: new (rule: object) => object;
}

interface Engine {
  register(rules: readonly object[]): Promise<void>;
  evaluate(facts: object): Promise<unknown>;
}

export const rools: Peer = {
  name: "rools",
  alpha: async (work, joined, fire) => {
    const { Rools, Rule } = await load<Package>("rools");
    const engine = new Rools({ logging: { error: true, debug: false } });
    const single = work.tests.map((_, position) => predicateOf(work, [position], "and"));
    const conditions = (positions: readonly number[]): unknown[] =>
      joined === "and" ? positions.map((position) => single[position]) : [predicateOf(work, positions, "or")];
    await engine.register(
      work.rules.map((positions, rule) => {
        const then = (fact: Thing): void => fire(rule, fact.id);
        return new Rule({ name: `r${rule}`, when: conditions(positions), then });
      }),
    );
    return async (facts) => {
      for (const fact of facts) await engine.evaluate({ ...fact });
    };
  },
};
