/**
 * Watches a session and tells why things happen, as they happen.
 *
 * It listens and asks, and changes nothing. A session that is not traced has no listener, and pays for none.
 */
import type { Effect, FactEvent, Fired } from "../session/results.ts";
import type { Session } from "../session/session.ts";
import type { Explanation } from "./step.ts";

/** `decisions`: every firing with its explanation. `all`: effects and changes of facts as well. */
export type TraceLevel = "off" | "decisions" | "all";

export type TraceEvent =
  | { readonly kind: "fired"; readonly fired: Fired; readonly explanation: Explanation }
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "fact"; readonly change: FactEvent };

/** Gives a function that ends the trace. */
export function trace(
  session: Session,
  level: TraceLevel,
  why: (fired: Fired) => Explanation,
  tell: (event: TraceEvent) => void,
): () => void {
  if (level === "off") return () => {};
  const ends = [session.on("fire", (fired) => tell({ kind: "fired", fired, explanation: why(fired) }))];
  if (level === "all") {
    ends.push(session.on("effect", (effect) => tell({ kind: "effect", effect })));
    ends.push(session.on("fact", (change) => tell({ kind: "fact", change })));
  }
  return () => {
    for (const end of ends) end();
  };
}
