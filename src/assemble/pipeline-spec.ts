/** Makes the functions of a pipeline: the tests and values of its steps. */
import type { PipelineSpec, StepSpec, AlternativeSpec } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { PipelinePlan, StepPlan, AlternativePlan } from "../plan/plan.ts";

/** Returns the spec of a pipeline node; `watch` returns the live node of a watch. */
export function pipelineSpec(
  plan: PipelinePlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): PipelineSpec {
  const step = ({ name, action, looks, ways }: StepPlan): StepSpec => ({
    name,
    action,
    looks,
    alternatives: ways.map((way) => alternativeSpec(way, expressions, watch)),
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

function alternativeSpec(
  way: AlternativePlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): AlternativeSpec {
  const { value } = way;
  return {
    watch: watch(way.watch),
    test: expressions.truthOf(way.test, way.level),
    value: value === undefined ? undefined : expressions.valueOf(value, way.level),
  };
}
