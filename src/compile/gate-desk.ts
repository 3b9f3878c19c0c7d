/** Where rules, reactions and flows ask gates. */
import type { Maybe } from "../base/value.ts";
import { must } from "../base/invariant.ts";
import { answerOf, fixed } from "../gates/answer.ts";
import type { FlowStage } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import type { GateDesk } from "./expression.ts";
import type { Frames } from "./frames.ts";
import type { FlowPlan } from "./plan.ts";

export function gateDesk(gates: ReadonlyMap<string, GateNode>): GateDesk {
  const gateNamed = (name: string): GateNode => must(gates.get(name), "a gate that the checker found");
  return {
    unmet: (gate, subject) => answerOf(gateNamed(gate), idOf(subject)).missing.map(({ text }) => text),
    decide: (gate, subject) => fixed(answerOf(gateNamed(gate), idOf(subject))),
  };
}

/** A gate without `for` has no subject, which has no id. */
function idOf(subject: Maybe): string {
  return typeof subject === "string" ? subject : "";
}

export function flowStages(plan: FlowPlan, frames: Frames): FlowStage[] {
  return plan.stages.map(({ decide, ...stage }) => {
    if (decide === undefined) return { ...stage, decide: undefined };
    const subject = decide.subject === undefined ? undefined : frames.matchValue(decide.subject, plan.level);
    return { ...stage, decide: { gate: decide.gate, subject: (match) => idOf(subject?.(match)) } };
  });
}
