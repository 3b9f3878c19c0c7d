/**
 * A session: facts, the network they move through, the agenda, and the loop that fires.
 *
 * Every change is staged first and then committed as a whole, so a call that fails changes nothing. While actions of a
 * firing are performed, or inside `batch`, changes go into the open staging: those of a handler come behind the firing's
 * own changes and share their fate. Code of the host never runs in the middle of propagation.
 */
import { must } from "../base/invariant.ts";
import { isThrown } from "../base/host-result.ts";
import { nearest } from "../base/nearest.ts";
import { steadyClock } from "../base/stopwatch.ts";
import type { Fact } from "../rete/fact.ts";
import type { Problem } from "../base/answers.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { NetworkPort } from "../rete/port.ts";
import type { Activation } from "./agenda/activation.ts";
import { Agenda } from "./agenda/agenda.ts";
import { Committer } from "./changes/committer.ts";
import { Admission } from "./admission/admission.ts";
import { type FactOrigin, History } from "./history.ts";
import { didYouMean, SessionError } from "./errors.ts";
import { ActivationListener } from "./agenda/activation-listener.ts";
import { Listeners } from "./listeners.ts";
import { Loop } from "./loop.ts";
import { ActivationIndex, activationsOf, applyMarks, type Mark, markOf } from "./agenda/marks.ts";
import { Memory } from "./memory.ts";
import { viewOf } from "./changes/memory-view.ts";
import { OpenStaging } from "./changes/open-staging.ts";
import type {
  ChangeBy,
  FactRef,
  FactSupport,
  MatchState,
  NetworkContext,
  Past,
  SessionCounters,
  SessionEvents,
  SessionOptions,
  SessionSpec,
  Unfinished,
} from "./options.ts";
import { Problems } from "./problems.ts";
import { asyncBatch, isPromise } from "./promise.ts";
import { SeededRandom } from "./random.ts";
import { FactHandle, type FactView, type Fired, type MatchView, type RunResult } from "./results.ts";
import { Run, type RunOptions } from "./run.ts";
import { Shapes } from "./admission/shapes.ts";
import {
  doubtsIn,
  doubtsOf,
  type FactSnapshot,
  refuseOtherVersions,
  restoreFacts,
  restoreSupports,
  saveFacts,
  type Snapshot,
} from "./snapshot.ts";
import { type Author, PROGRAM, Staging, type View } from "./changes/staging.ts";
import { Support } from "./changes/support.ts";
import { bindingsOf, factView, matchView } from "./views.ts";
import { type Xuple, Xuples } from "./xuples.ts";

export const DEFAULT_LIMIT = 100_000;
const DEFAULT_HISTORY = 10_000;

