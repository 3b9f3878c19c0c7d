/**
 * A session: facts, the network they move through, the agenda, and the loop that fires.
 *
 * Every change is staged first and then committed as a whole, so a call that fails changes nothing. While actions of a
 * firing are performed, or inside `batch`, changes go into the open staging: those of a handler come behind the firing's
 * own changes and share their fate. Code of the host never runs in the middle of propagation.
 */
import type { Limits } from "../base/limits.ts";
import { must } from "../base/invariant.ts";
import { nearest } from "../base/nearest.ts";
import type { Fact } from "../rete/fact.ts";
import type { EngineFacts, GateAnswer, Keeper, VerdictAnswer } from "../rete/keeper.ts";
import type { LightEnd } from "../rete/light-end.ts";
import type { Counters, FactLookup, MatchListener, NetworkPort } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import {
  ActionFailure,
  type ActionHandler,
  boundOf,
  callHandler,
  type Firing,
  prepareFiring,
  refusePromise,
} from "./actions.ts";
import { Activation, type Strategy } from "./activation.ts";
import { Agenda } from "./agenda.ts";
import type { Cohort } from "./batch.ts";
import { Committer } from "./committer.ts";
import { Door } from "./door.ts";
import { type FactOrigin, History, type PastFact } from "./history.ts";
import { didYouMean, MatchLimitError, type Overflow, SessionError, together } from "./errors.ts";
import { Instances } from "./instances.ts";
import { Listeners } from "./listeners.ts";
import { ActivationIndex, activationsOf, applyMarks, type Mark, markOf } from "./marks.ts";
import { Memory } from "./memory.ts";
import { viewOf } from "./memory-view.ts";
import { asyncBatch, isPromise } from "./promise.ts";
import { SeededRandom } from "./random.ts";
import { type Effect, FactHandle, type FactEvent, type FactView, type Fired, type MatchView } from "./results.ts";
import type { Decision, RunResult } from "./results.ts";
import { Run, type RunOptions } from "./run.ts";
import type { Schema } from "./schema.ts";
import { Shapes } from "./shapes.ts";
import { type ShortWay, shortWayOf } from "./short-way.ts";
import {
  type FactSnapshot,
  refuseOtherVersions,
  restoreFacts,
  restoreSupports,
  saveFacts,
  type Snapshot,
} from "./snapshot.ts";
import { Staging, type View } from "./staging.ts";
import { Support } from "./support.ts";
import { bindingsOf, factView, matchView } from "./views.ts";
import { type Xuple, Xuples, type XupleSpace } from "./xuples.ts";

