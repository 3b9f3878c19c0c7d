/** Prepares the nodes that work on matches alone: lookups, filters, names for values, items of lists and aggregates. */
import { isDay } from "../base/civil.ts";
import { timeText } from "../base/time.ts";
import type { Maybe } from "../base/value.ts";
import { zoneNamed } from "../base/zone.ts";
import { AggregateInput, AggregateNode, type AggregateSpec, FollowedInput } from "../rete/aggregate.ts";
import { FilterNode } from "../rete/filter.ts";
import { ItemsNode } from "../rete/items.ts";
import { LookupNode } from "../rete/lookup.ts";
import type { Match } from "../rete/match.ts";
import type { Reads } from "../rete/node.ts";
import { LetNode } from "../rete/let.ts";
import { type SpanEnd, TimerNode } from "../rete/timer.ts";
import type {
  AggregatePlan,
  FilterPlan,
  ItemsPlan,
  LetPlan,
  LookupPlan,
  SpanEndPlan,
  TimerPlan,
} from "../plan/plan.ts";
import { callsIn, valuesOf } from "../plan/read/levels.ts";
import { innerExpressions, outerLookups } from "../plan/read/outer-reads.ts";
import { accumulatorOf } from "./accumulators.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { Attachment } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode, NodeSpec } from "./node-spec.ts";
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
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new FilterNode({ name, left, test, reads, values }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** Prepares the node that adds a value with a name. */
export function makeLet(plan: LetPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, words } = plan;
  const value = expressions.valueOf(plan.value, plan.level - 1);
  const reads = expressions.reads(plan.value);
  const values = valuesOf(plan.value);
  const unknown = unknownReason([plan.value]);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new LetNode({ name, left, value, reads, values, unknown, words }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** Prepares the node that extends matches by the items of a list. */
export function makeItems(plan: ItemsPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, words, passUnknown } = plan;
  const value = expressions.valueOf(plan.list, plan.level - 1);
  const reads = expressions.reads(plan.list);
  const values = valuesOf(plan.list);
  const unknown = unknownReason([plan.list]);
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new ItemsNode({ name, left, value, reads, values, unknown, words, passUnknown }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}

/** Prepares the node that adds whether the clock is inside a span of time. */
export function makeTimer(plan: TimerPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, inside, outside } = plan;
  const exprs = (plan.until === undefined ? [plan.from] : [plan.from, plan.until]).map(({ at }) => at);
  const [begins = NEVER, ends = NEVER] = exprs.map((expr) => expressions.matchValue(expr, plan.level - 1));
  const from = spanEnd(plan.from, begins);
  const until = plan.until === undefined ? undefined : spanEnd(plan.until, ends);
  const threw = exprs.some(callsIn) ? (match: Match) => expressions.failureIn([begins, ends], match) : () => undefined;
  const reads = expressions.reads(...exprs);
  const values = new Set(exprs.flatMap((expr) => [...valuesOf(expr)]));
  const unknown = unknownReason(exprs);
  const waits = outside === null ? waitWords(plan, expressions) : undefined;
  return (live) => {
    const { flushQueue, tally, clock } = live.network;
    const left = live.beta(above);
    const truths = { inside: inside ?? undefined, outside: outside ?? undefined };
    const spec = { name, left, from, until, ...truths, reads, values, unknown, threw, waits };
    const node = new TimerNode(spec, clock, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }], forget: () => node.cancelAll() };
  };
}

/** The end of a span that has none. */
const NEVER = (): undefined => undefined;

/** Returns what says until when the value of a timer is unknown. */
function waitWords({ from, inside, level }: TimerPlan, expressions: ExpressionCompiler): (match: Match) => string {
  const value = expressions.matchValue(from.at, level - 1);
  const kind = from.zone === undefined ? "instant" : "date";
  return (match) => {
    const end = value(match);
    const shown = typeof end === "number" ? firstOf(end, from.after) - (from.after ? 1 : 0) : undefined;
    const text = shown === undefined ? "an unknown time" : timeText(kind, shown);
    return inside === true ? `waits until ${text}` : `the window closes after ${text}`;
  };
}

/** Returns an end of a span as an instant: the first instant that belongs to what follows it. */
function spanEnd({ zone, after }: SpanEndPlan, value: (match: Match) => Maybe): SpanEnd {
  return (match) => {
    const end = value(match);
    if (typeof end !== "number") return undefined;
    const first = firstOf(end, after);
    return zone === undefined ? first : startOfDay(first, zone);
  };
}

/** Returns the first integer that is not before an end, or with `after` the first after it. */
function firstOf(end: number, after: boolean): number {
  return after ? Math.floor(end) + 1 : Math.ceil(end);
}

/** Returns the first instant of a day; infinite beyond all dates. */
function startOfDay(day: number, zone: string): number {
  const start = isDay(day) ? zoneNamed(zone)?.startOf(day) : undefined;
  return start ?? (day > 0 ? Infinity : -Infinity);
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
