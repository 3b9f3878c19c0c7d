/** What shows a run: as text for people, or as events for programs. */
import type { Decision, Effect, Explanation, FactEvent, Fired, GateAnswer, VerdictAnswer } from "../../index.ts";
import type { Summary } from "./summary.ts";

/** Where a subject is in a flow. */
export interface FlowPlace {
  readonly flow: string;
  readonly subject: string | undefined;
  readonly stage: string;
}

export interface RunView {
  fire(fired: Fired): void;
  /** Why the last firing happened. */
  reasoning(fired: Fired, explanation: Explanation): void;
  effect(effect: Effect): void;
  fact(event: FactEvent): void;
  /** An outcome that was reached on the way. */
  reached(answer: GateAnswer): void;
  /** A verdict that was reached on the way. */
  judged(answer: VerdictAnswer): void;
  decision(decision: Decision): void;
  /** What stands after the run. */
  standing(gates: readonly GateAnswer[], verdicts: readonly VerdictAnswer[], stages: readonly FlowPlace[]): void;
  summary(summary: Summary): void;
}