/** What the compiler makes of a program for one session. */
export interface SessionParts {
  readonly schema: Schema;
  /** Of each rule, one for each of its alternatives. */
  readonly productions: ReadonlyMap<string, readonly Production[]>;
  readonly limits: Limits;
  readonly xupleSpaces: readonly XupleSpace[];
  /** The facts of the program itself, in file order. */
  readonly initialFacts: readonly { readonly type: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** Makes a network without facts. */
  buildNetwork(site: NetworkSite): NetworkPort;
  /**
   * Turns the network of the program before into that of this one, and tells the listener of every match that goes or
   * comes. Without it `replaceProgram` builds anew.
   */
  rebuildNetwork?(network: NetworkPort, site: NetworkSite): NetworkPort;
  /** Keeps what gates and flows say of the network that was built last; asked for when the network is there. */
  keeper?(): Keeper | undefined;
}

/** What a network stands on. */
export interface NetworkSite {
  /** Is told of every match of a rule, also of those that need no fact, while the network is built. */
  readonly listener: MatchListener;
  readonly facts: FactLookup;
  /** The slots of fields, shared by facts and network. */
  readonly shapes: Shapes;
  /** To be called when a node had to be switched off; the call that caused it throws a MatchLimitError when it is done. */
  overflowed(overflow: Overflow): void;
}

export interface SessionOptions {
  readonly strategy?: Strategy;
  /** Firings per run. */
  readonly limit?: number;
  /** Whether to begin with the facts of the program. */
  readonly facts?: "program" | "none";
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  /** The clock of tuple spaces, in milliseconds. */
  readonly now?: () => number;
  /** For tuple spaces with random selection: from 0 up to 1. Without it the choice is the same on every run. */
  readonly random?: () => number;
  /** Goes on where another session was; the program's own facts are then not asserted. */
  readonly from?: Snapshot;
  /** How many changes, and how many firings, are kept to answer why; 0 keeps none (10,000). */
  readonly history?: number;
}

export interface SessionEvents {
  fire: Fired;
  effect: Effect;
  fact: FactEvent;
  /** An outcome that was reached. */
  gate: GateAnswer;
  /** A verdict that was reached. */
  verdict: VerdictAnswer;
  decision: Decision;
}

export interface SessionCounters extends Counters {
  /** Matches that wait to fire. */
  readonly waiting: number;
  /** Matches that wait for their group. */
  readonly parked: number;
  readonly logicalFacts: number;
  /** Firings so far. */
  readonly fired: number;
}

/** A fact is meant by its handle, its view or its id. */
export type FactRef = string | { readonly id: string };

/** Whether a match waits to fire, waits for its group, or does neither: it has fired, or `no-loop` holds it back. */
export interface MatchState {
  readonly bindings: Fired["bindings"];
  /** Two matches of a rule are one when their identities are equal. */
  readonly identity: string;
  /** The change that completed it. */
  readonly stamp: number;
  readonly state: "waiting" | "parked" | "done";
}

/** The matches that a logical fact rests on. */
export interface FactSupport {
  readonly rule: string;
  readonly bindings: Fired["bindings"];
}

/** Facts as a firing saw them. */
export interface Past {
  readonly fired: Fired;
  /** The last change before the firing. */
  readonly change: number;
  /** False when the facts of that time are no longer known. */
  readonly known: boolean;
  /** In the order they were asserted. */
  all(): PastFact[];
  facts(type: string): FactView[];
  fact(id: string): FactView | undefined;
  /** The ids of facts that came later and have gone, or changed, again. */
  later(): readonly string[];
}

export const DEFAULT_LIMIT = 100_000;
const DEFAULT_HISTORY = 10_000;
const ENGINE = { byEngine: true } as const;

export class Session {
  readonly #options: SessionOptions;
  readonly #handlers: ReadonlyMap<string, ActionHandler>;
  readonly #shapes = new Shapes();
  readonly #memory = new Memory();
  readonly #support = new Support();
  readonly #agenda: Agenda;
  readonly #instances: Instances;
  readonly #random = new SeededRandom();
  readonly #xuples: Xuples;
  readonly #listeners = new Listeners<SessionEvents>();
  readonly #history: History;
  readonly #view: View;
  readonly #site: NetworkSite;
  #parts: SessionParts;
  #door: Door;
  #network: NetworkPort;
  #committer: Committer;
  #keeper: Keeper | undefined;
  /** Where changes go while a batch or a firing collects them. */
  #open: Staging | undefined;
  #overflow: Overflow | undefined;
  #running = false;
  #committing = false;
  #fired = 0;
  /** An empty staging for the next firing: most firings stage nothing. */
  #spare: Staging | undefined = undefined;

