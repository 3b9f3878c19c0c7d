/**
 * What `sluice` and `sluice/runtime` both export: sessions, whatever program they run, with the errors that they throw and the types of
 * what they take and give.
 */
export { Session } from "./session.ts";
export type { OpenAsyncOptions, OpenOptions } from "./program.ts";
export type { RunnableProgram } from "./runnable.ts";
export type { Regex } from "../base/regex.ts";
export type { PureFunction } from "../functions/built-in.ts";
export type { Evaluation, EvaluationAsyncOptions, EvaluationOptions, FactInput } from "./evaluate.ts";
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
} from "./typed.ts";
export { guard, guardAsync } from "./guard.ts";
export type { Guarded, GuardedSession, GuardOptions, Produced } from "./guard.ts";
export type { ReloadOptions, SnapshotOptions } from "./session/life.ts";
export type { QueryRow } from "./rows.ts";
export type { ChangedRow, LiveRow, RowDelta, SubscriptionEnd } from "./row-delta.ts";
export type { SubscribeOptions, Subscription, SubscriptionIterator } from "./subscription.ts";
export type { SubscriptionRow, SubscriptionTarget } from "./subscription-port.ts";
export {
  ActionError,
  FactError,
  RestlessError,
  RunAbortedError,
  RunLimitError,
  SessionError,
} from "../session/errors.ts";
export type { FailedFiring } from "../session/errors.ts";
export type { FactChange, SubmitOptions } from "../session/submissions.ts";
export type {
  Conflict,
  Effect,
  FactEvent,
  FactHandle,
  FactView,
  Decision,
  Fired,
  GateDecision,
  MatchView,
  RunFailure,
  RunResult,
  VerdictDecision,
} from "../session/results.ts";
export type {
  ClockProblem,
  ExecutedStep,
  FlowAnswer,
  FlowBranchName,
  FlowProblem,
  FunctionProblem,
  GateAnswer,
  GateTree,
  GuardianProblem,
  LimitProblem,
  ListenerProblem,
  MissingLeaf,
  Outcome,
  PipelineDecision,
  PipelineTrace,
  Problem,
  SeenFact,
  Status,
  StepAction,
  VerdictAnswer,
} from "../base/answers.ts";
export type { Audit } from "../guardian/decisions.ts";
export type { ActionContext, ActionHandler } from "../session/actions.ts";
export type { Strategy } from "../base/strategy.ts";
export type {
  ChangeBy,
  FactRef,
  FactSupport,
  SessionCounters,
  SessionEvents,
  SessionOptions,
} from "../session/options.ts";
export type { RunAsyncOptions, RunOptions } from "../session/run.ts";
export type { InstantInput } from "../session/session-clock.ts";
export type { Signal } from "../base/signal.ts";
export type { WaitOptions } from "../session/patience.ts";
export type { FactOrigin } from "../session/history.ts";
export type { Xuple } from "../session/xuples.ts";
export type { ListenerFailure } from "../session/listeners.ts";
export type { Migrate, Migrations } from "../session/migration.ts";
export {
  type AffectedFacts,
  type DroppedField,
  type FilledField,
  type MigratedType,
  type Migration,
  MigrationError,
} from "../session/migration-report.ts";
export type { Snapshot } from "../session/snapshot.ts";
export type { SnapshotSink, SnapshotSource } from "../session/snapshot-stream.ts";
export type { Code } from "../base/codes.ts";
export type { Limits } from "../base/limits.ts";
export type { Maybe, Value } from "../base/value.ts";
