/** Opens a session of a saved plan: the stages of src/engine.ts from the plan on, without what explains. */
import { SessionCore } from "../../session/core.ts";
import { refuseUnreadable } from "../../session/snapshot-format.ts";
import { SessionState } from "../../session/state.ts";
import { SessionOutcomes } from "../at-rest.ts";
import { checkOpenOptions } from "../known-names.ts";
import { Judgements } from "../judgements.ts";
import type { OpenOptions } from "../program.ts";
import { RunningProgram } from "../running-program.ts";
import { Session, type SessionComposition } from "../session.ts";
import type { SavedProgram } from "./program.ts";
import { SavedQueries } from "./queries.ts";
import { UNEXPLAINED, UNSUBSCRIBED } from "./unexplained.ts";

export function openSaved(program: SavedProgram, options: OpenOptions): Session<SavedProgram> {
  checkOpenOptions(options, program);
  if (options.from !== undefined) refuseUnreadable(options.from);
  return new Session(compose(program, { ...program.sessionOptions(), ...options }));
}

function compose(program: SavedProgram, options: OpenOptions): SessionComposition<SavedProgram> {
  const spec = program.data();
  const decisions = {
    now: options.now ?? (() => performance.now()),
    audit: options.audit,
    auditClock: options.auditClock ?? Date.now,
  };
  const state = new SessionState(spec, options);
  const running = new RunningProgram(program, state, options);
  running.apply(program, program.plan());
  const outcomes = new SessionOutcomes(running.assembly, decisions);
  const core = new SessionCore(state, running, outcomes, options);
  core.begin(spec, options);
  const judgements = new Judgements(running, decisions, core.inspector);
  const queries = new SavedQueries(running, state.activity);
  const reopen = (current: SavedProgram): SessionComposition<SavedProgram> => {
    if (current === program) return compose(program, options);
    const { from, ...others } = options;
    void from; // a snapshot of the program before
    return compose(current, others);
  };
  const subscriptions = UNSUBSCRIBED;
  return { options, core, running, outcomes, judgements, queries, subscriptions, explain: () => UNEXPLAINED, reopen };
}
