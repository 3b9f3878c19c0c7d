/**
 * rools: conditions are functions; each fact is an evaluation of its own. Functions with the same text are taken for the same
 * condition, so each says the text that it would have if a person had written it.
 */
import type { AlphaWork, Thing } from "../../data/alpha-work.ts";
import { conditionText, type Joined, load, type Peer, predicateOf } from "../peer.ts";

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
    const conditions = (positions: readonly number[]): unknown[] =>
      joined === "and"
        ? positions.map((position) => named(work, [position], joined))
        : [named(work, positions, joined)];
    await engine.register(
      work.rules.map((positions, rule) => {
        const then = (fact: Thing): void => fire(rule, fact.id);
        // oxlint-disable-next-line unicorn/no-thenable -- that is what the package calls it
        return new Rule({ name: `r${rule}`, when: conditions(positions), then });
      }),
    );
    return async (facts) => {
      for (const fact of facts) await engine.evaluate({ ...fact });
    };
  },
};

function named(work: AlphaWork, positions: readonly number[], joined: Joined): object {
  const text = `(t) => ${conditionText(work, positions, { before: "t.", joined: joined === "and" ? " && " : " || " })}`;
  return Object.assign(predicateOf(work, positions, joined), { toString: () => text });
}
