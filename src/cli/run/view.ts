/** What shows a run: as text for people, or as events for programs. */
import type { Decision, Effect, Explanation, FactEvent, Fired, GateAnswer, VerdictAnswer } from "../../index.ts";
import type { Summary } from "./summary.ts";

/** Where a subject is in a flow. */
export interface FlowPlace {
  readonly flow: string;
  readonly subject: string | undefined;
  readonly stage: string;
}

/** What can be explained in a run. */
export type Explained = Fired | GateAnswer | VerdictAnswer | Decision;

export interface RunView {
  fire(fired: Fired): void;
  /** Why the last firing happened, or what was told last was said. */
  reasoning(of: Explained, explanation: Explanation): void;
  effect(effect: Effect): void;
  fact(event: FactEvent): void;
  /** An outcome that was reached on the way. */
  gate(answer: GateAnswer): void;
  /** A verdict that was reached on the way. */
  verdict(answer: VerdictAnswer): void;
  decision(decision: Decision): void;
  /** What stands after the run; `why` tells the reasons where they are wanted. */
  outcomes(
    gates: readonly GateAnswer[],
    verdicts: readonly VerdictAnswer[],
    stages: readonly FlowPlace[],
    why: ((asked: GateAnswer | VerdictAnswer) => Explanation) | undefined,
  ): void;
  summary(summary: Summary): void;
}
