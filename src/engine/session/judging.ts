/** What gates, flows, guardians and pipelines say. {@link Session} implements it. */
import type { FlowAnswer, GateAnswer, PipelineDecision, VerdictAnswer } from "../../base/answers.ts";
import type { FactRef } from "../../session/options.ts";

export interface SessionJudgements {
  /**
   * Returns what a gate says about a subject now, also before a run. `missing` and `tree` are computed when they are
   * first read, from the facts at that moment.
   *
   * @param name - The name of the gate.
   * @param subject - The subject: its handle, view or id. Optional when the gate has exactly one subject, or no `for`.
   * @throws {@link SessionError} E213 when there is no such gate, E541 when the fact is not one of its subjects.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string)
   *   type TestRun(release: string, failed: number)
   *   condition tests_ok(r: Release) : t.failed == 0 from t: TestRun(t.release == r.id)
   *   gate "deploy" for r: Release { require tests_ok(r) }`).session();
   * session.assert("Release", { id: "r1" });
   * session.gate("deploy", "Release~r1").outcome; // => "hold"
   * session.assert("TestRun", { release: "r1", failed: 0 });
   * session.gate("deploy", "Release~r1").outcome; // => "pass"
   * ```
   */
  gate(name: string, subject?: FactRef): GateAnswer;

  /**
   * Returns what a gate says about each of its subjects now, oldest subject first; without a name, for all gates in
   * program order.
   *
   * @throws {@link SessionError} E213 when there is no such gate.
   */
  gates(name?: string): GateAnswer[];

  /**
   * Returns the stage of a subject in a flow, and the gate and branch that led there. {@link Session.why} explains it.
   *
   * @param name - The name of the flow.
   * @param subject - The subject: its handle, view or id. Optional when the flow has exactly one subject, or no `for`.
   * @throws {@link SessionError} E213 when there is no such flow, E541 when the fact is not one of its subjects, or has no
   *   stage yet because the session has not run.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string, ok: bool)
   *   gate "deploy" for r: Release { require r.ok }
   *   flow "release" for r: Release {
   *     stage review { decide deploy(r) on pass goto ship on fail goto deny }
   *     stage ship final
   *     stage deny final
   *   }`).session();
   * session.assert("Release", { id: "r1", ok: true });
   * session.run();
   * const { stage, from, branch, gate } = session.flow("release", "Release~r1");
   * [stage, from, branch, gate]; // => ["ship", "review", "on pass", "deploy"]
   * session.why(session.flow("release")).upward_rationale; // => 'Release r1 is in stage ship of flow "release": gate "deploy" passed in stage review, so "on pass goto ship" applied.'
   * ```
   */
  flow(name: string, subject?: FactRef): FlowAnswer;

  /**
   * Returns the stage of each subject of a flow, oldest subject first; without a name, for all flows in program order.
   * Subjects that have no stage yet are left out.
   *
   * @throws {@link SessionError} E213 when there is no such flow.
   */
  flows(name?: string): FlowAnswer[];

  /**
   * Returns what a guardian says about a subject now, also before a run.
   *
   * @param name - The name of the guardian.
   * @param subject - The subject: its handle, view or id. Optional when the guardian has exactly one subject.
   * @throws {@link SessionError} E213 when there is no such guardian, E541 when the fact is not one of its subjects.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Draft(#id: string, text: string?, attempt: number = 0)
   *   guardian "answer" for d: Draft {
   *     check contract { need d.text is present as "no_draft_answer" do REGENERATE_DRAFT }
   *   }`).session();
   * const draft = session.assert("Draft", { id: "d1" });
   * const { verdict, reasons } = session.verdict("answer", draft);
   * [verdict, reasons]; // => ["RETRY", ["no_draft_answer"]]
   * ```
   */
  verdict(name: string, subject?: FactRef): VerdictAnswer;

  /**
   * Returns what a guardian says about each of its subjects now, oldest subject first; without a name, for all
   * guardians in program order.
   *
   * @throws {@link SessionError} E213 when there is no such guardian.
   */
  verdicts(name?: string): VerdictAnswer[];

  /** The names of the guardians, in program order. */
  readonly guardians: readonly string[];

  /**
   * Lets a pipeline decide about a request now, even if it has decided before. If the pipeline says `audit to`, the
   * decision is written before it is returned; when it cannot be written, the decision is ERROR (E544).
   *
   * @throws {@link SessionError} E213 when there is no such pipeline, E541 when the fact is not one of its requests.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Request(#id: string, content: string?)
   *   pipeline "request" for q: Request {
   *     step safety BLOCK "nothing to read" when q.content is missing
   *     otherwise FORWARD "assistant"
   *   }`).session();
   * const request = session.assert("Request", { id: "q1" });
   * const { decision, value } = session.decide("request", request);
   * [decision, value]; // => ["BLOCK", "nothing to read"]
   * ```
   */
  decide(name: string, subject: FactRef): PipelineDecision;

  /**
   * Returns what a pipeline would decide about each of its requests now, oldest first; without a name, for all
   * pipelines. Nothing is decided: nothing is audited, and no listener is called.
   *
   * @throws {@link SessionError} E213 when there is no such pipeline.
   */
  decisions(name?: string): PipelineDecision[];
}
