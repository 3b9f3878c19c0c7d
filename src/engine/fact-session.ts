/** A session for facts alone: they are admitted, kept and given out as in any session, and no rule looks at them. */
import { openSession } from "../engine.ts";
import type { Plan } from "../plan/plan.ts";
import type { Program } from "./program.ts";
import type { Session } from "./session.ts";

/** The empty plan of each program: what is assembled of a plan has the types of one program. */
const NO_RULES = new WeakMap<Program, Plan>();

/**
 * Opens a session that admits and keeps facts like any other, with an empty network: no rule sees them. It costs less
 * when facts are only checked or converted.
 */
export function factSession(program: Program): Session {
  let plan = NO_RULES.get(program);
  if (plan === undefined) NO_RULES.set(program, (plan = { nodes: [], rules: [] }));
  return openSession(program, { facts: "none", missingFunctions: "unknown" }, plan);
}
