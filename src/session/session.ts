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
import type { Counters, FactLookup, MatchListener, NetworkPort } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import { ActionFailure, type ActionHandler, callHandler, type Firing, prepareFiring } from "./actions.ts";
import type { Activation, Strategy } from "./activation.ts";
import { Agenda } from "./agenda.ts";
import { Committer } from "./committer.ts";
import { Door } from "./door.ts";
import { didYouMean, MatchLimitError, type Overflow, SessionError } from "./errors.ts";
import { Instances } from "./instances.ts";
import { Listeners } from "./listeners.ts";
import { ActivationIndex, activationsOf, applyMarks, type Mark, markOf } from "./marks.ts";
import { Memory } from "./memory.ts";
import { viewOf } from "./memory-view.ts";
import { asyncBatch, asyncHandler, isPromise } from "./promise.ts";
import { SeededRandom } from "./random.ts";
import { type Effect, FactHandle, type FactEvent, type FactView, type Fired, type MatchView } from "./results.ts";
import type { Decision, RunResult } from "./results.ts";
import { Run } from "./run.ts";
import type { Schema } from "./schema.ts";
import { Shapes } from "./shapes.ts";
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
import { factView, matchView } from "./views.ts";
import { type Xuple, Xuples, type XupleSpace } from "./xuples.ts";

/** What the compiler makes of a program for one session. */
export interface SessionParts {
  readonly schema: Schema;
  readonly productions: ReadonlyMap<string, Production>;
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
  keeper?(): Keeper;
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

const DEFAULT_LIMIT = 100_000;
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

