/** Makes the nodes that judge: conditions, gates, flows, guardians with their watches, and pipelines. */
import { unreachable } from "../base/invariant.ts";
import { ConditionInput, ConditionNode, type ConditionSpec } from "../gates/condition.ts";
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { type Deadline, GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import { WatchInput, WatchNode } from "../guardian/watch.ts";
import type { Gaps } from "../rete/doubtful.ts";
import type { Network } from "../rete/network.ts";
import type {
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
import type { Blindness, BlindingJudge } from "./blindness.ts";
import { conditionSpec } from "./condition-spec.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { flowStages } from "./gate-queries.ts";
import { guardianSpec } from "./guardian-spec.ts";
import type { Attachment, Judge, MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";
import { pipelineSpec } from "./pipeline-spec.ts";
import { matchTruth } from "./unknown-reasons.ts";

/** A node of a plan that judges. */
export type JudgePlan = ConditionPlan | GatePlan | FlowPlan | WatchPlan | GuardianPlan | PipelinePlan;

/** Makes judges for a network. */
export class JudgeMaker {
  /** Hears through which nodes the evidence of a judge comes. */
  readonly #blindness: Blindness;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly #deadline: Deadline | undefined;

  constructor(blindness: Blindness, deadline: Deadline | undefined) {
    this.#blindness = blindness;
    this.#deadline = deadline;
  }

  /** Makes the node of a judge. */
  make(plan: JudgePlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    switch (plan.kind) {
      case "condition":
        return this.#condition(plan, context, expressions);
      case "gate":
        return this.#gate(plan, context);
      case "flow":
        return this.#flow(plan, context, expressions);
      case "watch":
        return this.#watch(plan, context, expressions);
      case "guardian":
        return this.#guardian(plan, context, expressions);
      case "pipeline":
        return this.#pipeline(plan, context, expressions);
      default:
        return unreachable(plan);
    }
  }

  #condition(plan: ConditionPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    const left = context.left(plan);
    const end = context.left({ left: plan.inner });
    const asked = askedBy(plan, context);
    const rank = 1 + Math.max(left.rank, end.rank, asked?.condition.rank ?? 0);
    const node = new ConditionNode(conditionSpec(plan, rank, expressions, asked), context.network.flushQueue);
    this.#watchEvidence(plan, node, context);
    return this.#made(node, context.network, [
      { above: end, input: new ConditionInput(node) },
      ...gapInputs(plan.gaps, node.gaps, context, expressions),
      { above: left, input: node },
    ]);
  }

  #gate(plan: GatePlan, context: MakingContext): MadeNode {
    const node = new GateNode({
      name: plan.gate,
      logic: plan.logic,
      requirement: plan.requirement,
      leaves: plan.leaves.map(({ condition, definition }) => ({
        condition: context.alive(condition) as ConditionNode,
        definition,
      })),
      subjectType: plan.subjectType,
      subjectLevel: plan.subjectLevel,
    });
    return this.#made(node, context.network, [{ above: context.left(plan), input: node }]);
  }

  #flow(plan: FlowPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    const stages = flowStages(plan, expressions);
    const node = new FlowNode({ name: plan.flow, subjectLevel: plan.subjectLevel, stages });
    return this.#made(node, context.network, [{ above: context.left(plan), input: node }]);
  }

  #watch(plan: WatchPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    const reads = expressions.reads(...plan.exprs);
    const values = new Set(plan.exprs.flatMap((expr) => [...valuesOf(expr)]));
    const node = new WatchNode({ subjectLevel: plan.level, reads, values });
    this.#watchEvidence(plan, node, context);
    return this.#made(node, context.network, [
      { above: context.left(plan), input: node },
      { above: context.left({ left: plan.inner }), input: new WatchInput(node) },
      ...gapInputs(plan.gaps, node.gaps, context, expressions),
    ]);
  }

  #guardian(plan: GuardianPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    const watch = (id: number): WatchNode => context.alive(id) as WatchNode;
    const node = new GuardianNode(guardianSpec(plan, expressions, watch, this.#deadline));
    return this.#made(node, context.network, [{ above: context.left(plan), input: node }]);
  }

  #pipeline(plan: PipelinePlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
    const watch = (id: number): WatchNode => context.alive(id) as WatchNode;
    const node = new PipelineNode(pipelineSpec(plan, expressions, watch));
    return this.#made(node, context.network, [{ above: context.left(plan), input: node }]);
  }

  /** Tells the blindness which nodes a judge sees its evidence through: it goes blind when one of them is switched off. */
  #watchEvidence({ inner, left, gaps }: ConditionPlan | WatchPlan, node: BlindingJudge, context: MakingContext): void {
    const ids = new Set<number>();
    for (const end of [inner, ...gaps.map((gap) => gap.end)]) addNodesTo(end, left, ids, context);
    this.#blindness.watch(
      node,
      [...ids].map((id) => context.left({ left: id })),
    );
  }

  #made(node: Judge, network: Network, attachments: readonly Attachment[]): MadeNode {
    network.judges.add(node);
    const forget = (): void => this.#forget(node, network);
    const listens = node instanceof GateNode || node instanceof GuardianNode || node instanceof ConditionNode;
    return listens ? { node, attachments, listen: () => node.listen(), forget } : { node, attachments, forget };
  }

  #forget(node: Judge, network: Network): void {
    if (node instanceof GateNode || node instanceof GuardianNode || node instanceof ConditionNode) node.leave();
    if (node instanceof ConditionNode || node instanceof WatchNode) this.#blindness.unwatch(node);
    network.judges.delete(node);
  }
}

/** Returns the condition that is asked about each piece of evidence; undefined when a test is. */
function askedBy({ asked }: ConditionPlan, context: MakingContext): ConditionSpec["asked"] {
  return asked === undefined ? undefined : { ...asked, condition: context.alive(asked.condition) as ConditionNode };
}

/** Returns what looks for subjects of which it cannot be told what evidence to look for. */
function gapInputs(
  plans: readonly GapPlan[],
  gaps: Gaps,
  context: MakingContext,
  expressions: ExpressionCompiler,
): Attachment[] {
  return plans.map(({ end, fits }) => ({
    above: context.left({ left: end }),
    input: gaps.input(matchTruth(fits, expressions)),
  }));
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
    const isAggregate = node.kind === "aggregate" && !context.shortcuts.absences.has(node.id);
    if (isAggregate) for (const one of node.inner) addNodesTo(one, node.left, ids, context);
  }
}
