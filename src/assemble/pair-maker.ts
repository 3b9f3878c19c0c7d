/** Prepares the nodes that pair matches with facts: joins, and `not` or `exists` over one pattern. */
import { AbsenceNode } from "../rete/absence.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import { dropEntryOf, type IndexSpec } from "../rete/alpha-memory.ts";
import { ControlJoin } from "../rete/deferred-pairs.ts";
import { JoinNode, type PairSpec } from "../rete/join.ts";
import type { AggregatePlan, JoinPlan, PlanExpr } from "../plan/plan.ts";
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
  const fields = keys.map(({ field }) => field);
  const equals = keys.map((one) => one.equals);
  const memory = context.isQuestion ? undefined : context.remember(plan);
  const alpha = context.alphaOf(plan);
  expressions.noteAlpha(alpha);
  const reads = expressions.reads(...fields, ...equals, ...tests);
  const index = {
    text: indexText(fields),
    parts: expressions.factKey(fields, plan.level),
    reads: expressions.reads(...fields).get(plan.level) ?? new Set<number>(),
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
    test: expressions.pairTest(tests, [...fields, ...equals], levelAbove, plan.level),
    leftReads: reads,
    rightReads: reads.get(plan.level) ?? new Set(),
  };
}

/** Returns the key of an index as text: fields of a fact, at whatever level it is. */
export function indexText(fields: readonly PlanExpr[]): string {
  return fields.map((field) => canonicalText(mapLevels(field, () => 0))).join(", ");
}

function pairSpec(pairs: PairPlan, live: LiveNetwork): PairSpec {
  const { name, above, alpha, type, index, atRoot, key, test, leftReads, rightReads } = pairs;
  const left = live.beta(above);
  const memory = live.memory(alpha, type);
  return {
    name,
    left,
    memory,
    index: atRoot ? undefined : memory.useIndex(index),
    table: memory.useTable(index.text, left.rank + 1, index.parts),
    key,
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
