/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A session of a program, as hosts see it: every method hands over to the part that does the work. The interfaces of
 * src/engine/session/ say what each method does.
 *
 * The parts are made in order by `composing` (src/engine/open-session.ts), each from those before it.
 */
import type { FlowAnswer, GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { Slices } from "../base/slices.ts";
import type { Maybe } from "../base/value.ts";
import type { QuestionArguments } from "../explain/read/context.ts";
import type { Found, Remedy } from "../explain/search/edit.ts";
import type { VerdictRemedy } from "../explain/search/pass.ts";
import type { WhyDecision } from "../explain/tell/decision.ts";
import type { WhyGate } from "../explain/tell/gate.ts";
import type { WhyFlow } from "../explain/tell/stage.ts";
import type { Explanation } from "../explain/tell/step.ts";
import type { TraceEvent, TraceLevel } from "../explain/tell/trace.ts";
import type { WhyVerdict } from "../explain/tell/verdict.ts";
import type { WhySubject } from "../explain/tell/why.ts";
import type { WhyNot } from "../explain/tell/why-not.ts";
import type { Question } from "../plan/planner.ts";
import type { ActionHandler } from "../session/actions.ts";
import { sessionClosed } from "../session/errors.ts";
import type { FactOrigin } from "../session/history.ts";
import type {
  ChangeBy,
  FactRef,
  FactSupport,
  MatchState,
  Past,
  SessionCounters,
  SessionEvents,
} from "../session/options.ts";
import type { FactHandle, FactView, Fired, MatchView, RunResult } from "../session/results.ts";
import type { Migration } from "../session/migration-report.ts";
import type { RunAsyncOptions, RunOptions } from "../session/run.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { InstantInput } from "../session/session-clock.ts";
import { writeSnapshot } from "../session/snapshot-stream.ts";
import type { FactChange, SubmitOptions } from "../session/submissions.ts";
import type { Xuple } from "../session/xuples.ts";
import type { ExplainPort } from "./explain-port.ts";
import {
  checkAsked,
  checkChangeBy,
  checkGiven,
  checkListener,
  checkNoOptions,
  checkPacked,
  checkProgram,
  checkReloadOptions,
  checkRunAsyncOptions,
  checkRunOptions,
  checkSnapshotOptions,
  checkSubmitOptions,
  checkSubscribeOptions,
  checkTarget,
  checkTrace,
} from "./known-names.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { RowDelta } from "./row-delta.ts";
import type { QueryRow } from "./rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { SessionChanges } from "./session/changes.ts";
import { begunAgain, cleared, reloaded, type SessionComposition } from "./session/composition.ts";
import type { SessionContents } from "./session/contents.ts";
import type { SessionExplanations } from "./session/explaining.ts";
import type { SessionJudgements } from "./session/judging.ts";
import type { ReloadOptions, SessionLife, SnapshotOptions } from "./session/life.ts";
import type { SessionQuestions } from "./session/questions.ts";
import type { SessionRuns } from "./session/running.ts";
import type { SubscribeOptions, Subscription, SubscriptionIterator } from "./subscription.ts";
import type { SubscriptionRow, SubscriptionTarget } from "./subscription-port.ts";

/** The parts of a session that is open. */
type Explained<Runs extends RunnableProgram> = SessionComposition<Runs> & { readonly explanations: ExplainPort };

/**
 * A session of a program: facts, changes, runs, events and snapshots, queries, gates, guardians and pipelines, explanations
 * and reloading. {@link Program.session} opens one. A call that throws changes nothing.
 */
export class Session<Runs extends RunnableProgram = Program>
  implements
    SessionChanges,
    SessionRuns,
    SessionLife<Runs>,
    SessionContents,
    SessionQuestions,
    SessionJudgements,
    SessionExplanations
{
  /** Undefined when the session is closed. */
  #parts: Explained<Runs> | undefined;

  /**
   * Creates a session. Use {@link Program.session} instead.
   *
   * @internal
   */
  constructor(parts: SessionComposition<Runs>) {
    this.#parts = { ...parts, explanations: parts.explain(this) };
  }

  get #open(): Explained<Runs> {
    if (this.#parts === undefined) throw sessionClosed();
    return this.#parts;
  }

  assert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle {
    if (by !== undefined) checkChangeBy(by);
    return this.#open.core.changes.assert(type, fields, by);
  }

  update(fact: FactRef, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): boolean {
    if (by !== undefined) checkChangeBy(by);
    return this.#open.core.changes.update(fact, fields, by);
  }

  retract(fact: FactRef, by?: ChangeBy): boolean {
    if (by !== undefined) checkChangeBy(by);
    return this.#open.core.changes.retract(fact, by);
  }

  upsert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle {
    if (by !== undefined) checkChangeBy(by);
    return this.#open.core.changes.upsert(type, fields, by);
  }

  batch<Result>(work: () => Result): Result {
    return this.#open.core.changes.batch(work);
  }

  focus(group: string): void {
    this.#open.core.changes.focus(group);
  }

  run(options?: RunOptions): RunResult {
    if (options !== undefined) checkRunOptions(options);
    return this.#open.core.runner.run(options);
  }

  runUntil(to: InstantInput, options?: RunOptions): RunResult {
    if (options !== undefined) checkRunOptions(options);
    return this.#open.core.runner.runUntil(to, options);
  }

  advance(to: InstantInput): void {
    this.#open.core.clock.advance(to);
  }

  get clock(): string | undefined {
    return this.#open.core.clock.text;
  }

  get nextTime(): string | undefined {
    return this.#open.core.clock.nextText;
  }

  async runAsync(options?: RunAsyncOptions): Promise<RunResult> {
    checkRunAsyncOptions(options);
    return this.#open.core.runner.runAsync(options);
  }

  async submit(changes: readonly FactChange[] | FactChange, options?: SubmitOptions): Promise<RunResult> {
    checkSubmitOptions(options);
    return this.#open.core.submissions.submit(changes, options);
  }

  async enqueue(changes: readonly FactChange[] | FactChange, by?: ChangeBy): Promise<void>;
  async enqueue<Result>(work: () => Result): Promise<Awaited<Result>>;
  async enqueue(task: readonly FactChange[] | FactChange | (() => unknown), by?: ChangeBy): Promise<unknown> {
    if (typeof task === "function") checkNoOptions(by);
    else checkChangeBy(by);
    const { submissions } = this.#open.core;
    return typeof task === "function" ? submissions.call(task) : submissions.enqueue(task, by);
  }

  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void {
    checkListener(name, listener);
    return this.#open.core.state.listeners.on(name, listener);
  }

  get program(): Runs {
    return this.#open.running.program;
  }

  get functions(): NonNullable<OpenOptions["functions"]> {
    return this.#open.options.functions ?? {};
  }

  reload(program: Runs, options: ReloadOptions = {}): Migration {
    checkProgram(program);
    checkReloadOptions(options);
    return reloaded(this.#open, program, options);
  }

  get migration(): Migration {
    return this.#open.core.migration;
  }

  reset(): void {
    const next = begunAgain(this.#open);
    this.#parts = { ...next, explanations: next.explain(this) };
  }

  /**
   * Empties the session if its network can be used again; false when it must not be used any more.
   *
   * @internal
   */
  tryReset(): boolean {
    return cleared(this.#open);
  }

  /**
   * Replaces the handlers of actions by others with the same names, in a session that collects every firing.
   *
   * @internal
   */
  replaceHandlers(actions: Readonly<Record<string, ActionHandler>>): void {
    this.#open.core.runner.replaceHandlers(actions);
  }

  close(): void {
    this.#parts?.core.close();
    this.#parts?.subscriptions.close();
    this.#parts = undefined;
  }

  /**
   * Closes the session, as {@link Session.close} does, at the end of a `using` block.
   *
   * @internal
   */
  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Waits for the changes that are queued, the run that is under way and the snapshot that is written, then closes the session.
   *
   * @internal
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts?.core.idle();
    this.close();
  }

  get problems(): readonly Problem[] {
    return [...this.#open.core.inspector.problems, ...this.#open.outcomes.problems()];
  }

  get warnings(): readonly Diagnostic[] {
    return this.#open.running.warnings;
  }

  uncertainty(of: { readonly type: string } | { readonly rule: string }): string | undefined {
    return this.#open.running.upToDate().uncertainty(of);
  }

  /**
   * The last number given to a fact of each type without key fields.
   *
   * @internal
   */
  get numbers(): Readonly<Record<string, number>> {
    return this.#open.core.inspector.numbers;
  }

  get size(): number {
    return this.#open.core.inspector.size;
  }

  facts(type?: string): FactView[] {
    const { inspector } = this.#open.core;
    const facts = inspector.facts(type);
    if (type !== undefined && facts.length === 0) inspector.refuseUnknownType(type);
    return facts;
  }

  fact(ref: FactRef): FactView | undefined {
    return this.#open.core.inspector.fact(ref);
  }

  withdrawn(type?: string): FactView[] {
    const { inspector } = this.#open.core;
    const facts = inspector.withdrawn(type);
    if (type !== undefined && facts.length === 0) inspector.refuseUnknownType(type);
    return facts;
  }

  matches(rule: string): MatchView[] {
    return this.#open.core.inspector.matches(rule);
  }

  /**
   * Returns the matches of a rule with their state on the agenda; none for an unknown rule.
   *
   * @internal
   */
  matchStates(rule: string): MatchState[] {
    return this.#open.core.inspector.matchStates(rule);
  }

  origin(ref: FactRef): FactOrigin & { readonly supports: readonly FactSupport[] } {
    return this.#open.core.inspector.origin(ref);
  }

  /**
   * Returns the facts as a firing saw them; undefined when the firing is no longer remembered.
   *
   * @internal
   */
  past(n: number): Past | undefined {
    return this.#open.core.inspector.past(n);
  }

  firings(rule: string): Fired[] {
    const { inspector } = this.#open.core;
    const firings = inspector.firings(rule);
    const isDeclared = firings.length > 0 || this.program.declaredAt(rule)?.isRule === true; // also one that is disabled
    if (!isDeclared) inspector.refuseUnknownRule(rule);
    return firings;
  }

  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[] {
    return this.#open.core.inspector.agenda();
  }

  counters(): SessionCounters {
    return this.#open.core.inspector.counters();
  }

  nodeCounts(): ReadonlyMap<number, number> {
    return this.#open.queries.nodeCounts();
  }

  xuples(space: string, agent?: string): readonly Xuple[] {
    return this.#open.core.state.xuples.list(space, agent);
  }

  takeXuple(space: string, agent?: string): Xuple | undefined {
    this.#open.core.state.activity.refuseWhileCommitting();
    return this.#open.core.state.xuples.take(space, agent);
  }

  snapshot(options: SnapshotOptions): Promise<void>;
  snapshot(): Snapshot;
  snapshot(options?: SnapshotOptions): Snapshot | Promise<void> {
    checkSnapshotOptions(options);
    const { state, snapshots } = this.#open.core;
    return options === undefined ? snapshots.take() : writeSnapshot(state, snapshots, options.stream, new Slices());
  }

  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    return this.#open.queries.query(name, args);
  }

  subscribe<Target extends SubscriptionTarget>(
    target: Target,
    parameters: Readonly<Record<string, unknown>>,
    listener: (delta: RowDelta<SubscriptionRow<Target>>) => void,
  ): Subscription<SubscriptionRow<Target>>;
  subscribe<Target extends SubscriptionTarget>(
    target: Target,
    parameters?: Readonly<Record<string, unknown>>,
    options?: SubscribeOptions,
  ): SubscriptionIterator<SubscriptionRow<Target>>;
  subscribe(
    target: SubscriptionTarget,
    parameters: Readonly<Record<string, unknown>> = {},
    how: ((delta: RowDelta<never>) => void) | SubscribeOptions = {},
  ): unknown {
    checkTarget(target, parameters);
    if (typeof how !== "function") checkSubscribeOptions(how);
    const to = how as ((delta: RowDelta<unknown>) => void) | SubscribeOptions;
    return this.#open.subscriptions.subscribe(target, parameters, to);
  }

  /**
   * Answers a question that is not part of the program, as `expect` does in a test block.
   *
   * @internal
   */
  ask(question: Question): QueryRow[] {
    return this.#open.queries.ask(question);
  }

  /**
   * Returns the arguments that the actions of a question without patterns would have.
   *
   * @internal
   */
  argumentsOf(question: Question): Maybe[][] {
    return this.#open.queries.argumentsOf(question);
  }

  gate(name: string, subject?: FactRef): GateAnswer {
    return this.#open.judgements.gate(name, subject);
  }

  gates(name?: string): GateAnswer[] {
    return this.#open.judgements.gates(name);
  }

  flow(name: string, subject?: FactRef): FlowAnswer {
    return this.#open.judgements.flow(name, subject);
  }

  flows(name?: string): FlowAnswer[] {
    return this.#open.judgements.flows(name);
  }

  verdict(name: string, subject?: FactRef): VerdictAnswer {
    return this.#open.judgements.verdict(name, subject);
  }

  verdicts(name?: string): VerdictAnswer[] {
    return this.#open.judgements.verdicts(name);
  }

  get guardians(): readonly string[] {
    return this.#open.judgements.guardians;
  }

  decide(name: string, subject: FactRef): PipelineDecision {
    return this.#open.judgements.decide(name, subject);
  }

  decisions(name?: string): PipelineDecision[] {
    return this.#open.judgements.decisions(name);
  }

  why(asked: FlowAnswer): WhyFlow;
  why(asked: GateAnswer): WhyGate;
  why(asked: VerdictAnswer): WhyVerdict;
  why(asked: PipelineDecision): WhyDecision;
  why(asked: WhySubject): Explanation;
  why(asked: WhySubject): Explanation {
    checkAsked(asked);
    return this.#open.explanations.why(asked);
  }

  whyNot(ruleOrQuery: string, given: QuestionArguments = {}): WhyNot {
    checkGiven(given);
    return this.#open.explanations.whyNot(ruleOrQuery, given);
  }

  wouldOpen(gate: string, subject?: FactRef): Remedy[] {
    return this.searchOpen(gate, subject).remedies;
  }

  searchOpen(gate: string, subject?: FactRef): Found<Remedy> {
    return this.#open.explanations.searchOpen(gate, subject);
  }

  wouldPass(guardian: string, subject?: FactRef): VerdictRemedy[] {
    return this.searchPass(guardian, subject).remedies;
  }

  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy> {
    return this.#open.explanations.searchPass(guardian, subject);
  }

  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void {
    checkTrace(level, tell);
    return this.#open.explanations.trace(level, tell);
  }

  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string {
    checkPacked(result);
    return this.#open.explanations.pack(result);
  }
}

/**
 * The earlier name of {@link Session}.
 *
 * @alias
 */
export const RuleSession: typeof Session = Session;
/** The earlier name of {@link Session}. */
export type RuleSession = Session;
