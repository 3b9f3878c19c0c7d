/** The entry `sluice/runtime`: sessions of saved plans, without parser, checker and explanations. */
export { loadPlan, SavedProgram } from "./engine/saved/program.ts";
export type { LoadOptions } from "./engine/saved/program.ts";
export type { OpenOptions } from "./engine/program.ts";
export type { RunnableProgram } from "./engine/runnable.ts";
export type { Regex } from "./base/regex.ts";
export { Session } from "./engine/session.ts";
export type { QueryRow } from "./engine/rows.ts";
export type {
  EvaluationOf,
  EvaluationOptionsOf,
  FactChangeOf,
  FactInputOf,
  FactOf,
  HandleOf,
  IdOf,
  OpenOptionsOf,
  RefOf,
  RulesTypes,
  SessionOf,
} from "./engine/typed.ts";
export { guard, guardAsync } from "./engine/guard.ts";
export type { Guarded, GuardedSession, GuardOptions, Produced } from "./engine/guard.ts";
export { ActionError, FactError, RestlessError, RunLimitError, SessionError } from "./session/errors.ts";
export type { ActionContext, ActionHandler } from "./session/actions.ts";
export type {
  Effect,
  FactEvent,
  FactHandle,
  FactView,
  Decision,
  Fired,
  MatchView,
  RunResult,
} from "./session/results.ts";
export type { FlowAnswer, GateAnswer, Outcome, PipelineDecision, Problem, VerdictAnswer } from "./base/answers.ts";
export type { ChangeBy, FactRef, SessionEvents, SessionOptions } from "./session/options.ts";
export type { RunOptions } from "./session/run.ts";
export type { Snapshot } from "./session/snapshot.ts";
export type { Maybe, Value } from "./base/value.ts";
