/** Ends a rule in terminals. */
import type * as ast from "../language/ast.ts";
import { planActions, type ReactionValues } from "./actions.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import type { Place } from "./lower-expr.ts";
import type { Layout, PlanBinding } from "./plan.ts";
import { timesOf } from "./tables.ts";

/** Adds a terminal to each builder, and returns the layouts: where the variables and facts are, and the actions. */
export function addTerminals(
  builders: readonly RuleBuilder[],
  actions: readonly ast.Action[],
  reactionValues?: ReactionValues,
): Layout[] {
  const ends = builders.map((builder) => builder.node);
  return builders.map((builder, layout) => {
    const bindings = [...builder.places].flatMap(([name, place]) => binding(name, place));
    const made: Layout = {
      bindings,
      facts: [...builder.facts],
      ...(builder.order.length > builder.facts.length && { order: [...builder.order] }),
      actions: planActions(builder, actions, reactionValues),
    };
    const text = `${builder.rule} ${layout} ${JSON.stringify(made)}`;
    const { node: left, level, rule } = builder;
    builder.extend({ kind: "terminal", left, ends, level: level + 1, rule, layout, text });
    return made;
  });
}

function binding(name: string, place: Place): PlanBinding[] {
  switch (place.kind) {
    case "const":
    case "expr":
      return [];
    case "fact":
      return [{ name, kind: "fact", level: place.level }];
    case "value": {
      const times = timesOf(place.row);
      const { level, time } = place;
      return [{ name, kind: "value", level, ...(time && { time }), ...(times && { times }) }];
    }
  }
}
