/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A session of a program, as hosts see it: every method hands over to the part that does the work.
 *
 * The parts are made in order by `openSession` (src/engine.ts), each from those before it.
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
import type { SessionCore } from "../session/core.ts";
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
import type { Migrations } from "../session/migration.ts";
import type { Migration } from "../session/migration-report.ts";
import type { RunAsyncOptions, RunOptions } from "../session/run.ts";
import type { Snapshot } from "../session/snapshot.ts";
import { type SnapshotSink, writeSnapshot } from "../session/snapshot-stream.ts";
import type { FactChange, SubmitOptions } from "../session/submissions.ts";
import type { Xuple } from "../session/xuples.ts";
import type { SessionOutcomes } from "./at-rest.ts";
import type { ExplainPort } from "./explain-port.ts";
import { checkEvent } from "./known-names.ts";
import type { Judgements } from "./judgements.ts";
import type { OpenOptions, Program } from "./program.ts";
import type { QueryPort } from "./query-rows.ts";
import type { RowDelta } from "./row-delta.ts";
import type { QueryRow } from "./rows.ts";
import type { RunnableProgram } from "./runnable.ts";
import type { RunningProgram } from "./running-program.ts";
import type { SubscribeOptions, Subscription, SubscriptionIterator } from "./subscription.ts";
import type { SubscriptionPort, SubscriptionRow, SubscriptionTarget } from "./subscription-port.ts";

/** What a session is composed of. */
export interface SessionComposition<Runs extends RunnableProgram = Program> {
  readonly options: OpenOptions;
  readonly core: SessionCore;
  readonly running: RunningProgram<Runs>;
  readonly outcomes: SessionOutcomes;
  readonly judgements: Judgements;
  readonly queries: QueryPort;
  readonly subscriptions: SubscriptionPort;
  /** Makes what explains the session. */
  readonly explain: (session: Session<Runs>) => ExplainPort;
  /** Opens the session again with a program, without anything of before. */
  readonly reopen: (program: Runs) => SessionComposition<Runs>;
}

/** Options of {@link Session.snapshot}. */
export interface SnapshotOptions {
  /** Where the snapshot is written to. */
  readonly stream: SnapshotSink;
}

/** Options of {@link Session.reload}. */
export interface ReloadOptions {
  /** Converts facts whose types have another declaration in the new program, by type. */
  readonly migrate?: Migrations;
}

/**
 * A session of a program: facts, changes, runs, events and snapshots, queries, gates, guardians and pipelines, explanations
 * and reloading. {@link Program.session} opens one. A call that throws changes nothing.
 */
export class Session<Runs extends RunnableProgram = Program> {
  /** Undefined when the session is closed. */
  #parts: (SessionComposition<Runs> & { readonly explanations: ExplainPort }) | undefined;

  /**
   * Creates a session. Use {@link Program.session} instead.
   *
   * @internal
   */
  constructor(parts: SessionComposition<Runs>) {
    this.#parts = { ...parts, explanations: parts.explain(this) };
  }

  get #open(): SessionComposition<Runs> & { readonly explanations: ExplainPort } {
    if (this.#parts === undefined) throw sessionClosed();
    return this.#parts;
  }

  // ---------------------------------------------------------------- changes

  /**
   * Adds a fact to working memory.
   *
   * @param type - The name of its type.
   * @param fields - Its fields. References may be handles, ids or keys.
   * @param by - `{ role: "policy" }` for facts of protected types.
   * @returns A handle with the id of the fact.
   * @throws {@link FactError} E201 for an unknown type, E401 to E407 for a wrong field, E410 when the key is taken,
   *   E411 for a protected type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number)").session();
   * session.assert("Person", { id: "p1", age: 30 }).id; // => "Person~p1"
   * ```
   */
  assert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle {
    return this.#open.core.changes.assert(type, fields, by);
  }

  /**
   * Changes the given fields of a fact; `null` clears a field. Returns false when nothing differs. An update ends
   * exactly the matches that read a changed field, and starts them again where they still hold.
   *
   * @throws {@link FactError} E401 to E407 for a wrong field, E411 for a protected type, E412 for a key field, E532
   *   when there is no such fact.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number)").session();
   * const ann = session.assert("Person", { id: "p1", age: 30 });
   * session.update(ann, { age: 31 }); // => true
   * session.fact(ann)?.fields["age"]; // => 31
   * ```
   */
  update(fact: FactRef, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): boolean {
    return this.#open.core.changes.update(fact, fields, by);
  }

