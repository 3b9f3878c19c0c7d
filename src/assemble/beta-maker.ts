/** Makes the nodes that work on matches alone: lookups, filters and aggregates. */
import { AggregateInput, AggregateNode, FollowedInput } from "../rete/aggregate.ts";
import { FilterNode } from "../rete/filter.ts";
import { LookupNode } from "../rete/lookup.ts";
import type { BetaNode, Reads } from "../rete/node.ts";
import type { AggregatePlan, FilterPlan, LookupPlan } from "../plan/plan.ts";
import { valuesOf } from "../plan/read/levels.ts";
import { innerExpressions, outerLookups } from "../plan/read/outer-reads.ts";
import { accumulatorOf } from "./accumulators.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { Attachment, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import { matchTruth } from "./unknown-reasons.ts";

/** Makes the node that adds the fact that a reference leads to. */
export function makeLookup(plan: LookupPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
  const { network } = context;
  const left = context.left(plan);
  const reference = expressions.matchValue(plan.of, plan.level - 1);
  const node = new LookupNode(
    { name: plan.name, left, reference, reads: expressions.reads(plan.of), type: plan.type },
    expressions.facts,
    network.flushQueue,
    network.tally,
  );
  const lookups = plan.type === undefined ? network.lookups : network.type(plan.type).lookups;
  lookups.add(node);
  return { node, attachments: [{ above: left, input: node }], forget: () => void lookups.delete(node) };
}

/** Makes the node that passes on the matches for which a test is true. */
export function makeFilter(plan: FilterPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
  const { flushQueue, tally } = context.network;
  const left = context.left(plan);
  const test = expressions.matchTest(plan.test, plan.level - 1);
  const reads = expressions.reads(plan.test);
  const node = new FilterNode({ name: plan.name, left, test, reads, values: valuesOf(plan.test) }, flushQueue, tally);
  return { node, attachments: [{ above: left, input: node }] };
}

/** Makes the node that says one thing about all matches that its inner nodes find for a match. */
export function makeAggregate(plan: AggregatePlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
  const { flushQueue, tally } = context.network;
  const left = context.left(plan);
  const inner = plan.inner.map((id) => context.alive(id) as BetaNode);
  const [end] = plan.inner.map((id) => context.planned.get(id));
  const value = expressions.matchValue(plan.value, end === undefined || end.kind === "alpha" ? 0 : end.level);
  const node = new AggregateNode(
    {
      name: plan.name,
      rank: 1 + Math.max(left.rank, ...inner.map((one) => one.rank)),
      leftLevel: plan.level - 1,
      accumulator: accumulatorOf(plan.aggregate),
      value,
      valueReads: plan.value === undefined ? new Map() : expressions.reads(plan.value),
      valueLevels: plan.value === undefined ? new Set() : valuesOf(plan.value),
      outerReads: outerReads(plan, context, expressions),
      passUnknown: plan.passUnknown,
      doubtful: plan.fits !== undefined,
      oneSuffices: plan.aggregate === "exists-value",
    },
    flushQueue,
    tally,
  );
  node.overflowed = inner.some((one) => one.overflowed);
  const inputs = inner.map((above, index): Attachment => {
    const fits = plan.fits?.[index];
    return { above, input: new AggregateInput(node, fits === undefined ? undefined : matchTruth(fits, expressions)) };
  });
  const followed = followedInputs(plan, node, context, expressions);
  return { node, attachments: [...inputs, ...followed, { above: left, input: node }] };
}

/** Returns the slots of the outer match that the inner nodes read. */
function outerReads(plan: AggregatePlan, context: MakingContext, expressions: ExpressionCompiler): Reads {
  const reads = expressions.reads(...innerExpressions(plan, context.planned));
  return new Map([...reads].filter(([level]) => level < plan.level));
}

/** Returns what listens to the references of the outer match that the inner nodes follow. */
function followedInputs(
  plan: AggregatePlan,
  node: AggregateNode,
  context: MakingContext,
  expressions: ExpressionCompiler,
): Attachment[] {
  return outerLookups(plan, context.planned).map(({ lookup, exprs }) => ({
    above: context.left({ left: lookup.id }),
    input: new FollowedInput(node, plan.level - 1, expressions.reads(...exprs)),
  }));
}