  constructor(parts: SessionParts, options: SessionOptions = {}) {
    const strategy = options.strategy ?? "breadth";
    this.#options = options;
    this.#handlers = new Map(Object.entries(options.actions ?? {}));
    this.#history = new History(options.history ?? DEFAULT_HISTORY);
    this.#parts = parts;
    this.#door = new Door(parts.schema, this.#shapes, parts.limits);
    this.#agenda = new Agenda(strategy);
    this.#instances = new Instances(this.#agenda, this.#support, this.#memory, strategy);
    const random = options.random ?? (() => this.#random.next());
    this.#xuples = new Xuples(parts.xupleSpaces, options.now ?? Date.now, random);
    this.#view = viewOf(this.#memory, this.#support, this.#xuples);
    this.#site = {
      listener: this.#instances,
      facts: this.#memory,
      shapes: this.#shapes,
      overflowed: (overflow) => (this.#overflow = together(this.#overflow, overflow)),
    };
    this.#instances.rebuilding = options.from !== undefined;
    this.#network = parts.buildNetwork(this.#site);
    this.#committer = this.#newCommitter();
    this.#keeper = parts.keeper?.();
    if (options.from !== undefined) this.#restore(options.from);
    else this.#begin(options.facts ?? "program");
  }

  // ---------------------------------------------------------------- changes

  assert(type: string, fields: Readonly<Record<string, unknown>>): FactHandle {
    return new FactHandle(this.#assertAlone(type, fields) ?? this.#change((staging) => staging.insert(type, fields)));
  }

  /** Changes the given fields; null clears one. False when nothing differs. */
  update(fact: FactRef, fields: Readonly<Record<string, unknown>>): boolean {
    return this.#change((staging) => staging.update(idOf(fact), fields));
  }

  /**
   * False when there is no such fact. A fact that was also inserted logically stays as long as its supports; one that is
   * only logical goes.
   */
  retract(fact: FactRef): boolean {
    return this.#retractAlone(idOf(fact)) || this.#change((staging) => staging.retract(idOf(fact)));
  }

  /** Asserts the fact, or updates the one with its key: given fields change, others stay. */
  upsert(type: string, fields: Readonly<Record<string, unknown>>): FactHandle {
    return new FactHandle(this.#change((staging) => staging.upsert(type, fields)));
  }

  /**
   * Many changes as one: they are made when the callback returns, and if it throws none is. Inside, `facts` and `fact`
   * show the changes; `matches` does not yet.
   */
  batch<Result>(work: () => Result): Result {
    this.refuseWhileCommitting();
    const outer = this.#open;
    const staging = outer?.nested() ?? this.#newStaging();
    const result = this.#collect(staging, work);
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
    return this.#exclusively(() => {
      const run = this.#newRun(options);
      for (let next = this.#next(run); next !== undefined; next = this.#next(run)) this.#fire(next, run);
      return run.result();
    });
  }

  /** Awaits what handlers return, one after the other. Changes made meanwhile count as made by the handler. */
  async runAsync(options: RunOptions = {}): Promise<RunResult> {
    this.#startRunning();
    try {
      const run = this.#newRun(options);
      for (let next = this.#next(run); next !== undefined; next = this.#next(run)) await this.#fireAsync(next, run);
      return run.result();
    } finally {
      this.#running = false;
    }
  }

  // ---------------------------------------------------------------- questions

  /** How many facts there are. */
  get size(): number {
    return this.#memory.size;
  }

  /** In the order they were asserted. */
  facts(type?: string): FactView[] {
    const facts: Iterable<Parameters<typeof factView>[0]> = this.#open?.known(type) ?? this.#memory.facts(type);
    return Array.from(facts, factView);
  }

  fact(ref: FactRef): FactView | undefined {
    const fact = (this.#open ?? this.#memory).get(idOf(ref));
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
      fired: this.#fired,
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
      counters: { ...this.#memory.counters(), fired: this.#fired, random: this.#random.state },
      facts: saveFacts(this.#memory, this.#support),
      matches: Array.from(this.#activations(), markOf),
      groups: this.#agenda.activeGroups,
      xuples: this.#xuples.snapshot(),
    };
  }

  // ---------------------------------------------------------------- a new program

  /**
   * Goes on with another program and the same facts. Matches of the rules in `unchanged` that are still true keep having
   * fired; all other matches are new.
   */
  replaceProgram(parts: SessionParts, unchanged: ReadonlySet<string>): void {
    this.#refuseWhileWorking("the program can be replaced");
    const anew = parts.rebuildNetwork === undefined;
    const before = anew ? [...this.#activations()].filter(({ production }) => unchanged.has(production.name)) : [];
    const marks = before.map(markOf);
    const logical = anew ? saveFacts(this.#memory, this.#support).filter((fact) => fact.logical !== undefined) : [];
    const waiting = this.#agenda.takeAll();
    this.#parts = parts;
    this.#door = new Door(parts.schema, this.#shapes, parts.limits);
    this.#spare = undefined; // it knows the types of the program before
    this.#xuples.declare(parts.xupleSpaces);
    this.#memory.beginChange();
    const rebuilt = parts.rebuildNetwork?.(this.#network, this.#site);
    if (rebuilt === undefined) this.#rebuildAnew(parts, marks, logical);
    else this.#goOnWith(rebuilt, parts, waiting);
    this.#committer = this.#newCommitter();
    this.#keeper = parts.keeper?.();
    this.#commit(this.#newStaging(), "support");
  }

  #goOnWith(network: NetworkPort, parts: SessionParts, waiting: readonly Activation[]): void {
    this.#network = network;
    for (const activation of this.#activations()) {
      const { name, alternative = 0 } = activation.production;
      const production = parts.productions.get(name)?.[alternative];
      activation.production = must(production, "a match belongs to a rule of the program");
    }
    for (const activation of waiting) if (activation.alive) this.#agenda.add(activation);
  }

  #rebuildAnew(parts: SessionParts, marks: readonly Mark[], logical: readonly FactSnapshot[]): void {
    for (const fact of this.#memory.facts()) {
      fact.matches = undefined;
      this.#support.release(fact);
    }
    this.#instances.rebuilding = true;
    this.#network = parts.buildNetwork(this.#site);
    this.#feedNetwork(this.#memory.facts());
    const activations = this.#activations();
    applyMarks(this.#agenda, activations, marks);
    restoreSupports(logical, this.#memory, this.#support, new ActivationIndex(activations));
  }

  // ---------------------------------------------------------------- beginning

  #begin(facts: "program" | "none"): void {
    const staging = this.#newStaging();
    if (facts === "program") for (const { type, fields } of this.#parts.initialFacts) staging.insert(type, fields);
    this.#propagate(staging, "program");
  }

  #restore(snapshot: Snapshot): void {
    refuseOtherVersions(snapshot);
    restoreFacts(snapshot.facts, this.#memory, this.#door);
    this.#memory.restoreCounters(snapshot.counters);
    this.#fired = snapshot.counters.fired;
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
    this.#instances.rebuilding = false;
  }

  /** In the order of their last changes, so that a match without a mark is as old as its newest fact. */
  #feedInTime(change: number): void {
    for (const fact of [...this.#memory.facts()].sort((a, b) => a.tag - b.tag)) {
      this.#memory.restoreChange(fact.tag);
      this.#network.add(fact);
    }
    this.#memory.restoreChange(change);
    this.#instances.rebuilding = false;
  }

  #newCommitter(): Committer {
    return new Committer({
      memory: this.#memory,
      network: this.#network,
      agenda: this.#agenda,
      instances: this.#instances,
      support: this.#support,
      xuples: this.#xuples,
      history: this.#history,
      report: () => (this.#listeners.has("fact") ? (event) => this.#listeners.post("fact", event) : undefined),
    });
  }

  #newStaging(): Staging {
    return new Staging(this.#view, this.#door, this.#xuples);
  }

  #activations(): Set<Activation> {
    return activationsOf(this.#network, this.#agenda, this.#parts.productions.keys());
  }

  // ---------------------------------------------------------------- changing

  /** One change: into the open staging, or staged and committed at once. */
  #change<Result>(want: (staging: Staging) => Result): Result {
    this.refuseWhileCommitting();
    if (this.#open !== undefined) return want(this.#open);
    const staging = new Staging(this.#view, this.#door, this.#xuples, true);
    const result = want(staging);
    this.#commit(staging, "host");
    return result;
  }

  /** The short way of a host's single assert: nothing needs to be staged. Undefined when it is no such case. */
  #assertAlone(type: string, fields: Readonly<Record<string, unknown>>): string | undefined {
    this.refuseWhileCommitting();
    if (this.#open !== undefined) return undefined;
    const { shape, values, id } = this.#door.admit(type, fields);
    if (id !== undefined && this.#memory.get(id) !== undefined) return undefined;
    return this.#alone(() => this.#committer.assert(shape, values, id));
  }

  /** The same for a single retract of a fact that is only what the host asserted; false when it is no such case. */
  #retractAlone(id: string): boolean {
    this.refuseWhileCommitting();
    const fact = this.#open === undefined ? this.#memory.get(id) : undefined;
    if (fact === undefined || this.#support.isLogical(fact) || this.#door.isEngineKept(fact.shape.type)) return false;
    this.#alone(() => this.#committer.retract(fact));
    return true;
  }

  #alone<Result>(work: () => Result): Result {
    this.#committing = true;
    let result: Result;
    try {
      result = work();
    } finally {
      this.#committing = false;
    }
    this.#listeners.deliver();
    this.#throwOverflow();
    return result;
  }

  #commit(staging: Staging, by: string, fired?: Fired): void {
    this.#propagate(staging, by, fired);
    this.#listeners.deliver();
    this.#throwOverflow();
  }

  /** Once for each time, after everything else is done. What a program's own facts cause is said by the first run. */
  #throwOverflow(): void {
    const overflow = this.#overflow;
    this.#overflow = undefined;
    if (overflow !== undefined) throw new MatchLimitError(overflow);
  }

  #propagate(staging: Staging, by: string, fired?: Fired): void {
    this.#committing = true;
    try {
      this.#committer.commit(staging.changes, by, fired);
    } finally {
      this.#committing = false;
      this.#instances.firing = undefined;
    }
  }

  /** Changes that the work asks for go into the staging. */
  #collect<Result>(staging: Staging, work: () => Result): Result {
    const outer = this.#open;
    this.#open = staging;
    try {
      return work();
    } finally {
      this.#open = outer;
    }
  }

  // ---------------------------------------------------------------- the loop

  #newRun({ limit, collect }: RunOptions): Run {
    this.#throwOverflow();
    return new Run(limit ?? this.#options.limit ?? DEFAULT_LIMIT, collect ?? true, this.#keeper);
  }

  /**
   * When no rule is left to fire, outcomes are written until all of them stand, for a gate may look at the results of
   * others. Only then reactions fire, one at a time, so that none fires for a state in between; and when there is none
   * left either, flows go on, and at the very end pipelines decide.
   */
  #next(run: Run): Activation | Cohort | undefined {
    while (!run.halted) {
      let next: Activation | Cohort | undefined = this.#agenda.next();
      if (next === undefined) {
        if (this.#judgeAll(run)) continue;
        next = this.#agenda.nextReaction();
        if (next === undefined && this.#move(run)) continue;
        if (next === undefined) this.#decideAll(run);
      }
      if (next !== undefined) run.refuseBeyondLimit();
      return next;
    }
    return undefined;
  }

  /** False when all outcomes stood already. */
  #judgeAll(run: Run): boolean {
    const keeper = this.#keeper;
    let moved = false;
    if (keeper !== undefined) while (this.#keep(run, keeper, (facts) => this.#judge(keeper, facts))) moved = true;
    return moved;
  }

  #move(run: Run): boolean {
    const keeper = this.#keeper;
    return keeper !== undefined && this.#keep(run, keeper, (facts) => void keeper.move(facts));
  }

  #decideAll(run: Run): void {
    const decisions = this.#keeper?.decide() ?? [];
    run.decided(decisions);
    for (const decision of decisions) this.#listeners.post("decision", decision);
    this.#listeners.deliver();
  }

  #judge(keeper: Keeper, facts: EngineFacts): void {
    for (const told of keeper.judge(facts)) {
      if (told.event === "gate") this.#listeners.post("gate", told.answer);
      else this.#listeners.post("verdict", told.answer);
    }
  }

  /** Lets the keeper change its facts. False when it did not. */
  #keep(run: Run, keeper: Keeper, work: (facts: EngineFacts) => void): boolean {
    const staging = this.#newStaging();
    work({
      all: (type) => Array.from(this.#memory.facts(type)),
      insert: (type, fields) => staging.insert(type, fields, ENGINE),
      retract: (id) => void staging.retract(id, ENGINE),
    });
    if (staging.changes.length === 0) return false;
    this.#commit(staging, "engine");
    run.refuseRestless(keeper);
    return true;
  }

  #fire(next: Activation | Cohort, run: Run): void {
    if (!run.keeps && !this.#isHeard() && this.#fireShort(next, run)) return;
    const bound = boundOf(next);
    const firing = this.#prepare(bound, run);
    const handed: Effect[] = [];
    this.#orFail(bound, run, handed, () =>
      this.#collect(firing.staging, () => {
        for (const effect of firing.effects) this.#handSync(effect, firing, handed);
      }),
    );
    this.#finish(next, firing, run);
  }

  async #fireAsync(next: Activation | Cohort, run: Run): Promise<void> {
    const bound = boundOf(next);
    const firing = this.#prepare(bound, run);
    const handed: Effect[] = [];
    this.#open = firing.staging;
    try {
      for (const effect of firing.effects) await this.#hand(effect, firing, handed);
    } catch (error) {
      throw run.failed(error, bound, handed);
    } finally {
      this.#open = undefined;
    }
    this.#finish(next, firing, run);
  }