  /**
   * Removes a fact. Returns false when there is no such fact. A fact that rules also inserted logically stays as long
   * as one of their matches supports it; a fact that is only logical is removed.
   *
   * @throws {@link FactError} E411 for a protected type.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * const ann = session.assert("Person", { id: "p1" });
   * session.retract(ann); // => true
   * session.retract(ann); // => false
   * ```
   */
  retract(fact: FactRef, by?: ChangeBy): boolean {
    return this.#open.core.changes.retract(fact, by);
  }

  /**
   * Asserts a fact, or updates the one with the same key: given fields change, others stay.
   *
   * @throws {@link FactError} with the codes of {@link Session.assert} and {@link Session.update}.
   */
  upsert(type: string, fields: Readonly<Record<string, unknown>>, by?: ChangeBy): FactHandle {
    return this.#open.core.changes.upsert(type, fields, by);
  }

  /**
   * Makes many changes as one. They are made when `work` returns; if it throws, none is made. Inside `work`, `facts`
   * and `fact` show the changes, `matches` does not yet.
   *
   * @returns What `work` returned.
   * @throws {@link SessionError} E520 when `work` returns a promise, and whatever `work` throws.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.batch(() => {
   *   session.assert("Person", { id: "p1" });
   *   session.assert("Person", { id: "p2" });
   * });
   * session.size; // => 2
   * ```
   */
  batch<Result>(work: () => Result): Result {
    return this.#open.core.changes.batch(work);
  }

  /** Activates a group of rules for the rest of the session, as the action `focus("name")` does. */
  focus(group: string): void {
    this.#open.core.changes.focus(group);
  }

  // ---------------------------------------------------------------- firing

  /**
   * Fires rules until none is left, an action says `halt`, or the limit of firings is reached. Then gates, guardians,
   * flows and pipelines are brought up to date.
   *
   * @throws {@link RunLimitError} E510 at the limit, {@link ActionError} E520 when an action fails,
   *   {@link RestlessError} E512 when gates or flows never become stable, {@link SessionError} E530 inside another run.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * session.assert("Person", { id: "p1" });
   * const { fired, effects } = session.run();
   * fired; // => [{ n: 1, rule: "greet", bindings: { p: "Person~p1" } }]
   * effects; // => [{ n: 1, action: "log", args: ["p1"], rule: "greet" }]
   * ```
   */
  run(options?: RunOptions): RunResult {
    return this.#open.core.runner.run(options);
  }

  /**
   * Does what {@link Session.run} does and awaits what action handlers return, one firing after the other.
   *
   * While a handler is awaited, the session can be changed: such a change is made at once, by itself, and no failure of the
   * firing undoes it. What the handler changes through its context (`this.assert`, …), or through the session before its first
   * `await`, is made when the firing is. If a change from outside ends the match, the firing is not made: it is in
   * `conflicts` of the result.
   *
   * @throws The errors of {@link Session.run}; {@link ActionError} E523 when a handler does not settle within
   *   `handlerTimeout`, {@link RunAbortedError} E524 when `signal` is aborted, {@link SessionError} E535 when the session is
   *   closed.
   *
   * @example
   * ```ts
   * const program = compile('type Order(#num: string) type Sent(#num: string) rule "send" { when o: Order then send(o.num) } action send(num: string)');
   * const session = program.session({
   *   actions: {
   *     async send(num: string) {
   *       await Promise.resolve(); // such as a request with the header Idempotency-Key: this.key
   *       this.assert("Sent", { num });
   *     },
   *   },
   * });
   * session.assert("Order", { num: "o1" });
   * const running = session.runAsync({ handlerTimeout: 5000 });
   * session.assert("Order", { num: "o2" }); // made at once
   * (await running).count; // => 2
   * session.facts("Sent").length; // => 2
   * ```
   */
  async runAsync(options?: RunAsyncOptions): Promise<RunResult> {
    return this.#open.core.runner.runAsync(options);
  }

