/** What shows a run: as text for people, or as events for programs. */
import type { Effect, Explanation, FactEvent, Fired, GateAnswer, GateDecision } from "../../index.ts";
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
  decision(decision: GateDecision): void;
  /** The outcomes and stages that stand after the run. */
  standing(gates: readonly GateAnswer[], stages: readonly FlowPlace[]): void;
  summary(summary: Summary): void;
}