  /**
   * For rules that only call handlers, when nobody asks for more; false for another rule. Goes on with the rules that wait on
   * the same fact for as long as nothing is changed: they are next.
   */
  #fireShort(next: Activation | Cohort, run: Run): boolean {
    return next instanceof Activation ? this.#fireOneShort(next, run) : this.#fireCohortShort(next, run);
  }

  #fireOneShort(next: Activation, run: Run): boolean {
    const way = this.#shortWay(next.production);
    if (way === undefined) return false;
    const staging = this.#takeStaging();
    this.#open = staging;
    try {
      way.fire(next.match, undefined, this.#fired + 1);
    } catch (error) {
      throw run.failed(error, next, []);
    } finally {
      this.#open = undefined;
    }
    this.#fired += 1;
    run.countMany(1);
    this.#leaveAgenda(next);
    this.#finishShort(staging, next.production.name);
    return true;
  }

  #fireCohortShort(cohort: Cohort, run: Run): boolean {
    let way = this.#lightWay(cohort.first());
    if (way === undefined) return false;
    const staging = this.#takeStaging();
    const { changes } = staging;
    const { fact, at: begin } = cohort;
    const last = begin + (cohort.batch.isAlone(cohort) ? Math.min(cohort.size, run.quiet) : 1) - 1;
    this.#open = staging;
    try {
      for (;;) {
        way.fire(undefined, fact, this.#fired + 1);
        this.#fired += 1;
        cohort.at += 1;
        if (cohort.at > last || changes.length > 0) break;
        way = this.#lightWay(cohort.first());
        if (way === undefined) break;
      }
    } catch (error) {
      throw run.failed(error, boundOf(cohort), []);
    } finally {
      this.#open = undefined;
      run.countMany(cohort.at - begin);
      this.#agenda.firedLight(cohort, cohort.at - begin);
    }
    this.#finishShort(staging, cohort.fired().production.name);
    return true;
  }

