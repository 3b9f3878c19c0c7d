/** Prepares the nodes that work on matches alone: lookups, filters, names for values, items of lists and aggregates. */
import { AggregateInput, AggregateNode, type AggregateSpec, FollowedInput } from "../rete/aggregate.ts";
import type { ComputedSpec } from "../rete/computed-node.ts";
import { FilterNode } from "../rete/filter.ts";
import { ItemsNode } from "../rete/items.ts";
import { LookupNode } from "../rete/lookup.ts";
import type { Reads } from "../rete/node.ts";
import { LetNode } from "../rete/let.ts";
import type { AggregatePlan, FilterPlan, ItemsPlan, LetPlan, LookupPlan, PlanExpr } from "../plan/plan.ts";
import { valuesOf } from "../plan/read/levels.ts";
import { innerExpressions, outerLookups } from "../plan/read/outer-reads.ts";
import { accumulatorOf } from "./accumulators.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { Attachment } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode, NodeSpec } from "./node-spec.ts";
import { valueTest } from "./running-maker.ts";
import { matchTruth, unknownReason } from "./unknown-reasons.ts";

/** Prepares the node that adds the fact that a reference leads to. */
export function makeLookup(plan: LookupPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, type } = plan;
  const reference = expressions.matchValue(plan.of, plan.level - 1);
  const reads = expressions.reads(plan.of);
  return (live) => {
    const { network } = live;
    const left = live.beta(above);
    const spec = { name, left, reference, reads, type };
    const node = new LookupNode(spec, live.facts, network.flushQueue, network.tally);
    const lookups = network.lookupsOf(type);
    lookups.add(node);
    return { node, attachments: [{ above: left, input: node }], forget: () => void lookups.delete(node) };
  };
}

/** Prepares the node that passes on the matches for which a test is true. */
export function makeFilter(plan: FilterPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name } = plan;
  const test = expressions.matchTest(plan.test, plan.level - 1);
  const reads = expressions.reads(plan.test);
  const values = valuesOf(plan.test);
  const ofValue = valueTest(plan);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new FilterNode({ name, left, test, reads, values, ofValue }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** Prepares the node that adds a value with a name. */
export function makeLet(plan: LetPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, words } = plan;
  const computed = computedOf(plan.value, plan.level - 1, expressions);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new LetNode({ name, left, words, ...computed }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** Prepares the node that extends matches by the items of a list. */
export function makeItems(plan: ItemsPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, words, passUnknown } = plan;
  const computed = computedOf(plan.list, plan.level - 1, expressions);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new ItemsNode({ name, left, words, passUnknown, ...computed }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** What a node computes of each match above. */
type Computed = Pick<ComputedSpec, "value" | "reads" | "values" | "unknown">;

function computedOf(of: PlanExpr, level: number, expressions: ExpressionCompiler): Computed {
  return {
    value: expressions.valueOf(of, level),
    reads: expressions.reads(of),
    values: valuesOf(of),
    unknown: unknownReason([of]),
  };
}

/** Prepares the node that says one thing about all matches that its inner nodes find for a match. */
export function makeAggregate(plan: AggregatePlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const ends = innerEnds(plan, context);
  const end = context.planned.get(plan.inner[0] ?? -1);
  const value = expressions.matchValue(plan.value, end === undefined || end.kind === "alpha" ? 0 : end.level);
  const spec: AggregateSpec = {
    name: plan.name,
    rank: 1 + Math.max(above?.rank ?? 0, ...ends.map(({ rank }) => rank)),
    leftLevel: plan.level - 1,
    accumulator: accumulatorOf(plan.aggregate),
    value,
    valueReads: plan.value === undefined ? new Map() : expressions.reads(plan.value),
    valueLevels: plan.value === undefined ? new Set() : valuesOf(plan.value),
    outerReads: outerReads(plan, context, expressions),
    passUnknown: plan.passUnknown,
    doubtful: plan.fits !== undefined,
    oneSuffices: plan.aggregate === "exists-value",
    asked: plan.asked,
  };
  const fits = ends.map((_, index) => {
    const fit = plan.fits?.[index];
    return fit === undefined ? undefined : matchTruth(fit, expressions);
  });
  const followed = followedLookups(plan, context, expressions);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const inner = ends.map((one) => live.beta(one));
    const node = new AggregateNode(spec, flushQueue, tally);
    node.overflowed = inner.some((one) => one.overflowed);
    const inputs = inner.map((one, at): Attachment => ({ above: one, input: new AggregateInput(node, fits[at]) }));
    const listening = followed.map(({ lookup, reads }): Attachment => {
      return { above: live.beta(lookup), input: new FollowedInput(node, spec.leftLevel, reads) };
    });
    return { node, attachments: [...inputs, ...listening, { above: left, input: node }] };
  };
}

/** Returns the nodes at which the inner chains end. A function of its own: what makes the aggregate must not keep the context. */
function innerEnds({ inner }: AggregatePlan, context: MakingContext): NodeSpec[] {
  return inner.map((id) => context.spec(id));
}

/** Returns the slots of the outer match that the inner nodes read. */
function outerReads(plan: AggregatePlan, context: MakingContext, expressions: ExpressionCompiler): Reads {
  const reads = expressions.reads(...innerExpressions(plan, context.planned));
  return new Map([...reads].filter(([level]) => level < plan.level));
}

/** Returns the lookups of references of the outer match that the inner nodes follow, with what they read there. */
function followedLookups(
  plan: AggregatePlan,
  context: MakingContext,
  expressions: ExpressionCompiler,
): { readonly lookup: NodeSpec; readonly reads: Reads }[] {
  return outerLookups(plan, context.planned).map(({ lookup, exprs }) => ({
    lookup: context.spec(lookup.id),
    reads: expressions.reads(...exprs),
  }));
}
