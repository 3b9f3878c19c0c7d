/** Where rules, reactions, flows and pipelines ask gates and guardians. */
import type { Maybe } from "../base/value.ts";
import { must } from "../base/invariant.ts";
import { answerOf, snapshot } from "../gates/answer.ts";
import type { FlowStage } from "../gates/flow.ts";
import type { GateNode } from "../gates/gate.ts";
import { outcomeOf, UNKNOWN } from "../gates/requirement.ts";
import type { GuardianNode } from "../guardian/guardian.ts";
import { unjudged } from "../guardian/verdict.ts";
import type { VerdictAnswer } from "../base/answers.ts";
import type { GateQueries } from "./expression.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { FlowPlan } from "../plan/plan.ts";

/** Returns the queries over the gates and guardians of a network; `refresh` is called before each. */
export function gateQueries(
  gates: ReadonlyMap<string, GateNode>,
  guardians: ReadonlyMap<string, GuardianNode>,
  refresh: () => void = () => undefined,
): GateQueries {
  const gateNamed = (name: string): GateNode => {
    refresh();
    return must(gates.get(name), "a gate that the checker found");
  };
  const guardianNamed = (name: string): GuardianNode => {
    refresh();
    return must(guardians.get(name), "a guardian that the checker found");
  };
  return {
    unmet: (gate, subject) => answerOf(gateNamed(gate), idOf(subject)).missing.map(({ text }) => text),
    decide: (gate, subject) => snapshot(answerOf(gateNamed(gate), idOf(subject))),
    verify: (name, subject) => verified(guardianNamed(name), idOf(subject)),
    outcome: (of, name, subject) => {
      if (of === "guardian") return OUTCOMES[verified(guardianNamed(name), idOf(subject)).verdict];
      return outcomeOf(gateNamed(name).value(idOf(subject)) ?? UNKNOWN);
    },
  };
}

const OUTCOMES = { PASS: "pass", RETRY: "hold", FAIL: "fail" } as const;

/** Returns a verdict; FAIL for what is not a subject of the guardian. */
function verified(guardian: GuardianNode, subject: string): VerdictAnswer {
  const known = guardian.verdict(subject);
  if (known !== undefined) return known;
  const { name } = guardian.spec;
  const judged = unjudged(`${subject === "" ? "nothing" : subject} is not a subject of guardian "${name}"`);
  return { guardian: name, subject, ...judged, attempt: 0, flags: [], warnings: [] };
}

/** Returns the id of a subject; empty for a gate without `for`. */
function idOf(subject: Maybe): string {
  return typeof subject === "string" ? subject : "";
}

/** Returns the stages of a flow, with how the subjects of their gates are found. */
export function flowStages(plan: FlowPlan, expressions: ExpressionCompiler): FlowStage[] {
  return plan.stages.map(({ decide, ...stage }) => {
    if (decide === undefined) return { ...stage, decide: undefined };
    const subject = decide.subject === undefined ? undefined : expressions.matchValue(decide.subject, plan.level);
    const steady = decide.subject === undefined || expressions.reads(decide.subject).size === 0;
    return { ...stage, decide: { gate: decide.gate, subject: (match) => idOf(subject?.(match)), steady } };
  });
}
