/** Prepares the nodes that pair matches with facts: joins, and `not` or `exists` over one pattern. */
import { AbsenceNode } from "../rete/absence.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import { dropEntryOf, type IndexSpec } from "../rete/alpha-memory.ts";
import { ControlJoin } from "../rete/deferred-pairs.ts";
import { JoinNode, type PairSpec } from "../rete/join.ts";
import type { Bound, Range } from "../rete/range.ts";
import type { AggregatePlan, BoundPlan, JoinPlan, PlanExpr, RangePlan } from "../plan/plan.ts";
import { canonicalText } from "../plan/read/canonical.ts";
import { mapLevels } from "../plan/read/levels.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { LiveNetwork, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode, NodeSpec } from "./node-spec.ts";

/** What a pairing node is in all sessions. */
interface PairPlan {
  readonly name: string;
  readonly above: NodeSpec | undefined;
  readonly alpha: AlphaNode;
  readonly type: string;
  readonly index: IndexSpec;
  readonly atRoot: boolean;
  readonly key: PairSpec["key"];
  readonly range: PairSpec["range"];
  readonly test: PairSpec["test"];
  readonly leftReads: PairSpec["leftReads"];
  readonly rightReads: PairSpec["rightReads"];
}

/** Prepares a join. One with a control fact that fires first and pairs later is a `ControlJoin`. */
export function makeJoin(plan: JoinPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const pairs = pairPlan(plan, plan.name, plan.left === undefined, context, expressions);
  const isControl = context.shortcuts.isControl(plan.id);
  const { level } = plan;
  return (live) => {
    const { tally, deferred } = live.network;
    const spec = pairSpec(pairs, live);
    return pairNode(isControl ? new ControlJoin(spec, level, tally, deferred) : new JoinNode(spec, tally));
  };
}

/** Returns whether a join pairs every match with every fact of a type: such a one can become too large at once. */
export function pairsAll(plan: JoinPlan, context: MakingContext): boolean {
  const { id, right, keys, tests } = plan;
  return right === undefined && keys.length === 0 && tests.length === 0 && !context.shortcuts.isControl(id);
}

/** Prepares the node of a `not` or `exists` over one pattern, whose facts `inner` finds. */
export function makeAbsence(
  plan: AggregatePlan,
  inner: JoinPlan,
  context: MakingContext,
  expressions: ExpressionCompiler,
): MakeNode {
  const pairs = pairPlan(inner, plan.name, false, context, expressions);
  const negated = plan.aggregate === "not";
  return (live) => {
    const { flushQueue, tally } = live.network;
    return pairNode(new AbsenceNode(pairSpec(pairs, live), negated, flushQueue, tally));
  };
}

/** Returns how the matches above a join are paired with the facts of its memory. */
function pairPlan(
  plan: JoinPlan,
  name: string,
  atRoot: boolean,
  context: MakingContext,
  expressions: ExpressionCompiler,
): PairPlan {
  const { indexing } = context;
  const keys = indexing ? plan.keys : [];
  const asTests: PlanExpr[] = indexing
    ? []
    : plan.keys.map(({ field, equals }) => ({ op: "compare", by: "==", left: field, right: equals }));
  const tests = [...asTests, ...plan.tests];
  const levelAbove = plan.level - 1;
  const range = rangeOf(plan, context);
  const fields = keys.map(({ field }) => field);
  const ordered = range === undefined ? [] : [range.field];
  const equals = keys.map((one) => one.equals);
  const memory = context.isQuestion ? undefined : context.remember(plan);
  const alpha = context.alphaOf(plan);
  expressions.noteAlpha(alpha);
  const reads = expressions.reads(...fields, ...equals, ...tests);
  const index = {
    text: indexText(plan, context),
    parts: expressions.factKey(fields, plan.level),
    order: expressions.factKey(ordered, plan.level)[0],
    reads: expressions.reads(...fields, ...ordered).get(plan.level) ?? new Set<number>(),
  };
  if (memory !== undefined) {
    memory.users += 1;
    if (!atRoot) memory.addIndex(index);
  }
  return {
    name,
    above: context.left(plan),
    alpha,
    type: plan.type,
    index,
    atRoot,
    key: expressions.matchKey(equals, levelAbove),
    range: range === undefined ? undefined : rangeSpec(range, levelAbove, expressions),
    test: expressions.pairTest(tests, [...fields, ...equals], levelAbove, plan.level),
    leftReads: reads,
    rightReads: reads.get(plan.level) ?? new Set(),
  };
}

/** Returns the bounds by which a join finds its facts; undefined where it tries all facts with its key. */
function rangeOf({ range }: JoinPlan, { indexing, shortcuts }: MakingContext): RangePlan | undefined {
  return indexing && shortcuts.ordered ? range : undefined;
}

function rangeSpec({ from, to }: RangePlan, level: number, expressions: ExpressionCompiler): Range {
  const bound = (plan: BoundPlan | undefined): Bound | undefined =>
    plan === undefined ? undefined : { value: expressions.evaluated(plan.value, level), excluded: plan.excluded };
  return { from: bound(from), to: bound(to) };
}

/** Returns what tells the index of a join from others: the fields of its key and the field of its order, at whatever level the fact is. */
export function indexText(plan: JoinPlan, context: MakingContext): string {
  const text = (field: PlanExpr): string => canonicalText(mapLevels(field, () => 0));
  const key = context.indexing ? plan.keys.map(({ field }) => text(field)).join(", ") : "";
  const range = rangeOf(plan, context);
  return range === undefined ? key : `${key} in the order of ${text(range.field)}`;
}

function pairSpec(pairs: PairPlan, live: LiveNetwork): PairSpec {
  const { name, above, alpha, type, index, atRoot, key, range, test, leftReads, rightReads } = pairs;
  const left = live.beta(above);
  const memory = live.memory(alpha, type);
  return {
    name,
    left,
    memory,
    index: atRoot ? undefined : memory.useIndex(index),
    table: memory.useTable(index, left.rank + 1),
    key,
    range,
    test,
    leftReads,
    rightReads,
  };
}

function pairNode(node: JoinNode | AbsenceNode): MadeNode {
  const { left, memory } = node.spec;
  memory.inputs.add(node);
  if (node instanceof ControlJoin) memory.meet(node);
  return { node, attachments: [{ above: left, input: node }], forget: () => forgetPairs(node) };
}

function forgetPairs(node: JoinNode | AbsenceNode): void {
  const { left, memory, table } = node.spec;
  if (node instanceof ControlJoin) {
    node.forgetDeferred();
    memory.meetNoMore(node);
  }
  left.matches.each((match) => dropEntryOf(match, node));
  memory.inputs.delete(node);
  memory.dropTable(table);
}
