/**
 * Prepares the nodes that judge: conditions, gates, flows, guardians with their watches, and pipelines. What they test and say is
 * compiled once for a program; a session makes a judge when the first subject comes.
 */
import { unreachable } from "../base/invariant.ts";
import type { Maybe } from "../base/value.ts";
import { Circuit } from "../gates/circuit.ts";
import { type CallKey, ConditionInput, ConditionNode, type ConditionSpec } from "../gates/condition.ts";
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import { WatchInput, WatchNode } from "../guardian/watch.ts";
import type { Gaps, MatchTruth } from "../rete/doubtful.ts";
import type { Match } from "../rete/match.ts";
import type {
  ConditionCall,
  ConditionPlan,
  FlowPlan,
  GapPlan,
  GatePlan,
  GuardianPlan,
  PipelinePlan,
  WatchPlan,
} from "../plan/plan.ts";
import { chainFrom } from "../plan/read/inputs.ts";
import { valuesOf } from "../plan/read/levels.ts";
import { conditionSpec } from "./condition-spec.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { flowStages } from "./gate-queries.ts";
import { guardianSpec } from "./guardian-spec.ts";
import type { Attachment, Judge, LiveNetwork, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode, NodeSpec } from "./node-spec.ts";
import { pipelineSpec } from "./pipeline-spec.ts";
import { matchTruth } from "./unknown-reasons.ts";

/** A node of a plan that judges. */
export type JudgePlan = ConditionPlan | GatePlan | FlowPlan | WatchPlan | GuardianPlan | PipelinePlan;

/** Prepares a judge. */
export function makeJudge(plan: JudgePlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  switch (plan.kind) {
    case "condition":
      return makeCondition(plan, context, expressions);
    case "gate":
      return makeGate(plan, context, expressions);
    case "flow":
      return makeFlow(plan, context, expressions);
    case "watch":
      return makeWatch(plan, context, expressions);
    case "guardian":
      return makeGuardian(plan, context, expressions);
    case "pipeline":
      return makePipeline(plan, context, expressions);
    default:
      return unreachable(plan);
  }
}

function makeCondition(plan: ConditionPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const end = context.left({ left: plan.inner });
  const asked = plan.asked === undefined ? undefined : context.spec(plan.asked.condition);
  const rank = 1 + Math.max(above?.rank ?? 0, end?.rank ?? 0, asked?.rank ?? 0);
  const shared = conditionSpec(plan, rank, expressions);
  const call = callKey(plan.asked?.call, plan.innerLevel, expressions);
  const gaps = gapSpecs(plan.gaps, context, expressions);
  const evidence = evidenceNodes(plan, context);
  return (live) => {
    const left = live.beta(above);
    const last = live.beta(end);
    const spec = asked === undefined ? shared : { ...shared, asked: askedCondition(plan, asked, call, live) };
    const node = new ConditionNode(spec, live.network.flushQueue);
    live.blindness.watch(
      node,
      plan.id,
      evidence.map((one) => live.beta(one)),
    );
    return made(node, live, [
      { above: last, input: new ConditionInput(node) },
      ...gapInputs(gaps, node, live),
      { above: left, input: node },
    ]);
  };
}

/** Returns the condition that is asked about each piece of evidence. */
function askedCondition(
  { asked }: ConditionPlan,
  spec: NodeSpec,
  call: CallKey,
  live: LiveNetwork,
): ConditionSpec["asked"] {
  return asked === undefined ? undefined : { ...asked, condition: live.node(spec) as ConditionNode, call };
}

/** Returns what tells calls apart. The arguments are compiled when somebody first asks what is missing. */
function callKey(call: ConditionCall | undefined, level: number, expressions: ExpressionCompiler): CallKey {
  if (call === undefined) return () => undefined;
  let args: readonly ((match: Match) => Maybe)[] | undefined;
  return (match) => {
    args ??= call.args.map((arg) => expressions.quietValue(arg, level));
    const values = args.map((arg) => arg(match));
    return values.includes(undefined) ? undefined : JSON.stringify([call.name, ...values]);
  };
}

function makeGate(plan: GatePlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { gate: name, logic, requirement, subjectType, subjectLevel } = plan;
  const circuit = new Circuit(requirement, logic);
  const leaves = plan.leaves.map(({ condition, definition, call }) => {
    return { spec: context.spec(condition), definition, call: callKey(call, plan.level, expressions) };
  });
  return (live) => {
    const conditions = leaves.map(({ spec, definition, call }) => {
      return { condition: live.node(spec) as ConditionNode, definition, call };
    });
    const spec = { name, logic, requirement, leaves: conditions, subjectType, subjectLevel };
    const node = new GateNode(spec, circuit, live.network.moment);
    return made(node, live, [{ above: live.beta(above), input: node }]);
  };
}

