/** The interface of a view of a run: text for people, or events for programs. */
import type {
  Decision,
  Effect,
  Explanation,
  FactEvent,
  Fired,
  FlowAnswer,
  GateAnswer,
  VerdictAnswer,
} from "../../index.ts";
import type { Summary } from "./summary.ts";

/** What can be explained in a run. */
export type Explained = Fired | GateAnswer | FlowAnswer | VerdictAnswer | Decision;

export interface RunView {
  fire(fired: Fired): void;
  /** Shows the explanation of the last firing, outcome, verdict or decision. */
  reasoning(of: Explained, explanation: Explanation): void;
  effect(effect: Effect): void;
  fact(event: FactEvent): void;
  /** Shows an outcome that was reached during the run. */
  gate(answer: GateAnswer): void;
  /** Shows a stage that was reached during the run. */
  flow(answer: FlowAnswer): void;
  /** Shows a verdict that was reached during the run. */
  verdict(answer: VerdictAnswer): void;
  decision(decision: Decision): void;
  /** Shows the outcomes at the end of the run, with explanations when `why` is given. */
  outcomes(
    gates: readonly GateAnswer[],
    verdicts: readonly VerdictAnswer[],
    stages: readonly FlowAnswer[],
    why: ((asked: GateAnswer | FlowAnswer | VerdictAnswer) => Explanation) | undefined,
  ): void;
  summary(summary: Summary): void;
}
