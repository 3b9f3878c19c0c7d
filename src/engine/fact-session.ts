/** A session for facts alone: they are admitted, kept and given out as in any session, and no rule looks at them. */
import { openSession } from "../engine.ts";
import type { Plan } from "../plan/plan.ts";
import type { Program } from "./program.ts";
import type { Session } from "./session.ts";

const NO_RULES: Plan = { nodes: [], rules: [] };

/**
 * Opens a session that admits and keeps facts like any other, with an empty network: no rule sees them. It costs less
 * when facts are only checked or converted.
 */
export function factSession(program: Program): Session {
  return openSession(program, { facts: "none", missingFunctions: "unknown" }, NO_RULES);
}
