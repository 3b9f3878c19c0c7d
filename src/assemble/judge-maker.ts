/** Makes the nodes that judge: conditions, gates, flows, guardians with their watches, and pipelines. */
import { ConditionInput, ConditionNode } from "../gates/condition.ts";
import { FlowNode } from "../gates/flow.ts";
import { GateNode } from "../gates/gate.ts";
import { type Deadline, GuardianNode } from "../guardian/guardian.ts";
import { PipelineNode } from "../guardian/pipeline.ts";
import { WatchInput, WatchNode } from "../guardian/watch.ts";
import { unreachable } from "../base/invariant.ts";
import type { Gaps } from "../rete/doubtful.ts";
import type { Blindness, BlindingJudge } from "./blindness.ts";
import { conditionSpec } from "./condition-spec.ts";
import { flowStages } from "./gate-queries.ts";
import { guardianSpec } from "./guardian-spec.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { Judge, Live, MakingContext } from "./live-node.ts";
import { pipelineSpec } from "./pipeline-spec.ts";
import type {
  ConditionPlan,
  FlowPlan,
  GapPlan,
  GatePlan,
  GuardianPlan,
  PipelinePlan,
  PlanNode,
  WatchPlan,
} from "../plan/plan.ts";
import { matchTruth } from "./unknown-reasons.ts";

export type JudgePlan = ConditionPlan | GatePlan | FlowPlan | WatchPlan | GuardianPlan | PipelinePlan;

export class JudgeMaker {
  readonly #site: MakingContext;
  /** Hears through which nodes the evidence of a judge comes. */
  readonly #blindness: Blindness;
  /** How long the checks of guardians may take; undefined: as long as they take. */
  readonly #deadline: Deadline | undefined;

  constructor(site: MakingContext, blindness: Blindness, deadline: Deadline | undefined) {
    this.#site = site;
    this.#blindness = blindness;
    this.#deadline = deadline;
  }

  make(plan: JudgePlan, key: string): Live {
    switch (plan.kind) {
      case "condition":
        return this.#condition(plan, key);
      case "gate":
        return this.#gate(plan, key);
      case "flow":
        return this.#flow(plan, key);
      case "watch":
        return this.#watch(plan, key);
      case "guardian":
        return this.#guardian(plan, key);
      case "pipeline":
        return this.#pipeline(plan, key);
      default:
        return unreachable(plan);
    }
  }

  #condition(plan: ConditionPlan, key: string): Live {
    const left = this.#site.left(plan);
    const end = this.#site.left({ left: plan.inner });
    const rank = 1 + Math.max(left.rank, end.rank);
    const node = new ConditionNode(conditionSpec(plan, rank, this.#site.expressions), this.#site.network.flushQueue);
    const input = new ConditionInput(node);
    this.#watchWay(plan, node);
    this.#site.attach(end, input);
    const leaveGaps = this.#attachGaps(plan.gaps, node.gaps);
    this.#site.attach(left, node);
    return this.#live(key, plan, node, () => {
      left.detach(node);
      end.detach(input);
      leaveGaps();
      this.#blindness.unwatch(node);
    });
  }

  /** A judge that looks through a chain goes blind when one of its nodes is switched off. */
  #watchWay({ inner, left, gaps }: ConditionPlan | WatchPlan, node: BlindingJudge): void {
    const ends = [inner, ...gaps.map((gap) => gap.end)];
    const ids = new Set<number>();
    for (const end of ends) this.#wayTo(end, left, ids);
    this.#blindness.watch(
      node,
      [...ids].map((id) => this.#site.left({ left: id })),
    );
  }

  /** Attaches what looks for gaps, and returns how to detach it again. */
  #attachGaps(plans: readonly GapPlan[], gaps: Gaps): () => void {
    const inputs = plans.map(({ end, fits }) => {
      return { end: this.#site.left({ left: end }), input: gaps.input(matchTruth(fits, this.#site.expressions)) };
    });
    for (const { end, input } of inputs) this.#site.attach(end, input);
    return () => {
      for (const { end, input } of inputs) end.detach(input);
    };
  }

  /** The nodes between the subjects and the end of an evidence chain, those inside folds included, as far as they are made. */
  #wayTo(end: number | undefined, subjects: number | undefined, way: Set<number>): void {
    let at = end;
    while (at !== undefined && at !== subjects && !way.has(at)) {
      const node = this.#site.planned(at);
      if (node === undefined || node.kind === "alpha") return;
      way.add(at);
      const isAggregate = node.kind === "aggregate" && !this.#site.isAbsence(at);
      if (isAggregate) for (const one of node.inner) this.#wayTo(one, node.left, way);
      at = node.left;
    }
  }

  #gate(plan: GatePlan, key: string): Live {
    const left = this.#site.left(plan);
    const node = new GateNode({
      name: plan.gate,
      logic: plan.logic,
      requirement: plan.requirement,
      leaves: plan.leaves.map(({ condition, definition }) => ({
        condition: this.#site.alive(condition) as ConditionNode,
        definition,
      })),
      subjectType: plan.subjectType,
      subjectLevel: plan.subjectLevel,
    });
    this.#site.attach(left, node);
    node.listen();
    return this.#live(key, plan, node, () => {
      left.detach(node);
      node.leave();
    });
  }

  #flow(plan: FlowPlan, key: string): Live {
    const left = this.#site.left(plan);
    const stages = flowStages(plan, this.#site.expressions);
    const node = new FlowNode({ name: plan.flow, subjectLevel: plan.subjectLevel, stages });
    this.#site.attach(left, node);
    return this.#live(key, plan, node, () => left.detach(node));
  }

  #watch(plan: WatchPlan, key: string): Live {
    const left = this.#site.left(plan);
    const end = this.#site.left({ left: plan.inner });
    const reads = this.#site.expressions.reads(...plan.exprs);
    const values = new Set(plan.exprs.flatMap((expr) => [...valuesOf(expr)]));
    const node = new WatchNode({ subjectLevel: plan.level, reads, values });
    const input = new WatchInput(node);
    this.#watchWay(plan, node);
    this.#site.attach(left, node);
    this.#site.attach(end, input);
    const leaveGaps = this.#attachGaps(plan.gaps, node.gaps);
    return this.#live(key, plan, node, () => {
      left.detach(node);
      end.detach(input);
      leaveGaps();
      this.#blindness.unwatch(node);
    });
  }

  #guardian(plan: GuardianPlan, key: string): Live {
    const left = this.#site.left(plan);
    const watch = (id: number): WatchNode => this.#site.alive(id) as WatchNode;
    const node = new GuardianNode(guardianSpec(plan, this.#site.expressions, watch, this.#deadline));
    this.#site.attach(left, node);
    node.listen();
    return this.#live(key, plan, node, () => {
      left.detach(node);
      node.leave();
    });
  }

  #pipeline(plan: PipelinePlan, key: string): Live {
    const left = this.#site.left(plan);
    const watch = (id: number): WatchNode => this.#site.alive(id) as WatchNode;
    const node = new PipelineNode(pipelineSpec(plan, this.#site.expressions, watch));
    this.#site.attach(left, node);
    return this.#live(key, plan, node, () => left.detach(node));
  }

  #live(key: string, plan: PlanNode, node: Judge, takeDown: () => void): Live {
    this.#site.network.judges.add(node);
    return {
      key,
      node,
      pattern: plan.text,
      rules: [],
      takeDown: () => {
        takeDown();
        this.#site.network.judges.delete(node);
      },
    };
  }
}