function makeFlow(plan: FlowPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const spec = { name: plan.flow, subjectLevel: plan.subjectLevel, stages: flowStages(plan, expressions) };
  return (live) => {
    const node = new FlowNode(spec);
    return made(node, live, [{ above: live.beta(above), input: node }]);
  };
}

function makeWatch(plan: WatchPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const end = context.left({ left: plan.inner });
  const reads = expressions.reads(...plan.exprs);
  const values = new Set(plan.exprs.flatMap((expr) => [...valuesOf(expr)]));
  const spec = { subjectLevel: plan.level, reads, values };
  const gaps = gapSpecs(plan.gaps, context, expressions);
  const evidence = evidenceNodes(plan, context);
  return (live) => {
    const left = live.beta(above);
    const node = new WatchNode(spec);
    live.blindness.watch(
      node,
      plan.id,
      evidence.map((one) => live.beta(one)),
    );
    return made(node, live, [
      { above: left, input: node },
      { above: live.beta(end), input: new WatchInput(node) },
      ...gapInputs(gaps, node, live),
    ]);
  };
}

function makeGuardian(plan: GuardianPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const specFor = guardianSpec(plan, expressions);
  return (live) => {
    const node = new GuardianNode(specFor((id) => live.node(context.spec(id)) as WatchNode, live.deadline));
    return made(node, live, [{ above: live.beta(above), input: node }]);
  };
}

function makePipeline(plan: PipelinePlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const specFor = pipelineSpec(plan, expressions);
  return (live) => {
    const node = new PipelineNode(specFor((id) => live.node(context.spec(id)) as WatchNode));
    return made(node, live, [{ above: live.beta(above), input: node }]);
  };
}

function made(node: Judge, live: LiveNetwork, attachments: readonly Attachment[]): MadeNode {
  live.network.judges.add(node);
  const forget = (): void => forgetJudge(node, live);
  const listens = node instanceof GateNode || node instanceof GuardianNode || node instanceof ConditionNode;
  return listens ? { node, attachments, listen: () => node.listen(), forget } : { node, attachments, forget };
}

function forgetJudge(node: Judge, { network, blindness }: LiveNetwork): void {
  if (node instanceof GateNode || node instanceof GuardianNode || node instanceof ConditionNode) node.leave();
  if (node instanceof ConditionNode || node instanceof WatchNode) blindness.unwatch(node);
  network.judges.delete(node);
}

/** What looks for subjects of which it cannot be told what evidence to look for. */
interface GapSpec {
  readonly above: NodeSpec | undefined;
  readonly fits: MatchTruth;
}

function gapSpecs(plans: readonly GapPlan[], context: MakingContext, expressions: ExpressionCompiler): GapSpec[] {
  return plans.map(({ end, fits }) => ({ above: context.left({ left: end }), fits: matchTruth(fits, expressions) }));
}

function gapInputs(
  specs: readonly GapSpec[],
  { gaps, windows }: { readonly gaps: Gaps; readonly windows: Gaps },
  live: LiveNetwork,
): Attachment[] {
  return specs.map(({ above, fits }) => ({
    above: live.beta(above),
    input: (fits.isOpen ? windows : gaps).input(fits),
  }));
}

/** Returns the nodes that a judge sees its evidence through: it goes blind when one of them is switched off. */
function evidenceNodes({ inner, left, gaps }: ConditionPlan | WatchPlan, context: MakingContext): NodeSpec[] {
  const ids = new Set<number>();
  for (const end of [inner, ...gaps.map((gap) => gap.end)]) addNodesTo(end, left, ids, context);
  return [...ids].map((id) => context.spec(id));
}

/** Adds the nodes between the subjects and the end of an evidence chain, those inside aggregates included, as far as they are made. */
function addNodesTo(
  end: number | undefined,
  subjects: number | undefined,
  ids: Set<number>,
  context: MakingContext,
): void {
  for (const node of chainFrom(end, subjects, context.planned)) {
    if (ids.has(node.id)) return;
    ids.add(node.id);
    const isAggregate = node.kind === "aggregate" && !context.shortcuts.overOne.has(node.id);
    if (isAggregate) for (const one of node.inner) addNodesTo(one, node.left, ids, context);
  }
}
