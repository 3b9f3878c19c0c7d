/** Makes the functions of a pipeline: what its steps test and say. */
import type { PipelineParts, StepParts, WayParts } from "../guardian/pipeline.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Frames } from "./expression-compiler.ts";
import type { PipelinePlan, StepPlan, WayPlan } from "../plan/plan.ts";

export function pipelineParts(plan: PipelinePlan, frames: Frames, watch: (id: number) => WatchNode): PipelineParts {
  const step = ({ name, action, looks, ways }: StepPlan): StepParts => ({
    name,
    action,
    looks,
    ways: ways.map((way) => wayParts(way, frames, watch)),
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

function wayParts(way: WayPlan, frames: Frames, watch: (id: number) => WatchNode): WayParts {
  const { value } = way;
  return {
    watch: watch(way.watch),
    test: frames.truthOf(way.test, way.level),
    value: value === undefined ? undefined : frames.valueOf(value, way.level),
  };
}