  /**
   * Adds changes to the queue of the session, for callers that share it. When their turn comes they are made, all or none,
   * and a run follows. Handlers must not await it: their run would wait for itself.
   *
   * @param changes - One change or several, as data. They are copied.
   * @param options - `{ role: "policy" }` for facts of protected types, and the options of {@link Session.runAsync}.
   * @returns The result of the run that followed these changes.
   * @throws {@link FactError} when a change is refused: then none of them is made, and no other submission is affected. After any
   *   other error the changes are made: it is that of {@link Session.runAsync}, or E535 when the session was closed before.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * const [ann, bob] = await Promise.all([
   *   session.submit({ op: "assert", type: "Person", fields: { id: "ann" } }),
   *   session.submit({ op: "assert", type: "Person", fields: { id: "bob" } }),
   * ]);
   * [ann.effects[0]?.args, bob.effects[0]?.args]; // => [["ann"], ["bob"]]
   * ```
   */
  async submit(changes: readonly FactChange[] | FactChange, options?: SubmitOptions): Promise<RunResult> {
    return this.#open.core.submissions.submit(changes, options);
  }

  /**
   * Adds changes to the queue of the session, as {@link Session.submit} does, without a run: the next one includes them.
   *
   * @returns A promise that settles when the changes are made, or refused.
   */
  async enqueue(changes: readonly FactChange[] | FactChange, by?: ChangeBy): Promise<void> {
    return this.#open.core.submissions.enqueue(changes, by);
  }

  /**
   * Subscribes to an event. Listeners are called in order when the session has finished a change or a run, never in the
   * middle of one. What a listener throws does not change what the session did: it becomes an `error` event, or without
   * a listener for that, a problem (E522).
   *
   * @returns A function that ends the subscription.
   * @throws {@link SessionError} E213 when there is no such event.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }').session();
   * const rules: string[] = [];
   * const end = session.on("fire", (fired) => rules.push(fired.rule));
   * session.assert("Person", { id: "p1" });
   * session.run();
   * end();
   * rules; // => ["greet"]
   * ```
   */
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void {
    checkEvent(name);
    return this.#open.core.state.listeners.on(name, listener);
  }

  // ---------------------------------------------------------------- the program

  /** The program that the session runs now. */
  get program(): Runs {
    return this.#open.running.program;
  }

  /** The host functions that rules call, by name. */
  get functions(): NonNullable<OpenOptions["functions"]> {
    return this.#open.options.functions ?? {};
  }

  /**
   * Continues with another program and the same facts. Rules that both programs have keep their memories and do not
   * fire again for what they have fired. Facts that the source of the new program states are not asserted.
   *
   * Facts are migrated to the types of the new program: a new field gets its default, or stays missing where it is
   * optional; a field that is gone is dropped. Facts that do not fit then, because a field or the key has another type or a
   * required field is new, are converted by `migrate`, or the reload is refused and nothing changes.
   *
   * @param options - `migrate`: functions that convert facts, by type.
   * @returns What was done to the facts.
   * @throws {@link SessionError} E530 during a run or a batch, {@link MigrationError} E537 when facts do not fit.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * session.run();
   * session.reload(program.extend('rule "count" { when p: Person then log("one more") }'));
   * session.run().fired.map((fired) => fired.rule); // => ["count"]
   * const typed = compile('type Person(#id: string, vip: bool = false) rule "vip" { when p: Person(vip) then log(p.id) }');
   * session.reload(typed).filled; // => [{ type: "Person", field: "vip", facts: 1, value: false }]
   * ```
   */
  reload(program: Runs, options: ReloadOptions = {}): Migration {
    const { sharing = true, shortcuts = true } = this.#open.options;
    const { core, running, outcomes, subscriptions } = this.#open;
    const plan = program.plan(sharing, shortcuts);
    return core.replaceProgram({
      spec: program.data(),
      apply: () => {
        running.replace(program, plan);
        outcomes.programReplaced();
        subscriptions.programReplaced();
      },
      clear: () => running.clear(),
      migrate: options.migrate ?? {},
    });
  }

  /** What happened to the facts of the snapshot that the session was opened with; nothing, when types did not change. */
  get migration(): Migration {
    return this.#open.core.migration;
  }

