/** Prepares the nodes of aggregates over one pattern that keep one value for each key, and finds the tests that stand below them. */
import type { AlphaNode } from "../rete/alpha.ts";
import { dropEntryOf, type IndexSpec } from "../rete/alpha-memory.ts";
import type { ValueTest } from "../rete/filter.ts";
import { RunningNode } from "../rete/running.ts";
import { dropRunning, type RunningSpec, useRunning } from "../rete/running-group.ts";
import type { AggregatePlan, FilterPlan, JoinPlan, PlanExpr } from "../plan/plan.ts";
import { canonicalText } from "../plan/read/canonical.ts";
import { levelsOf, mapLevels, readsOf, uses } from "../plan/read/levels.ts";
import { toldAccumulatorOf } from "./accumulators.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { LiveNetwork, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode, NodeSpec } from "./node-spec.ts";
import { indexText } from "./pair-maker.ts";

/** What the node is in all sessions. */
interface RunningPlan extends Pick<RunningNode["spec"], "name" | "key" | "leftReads"> {
  readonly above: NodeSpec | undefined;
  readonly alpha: AlphaNode;
  readonly allOfType: AlphaNode;
  readonly type: string;
  readonly groups: RunningSpec;
}

/** Prepares the node of an aggregate over one pattern, whose facts `inner` finds by a key. */
export function makeRunning(
  plan: AggregatePlan,
  inner: JoinPlan,
  context: MakingContext,
  expressions: ExpressionCompiler,
): MakeNode {
  const { level, keys, type } = inner;
  const groups = groupsOf(plan, inner, context, expressions);
  if (!context.isQuestion) remember(inner, groups.ofType, context);
  const equals = keys.map((one) => one.equals);
  const running: RunningPlan = {
    name: plan.name,
    above: context.left(plan),
    alpha: context.alphaOf(inner),
    allOfType: context.type(type),
    type,
    groups,
    key: expressions.matchKey(equals, level - 1),
    leftReads: expressions.reads(...equals),
  };
  return (live) => runningNode(running, live);
}

/** Returns the join with all facts of the type, in place of one with those that pass a test: its memory has the index of the type. */
export function onType(join: JoinPlan): JoinPlan {
  return { ...join, right: undefined };
}

/** Has sessions remember the facts of the pattern, and those of its type by the key. */
function remember(inner: JoinPlan, index: IndexSpec, context: MakingContext): void {
  const ofType = context.remember(onType(inner));
  ofType.users += 1;
  ofType.addIndex(index);
  if (inner.right !== undefined) context.remember(inner).users += 1;
}

function runningNode(plan: RunningPlan, live: LiveNetwork): MadeNode {
  const { name, above, alpha, allOfType, type, groups, key, leftReads } = plan;
  const { flushQueue, tally } = live.network;
  const left = live.beta(above);
  const ofType = live.memory(allOfType, type);
  const index = useRunning({ memory: live.memory(alpha, type), ofType, alpha, flushQueue }, groups);
  const node = new RunningNode({ name, left, index, key, leftReads }, flushQueue, tally);
  index.memory.inputs.add(node);
  return { node, attachments: [{ above: left, input: node }], forget: () => forgetRunning(node) };
}

function forgetRunning(node: RunningNode): void {
  const { left, index } = node.spec;
  left.matches.each((match) => dropEntryOf(match, node));
  index.memory.inputs.delete(node);
  dropRunning(index);
}

function groupsOf(
  plan: AggregatePlan,
  inner: JoinPlan,
  context: MakingContext,
  expressions: ExpressionCompiler,
): RunningSpec {
  const { keys, level } = inner;
  const key = indexText(onType(inner), context);
  const { aggregate, value } = plan;
  const fields = keys.map(({ field }) => field);
  const read = value === undefined ? fields : [...fields, value];
  const [valueOf = nothing] = value === undefined ? [] : expressions.factKey([value], level);
  return {
    text: `${aggregate}(${valueText(plan, level)}) by ${key}`,
    reads: readsAt(read, level, expressions),
    ofType: {
      text: key,
      parts: expressions.factKey(fields, level),
      order: undefined,
      reads: readsAt(fields, level, expressions),
    },
    value: valueOf,
    accumulator: toldAccumulatorOf(aggregate),
  };
}

/** Returns the slots that expressions read of the fact at a level. */
function readsAt(exprs: readonly PlanExpr[], level: number, expressions: ExpressionCompiler): ReadonlySet<number> {
  return expressions.reads(...exprs).get(level) ?? new Set();
}

/** Counting looks at no value. */
function nothing(): undefined {
  return undefined;
}

/** Returns the value as text, for a fact at any level. What fails while it is computed is reported for the rules of its own node. */
function valueText({ value, name }: AggregatePlan, level: number): string {
  if (value === undefined) return "";
  const text = canonicalText(mapLevels(value, (one) => (one === level ? 0 : one)));
  return uses(value, "chain") ? `${text} for ${name}` : text;
}

// ---------------------------------------------------------------- tests of a value

/** Returns what is known of a test that reads nothing but the value of the match above it; undefined for other tests. */
export function valueTest({ test, level }: FilterPlan): ValueTest | undefined {
  const isOfValue = levelsOf(test).every((one) => one === level - 1) && readsOf(test).length === 0 && isPlain(test);
  return isOfValue ? { least: leastOf(test) } : undefined;
}

/** Returns whether a test compares values, and does nothing else. */
function isPlain(test: PlanExpr): boolean {
  switch (test.op) {
    case "value":
    case "const":
      return true;
    case "compare":
      return isPlain(test.left) && isPlain(test.right);
    case "not":
      return isPlain(test.of);
    case "and":
    case "or":
      return test.items.every(isPlain);
    default:
      return false;
  }
}

/** Returns a number below which a test of a value is not true. */
function leastOf(test: PlanExpr): number {
  if (test.op === "and") return Math.max(...test.items.map(leastOf));
  if (test.op === "or") return Math.min(...test.items.map(leastOf));
  if (test.op !== "compare") return -Infinity;
  const { by, left, right } = test;
  const bound = left.op === "value" ? right : left;
  const isAbove = left.op === "value" ? by === ">" || by === ">=" : by === "<" || by === "<=";
  const isBound = (left.op === "value") !== (right.op === "value") && (isAbove || by === "==");
  return isBound && bound.op === "const" && typeof bound.value === "number" ? bound.value : -Infinity;
}
