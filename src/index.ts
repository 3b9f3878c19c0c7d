/** The public API of the package `sluice`. `docs/api/` is generated from the comments of these names. */
export * from "./engine/session-names.ts";
export { compile, compileAsync, compileFiles, compileFilesAsync } from "./engine/compile.ts";
export { checkFiles } from "./engine.ts";
export { check, parse } from "./engine/source.ts";
export type { CheckOptions, Tree } from "./engine/source.ts";
export { CompileError, Program } from "./engine/program.ts";
export type { CompileOptions } from "./engine/program.ts";
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
export { RuleSession } from "./engine/session.ts";
export { MatchLimitError } from "./session/errors.ts";
export { conditionsOf, GateJsonError, gateToJson } from "./gates/ret-json.ts";
export { placeInJson } from "./gates/json-places.ts";
export { flowFromJson, gateFromJson, gatesFromJson, nextStage } from "./gates/ret-document.ts";
export type { GateJsonOptions, RetBranch, RetFlow, RetGate, RetStep } from "./gates/ret-document.ts";
export { decideGate } from "./gates/ret-answer.ts";
export { evaluateGate, evaluateGateColumns } from "./gates/ret-evaluate.ts";
export type { EvaluateOptions } from "./gates/ret-evaluate.ts";
export type { StateMachine } from "./guardian/machine.ts";
export type { JsonPlace, RetJson, RetLeaf, RetRequirement } from "./gates/ret-json.ts";
export { STRATEGIES } from "./base/strategy.ts";
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
export type { ReadFile, SourceFile, SourceText, Unread } from "./language/load.ts";
export { FactChecker } from "./engine/fact-check.ts";
export type { FactProblem } from "./engine/fact-check.ts";
export { factPlaces } from "./engine/fact-places.ts";
export type { FactPlace } from "./engine/fact-places.ts";
export { factSession } from "./engine/fact-session.ts";
export type { FieldSchema, RecordSchema, Schema, SchemaType, TypeSchema } from "./session/admission/schema.ts";
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
export type { WhySubject } from "./explain/tell/why.ts";
export type { WhyVerdict } from "./explain/tell/verdict.ts";
export type { QuestionArguments } from "./explain/read/context.ts";
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