  constructor(parts: SessionParts, options: SessionOptions = {}) {
    const strategy = options.strategy ?? "breadth";
    this.#options = options;
    this.#handlers = new Map(Object.entries(options.actions ?? {}));
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
      overflowed: (overflow) => (this.#overflow ??= overflow),
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
    return new FactHandle(this.#change((staging) => staging.insert(type, fields)));
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
    return this.#change((staging) => staging.retract(idOf(fact)));
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
    this.#refuseWhileCommitting();
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

  run(options: { readonly limit?: number } = {}): RunResult {
    return this.#exclusively(() => {
      const run = this.#newRun(options.limit);
      for (let next = this.#next(run); next !== undefined; next = this.#next(run)) this.#fire(next, run);
      return run.result();
    });
  }

  /** Awaits what handlers return, one after the other. Changes made meanwhile count as made by the handler. */
  async runAsync(options: { readonly limit?: number } = {}): Promise<RunResult> {
    this.#startRunning();
    try {
      const run = this.#newRun(options.limit);
      for (let next = this.#next(run); next !== undefined; next = this.#next(run)) await this.#fireAsync(next, run);
      return run.result();
    } finally {
      this.#running = false;
    }
  }

  // ---------------------------------------------------------------- questions

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
    const production = this.#parts.productions.get(rule);
    if (production === undefined) {
      const meant = didYouMean(nearest(rule, this.#parts.productions.keys()));
      throw new SessionError("E207", `there is no rule "${rule}"`, meant);
    }
    return [...activationsOf(this.#network, [production])].sort(this.#agenda.compare).map(matchView);
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
    const before = [...this.#activations()].filter(({ production }) => unchanged.has(production.name));
    const marks = before.map(markOf);
    const logical = saveFacts(this.#memory, this.#support).filter((fact) => fact.logical !== undefined);
    const waiting = this.#agenda.takeAll();
    this.#parts = parts;
    this.#door = new Door(parts.schema, this.#shapes, parts.limits);
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
      const { name } = activation.production;
      activation.production = must(parts.productions.get(name), "a match belongs to a rule of the program");
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
    this.#feedNetwork(this.#memory.facts());
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

  #newCommitter(): Committer {
    return new Committer({
      memory: this.#memory,
      network: this.#network,
      agenda: this.#agenda,
      instances: this.#instances,
      support: this.#support,
      xuples: this.#xuples,
      report: () => (this.#listeners.has("fact") ? (event) => this.#listeners.post("fact", event) : undefined),
    });
  }

  #newStaging(): Staging {
    return new Staging(this.#view, this.#door, this.#xuples);
  }

  #activations(): Set<Activation> {
    return activationsOf(this.#network, this.#parts.productions.values());
  }

  // ---------------------------------------------------------------- changing

  /** One change: into the open staging, or staged and committed at once. */
  #change<Result>(want: (staging: Staging) => Result): Result {
    this.#refuseWhileCommitting();
    if (this.#open !== undefined) return want(this.#open);
    const staging = new Staging(this.#view, this.#door, this.#xuples, true);
    const result = want(staging);
    this.#commit(staging, "host");
    return result;
  }

  #commit(staging: Staging, by: string): void {
    this.#propagate(staging, by);
    this.#listeners.deliver();
    this.#throwOverflow();
  }

  /** Once for each time, after everything else is done. What a program's own facts cause is said by the first run. */
  #throwOverflow(): void {
    const overflow = this.#overflow;
    this.#overflow = undefined;
    if (overflow !== undefined) throw new MatchLimitError(overflow);
  }

  #propagate(staging: Staging, by: string): void {
    this.#committing = true;
    try {
      this.#committer.commit(staging.changes, by);
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

  #newRun(limit: number | undefined): Run {
    this.#throwOverflow();
    return new Run(limit ?? this.#options.limit ?? DEFAULT_LIMIT, this.#keeper);
  }

  /**
   * When no rule is left to fire, outcomes are written until all of them stand, for a gate may look at the results of
   * others. Only then reactions fire, one at a time, so that none fires for a state in between; and when there is none
   * left either, flows go on, and at the very end pipelines decide.
   */
  #next(run: Run): Activation | undefined {
    while (!run.halted) {
      let next = this.#agenda.next();
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

  #fire(activation: Activation, run: Run): void {
    const firing = this.#prepare(activation, run);
    const handed: Effect[] = [];
    this.#orFail(activation, run, handed, () =>
      this.#collect(firing.staging, () => {
        for (const effect of firing.effects) this.#handSync(effect, firing, handed);
      }),
    );
    this.#finish(firing, run);
  }

  async #fireAsync(activation: Activation, run: Run): Promise<void> {
    const firing = this.#prepare(activation, run);
    const handed: Effect[] = [];
    this.#open = firing.staging;
    try {
      for (const effect of firing.effects) await this.#hand(effect, firing, handed);
    } catch (error) {
      throw run.failed(error, activation, handed);
    } finally {
      this.#open = undefined;
    }
    this.#finish(firing, run);
  }

  #prepare(activation: Activation, run: Run): Firing {
    return this.#orFail(activation, run, [], () => prepareFiring(activation, this.#fired + 1, this.#newStaging()));
  }

  #orFail<Result>(activation: Activation, run: Run, handed: readonly Effect[], work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw run.failed(error, activation, handed);
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
    const returned = handler === undefined ? undefined : callHandler(handler, effect, firing);
    if (isPromise(returned)) throw new ActionFailure(effect.action, asyncHandler(returned));
    handed.push(effect);
  }

  #finish(firing: Firing, run: Run): void {
    const { activation, fired, effects, staging } = firing;
    this.#fired = fired.n;
    this.#agenda.remove(activation);
    activation.forgetFacts();
    run.add(firing);
    this.#listeners.post("fire", fired);
    for (const effect of effects) this.#listeners.post("effect", effect);
    for (const decision of firing.decisions) this.#listeners.post("decision", decision);
    this.#instances.firing = fired.rule;
    this.#commit(staging, `rule ${fired.rule}`);
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
    this.#refuseWhileCommitting();
    if (this.#running) throw new SessionError("E530", `${what} only when no run is under way`);
    if (this.#open !== undefined) throw new SessionError("E530", `${what} only outside a batch`);
  }

  #refuseWhileCommitting(): void {
    if (!this.#committing) return;
    const hint = "functions that rules call must be pure";
    throw new SessionError("E530", "the session cannot be used while a change is being worked out", hint);
  }
}

function idOf(fact: FactRef): string {
  return typeof fact === "string" ? fact : fact.id;
}