/**
 * The part of a session that needs no compiler: facts, changes, runs, events and snapshots. A call that throws changes
 * nothing.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #shapes = new Shapes();
  readonly #memory = new Memory();
  readonly #support = new Support();
  readonly #agenda: Agenda;
  readonly #activationListener: ActivationListener;
  readonly #random = new SeededRandom();
  readonly #xuples: Xuples;
  readonly #problems = new Problems();
  readonly #listeners = new Listeners<SessionEvents>((listener, { event, error }) =>
    this.#report(this.#problems.addListener(listener, event, error)),
  );
  readonly #history: History;
  readonly #open = new OpenStaging();
  readonly #loop: Loop;
  readonly #view: View;
  readonly #site: NetworkContext;
  #parts: SessionSpec;
  #admission: Admission;
  #network: NetworkPort;
  #committer: Committer;
  #atRest: AtRestOutcomes | undefined;
  #running = false;
  #committing = false;
  /** The code of the error that ended the last run; undefined when it came to its end. */
  #stopped: string | undefined = undefined;
  /** What waits since then, as of this change. */
  #unfinished: (Unfinished & { readonly change: number }) | undefined = undefined;

  /**
   * Creates a session. Use {@link Program.session} instead.
   *
   * @internal
   */
  constructor(parts: SessionSpec, options: SessionOptions = {}) {
    const strategy = options.strategy ?? "breadth";
    this.#options = options;
    this.#history = new History(options.history ?? DEFAULT_HISTORY);
    this.#parts = parts;
    this.#admission = new Admission(parts.schema, this.#shapes, parts.limits);
    this.#agenda = new Agenda(strategy);
    this.#activationListener = new ActivationListener(this.#agenda, this.#support, this.#memory, strategy);
    const random = options.random ?? (() => this.#random.next());
    this.#xuples = new Xuples(parts.xupleSpaces, steadyClock(options.now ?? Date.now), random);
    this.#view = viewOf(this.#memory, this.#support, this.#xuples);
    this.#site = {
      listener: this.#activationListener,
      facts: this.#memory,
      shapes: this.#shapes,
      overflowed: (overflow) => this.#report(this.#problems.addLimit(overflow)),
      unfinished: () => (this.#running ? undefined : this.#leftUndone()),
    };
    this.#loop = new Loop({
      agenda: this.#agenda,
      handlers: new Map(Object.entries(options.actions ?? {})),
      listeners: this.#listeners,
      activationListener: this.#activationListener,
      history: this.#history,
      memory: this.#memory,
      open: this.#open,
      atRest: () => this.#atRest,
      newStaging: () => this.#newStaging(),
      commit: (staging, by, fired) => this.#commit(staging, by, fired),
    });
    this.#activationListener.rebuilding = options.from !== undefined;
    this.#network = parts.buildNetwork(this.#site);
    this.#committer = this.#newCommitter();
    this.#atRest = parts.atRest?.();
    if (options.from !== undefined) this.#restore(options.from);
    else this.#begin(options.facts ?? "program");
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
  assert(type: string, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): FactHandle {
    const id = this.#assertAlone(type, fields, by);
    return new FactHandle(id ?? this.#change((staging) => staging.insert(type, fields, authorOf(by))));
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
  update(fact: FactRef, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): boolean {
    return this.#change((staging) => staging.update(idOf(fact), fields, authorOf(by)));
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
  retract(fact: FactRef, by: ChangeBy = HOST): boolean {
    return this.#retractAlone(idOf(fact)) || this.#change((staging) => staging.retract(idOf(fact), authorOf(by)));
  }

  /**
   * Asserts a fact, or updates the one with the same key: given fields change, others stay.
   *
   * @throws {@link FactError} with the codes of {@link Session.assert} and {@link Session.update}.
   */
  upsert(type: string, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): FactHandle {
    return new FactHandle(this.#change((staging) => staging.upsert(type, fields, authorOf(by))));
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
    this.refuseWhileCommitting();
    const outer = this.#open.staging;
    const staging = outer?.nested() ?? this.#newStaging();
    const result = this.#open.collect(staging, work);
    if (isPromise(result)) throw asyncBatch(result);
    if (outer !== undefined) outer.absorb(staging);
    else this.#commit(staging, "host");
    return result;
  }

  /** Activates a group of rules for the rest of the session, as the action `focus("name")` does. */
  focus(group: string): void {
    this.#change((staging) => staging.focus(group));
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
  run(options: RunOptions = {}): RunResult {
    this.#startRunning();
    try {
      const run = this.#newRun(options);
      for (let next = this.#loop.next(run); next !== undefined; next = this.#loop.next(run)) this.#loop.fire(next, run);
      return run.result();
    } catch (error) {
      throw this.#stoppedBy(error);
    } finally {
      this.#stopRunning();
    }
  }

  /**
   * Does what {@link Session.run} does and awaits what action handlers return, one firing after the other. Changes that
   * are made while a handler is awaited belong to its firing.
   */
  async runAsync(options: RunOptions = {}): Promise<RunResult> {
    this.#startRunning();
    try {
      const run = this.#newRun(options);
      for (let next = this.#loop.next(run); next !== undefined; next = this.#loop.next(run))
        await this.#loop.fireAsync(next, run);
      return run.result();
    } catch (error) {
      throw this.#stoppedBy(error);
    } finally {
      this.#stopRunning();
    }
  }

  // ---------------------------------------------------------------- questions

  /**
   * The problems that exist now and stopped nothing: rules switched off at their match limit (E511), failed functions
   * (E521), failed listeners (E522), flows that cannot continue (E540) and subjects that cannot be judged (E543).
   */
  get problems(): readonly Problem[] {
    return [...this.#ownProblems(), ...(this.#atRest?.stuck() ?? [])];
  }

  /** Those of the session and of its program's functions, not of what judges. */
  #ownProblems(): readonly Problem[] {
    const functions = this.#parts.problems?.() ?? [];
    return this.#problems.isEmpty ? functions : [...this.#problems.list(), ...functions];
  }

  /** What a copy of the session must know of the rules that are switched off, or have not fired. */
  protected doubts(): Pick<Snapshot, "doubts"> {
    const { actions = {}, from } = this.#options;
    const handled = new Set([...Object.keys(actions), ...doubtsIn(from).actions]);
    return doubtsOf(this.#problems.limits, this.#parts.failedRules?.() ?? [], handled, this.#stopped);
  }

  /**
   * The last number given to a fact of each type without key fields.
   *
   * @internal
   */
  get numbers(): Readonly<Record<string, number>> {
    return this.#memory.counters().keyless;
  }

  /** The number of facts in working memory. */
  get size(): number {
    return this.#memory.size;
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
    const facts: Iterable<Parameters<typeof factView>[0]> = this.#open.staging?.known(type) ?? this.#memory.facts(type);
    return Array.from(facts, factView);
  }

  /** Returns one fact by its handle, view or id; undefined when there is no such fact. */
  fact(ref: FactRef): FactView | undefined {
    const fact = (this.#open.staging ?? this.#memory).get(idOf(ref));
    return fact === undefined ? undefined : factView(fact);
  }

  /**
   * Returns the matches that a rule has now, fired or not, in firing order. Nothing fires.
   *
   * @throws {@link SessionError} E207 when there is no such rule.
   */
  matches(rule: string): MatchView[] {
    if (!this.#parts.productions.has(rule)) {
      const meant = didYouMean(nearest(rule, this.#parts.productions.keys()));
      throw new SessionError("E207", `unknown rule "${rule}"`, meant);
    }
    return [...activationsOf(this.#network, this.#agenda, [rule])].sort(this.#agenda.compare).map(matchView);
  }

  /**
   * Returns the matches of a rule with their state on the agenda; none for an unknown rule.
   *
   * @internal
   */
  matchStates(rule: string): MatchState[] {
    if (!this.#parts.productions.has(rule)) return [];
    return [...activationsOf(this.#network, this.#agenda, [rule])].sort(this.#agenda.compare).map((activation) => {
      const state = activation.parked ? "parked" : activation.waiting ? "waiting" : "done";
      const { identity, stamp } = markOf(activation);
      return { bindings: bindingsOf(activation), identity, stamp, state };
    });
  }

  /** Returns which firing made and last changed a fact, and the matches that support it if it is logical. */
  origin(ref: FactRef): FactOrigin & { readonly supports: readonly FactSupport[] } {
    const fact = this.#memory.get(idOf(ref));
    const supports = fact === undefined ? [] : [...this.#support.supportsOf(fact)];
    return {
      ...this.#history.originOf(idOf(ref)),
      supports: supports.map((activation) => ({
        rule: activation.production.name,
        bindings: bindingsOf(activation),
      })),
    };
  }

  /**
   * Returns the facts as a firing saw them; undefined when the firing is no longer remembered.
   *
   * @internal
   */
  past(n: number): Past | undefined {
    const history = this.#history;
    const fired = history.firing(n);
    if (fired === undefined) return undefined;
    return {
      fired,
      change: history.changeBefore(n),
      known: history.knows(n),
      all: () => history.before(n, this.#memory.facts()),
      facts: (type) => history.before(n, this.#memory.facts(type), type),
      fact: (id) => history.factBefore(n, id, this.#memory.get(id)),
      later: () => history.passingSince(n),
    };
  }

  /** Returns the remembered firings of a rule, newest first. */
  firings(rule: string): Fired[] {
    return this.#history.firings(rule);
  }

  /**
   * Returns the matches that are waiting to fire, in firing order. Matches of a group that is not active are left out.
   */
  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[] {
    return [...this.#activations()]
      .filter((activation) => activation.waiting && !activation.parked)
      .sort(this.#agenda.compare)
      .map((activation) => ({ rule: activation.production.name, bindings: bindingsOf(activation) }));
  }

  /** Returns counters of the network and the agenda, for tests and measurements. */
  counters(): SessionCounters {
    return {
      ...this.#network.counters(),
      waiting: this.#agenda.size,
      parked: this.#agenda.parkedSize,
      logicalFacts: this.#support.size,
      supportSteps: this.#support.steps,
      fired: this.#loop.fired,
    };
  }

  /**
   * Returns the entries of a tuple space that an agent could take, oldest first. Entries older than the retention of
   * the space are gone.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  xuples(space: string, agent?: string): readonly Xuple[] {
    return this.#xuples.list(space, agent);
  }

  /**
   * Takes the next entry of a tuple space, by the selection of the space; undefined when there is none. With `once` it
   * is gone for all agents, with `per-agent` only for this one.
   *
   * @throws {@link SessionError} E213 when there is no such space.
   */
  takeXuple(space: string, agent?: string): Xuple | undefined {
    return this.#xuples.take(space, agent);
  }

  /**
   * Subscribes to an event. Listeners are called in order when the session has finished a change or a run, never in the
   * middle of one. What a listener throws does not change what the session did: it becomes an `error` event, or without
   * a listener for that, a problem (E522).
   *
   * @returns A function that ends the subscription.
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
    return this.#listeners.on(name, listener);
  }

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
  snapshot(): Snapshot {
    this.#refuseWhileWorking("take a snapshot");
    return {
      version: 1,
      counters: { ...this.#memory.counters(), fired: this.#loop.fired, random: this.#random.state },
      facts: saveFacts(this.#memory, this.#support),
      matches: Array.from(this.#activations(), markOf),
      groups: this.#agenda.activeGroups,
      xuples: this.#xuples.snapshot(),
      ...this.doubts(),
    };
  }

  // ---------------------------------------------------------------- a new program

  /**
   * Continues with another program and the same facts. Matches of the rules in `unchanged` that still hold do not fire
   * again; all other matches are new. Use {@link RuleSession.reload} instead.
   *
   * @internal
   */
  replaceProgram(parts: SessionSpec, unchanged: ReadonlySet<string>): void {
    this.#refuseWhileWorking("replace the program");
    this.#network.makeDeferred?.();
    const anew = parts.rebuildNetwork === undefined;
    const before = anew ? [...this.#activations()].filter(({ production }) => unchanged.has(production.name)) : [];
    const marks = before.map(markOf);
    const logical = anew ? saveFacts(this.#memory, this.#support).filter((fact) => fact.logical !== undefined) : [];
    const waiting = this.#agenda.takeAll();
    this.#parts = parts;
    this.#admission = new Admission(parts.schema, this.#shapes, parts.limits);
    this.#loop.forget(); // it knows the types of the program before
    this.#xuples.declare(parts.xupleSpaces);
    this.#memory.beginChange();
    this.#problems.forgetLimits();
    const rebuilt = parts.rebuildNetwork?.(this.#network, this.#site);
    if (rebuilt === undefined) this.#rebuildAnew(parts, marks, logical);
    else this.#goOnWith(rebuilt, parts, waiting);
    this.#committer = this.#newCommitter();
    this.#atRest = parts.atRest?.();
    this.#commit(this.#newStaging(), "support");
  }

  #goOnWith(network: NetworkPort, parts: SessionSpec, waiting: readonly Activation[]): void {
    this.#network = network;
    for (const activation of this.#activations()) {
      const { name, alternative = 0 } = activation.production;
      const production = parts.productions.get(name)?.[alternative];
      activation.production = must(production, "a match belongs to a rule of the program");
    }
    this.#support.programChanged();
    for (const activation of waiting) if (activation.alive) this.#agenda.add(activation);
  }

  #rebuildAnew(parts: SessionSpec, marks: readonly Mark[], logical: readonly FactSnapshot[]): void {
    for (const fact of this.#memory.facts()) {
      fact.matches = undefined;
      this.#support.release(fact);
    }
    this.#activationListener.rebuilding = true;
    this.#network = parts.buildNetwork(this.#site);
    this.#feedNetwork(this.#memory.facts());
    const activations = this.#activations();
    applyMarks(this.#agenda, activations, marks);
    restoreSupports(logical, this.#memory, this.#support, new ActivationIndex(activations));
  }

  // ---------------------------------------------------------------- beginning

  #begin(facts: "program" | "none"): void {
    const staging = this.#newStaging();
    if (facts === "program")
      for (const { type, fields } of this.#parts.initialFacts) staging.insert(type, fields, PROGRAM);
    this.#propagate(staging, "program");
  }

  #restore(snapshot: Snapshot): void {
    refuseOtherVersions(snapshot);
    const { limits, stopped } = doubtsIn(snapshot);
    for (const overflow of limits) this.#report(this.#problems.addLimit(overflow));
    this.#stopped = stopped;
    restoreFacts(snapshot.facts, this.#memory, this.#admission);
    this.#memory.restoreCounters(snapshot.counters);
    this.#loop.fired = snapshot.counters.fired;
    this.#random.state = snapshot.counters.random;
    this.#xuples.restore(snapshot.xuples);
    for (const group of snapshot.groups) this.#agenda.focus(group);
    this.#feedInTime(snapshot.counters.change);
    const activations = this.#activations();
    applyMarks(this.#agenda, activations, snapshot.matches);
    restoreSupports(snapshot.facts, this.#memory, this.#support, new ActivationIndex(activations));
    this.#propagate(this.#newStaging(), "support");
  }

  /** All facts at once into a new network. Until it is done nothing is put on the agenda. */
  #feedNetwork(facts: Iterable<Fact>): void {
    for (const fact of facts) this.#network.add(fact);
    this.#activationListener.rebuilding = false;
  }

  /** In the order of their last changes, so that a match without a mark is as old as its newest fact. */
  #feedInTime(change: number): void {
    for (const fact of [...this.#memory.facts()].sort((a, b) => a.tag - b.tag)) {
      this.#memory.restoreChange(fact.tag);
      this.#network.add(fact);
    }
    this.#memory.restoreChange(change);
    this.#activationListener.rebuilding = false;
  }

  #newCommitter(): Committer {
    return new Committer({
      memory: this.#memory,
      network: this.#network,
      agenda: this.#agenda,
      activationListener: this.#activationListener,
      support: this.#support,
      xuples: this.#xuples,
      history: this.#history,
      report: () => (this.#listeners.has("fact") ? (event) => this.#listeners.post("fact", event) : undefined),
    });
  }

  #newStaging(): Staging {
    return new Staging(this.#view, this.#admission, this.#xuples);
  }

  #activations(): Set<Activation> {
    return activationsOf(this.#network, this.#agenda, this.#parts.productions.keys());
  }

  // ---------------------------------------------------------------- changing

  /** One change: into the open staging, or staged and committed at once. */
  #change<Result>(want: (staging: Staging) => Result): Result {
    this.refuseWhileCommitting();
    if (this.#open.staging !== undefined) return want(this.#open.staging);
    const staging = this.#newStaging();
    const result = want(staging);
    this.#commit(staging, "host");
    return result;
  }

  /** The short way of a host's single assert: nothing needs to be staged. Undefined when it is no such case. */
  #assertAlone(type: string, fields: Readonly<Record<string, unknown>>, by: ChangeBy): string | undefined {
    this.refuseWhileCommitting();
    if (this.#open.staging !== undefined) return undefined;
    const { shape, values, id } = this.#admission.admit(type, fields, authorOf(by));
    if (id !== undefined && this.#memory.get(id) !== undefined) return undefined;
    this.#committing = true;
    let made: string;
    try {
      made = this.#committer.assert(shape, values, id);
    } finally {
      this.#committing = false;
    }
    this.#listeners.deliver();
    return made;
  }

  /** The same for a single retract of a fact that is only what the host asserted; false when it is no such case. */
  #retractAlone(id: string): boolean {
    this.refuseWhileCommitting();
    const fact = this.#open.staging === undefined ? this.#memory.get(id) : undefined;
    if (fact === undefined || this.#support.isLogical(fact) || !this.#admission.isUnguarded(fact.shape.type))
      return false;
    this.#committing = true;
    try {
      this.#committer.retract(fact);
    } finally {
      this.#committing = false;
    }
    this.#listeners.deliver();
    return true;
  }

  /** Undefined is known already. */
  #report(problem: Problem | undefined): void {
    if (problem !== undefined) this.#listeners.post("problem", problem);
  }

  #commit(staging: Staging, by: string, fired?: Fired): void {
    this.#propagate(staging, by, fired);
    this.#listeners.deliver();
  }

  #propagate(staging: Staging, by: string, fired?: Fired): void {
    this.#committing = true;
    try {
      this.#committer.commit(staging.changes, by, fired);
    } finally {
      this.#committing = false;
      this.#activationListener.firing = undefined;
    }
  }

  // ---------------------------------------------------------------- the loop

  #newRun({ limit, collect }: RunOptions): Run {
    const problems = (): readonly Problem[] => this.#ownProblems();
    return new Run(limit ?? this.#options.limit ?? DEFAULT_LIMIT, collect ?? true, this.#atRest, problems);
  }

  #startRunning(): void {
    this.#refuseWhileWorking("start a run");
    this.#running = true;
    this.#stopped = undefined;
    this.#parts.runBegan?.();
  }

  #stopRunning(): void {
    this.#parts.runEnded?.();
    this.#running = false;
  }

  /** Rules that would have fired have not: what they write cannot be relied on until a run comes to its end. */
  #stoppedBy(error: unknown): unknown {
    this.#stopped = isThrown(error, SessionError) ? error.code : "host error";
    this.#unfinished = undefined;
    return error;
  }

  #leftUndone(): Unfinished | undefined {
    const code = this.#stopped;
    if (code === undefined) return undefined;
    const { change } = this.#memory;
    if (this.#unfinished?.change !== change) {
      this.#unfinished = { code, rules: this.#agenda.waitingRules(), change };
    }
    return this.#unfinished;
  }

  #refuseWhileWorking(what: string): void {
    this.refuseWhileCommitting();
    if (this.#running) throw new SessionError("E530", `cannot ${what} during a run`);
    if (this.#open.staging !== undefined) throw new SessionError("E530", `cannot ${what} inside a batch`);
  }

  /** While a change is being worked out nothing that judges can be put right. */
  protected get isCommitting(): boolean {
    return this.#committing;
  }

  protected refuseWhileCommitting(): void {
    if (!this.#committing) return;
    const hint = "functions called by rules must be pure";
    throw new SessionError("E530", "the session cannot be used while it applies a change", hint);
  }
}

const HOST: ChangeBy = {};
const BY_HOST: Author = {};

/** Of what a caller passes, only the role counts: nobody outside writes what the engine keeps. */
function authorOf({ role }: ChangeBy): Author {
  return role === "policy" ? PROGRAM : BY_HOST;
}

function idOf(fact: FactRef): string {
  return typeof fact === "string" ? fact : fact.id;
}
