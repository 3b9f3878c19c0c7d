/** Ends the chains of a rule. */
import type * as ast from "../language/ast.ts";
import { planActions, type ReactionValues } from "./actions.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import type { Place } from "./lower-expr.ts";
import type { Layout, PlanBinding } from "./plan.ts";

/** Ends each chain in a terminal, and notes where everything is that the rule speaks of. */
export function addTerminals(
  chains: readonly RuleBuilder[],
  actions: readonly ast.Action[],
  said?: ReactionValues,
): Layout[] {
  const ends = chains.map((builder) => builder.node);
  return chains.map((builder, layout) => {
    const bindings = [...builder.places].flatMap(([name, place]) => binding(name, place));
    const made: Layout = { bindings, facts: [...builder.facts], actions: planActions(builder, actions, said) };
    const text = `${builder.rule} ${layout} ${JSON.stringify(made)}`;
    const { node: left, level, rule } = builder;
    builder.extend({ kind: "terminal", left, ends, level: level + 1, rule, layout, text });
    return made;
  });
}

function binding(name: string, place: Place): PlanBinding[] {
  return place.kind === "const" || place.kind === "expr" ? [] : [{ name, kind: place.kind, level: place.level }];
}
