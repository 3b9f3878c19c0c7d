/**
 * Listens to a session and explains its events as they happen.
 *
 * It only reads. A session without a trace has no listener and pays for none.
 */
import type { FlowAnswer, GateAnswer, VerdictAnswer } from "../../base/answers.ts";
import type { Decision, Effect, FactEvent, Fired } from "../../session/results.ts";
import type { SessionPort } from "../../session/ports.ts";
import type { Explanation } from "./step.ts";

/**
 * The events that a trace reports. `decisions`: firings, gate outcomes, stages of flows, verdicts and decisions, each
 * with its explanation. `all`: effects and changes of facts as well. `off`: nothing.
 */
export type TraceLevel = "off" | "decisions" | "all";

/** An event of {@link Session.trace}, with its explanation if it has one. */
export type TraceEvent =
  | { readonly kind: "fired"; readonly fired: Fired; readonly explanation: Explanation }
  | { readonly kind: "gate"; readonly answer: GateAnswer; readonly explanation: Explanation }
  | { readonly kind: "flow"; readonly answer: FlowAnswer; readonly explanation: Explanation }
  | { readonly kind: "verdict"; readonly answer: VerdictAnswer; readonly explanation: Explanation }
  | { readonly kind: "decision"; readonly decision: Decision; readonly explanation: Explanation }
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "fact"; readonly change: FactEvent };

/** Starts a trace; returns a function that ends it. */
export function trace(
  session: SessionPort,
  level: TraceLevel,
  why: (asked: Fired | GateAnswer | FlowAnswer | VerdictAnswer | Decision) => Explanation,
  tell: (event: TraceEvent) => void,
): () => void {
  if (level === "off") return () => {};
  const ends = [
    session.on("fire", (fired) => tell({ kind: "fired", fired, explanation: why(fired) })),
    session.on("gate", (answer) => tell({ kind: "gate", answer, explanation: why(answer) })),
    session.on("flow", (answer) => tell({ kind: "flow", answer, explanation: why(answer) })),
    session.on("verdict", (answer) => tell({ kind: "verdict", answer, explanation: why(answer) })),
    session.on("decision", (decision) => tell({ kind: "decision", decision, explanation: why(decision) })),
  ];
  if (level === "all") {
    ends.push(session.on("effect", (effect) => tell({ kind: "effect", effect })));
    ends.push(session.on("fact", (change) => tell({ kind: "fact", change })));
  }
  return () => {
    for (const end of ends) end();
  };
}
