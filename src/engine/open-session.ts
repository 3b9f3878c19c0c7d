/**
 * Opens a session: the stages state, assemble, outcomes and session, in order, whether the program was compiled from source or
 * loaded from a saved plan.
 */
import { finish, Slices, type Steps } from "../base/slices.ts";
import type { Plan } from "../plan/plan.ts";
import { Shapes } from "../session/admission/shapes.ts";
import { SessionCore } from "../session/core.ts";
import { readable, refuseUnreadable } from "../session/snapshot-format.ts";
import { isSnapshotSource, readSnapshot } from "../session/snapshot-stream.ts";
import { SessionState } from "../session/state.ts";
import { SessionOutcomes } from "./at-rest.ts";
import { blueprintsOf } from "./blueprints.ts";
import type { ExplainPort } from "./explain-port.ts";
import { Judgements } from "./judgements.ts";
import { checkOpenOptions } from "./known-names.ts";
import type { OpenAsyncOptions, OpenOptions } from "./program.ts";
import type { QueryPort } from "./query-rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import { RunningProgram } from "./running-program.ts";
import { Session } from "./session.ts";
import type { SessionComposition } from "./session/composition.ts";
import type { SubscriptionPort } from "./subscription-port.ts";

/** The parts of a session that every kind of program has. */
type SessionBase<Runs extends RunnableProgram> = Pick<
  SessionComposition<Runs>,
  "options" | "core" | "running" | "outcomes" | "judgements"
>;

/** What answers questions in a session. */
interface Answering {
  readonly queries: QueryPort;
  readonly subscriptions: SubscriptionPort;
}

/** What depends on where a program comes from. */
export interface ProgramKind<Runs extends RunnableProgram> {
  /** Plans the network in steps, or returns the plan that the program has. After it, `data()` of the program takes no time. */
  planning(program: Runs, options: OpenOptions): Steps<Plan>;
  answering(base: SessionBase<Runs>): Answering;
  explaining(session: Session<Runs>, parts: SessionBase<Runs> & Answering): ExplainPort;
}

/** Opens a session. What the program says with `option` holds unless the host says otherwise. */
export function openWith<Runs extends RunnableProgram>(
  kind: ProgramKind<Runs>,
  program: Runs,
  options: OpenOptions,
  plan?: Plan,
): Session<Runs> {
  checkOpenOptions(options, program);
  if (options.from !== undefined) refuseUnreadable(options.from);
  return new Session(compose(kind, program, { ...program.sessionOptions(), ...options }, plan));
}

/** Opens a session in slices: its plan, the snapshot that it continues from, and its facts. */
export async function openWithAsync<Runs extends RunnableProgram>(
  kind: ProgramKind<Runs>,
  program: Runs,
  options: OpenAsyncOptions,
): Promise<Session<Runs>> {
  const { from: given, ...rest } = options;
  checkOpenOptions(rest, program);
  const slices = new Slices();
  const opened = { ...program.sessionOptions(), ...rest };
  const plan = await slices.run(kind.planning(program, opened));
  if (given === undefined) return new Session(await slices.run(composing(kind, program, opened, plan)));
  const from = isSnapshotSource(given) ? await readSnapshot(given, slices) : await slices.run(readable(given));
  return new Session(await slices.run(composing(kind, program, { ...opened, from }, plan)));
}

/** Composes a session. The snapshot that it continues from is known to be readable. */
export function compose<Runs extends RunnableProgram>(
  kind: ProgramKind<Runs>,
  program: Runs,
  options: OpenOptions,
  plan?: Plan,
): SessionComposition<Runs> {
  return finish(composing(kind, program, options, plan));
}

function* composing<Runs extends RunnableProgram>(
  kind: ProgramKind<Runs>,
  program: Runs,
  options: OpenOptions,
  given?: Plan,
): Steps<SessionComposition<Runs>> {
  const plan = given ?? (yield* kind.planning(program, options));
  const spec = program.data();
  const decisions = {
    now: options.now ?? (() => performance.now()),
    audit: options.audit,
    auditClock: options.auditClock ?? Date.now,
  };

  yield;
  const { blueprint, layouts } = yield* blueprintsOf(program, plan, options).sharing();
  const state = new SessionState(spec, options, new Shapes(layouts));
  const running = new RunningProgram(program, state, options);
  running.apply(program, blueprint);
  const outcomes = new SessionOutcomes(running.assembly, decisions);
  const core = new SessionCore(state, running, outcomes, options);
  yield* core.beginning(spec, options);

  const judgements = new Judgements(running, decisions, core.inspector);
  const base = { options, core, running, outcomes, judgements };
  const answering = kind.answering(base);
  const explain = (session: Session<Runs>): ExplainPort => kind.explaining(session, { ...base, ...answering });
  const reopen = (current: Runs): SessionComposition<Runs> => {
    const { from, ...others } = options;
    const reopened = { ...others, ...(core.restores && from !== undefined && { from }) };
    const { sharing = true, shortcuts = true } = options;
    return compose(kind, current, reopened, current.plan(sharing, shortcuts)); // which may be of the other kind
  };
  return { ...base, ...answering, explain, reopen };
}
