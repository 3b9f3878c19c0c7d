/**
 * The corridor: every stage from source text to a session, in order.
 *
 * Once per program, `compile` calls the stages load, check and plan; `Program` keeps the plan. Once per session,
 * `program.session()` calls the stages state, assemble, outcomes and session.
 */
import { DEFAULT_LIMITS } from "./base/limits.ts";
import { finish, Slices, type Steps } from "./base/slices.ts";
import { SessionOutcomes } from "./engine/at-rest.ts";
import { Explanations, type Fork } from "./engine/explanations.ts";
import { checkCompileOptions, checkOpenOptions } from "./engine/known-names.ts";
import { Judgements } from "./engine/judgements.ts";
import type { OpenAsyncOptions, OpenOptions, Program } from "./engine/program.ts";
import { Queries } from "./engine/queries.ts";
import { RunningProgram } from "./engine/running-program.ts";
import { Session, type SessionComposition } from "./engine/session.ts";
import type { CheckOptions } from "./engine/source.ts";
import { Subscriptions } from "./engine/subscriptions.ts";
import { GUARDIANS } from "./guardian/standard.ts";
import { type CheckedProgram, checkingProgram } from "./language/check/program.ts";
import { loadingFiles, type SourceFile } from "./language/load.ts";
import type { Plan } from "./plan/plan.ts";
import { type PlanOptions, planningProgram } from "./plan/planner.ts";
import { SessionCore } from "./session/core.ts";
import { readable, refuseUnreadable } from "./session/snapshot-format.ts";
import { isSnapshotSource, readSnapshot } from "./session/snapshot-stream.ts";
import { SessionState } from "./session/state.ts";

// ---------------------------------------------------------------- once per program

/** Checks several files that make up one program. Never throws because of errors in the rules. */
export function checkFiles(files: readonly SourceFile[], options: CheckOptions = {}): CheckedProgram {
  return finish(checkingFiles(files, options));
}

/** Does the same in steps, one for each statement. */
export function* checkingFiles(files: readonly SourceFile[], options: CheckOptions = {}): Steps<CheckedProgram> {
  checkCompileOptions(options);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const loaded = yield* loadingFiles(files, options.read, limits, GUARDIANS);
  const functions = options.functions === undefined ? {} : { functions: options.functions };
  return yield* checkingProgram(loaded, { limits, ...functions });
}

/** Plans the network of a program without errors: plain data, shared by all its sessions. One step for each rule. */
export function planningNetwork(checked: CheckedProgram, options: PlanOptions): Steps<Plan> {
  return planningProgram(checked, options);
}

// ---------------------------------------------------------------- once per session

/** Opens a session of a program. What the program says with `option` holds unless the host says otherwise. */
export function openSession(program: Program, options: OpenOptions, plan?: Plan): Session {
  checkOpenOptions(options, program);
  if (options.from !== undefined) refuseUnreadable(options.from);
  return new Session(compose(program, { ...program.sessionOptions(), ...options }, plan));
}

/** Opens a session in slices: its plan, the snapshot that it continues from, and its facts. */
export async function openSessionAsync(program: Program, options: OpenAsyncOptions): Promise<Session> {
  const { from: given, ...rest } = options;
  checkOpenOptions(rest, program);
  const slices = new Slices();
  const plan = await slices.run(program.planning(options.sharing ?? true, options.shortcuts ?? true));
  const opened = { ...program.sessionOptions(), ...rest };
  if (given === undefined) return new Session(await slices.run(composing(program, opened, plan)));
  const from = isSnapshotSource(given) ? await readSnapshot(given, slices) : await slices.run(readable(given));
  return new Session(await slices.run(composing(program, { ...opened, from }, plan)));
}

function compose(program: Program, options: OpenOptions, given?: Plan): SessionComposition {
  return finish(composing(program, options, given));
}

/** Composes a session. The snapshot that it continues from is known to be readable. */
function* composing(program: Program, options: OpenOptions, given?: Plan): Steps<SessionComposition> {
  const { sharing = true, indexing = true, shortcuts = true, functions = {} } = options;
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
  yield* core.beginning(spec, options);

  const judgements = new Judgements(running, decisions, core.inspector);
  const queries = new Queries(running, state, { sharing, indexing });
  const subscriptions = new Subscriptions(running, state, queries, { sharing, indexing });
  const fork: Fork = (current, from) => {
    const parts = compose(current, { ...current.sessionOptions(), functions, history: 0, from });
    return { session: new Session(parts), judgements: parts.judgements, queries: parts.queries };
  };
  const reopen = (current: Program): SessionComposition => {
    if (current === program) return compose(program, options);
    const { from, ...others } = options;
    void from; // a snapshot of the program before
    return compose(current, others);
  };
  const explain = (session: Session): Explanations =>
    new Explanations(session, { options, core, running, judgements, queries, fork });
  return { options, core, running, outcomes, judgements, queries, subscriptions, explain, reopen };
}
