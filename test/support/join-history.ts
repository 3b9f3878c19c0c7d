/** Compares what a rule does when its patterns are joined in the written order with what it does in every other order. */
import * as fc from "fast-check";
import { compile, type CompileOptions, type RuleSession } from "../../src/index.ts";
import { Difference } from "./difference.ts";
import { joinFacts, type JoinFact, joinRule, type JoinRule, ordersOf, ruleSource } from "./join-programs.ts";

/** Asserts facts one by one, then changes and retracts some; `after` is called after each change. */
function live(session: RuleSession, facts: readonly JoinFact[], after: () => void): void {
  const ids: string[] = [];
  for (const { type, fields } of facts) {
    ids.push(session.assert(type, fields).id);
    after();
  }
  for (const [at, id] of ids.entries()) {
    if (at % 2 === 0) session.update(id, { a: at % 3 });
    else session.retract(id);
    after();
  }
}

/** A firing: the variables of its match, and the key of its effect. */
interface Firing {
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

/** What fires after each change. */
export function firings(source: string, options: CompileOptions, facts: readonly JoinFact[]): Firing[][] {
  const session = compile(source, options).session({ id: "s" });
  const steps: Firing[][] = [];
  live(session, facts, () => {
    const { fired, effects } = session.run();
    steps.push(fired.map(({ bindings }, at) => ({ bindings, key: effects[at]?.key })));
  });
  return steps;
}

/** Joins the patterns of a rule in an order. */
export const given = (places: readonly number[]): CompileOptions => ({ joinOrder: () => places });

/** Throws when the rule fires otherwise in the chosen order, or in any other, than in the written one. */
function firesAlikeInEveryOrder(rule: JoinRule, facts: readonly JoinFact[]): void {
  const [written = [], ...others] = ordersOf(rule.patterns.length);
  const source = ruleSource(rule, written);
  const expected = JSON.stringify(firings(source, { joinOrder: "written" }, facts));
  for (const options of [{}, ...others.map(given)]) {
    const found = JSON.stringify(firings(source, options, facts));
    if (found !== expected)
      throw new Difference(`${source}\n${JSON.stringify(facts)}\nfound ${found}\nexpected ${expected}`);
  }
}

/** Every order of a random rule with random facts. */
export const everyOrder = fc.property(joinRule, joinFacts, firesAlikeInEveryOrder);