  #finishShort(staging: Staging, rule: string): void {
    if (staging.changes.length > 0) this.#commitFiring(staging, rule);
    else this.#spare = staging;
  }

  #lightWay(end: LightEnd): ShortWay | undefined {
    if (end.note === undefined) end.note = this.#shortWay(end.production) ?? NO_SHORT_WAY;
    return end.note === NO_SHORT_WAY ? undefined : (end.note as ShortWay);
  }

  #shortWay(production: Production): ShortWay | undefined {
    if (production.note === undefined) production.note = shortWayOf(production, this.#handlers) ?? NO_SHORT_WAY;
    return production.note === NO_SHORT_WAY ? undefined : (production.note as ShortWay);
  }

  #isHeard(): boolean {
    return this.#listeners.has("fire") || this.#listeners.has("effect");
  }

  #takeStaging(): Staging {
    const staging = this.#spare ?? this.#newStaging();
    this.#spare = undefined;
    return staging;
  }

  #prepare(bound: Bound, run: Run): Firing {
    return this.#orFail(bound, run, [], () => prepareFiring(bound, this.#fired + 1, this.#newStaging()));
  }

  #orFail<Result>(bound: Bound, run: Run, handed: readonly Effect[], work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw run.failed(error, bound, handed);
    }
  }

  async #hand(effect: Effect, firing: Firing, handed: Effect[]): Promise<void> {
    const handler = this.#handlers.get(effect.action);
    if (handler !== undefined) {
      try {
        await callHandler(handler, effect, firing);
      } catch (error) {
        throw error instanceof ActionFailure ? error : new ActionFailure(effect.action, error);
      }
    }
    handed.push(effect);
  }

  #handSync(effect: Effect, firing: Firing, handed: Effect[]): void {
    const handler = this.#handlers.get(effect.action);
    if (handler !== undefined) refusePromise(callHandler(handler, effect, firing), effect.action);
    handed.push(effect);
  }

  #finish(next: Activation | Cohort, firing: Firing, run: Run): void {
    const { fired, effects, staging } = firing;
    this.#fired = fired.n;
    this.#leaveAgenda(next);
    run.add(firing);
    this.#listeners.post("fire", fired);
    for (const effect of effects) this.#listeners.post("effect", effect);
    for (const decision of firing.decisions) this.#listeners.post("decision", decision);
    this.#history.fired(fired, this.#memory.change);
    this.#commitFiring(staging, fired.rule, fired);
  }

  #leaveAgenda(next: Activation | Cohort): void {
    if (!(next instanceof Activation)) {
      next.at += 1;
      return this.#agenda.firedLight(next, 1);
    }
    this.#agenda.remove(next);
    next.forgetFacts();
  }

  #commitFiring(staging: Staging, rule: string, fired?: Fired): void {
    this.#instances.firing = rule;
    this.#commit(staging, `rule ${rule}`, fired);
  }

  #exclusively<Result>(work: () => Result): Result {
    this.#startRunning();
    try {
      return work();
    } finally {
      this.#running = false;
    }
  }

  #startRunning(): void {
    this.#refuseWhileWorking("a run can begin");
    this.#running = true;
  }

  #refuseWhileWorking(what: string): void {
    this.refuseWhileCommitting();
    if (this.#running) throw new SessionError("E530", `${what} only when no run is under way`);
    if (this.#open !== undefined) throw new SessionError("E530", `${what} only outside a batch`);
  }

  protected refuseWhileCommitting(): void {
    if (!this.#committing) return;
    const hint = "functions that rules call must be pure";
    throw new SessionError("E530", "the session cannot be used while a change is being worked out", hint);
  }
}

/** Says that a rule has no short way. */
const NO_SHORT_WAY = Symbol("no short way");

function idOf(fact: FactRef): string {
  return typeof fact === "string" ? fact : fact.id;
}