  /**
   * Empties the session to the state just after it was opened, with the program that it runs now: facts, matches, history, problems,
   * listeners, tuple spaces and counters are gone, and the facts of the program are asserted again. The network is
   * used again, so it costs what the session holds, not what the program has; only after a match limit (E511), a failed
   * function (E521) or new fields in a program without types it is assembled again.
   *
   * @throws {@link SessionError} E530 during a run or a batch, and while changes are queued.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string) Person("p0")').session();
   * session.assert("Person", { id: "p1" });
   * session.reset();
   * session.facts().map((fact) => fact.id); // => ["Person~p0"]
   * ```
   */
  reset(): void {
    const parts = this.#open;
    const { program } = parts.running;
    const next = this.#clear(parts) ? parts : parts.reopen(program);
    parts.subscriptions.close();
    if (next !== parts) next.core.keys.follow(parts.core.keys);
    this.#parts = { ...next, explanations: next.explain(this) };
  }

  /**
   * Empties the session if its network can be used again; false when it must not be used any more.
   *
   * @internal
   */
  tryReset(): boolean {
    return this.#clear(this.#open);
  }

  #clear({ core, running, outcomes }: SessionComposition<Runs>): boolean {
    return core.reset(running.program.data(), () => outcomes.programReplaced());
  }

  /**
   * Replaces the handlers of actions by others with the same names, in a session that collects every firing.
   *
   * @internal
   */
  replaceHandlers(actions: Readonly<Record<string, ActionHandler>>): void {
    this.#open.core.runner.replaceHandlers(actions);
  }

  /**
   * Closes the session: every later call throws E535. A run that awaits a handler rejects with E535, and the changes of that
   * firing are not made; so do the changes that are queued. Closing a closed session does nothing. `using` closes a session at the end
   * of its block; `await using` first waits for what is queued.
   *
   * @throws {@link SessionError} E530 inside a synchronous run or a batch.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.close();
   * let code = "";
   * try {
   *   session.assert("Person", { id: "p1" });
   * } catch (error) {
   *   if (error instanceof SessionError) code = error.code;
   * }
   * code; // => "E535"
   * ```
   */
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
   * Waits for the changes that are queued and the run that is under way, then closes the session.
   *
   * @internal
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const core = this.#parts?.core;
    await core?.submissions.drained();
    await core?.runner.ended();
    this.close();
  }

  // ---------------------------------------------------------------- what the session holds

  /**
   * The problems that exist now and stopped nothing: rules switched off at their match limit (E511), failed functions
   * (E521), failed listeners (E522), flows that cannot continue (E540) and subjects that cannot be judged (E543).
   */
  get problems(): readonly Problem[] {
    return [...this.#open.core.inspector.problems, ...this.#open.outcomes.problems()];
  }

  /**
   * Warnings that came up while rules were tested: divisions by zero (W501) and host functions that failed (E521), each
   * once per rule.
   */
  get warnings(): readonly Diagnostic[] {
    return this.#open.running.warnings;
  }

  /**
   * Returns why the facts of a type, or what a rule reads, may be incomplete: a rule that they depend on was switched
   * off, failed, or has not fired yet. Returns undefined when they are complete. `rule` may also be `gate "g"`,
   * `guardian "d"` or `pipeline "p"`.
   */
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

  /** The number of facts in working memory. */
  get size(): number {
    return this.#open.core.inspector.size;
  }

  /**
   * Returns the facts of a type, or all facts, in the order in which they were asserted.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.assert("Person", { id: "p1" });
   * session.facts("Person"); // => [{ id: "Person~p1", type: "Person", fields: { id: "p1" } }]
   * ```
   */
  facts(type?: string): FactView[] {
    return this.#open.core.inspector.facts(type);
  }

  /** Returns one fact by its handle, view or id; undefined when there is no such fact. */
  fact(ref: FactRef): FactView | undefined {
    return this.#open.core.inspector.fact(ref);
  }

  /**
   * Returns the facts of a type, or all facts, that were withdrawn and that the history remembers, as they were last; newest
   * first. {@link Session.why} explains who withdrew one.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string)").session();
   * session.retract(session.assert("Person", { id: "p1" }));
   * session.withdrawn("Person").map((fact) => fact.id); // => ["Person~p1"]
   * session.why("Person~p1").upward_rationale; // => "Person p1 was withdrawn: the host retracted it."
   * ```
   */
  withdrawn(type?: string): FactView[] {
    return this.#open.core.inspector.withdrawn(type);
  }

  /**
   * Returns the matches that a rule has now, fired or not, in firing order. Nothing fires.
   *
   * @throws {@link SessionError} E207 when there is no such rule.
   */
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

  /** Returns which firing made and last changed a fact, and the matches that support it if it is logical. */
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

  /** Returns the remembered firings of a rule, newest first. */
  firings(rule: string): Fired[] {
    return this.#open.core.inspector.firings(rule);
  }

  /**
   * Returns the matches that are waiting to fire, in firing order. Matches of a group that is not active are left out.
   */
  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[] {
    return this.#open.core.inspector.agenda();
  }

  /** Returns counters of the network and the agenda, for tests and measurements. */
  counters(): SessionCounters {
    return this.#open.core.inspector.counters();
  }

  /**
   * Returns, for each node of {@link Program.network} by its id, how many facts pass it or how many matches it holds.
   * It builds each node again to count, so it is meant for pictures and debugging.
   */
  nodeCounts(): ReadonlyMap<number, number> {
    return this.#open.queries.nodeCounts();
  }

  /**
   * Returns the entries of a tuple space that an agent could take, oldest first. Entries older than the retention of
   * the space are gone.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  xuples(space: string, agent?: string): readonly Xuple[] {
    return this.#open.core.state.xuples.list(space, agent);
  }

  /**
   * Takes the next entry of a tuple space, by the selection of the space; undefined when there is none. With `once` it
   * is gone for all agents, with `per-agent` only for this one.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  takeXuple(space: string, agent?: string): Xuple | undefined {
    this.#open.core.state.activity.refuseWhileCommitting();
    return this.#open.core.state.xuples.take(space, agent);
  }

  /**
   * Writes the session to a stream, in slices between which other work can run: at most 1,000 facts or matches, and as a
   * rule at most 5 ms. {@link Program.openAsync} reads it. The snapshot is that of the moment of the call: until the
   * promise resolves, the session can be read, but changes, runs and queries are refused (E530).
   *
   * @param options - `stream`: where to write to. It is not closed.
   * @throws {@link SessionError} E530 during a run or a batch; whatever the stream fails with.
   *
   * @example
   * ```ts
   * const program = compile("type Person(#id: string)");
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * const parts: string[] = [];
   * await session.snapshot({ stream: { write: (part, done) => (parts.push(part), done()) } });
   * const copy = await program.openAsync({ from: new Blob(parts).stream() });
   * copy.size; // => 1
   * ```
   */
  snapshot(options: SnapshotOptions): Promise<void>;
  /**
   * Returns the session as plain data that can be written as JSON. A session opened with `from` and the same program
   * continues exactly as this one would.
   *
   * @throws {@link SessionError} E530 during a run or a batch.
   *
   * @example
   * ```ts
   * const program = compile('type Person(#id: string) rule "greet" { when p: Person then log(p.id) }');
   * const session = program.session();
   * session.assert("Person", { id: "p1" });
   * const copy = program.session({ from: session.snapshot() });
   * copy.run().fired.length; // => 1
   * ```
   */
  snapshot(): Snapshot;
  snapshot(options?: SnapshotOptions): Snapshot | Promise<void> {
    const { state, snapshots } = this.#open.core;
    return options === undefined ? snapshots.take() : writeSnapshot(state, snapshots, options.stream, new Slices());
  }

  // ---------------------------------------------------------------- queries, gates, guardians, pipelines

  /**
   * Returns the answers of a query now: one row of variables for each match, in the order of the facts.
   *
   * @param name - The name of the query.
   * @param args - Values for its parameters, by name. A reference may be a handle, a view, an id or a key.
   * @throws {@link SessionError} E213 when there is no such query, E205 when it has no such parameter, E407 when a value does
   *   not have the type of its parameter, E511 when it would make too many partial matches.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Person(#id: string, age: number)
   *   query adults(min: number) { p: Person(age >= min) }`).session();
   * session.assert("Person", { id: "p1", age: 30 });
   * session.query("adults", { min: 18 }).map(({ p }) => p); // => [{ id: "Person~p1", type: "Person", fields: { id: "p1", age: 30 } }]
   * ```
   */
  query(name: string, args: Readonly<Record<string, unknown>> = {}): QueryRow[] {
    return this.#open.queries.query(name, args);
  }

  /**
   * Subscribes to the rows of a query, the outcomes of a gate, or the facts of a type. The listener is called at once with all
   * rows as `added`, then after every change that makes a difference, whether or not the session runs. It is called when the
   * change is complete; a change that it makes itself is delivered after the current one. What it throws is handled as for
   * {@link Session.on}.
   *
   * Without a listener the subscription is an async iterator of the same deltas. A change costs what it touches, however many
   * subscriptions there are.
   *
   * @param target - `{ query }`, `{ gate }` or `{ type }`, with its name.
   * @param parameters - For a query its parameters; for a gate `{ subject }` or nothing; for a type the values that fields
   *   must equal.
   * @throws {@link SessionError} E213, E205, E407 and E511 as {@link Session.query}, E201 and E401 for a type, E530 inside a host
   *   function.
   *
   * @example
   * ```ts
   * const session = compile("type Person(#id: string, age: number) query adults(min: number) { p: Person(age >= min) }").session();
   * const seen: unknown[] = [];
   * const adults = session.subscribe({ query: "adults" }, { min: 18 }, ({ added, removed, changed }) => {
   *   seen.push([added.length, removed.length, changed.length]);
   * });
   * const ann = session.assert("Person", { id: "p1", age: 30 });
   * session.update(ann, { age: 31 });
   * session.update(ann, { age: 12 });
   * adults.close();
   * seen; // => [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
   * ```
   */
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
  gate(name: string, subject?: FactRef): GateAnswer {
    return this.#open.judgements.gate(name, subject);
  }

  /**
   * Returns what a gate says about each of its subjects now, oldest subject first; without a name, for all gates in
   * program order.
   *
   * @throws {@link SessionError} E213 when there is no such gate.
   */
  gates(name?: string): GateAnswer[] {
    return this.#open.judgements.gates(name);
  }

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
  flow(name: string, subject?: FactRef): FlowAnswer {
    return this.#open.judgements.flow(name, subject);
  }

  /**
   * Returns the stage of each subject of a flow, oldest subject first; without a name, for all flows in program order.
   * Subjects that have no stage yet are left out.
   *
   * @throws {@link SessionError} E213 when there is no such flow.
   */
  flows(name?: string): FlowAnswer[] {
    return this.#open.judgements.flows(name);
  }

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
  verdict(name: string, subject?: FactRef): VerdictAnswer {
    return this.#open.judgements.verdict(name, subject);
  }

  /**
   * Returns what a guardian says about each of its subjects now, oldest subject first; without a name, for all
   * guardians in program order.
   *
   * @throws {@link SessionError} E213 when there is no such guardian.
   */
  verdicts(name?: string): VerdictAnswer[] {
    return this.#open.judgements.verdicts(name);
  }

  /** The names of the guardians, in program order. */
  get guardians(): readonly string[] {
    return this.#open.judgements.guardians;
  }

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
  decide(name: string, subject: FactRef): PipelineDecision {
    return this.#open.judgements.decide(name, subject);
  }

  /**
   * Returns what a pipeline would decide about each of its requests now, oldest first; without a name, for all
   * pipelines. Nothing is decided: nothing is audited, and no listener is called.
   *
   * @throws {@link SessionError} E213 when there is no such pipeline.
   */
  decisions(name?: string): PipelineDecision[] {
    return this.#open.judgements.decisions(name);
  }

  // ---------------------------------------------------------------- explanations

  /**
   * Explains something that happened, as a tree of steps in the words of the rules:
   *
   * - a firing or one of its effects: why the rule fired;
   * - the answer of a gate, guardian or pipeline, or the fact of a gate result or verdict: why it says so;
   * - the stage of a flow, or its `FlowStage` fact: the gates and branches that led there, and why it stays;
   * - a fact, given by its handle, view or id: where it comes from; or, when it was withdrawn, who withdrew it.
   *
   * A firing is explained with the facts as they were when it fired, a move of a flow with those when it was made.
   *
   * @throws {@link SessionError} E550 when the firing is no longer remembered, E532 when there is no such fact.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 30 });
   * const [first] = session.run().fired;
   * if (first !== undefined) console.log(textTree(session.why(first)));
   * ```
   */
  why(asked: FlowAnswer): WhyFlow;
  why(asked: GateAnswer): WhyGate;
  why(asked: VerdictAnswer): WhyVerdict;
  why(asked: PipelineDecision): WhyDecision;
  why(asked: WhySubject): Explanation;
  why(asked: WhySubject): Explanation {
    return this.#open.explanations.why(asked);
  }

  /**
   * Explains why a rule does not fire, or why a query has no answer, and suggests the smallest changes that would help.
   * Each suggestion is verified on a copy of the session. Call it between runs.
   *
   * @param ruleOrQuery - The name of the rule or query.
   * @param given - Facts for some of its variables (by id, label or key), or values for the parameters of a query.
   * @throws {@link SessionError} E207 when there is neither a rule nor a query of this name, E205 when it has no such variable
   *   or parameter, E407 when a value does not have the type of its parameter.
   *
   * @example
   * ```ts
   * const session = compile('type Person(#id: string, age: number) rule "adult" { when p: Person(age >= 18) then log(p.id) }').session();
   * session.assert("Person", { id: "p1", age: 12 });
   * const answer = session.whyNot("adult", { p: "Person~p1" });
   * answer.hindrance; // => "no match"
   * answer.remedies[0]?.edits; // => [{ op: "update", fact: "Person~p1", field: "age", from: 12, to: 18 }]
   * ```
   */
  whyNot(ruleOrQuery: string, given: QuestionArguments = {}): WhyNot {
    return this.#open.explanations.whyNot(ruleOrQuery, given);
  }

  /**
   * Returns the smallest changes of facts after which a gate would pass, at most three edits each. Each is verified on
   * a copy of the session, without firing rules. The list is empty for a gate that passes, and when none was found.
   * Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link Session.gate}.
   *
   * @example
   * ```ts
   * const session = compile(`
   *   type Release(#id: string)
   *   type Approval(#release: string)
   *   gate "deploy" for r: Release { require exists Approval(release == r.id) }`).session();
   * session.assert("Release", { id: "r1" });
   * session.wouldOpen("deploy").map((remedy) => remedy.edits[0]); // => [{ op: "assert", type: "Approval", fields: { release: "r1" } }]
   * ```
   */
  wouldOpen(gate: string, subject?: FactRef): Remedy[] {
    return this.searchOpen(gate, subject).remedies;
  }

  /**
   * Returns the same changes as {@link Session.wouldOpen}, and in `stopped` why the search ended before everything
   * was tried.
   */
  searchOpen(gate: string, subject?: FactRef): Found<Remedy> {
    return this.#open.explanations.searchOpen(gate, subject);
  }

  /**
   * Returns the smallest changes of facts after which a guardian would judge differently, at most three edits each,
   * with the verdict that follows. Each is verified on a copy of the session. The list is empty for a draft that
   * passes, and when none was found. Call it between runs.
   *
   * @throws {@link SessionError} E213, E541 as {@link Session.verdict}.
   */
  wouldPass(guardian: string, subject?: FactRef): VerdictRemedy[] {
    return this.searchPass(guardian, subject).remedies;
  }

  /**
   * Returns the same changes as {@link Session.wouldPass}, and in `stopped` why the search ended before everything
   * was tried.
   */
  searchPass(guardian: string, subject?: FactRef): Found<VerdictRemedy> {
    return this.#open.explanations.searchPass(guardian, subject);
  }

  /**
   * Calls `tell` with an explanation of each firing, gate outcome, stage of a flow, verdict and decision as it happens.
   *
   * @returns A function that ends the trace.
   */
  trace(level: TraceLevel, tell: (event: TraceEvent) => void): () => void {
    return this.#open.explanations.trace(level, tell);
  }

  /**
   * Returns a decision pack: the result of a run, or one answer of a gate, guardian or pipeline, with the program, the
   * facts and the explanations, as canonical JSON with hashes. {@link verifyPack} checks it later.
   *
   * @throws {@link SessionError} E550 when the facts of the run are no longer known, E551 when repeating the run gives
   *   another result.
   */
  pack(result: RunResult | GateAnswer | VerdictAnswer | PipelineDecision): string {
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
