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
import type { Judges } from "./judges.ts";
import type { GateQueries } from "./scope.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { FlowPlan } from "../plan/plan.ts";

/** The queries over the gates and guardians of a network. */
export class JudgeQueries implements GateQueries {
  readonly #judges: JudgeSource;

  constructor(judges: JudgeSource) {
    this.#judges = judges;
  }

  unmet(gate: string, subject: Maybe): string[] {
    return answerOf(this.#gate(gate), idOf(subject)).missing.map(({ text }) => text);
  }

  decide(gate: string, subject: Maybe): ReturnType<GateQueries["decide"]> {
    return snapshot(answerOf(this.#gate(gate), idOf(subject)));
  }

  verify(name: string, subject: Maybe): VerdictAnswer {
    return verified(this.#guardian(name), idOf(subject));
  }

  outcome(of: Parameters<GateQueries["outcome"]>[0], name: string, subject: Maybe): ReturnType<GateQueries["outcome"]> {
    if (of === "guardian") return OUTCOMES[verified(this.#guardian(name), idOf(subject)).verdict];
    return outcomeOf(this.#gate(name).value(idOf(subject)) ?? UNKNOWN);
  }

  #gate(name: string): GateNode {
    return must(this.#judges.refreshed().gates.get(name), "a gate that the checker found");
  }

  #guardian(name: string): GuardianNode {
    return must(this.#judges.refreshed().guardians.get(name), "a guardian that the checker found");
  }
}

/** Where the judges of a session are found. */
interface JudgeSource {
  /** Returns the judges up to date. */
  refreshed(): Pick<Judges, "gates" | "guardians">;
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
