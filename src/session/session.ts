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

  /** Facts of protected types need `{ role: "policy" }`, here and in the other changes. */
  assert(type: string, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): FactHandle {
    const id = this.#assertAlone(type, fields, by);
    return new FactHandle(id ?? this.#change((staging) => staging.insert(type, fields, authorOf(by))));
  }

  /** Changes the given fields; null clears one. False when nothing differs. */
  update(fact: FactRef, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): boolean {
    return this.#change((staging) => staging.update(idOf(fact), fields, authorOf(by)));
  }

  /**
   * False when there is no such fact. A fact that was also inserted logically stays as long as its supports; one that is
   * only logical goes.
   */
  retract(fact: FactRef, by: ChangeBy = HOST): boolean {
    return this.#retractAlone(idOf(fact)) || this.#change((staging) => staging.retract(idOf(fact), authorOf(by)));
  }

  /** Asserts the fact, or updates the one with its key: given fields change, others stay. */
  upsert(type: string, fields: Readonly<Record<string, unknown>>, by: ChangeBy = HOST): FactHandle {
    return new FactHandle(this.#change((staging) => staging.upsert(type, fields, authorOf(by))));
  }

  /**
   * Many changes as one: they are made when the callback returns, and if it throws none is. Inside, `facts` and `fact`
   * show the changes; `matches` does not yet.
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

  /** Activates a group of rules for the rest of the session. */
  focus(group: string): void {
    this.#change((staging) => staging.focus(group));
  }

  // ---------------------------------------------------------------- firing

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

  /** Awaits what handlers return, one after the other. Changes made meanwhile count as made by the handler. */
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
   * What is wrong now without having stopped anything: rules that are switched off at their match limit (E511), functions that
   * failed (E521), listeners that failed (E522), flows that cannot go on (E540), subjects that cannot be judged (E543).
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

  /** The last number given to a fact of each type without keys. */
  get numbers(): Readonly<Record<string, number>> {
    return this.#memory.counters().keyless;
  }

  /** How many facts there are. */
  get size(): number {
    return this.#memory.size;
  }

  /** In the order they were asserted. */
  facts(type?: string): FactView[] {
    const facts: Iterable<Parameters<typeof factView>[0]> = this.#open.staging?.known(type) ?? this.#memory.facts(type);
    return Array.from(facts, factView);
  }

  fact(ref: FactRef): FactView | undefined {
    const fact = (this.#open.staging ?? this.#memory).get(idOf(ref));
    return fact === undefined ? undefined : factView(fact);
  }

  /** The matches that a rule has now, fired or not, in the order of the agenda. */
  matches(rule: string): MatchView[] {
    if (!this.#parts.productions.has(rule)) {
      const meant = didYouMean(nearest(rule, this.#parts.productions.keys()));
      throw new SessionError("E207", `there is no rule "${rule}"`, meant);
    }
    return [...activationsOf(this.#network, this.#agenda, [rule])].sort(this.#agenda.compare).map(matchView);
  }

  /** The matches of a rule with what the agenda knows of them. */
  matchStates(rule: string): MatchState[] {
    if (!this.#parts.productions.has(rule)) return [];
    return [...activationsOf(this.#network, this.#agenda, [rule])].sort(this.#agenda.compare).map((activation) => {
      const state = activation.parked ? "parked" : activation.waiting ? "waiting" : "done";
      const { identity, stamp } = markOf(activation);
      return { bindings: bindingsOf(activation), identity, stamp, state };
    });
  }

  /** Who made a fact, and for a logical fact what it rests on. */
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

  /** The facts as a firing saw them; undefined when it is not remembered. */
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

  /** The firings of a rule that are remembered, the newest first. */
  firings(rule: string): Fired[] {
    return this.#history.firings(rule);
  }

  /** The matches that wait to fire, in the order in which they would; those of a group that is not active are not among them. */
  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[] {
    return [...this.#activations()]
      .filter((activation) => activation.waiting && !activation.parked)
      .sort(this.#agenda.compare)
      .map((activation) => ({ rule: activation.production.name, bindings: bindingsOf(activation) }));
  }

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

  /** What an agent can take from a tuple space. */
  xuples(space: string, agent?: string): readonly Xuple[] {
    return this.#xuples.list(space, agent);
  }

  takeXuple(space: string, agent?: string): Xuple | undefined {
    return this.#xuples.take(space, agent);
  }

  /** Gives a function that ends the subscription. Listeners hear when the session is at rest, in order. */
  on<Name extends keyof SessionEvents>(name: Name, listener: (event: SessionEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener);
  }

  snapshot(): Snapshot {
    this.#refuseWhileWorking("a snapshot can be taken");
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
   * Goes on with another program and the same facts. Matches of the rules in `unchanged` that are still true keep having
   * fired; all other matches are new.
   */
  replaceProgram(parts: SessionSpec, unchanged: ReadonlySet<string>): void {
    this.#refuseWhileWorking("the program can be replaced");
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
    this.#refuseWhileWorking("a run can begin");
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
    this.#stopped = isThrown(error, SessionError) ? error.code : "an error of the host";
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
    if (this.#running) throw new SessionError("E530", `${what} only when no run is under way`);
    if (this.#open.staging !== undefined) throw new SessionError("E530", `${what} only outside a batch`);
  }

  /** While a change is being worked out nothing that judges can be put right. */
  protected get isCommitting(): boolean {
    return this.#committing;
  }

  protected refuseWhileCommitting(): void {
    if (!this.#committing) return;
    const hint = "functions that rules call must be pure";
    throw new SessionError("E530", "the session cannot be used while a change is being worked out", hint);
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
