/** Makes the nodes that pair matches with facts: joins, and `not` or `exists` over one pattern. */
import { AbsenceNode } from "../rete/absence.ts";
import type { AlphaNode } from "../rete/alpha.ts";
import { dropEntryOf } from "../rete/alpha-memory.ts";
import { ControlJoin } from "../rete/deferred-pairs.ts";
import { JoinNode, type PairSpec } from "../rete/join.ts";
import type { AggregatePlan, JoinPlan, PlanExpr } from "../plan/plan.ts";
import { canonicalText } from "../plan/read/canonical.ts";
import { mapLevels } from "../plan/read/levels.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";

/** Makes a join. One with a control fact that fires first and pairs later is a `ControlJoin`. */
export function makeJoin(plan: JoinPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
  const spec = pairSpec(plan, plan.name, plan.left === undefined, context, expressions);
  const { tally, deferred } = context.network;
  const node = context.shortcuts.controls.has(plan.id)
    ? new ControlJoin(spec, plan.level, tally, deferred)
    : new JoinNode(spec, tally);
  return pairNode(node, context.alphaOf(plan));
}

/** Makes the node of a `not` or `exists` over one pattern, whose facts `inner` finds. */
export function makeAbsence(
  plan: AggregatePlan,
  inner: JoinPlan,
  context: MakingContext,
  expressions: ExpressionCompiler,
): MadeNode {
  const spec = pairSpec(inner, plan.name, false, context, expressions);
  const { flushQueue, tally } = context.network;
  return pairNode(new AbsenceNode(spec, plan.aggregate === "not", flushQueue, tally), context.alphaOf(inner));
}

/** Returns how the matches above a join are paired with the facts of its memory. */
function pairSpec(
  plan: JoinPlan,
  name: string,
  atRoot: boolean,
  context: MakingContext,
  expressions: ExpressionCompiler,
): PairSpec {
  const { indexing, network } = context;
  const left = context.left(plan);
  const keys = indexing ? plan.keys : [];
  const asTests: PlanExpr[] = indexing
    ? []
    : plan.keys.map(({ field, equals }) => ({ op: "compare", by: "==", left: field, right: equals }));
  const tests = [...asTests, ...plan.tests];
  const above = plan.level - 1;
  const fields = keys.map(({ field }) => field);
  const equals = keys.map((one) => one.equals);
  const input = context.alphaOf(plan);
  expressions.noteAlpha(input);
  const memory = input.remember(() => network.factsPassing(input, plan.type));
  const text = fields.map((field) => canonicalText(mapLevels(field, () => 0))).join(", ");
  const factKey = expressions.factKey(fields, plan.level);
  const fieldReads = expressions.reads(...fields).get(plan.level) ?? new Set<number>();
  const reads = expressions.reads(...fields, ...equals, ...tests);
  return {
    name,
    left,
    memory,
    index: atRoot ? undefined : memory.useIndex(text, factKey, fieldReads),
    table: memory.useTable(text, left.rank + 1, factKey),
    key: expressions.matchKey(equals, above),
    test: expressions.pairTest(tests, [...fields, ...equals], above, plan.level),
    leftReads: reads,
    rightReads: reads.get(plan.level) ?? new Set(),
  };
}

function pairNode(node: JoinNode | AbsenceNode, alpha: AlphaNode): MadeNode {
  const { left, memory } = node.spec;
  memory.inputs.add(node);
  if (node instanceof ControlJoin) memory.meet(node);
  return { node, attachments: [{ above: left, input: node }], forget: () => forgetPairs(node, alpha) };
}

function forgetPairs(node: JoinNode | AbsenceNode, alpha: AlphaNode): void {
  const { left, memory, index, table } = node.spec;
  if (node instanceof ControlJoin) {
    node.forgetDeferred();
    memory.meetNoMore(node);
  }
  left.matches.each((match) => dropEntryOf(match, node));
  memory.inputs.delete(node);
  memory.dropTable(table);
  if (index !== undefined) memory.dropIndex(index);
  alpha.forgetUnused();
}
