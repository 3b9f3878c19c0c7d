/**
 * The corridor: every stage from source text to a session, in order.
 *
 * Once per program, `compile` calls the stages load, check and plan; `Program` keeps the plan. Once per session,
 * `program.session()` calls the stages state, assemble, outcomes and session.
 */
import { DEFAULT_LIMITS } from "./base/limits.ts";
import { SessionOutcomes } from "./engine/at-rest.ts";
import type { AskedSession } from "./engine/explanations.ts";
import { Judgements } from "./engine/judgements.ts";
import type { OpenOptions, Program } from "./engine/program.ts";
import { Queries } from "./engine/queries.ts";
import { RunningProgram } from "./engine/running-program.ts";
import { Session, type SessionComposition } from "./engine/session.ts";
import type { CheckOptions } from "./engine/source.ts";
import { GUARDIANS } from "./guardian/standard.ts";
import { type CheckedProgram, checkProgram } from "./language/check/program.ts";
import { loadFiles, type SourceFile } from "./language/load.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlanOptions, planProgram } from "./plan/planner.ts";
import { SessionCore } from "./session/core.ts";
import type { Snapshot } from "./session/snapshot.ts";
import { SessionState } from "./session/state.ts";

// ---------------------------------------------------------------- once per program

/** Checks several files that make up one program. Never throws because of errors in the rules. */
export function checkFiles(files: readonly SourceFile[], options: CheckOptions = {}): CheckedProgram {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const loaded = loadFiles(files, options.read, limits, GUARDIANS);
  const functions = options.functions === undefined ? {} : { functions: options.functions };
  return checkProgram(loaded, { limits, ...functions });
}

/** Plans the network of a program without errors: plain data, shared by all its sessions. */
export function planNetwork(checked: CheckedProgram, options: PlanOptions): Plan {
  return planProgram(checked, options);
}

// ---------------------------------------------------------------- once per session

/** Opens a session of a program. What the program says with `option` holds unless the host says otherwise. */
export function openSession(program: Program, options: OpenOptions, plan?: Plan): Session {
  return new Session(compose(program, { ...program.sessionOptions(), ...options }, plan));
}

function compose(program: Program, options: OpenOptions, given?: Plan): SessionComposition {
  const { sharing = true, shortcuts = true, functions = {} } = options;
  const plan = given ?? program.plan(sharing, shortcuts);
  const spec = program.data();
  const decisions = {
    now: options.now ?? (() => performance.now()),
    audit: options.audit,
    auditClock: options.auditClock ?? Date.now,
  };

  const state = new SessionState(spec, options);
  const running = new RunningProgram(program, state, options);
  running.apply(program, plan);
  const outcomes = new SessionOutcomes(running.assembly, decisions);
  const core = new SessionCore(state, running, outcomes, options);
  core.begin(spec, options);

  const judgements = new Judgements(running, decisions, core.inspector);
  const queries = new Queries(running, state.activity, sharing);
  const fork = (current: Program, from: Snapshot): AskedSession => {
    const parts = compose(current, { ...current.sessionOptions(), functions, history: 0, from });
    return { session: new Session(parts), judgements: parts.judgements, queries: parts.queries };
  };
  const reopen = (current: Program): SessionComposition => {
    if (current === program) return compose(program, options);
    const { from, ...others } = options;
    void from; // a snapshot of the program before
    return compose(current, others);
  };
  return { options, core, running, outcomes, judgements, queries, fork, reopen };
}
