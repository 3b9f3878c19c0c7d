/** What shows a run: as text for people, or as events for programs. */
import type { Effect, Explanation, FactEvent, Fired } from "../../index.ts";
import type { Summary } from "./summary.ts";

export interface RunView {
  fire(fired: Fired): void;
  /** Why the last firing happened. */
  reasoning(fired: Fired, explanation: Explanation): void;
  effect(effect: Effect): void;
  fact(event: FactEvent): void;
  summary(summary: Summary): void;
}
