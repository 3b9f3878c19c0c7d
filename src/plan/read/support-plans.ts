/**
 * What the logical facts of each rule depend on, as far as the rule does not name it.
 *
 * A match names the facts of its patterns. The facts below an `exists`, a double negation, an aggregate or a followed reference are not
 * named. They matter for circles of support only when their type can depend on the type that the rule inserts.
 */
import { eachSmall, type Steps } from "../../base/slices.ts";
import { circlesOf } from "./circles.ts";
import type { AggregatePlan, Plan, PlanNode, PlanRule } from "../plan.ts";
import { chainFrom } from "./inputs.ts";
import { ANY_TYPE, type SupportPlan } from "../../base/support.ts";

/** Returns what the logical facts depend on, for every rule that inserts some. In small steps: one for each node and rule. */
export function* supportPlans({ nodes, rules }: Plan): Steps<Map<string, SupportPlan>> {
  const inserts = new Map<string, ReadonlySet<string>>();
  yield* eachSmall(rules, (rule) => inserts.set(rule.name, logicalTypes(rule)));
  const derived = new Set([...inserts.values()].flatMap((types) => [...types]));
  if (derived.size === 0) return new Map();
  const looks = yield* looksOf(nodes, (rule) => (inserts.get(rule)?.size ?? 0) > 0);
  const strata = yield* strataOf(derived, looks, inserts);
  const plans = new Map<string, SupportPlan>();
  yield* eachSmall(looks, ([rule, look]) => plans.set(rule, planOf(look, inserts.get(rule) ?? new Set(), strata)));
  return plans;
}

function logicalTypes({ layouts }: PlanRule): Set<string> {
  const actions = layouts.flatMap((layout) => layout.actions);
  return new Set(actions.flatMap((action) => (action.kind === "insert" && action.logical ? [action.type] : [])));
}

// ---------------------------------------------------------------- what a rule looks at

/** How the truth of a match depends on more facts of a type: they help, they hinder, or either. */
type Effect = "helps" | "hinders" | "either";

class Look {
  /** All types, named or not. */
  readonly reads = new Set<string>();
  readonly #unnamed = { helps: new Set<string>(), hinders: new Set<string>(), either: new Set<string>() };

  add(type: string, effect: Effect): void {
    this.reads.add(type);
    this.#unnamed[effect].add(type);
  }

  types(effect: Effect): ReadonlySet<string> {
    return this.#unnamed[effect];
  }

  /** Returns whether facts that are not named can make a match true. */
  get rests(): boolean {
    return this.#unnamed.helps.size + this.#unnamed.either.size > 0;
  }

  /**
   * Adds what a group of elements of a rule reads. Where facts can only hinder, no care is needed: the match ends when they come. But if the
   * rule has alternatives, another one can keep the match.
   */
  absorb(group: Look, alternatives: boolean): void {
    for (const type of group.reads) this.reads.add(type);
    if (!group.rests && !alternatives) return;
    for (const effect of EFFECTS) for (const type of group.types(effect)) this.add(type, effect);
  }
}

const EFFECTS: readonly Effect[] = ["helps", "hinders", "either"];

function* looksOf(nodes: readonly PlanNode[], wanted: (rule: string) => boolean): Steps<Map<string, Look>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const looks = new Map<string, Look>();
  yield* eachSmall(nodes, (node) => {
    if (node.kind !== "terminal" || !wanted(node.rule)) return;
    const look = looks.get(node.rule) ?? new Look();
    looks.set(node.rule, look);
    for (const above of chainFrom(node.left, undefined, byId)) {
      if (above.kind === "join") look.reads.add(above.type);
      else look.absorb(groupAt(byId, above), node.ends.length > 1);
    }
  });
  return looks;
}

function groupAt(byId: ReadonlyMap<number, PlanNode>, node: PlanNode): Look {
  const group = new Look();
  lookInside(byId, node, "helps", group);
  return group;
}

function lookInside(byId: ReadonlyMap<number, PlanNode>, node: PlanNode, effect: Effect, look: Look): void {
  if (node.kind === "join") look.add(node.type, effect);
  else if (node.kind === "lookup") look.add(node.type ?? ANY_TYPE, "either");
  else if (node.kind === "aggregate") {
    const inside = effectOf(node, effect);
    for (const end of node.inner) {
      for (const inner of chainFrom(end, node.left, byId)) lookInside(byId, inner, inside, look);
    }
  }
}

function effectOf({ aggregate }: AggregatePlan, effect: Effect): Effect {
  if (aggregate === "exists") return effect;
  if (aggregate !== "not" || effect === "either") return "either";
  return effect === "helps" ? "hinders" : "helps";
}

// ---------------------------------------------------------------- what depends on what

/** Returns a number for each type of logical facts: lower for what a rule reads than for what it inserts, unless they depend on each other. */
function* strataOf(
  derived: ReadonlySet<string>,
  looks: ReadonlyMap<string, Look>,
  inserts: ReadonlyMap<string, ReadonlySet<string>>,
): Steps<Map<string, number>> {
  const graph = new Map([...derived].map((type) => [type, new Set<string>()]));
  yield* eachSmall(looks, ([rule, { reads }]) => {
    for (const type of reads.has(ANY_TYPE) ? derived : reads) {
      for (const inserted of inserts.get(rule) ?? []) graph.get(type)?.add(inserted);
    }
  });
  return circlesOf(graph);
}

function planOf(look: Look, inserted: ReadonlySet<string>, strata: ReadonlyMap<string, number>): SupportPlan {
  const strataOfInserted = new Set([...inserted].map((type) => strata.get(type)));
  const dependsOnInserted = (type: string): boolean => {
    const stratum = strata.get(type);
    return type === ANY_TYPE || (stratum !== undefined && strataOfInserted.has(stratum));
  };
  const needs = new Set([...look.types("helps"), ...look.types("either")]);
  if (![...needs].some(dependsOnInserted)) return { unnamed: undefined, strata };
  // An aggregate over facts that depend on it has no least fixpoint; there the order of derivation decides.
  const either = [...look.types("either")].filter((type) => !dependsOnInserted(type));
  return { unnamed: { needs, minds: new Set([...look.types("hinders"), ...either]) }, strata };
}
