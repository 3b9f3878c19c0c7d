/**
 * What the inner chains of an aggregate read of the match that they begin at. An update of such a field makes the match another
 * one, as an update of a field does that the rule reads outside of `not`, `exists`, `forall` and aggregates.
 */
import { levelsOf } from "./levels.ts";
import type { AggregatePlan, LookupPlan, PlanExpr, PlanNode } from "../plan.ts";
import { nodeExpressions } from "./expressions.ts";
import { chainFrom } from "./inputs.ts";

type Nodes = Pick<ReadonlyMap<number, PlanNode>, "get">;

/** Returns the expressions of all inner chains, those of aggregates inside them included. */
export function innerExpressions(aggregate: AggregatePlan, nodes: Nodes): PlanExpr[] {
  const chains = aggregate.inner.flatMap((end) => chainOf(end, aggregate.left, nodes));
  return [...nodeExpressions(aggregate), ...chains.flatMap((node) => expressionsOf(node, nodes))];
}

/** Returns a chain from where it begins to its end. */
function chainOf(end: number, start: number | undefined, nodes: Nodes): PlanNode[] {
  return [...chainFrom(end, start, nodes)].toReversed();
}

/** A reference that an inner chain follows. */
export interface Followed {
  readonly lookup: LookupPlan;
  /** The expressions that may read the fact that it leads to. */
  readonly exprs: readonly PlanExpr[];
}

/** Returns the lookups in the inner chains that follow a reference of the match, or of what such a reference leads to. */
export function outerLookups(aggregate: AggregatePlan, nodes: Nodes): Followed[] {
  return lookupsIn(aggregate, nodes, (level) => level < aggregate.level);
}

function lookupsIn(aggregate: AggregatePlan, nodes: Nodes, isOuterLevel: (level: number) => boolean): Followed[] {
  const found: Followed[] = [];
  for (const end of aggregate.inner) {
    const chain = chainOf(end, aggregate.left, nodes);
    const levels = new Set<number>();
    const isOuter = (level: number): boolean => isOuterLevel(level) || levels.has(level);
    for (const [at, node] of chain.entries()) {
      if (node.kind === "aggregate") found.push(...lookupsIn(node, nodes, isOuter));
      if (node.kind !== "lookup" || !levelsOf(node.of).every(isOuter)) continue;
      levels.add(node.level);
      const exprs = chain.slice(at + 1).flatMap((one) => expressionsOf(one, nodes));
      found.push({ lookup: node, exprs: [...exprs, ...nodeExpressions(aggregate)] });
    }
  }
  return found;
}

function expressionsOf(node: PlanNode, nodes: Nodes): readonly PlanExpr[] {
  return node.kind === "aggregate" ? innerExpressions(node, nodes) : nodeExpressions(node);
}
