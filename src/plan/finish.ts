/** Ends the chains of a rule. */
import type * as ast from "../language/ast.ts";
import { planActions, type Said } from "./actions.ts";
import type { Chain } from "./rule-builder.ts";
import type { Place } from "./lower.ts";
import type { Layout, PlanBinding } from "./plan.ts";

/** Ends each chain in a terminal, and notes where everything is that the rule speaks of. */
export function finish(chains: readonly Chain[], actions: readonly ast.Action[], said?: Said): Layout[] {
  const ends = chains.map((chain) => chain.node);
  return chains.map((chain, layout) => {
    const bindings = [...chain.places].flatMap(([name, place]) => binding(name, place));
    const made: Layout = { bindings, facts: [...chain.facts], actions: planActions(chain, actions, said) };
    const text = `${chain.rule} ${layout} ${JSON.stringify(made)}`;
    const { node: left, level, rule } = chain;
    chain.extend({ kind: "terminal", left, ends, level: level + 1, rule, layout, text }, [left]);
    return made;
  });
}

function binding(name: string, place: Place): PlanBinding[] {
  return place.kind === "const" || place.kind === "expr" ? [] : [{ name, kind: place.kind, level: place.level }];
}
