/** The public API of the package `sluice`. `docs/api/` is generated from the comments of these names. */
export { compile, compileAsync, compileFiles, compileFilesAsync } from "./engine/compile.ts";
export { checkFiles } from "./engine.ts";
export { check, parse } from "./engine/source.ts";
export type { CheckOptions, Tree } from "./engine/source.ts";
export { CompileError, Program } from "./engine/program.ts";
export type { CompileOptions, OpenAsyncOptions, OpenOptions } from "./engine/program.ts";
export { flowSource } from "./engine/flow-source.ts";
export type { FlowSourceOptions } from "./engine/flow-source.ts";
export { gateRequirement, gateSource } from "./engine/gate-source.ts";
export type { GateSourceOptions } from "./engine/gate-source.ts";
export type {
  Coverage,
  OutcomeCoverage,
  TermCoverage,
  TestFailure,
  TestOptions,
  TestOutcome,
  TestReport,
} from "./engine/tests/report.ts";
export { declarations } from "./engine/declarations/file.ts";
export type { DeclarationOptions } from "./engine/declarations/file.ts";
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
export type { PureFunction } from "./functions/built-in.ts";
export { guard, guardAsync } from "./engine/guard.ts";
export type { Guarded, GuardedSession, GuardOptions, Produced } from "./engine/guard.ts";
export type { RunnableProgram } from "./engine/runnable.ts";
export type { Regex } from "./base/regex.ts";
export { RuleSession, Session } from "./engine/session.ts";
export type { ReloadOptions, SnapshotOptions } from "./engine/session/life.ts";
export type { QueryRow } from "./engine/rows.ts";
export type { ChangedRow, LiveRow, RowDelta, SubscriptionEnd } from "./engine/row-delta.ts";
export type { SubscribeOptions, Subscription, SubscriptionIterator } from "./engine/subscription.ts";
export type { SubscriptionRow, SubscriptionTarget } from "./engine/subscription-port.ts";
export {
  ActionError,
  FactError,
  MatchLimitError,
  RestlessError,
  RunAbortedError,
  RunLimitError,
  SessionError,
} from "./session/errors.ts";
export type { Evaluation, EvaluationAsyncOptions, EvaluationOptions, FactInput } from "./engine/evaluate.ts";
export type { FactChange, SubmitOptions } from "./session/submissions.ts";
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
} from "./session/results.ts";
export type {
  ExecutedStep,
  FlowProblem,
  FunctionProblem,
  FlowAnswer,
  FlowBranchName,
  GateAnswer,
  GateTree,
  GuardianProblem,
  ClockProblem,
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
} from "./base/answers.ts";
export { conditionsOf, GateJsonError, gateToJson } from "./gates/ret-json.ts";
export { placeInJson } from "./gates/json-places.ts";
export { flowFromJson, gateFromJson, gatesFromJson, nextStage } from "./gates/ret-document.ts";
export type { GateJsonOptions, RetBranch, RetFlow, RetGate, RetStep } from "./gates/ret-document.ts";
export { decideGate } from "./gates/ret-answer.ts";
export { evaluateGate, evaluateGateColumns } from "./gates/ret-evaluate.ts";
export type { EvaluateOptions } from "./gates/ret-evaluate.ts";
export type { Audit } from "./guardian/decisions.ts";
export type { StateMachine } from "./guardian/machine.ts";
export type { JsonPlace, RetJson, RetLeaf, RetRequirement } from "./gates/ret-json.ts";
export type { ActionContext, ActionHandler } from "./session/actions.ts";
export { STRATEGIES } from "./base/strategy.ts";
export type { Strategy } from "./base/strategy.ts";
export type {
  ChangeBy,
  FactRef,
  FactSupport,
  SessionCounters,
  SessionEvents,
  SessionOptions,
} from "./session/options.ts";
export type { RunAsyncOptions, RunOptions } from "./session/run.ts";
export type { Signal } from "./base/signal.ts";
export type { WaitOptions } from "./session/patience.ts";
export type { FactOrigin } from "./session/history.ts";
export type { Xuple } from "./session/xuples.ts";
export type { ListenerFailure } from "./session/listeners.ts";
export type { Migrate, Migrations } from "./session/migration.ts";
export {
  type AffectedFacts,
  type DroppedField,
  type FilledField,
  type MigratedType,
  type Migration,
  MigrationError,
} from "./session/migration-report.ts";
export type { Snapshot } from "./session/snapshot.ts";
export type { SnapshotSink, SnapshotSource } from "./session/snapshot-stream.ts";
export { conditionWords as planConditionWords } from "./plan/read/condition-words.ts";
export { inputsOf as planInputs } from "./plan/read/inputs.ts";
export { loadedNodes } from "./plan/read/sharing.ts";
export type { LoadedNode, NetworkNode, NodeGain, NodeKind, Sharing } from "./plan/read/sharing.ts";
export { testNodes } from "./engine/test-nodes.ts";
export type { TestNodes, TestNodesOptions } from "./engine/test-nodes.ts";
export type { Plan, PlanExpr, PlanNode, PlanRule } from "./plan/plan.ts";
export { nearest as nearestName } from "./base/nearest.ts";
export { factLabel } from "./base/fact-label.ts";
export { CODES } from "./base/codes.ts";
export type { Code } from "./base/codes.ts";
export type { Diagnostic, Fix, Severity, TextEdit } from "./base/diagnostic.ts";
export { renderDiagnostic } from "./base/frame.ts";
export type { FrameOptions } from "./base/frame.ts";
export { DEFAULT_BUDGETS } from "./base/limits.ts";
export type { Budgets } from "./base/limits.ts";
export { printable, printableLine } from "./base/printable.ts";
export { Source } from "./base/source.ts";
export { formatFiles, formatSource as format } from "./language/format.ts";
export type { Formatted, FormatOptions } from "./language/format.ts";
export { printFile as print } from "./language/print.ts";
export type { CheckedProgram } from "./language/check/program.ts";
export type { HostFunctions } from "./language/check/symbols.ts";
export { DEFAULT_LIMITS } from "./base/limits.ts";
export type { Limits } from "./base/limits.ts";
export type { ReadFile, SourceFile, SourceText, Unread } from "./language/load.ts";
export { FactChecker } from "./engine/fact-check.ts";
export type { FactProblem } from "./engine/fact-check.ts";
export { factPlaces } from "./engine/fact-places.ts";
export type { FactPlace } from "./engine/fact-places.ts";
export { factSession } from "./engine/fact-session.ts";
export type { FieldSchema, RecordSchema, Schema, SchemaType, TypeSchema } from "./session/admission/schema.ts";
export type { Maybe, Value } from "./base/value.ts";
export { prove } from "./prove/prove.ts";
export type { FoundDifference, Proof, ProofParts } from "./prove/prove.ts";
export type { Change as ProofChange, GivenFact, LabelledFact } from "./prove/history.ts";
export { SeededRandom } from "./session/random.ts";
export { headline, steps as explanationSteps, together } from "./explain/tell/step.ts";
export type { Explanation, Outcome as StepOutcome, StepDecision } from "./explain/tell/step.ts";
export type { WhyDecision } from "./explain/tell/decision.ts";
export type { WhyGate } from "./explain/tell/gate.ts";
export type { WhyFlow } from "./explain/tell/stage.ts";
export type { VerdictRemedy } from "./explain/search/pass.ts";
export type { WhyVerdict } from "./explain/tell/verdict.ts";
export type { Hindrance, WhyNot } from "./explain/tell/why-not.ts";
export type { Edit, Found, Remedy } from "./explain/search/edit.ts";
export type { TraceEvent, TraceLevel } from "./explain/tell/trace.ts";
export { fromLinks, toLinks } from "./explain/show/lino.ts";
export { toHtml } from "./explain/show/html.ts";
export { textTree, whyNotNotes } from "./explain/show/text-tree.ts";
export type { PaintStep } from "./explain/show/text-tree.ts";
export { verifyPack } from "./engine/verify-pack.ts";
export type { VerifyOptions } from "./engine/verify-pack.ts";
export type { PackSignature } from "./explain/show/pack.ts";
export { packSignature, signPack } from "./explain/show/pack-signature.ts";
export type { PackSigner, PackVerifier } from "./explain/show/pack-signature.ts";
export type { PackFault } from "./explain/show/read-pack.ts";
