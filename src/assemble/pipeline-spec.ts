/** Makes the functions of a pipeline: what its steps test and say. */
import type { PipelineSpec, StepSpec, AlternativeSpec } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { PipelinePlan, StepPlan, WayPlan } from "../plan/plan.ts";

export function pipelineSpec(
  plan: PipelinePlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): PipelineSpec {
  const step = ({ name, action, looks, ways }: StepPlan): StepSpec => ({
    name,
    action,
    looks,
    alternatives: ways.map((way) => wayParts(way, expressions, watch)),
  });
  return {
    name: plan.pipeline,
    subjectType: plan.subjectType,
    subjectLevel: plan.subjectLevel,
    before: plan.before.map(step),
    steps: plan.steps.map(step),
    after: plan.after.map(step),
    otherwise: step(plan.otherwise),
    audit: plan.audit,
  };
}

function wayParts(way: WayPlan, expressions: ExpressionCompiler, watch: (id: number) => WatchNode): AlternativeSpec {
  const { value } = way;
  return {
    watch: watch(way.watch),
    test: expressions.truthOf(way.test, way.level),
    value: value === undefined ? undefined : expressions.valueOf(value, way.level),
  };
}
