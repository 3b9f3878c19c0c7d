/**
 * The steps of a run: takes what fires next, calls the host's handlers, and commits the changes.
 *
 * When nobody asks what fired, rules that only call handlers fire quickly (quick-firing.ts), without a record of the firing.
 */
import { ActionFailure } from "./action-failure.ts";
import { isThrown } from "../base/host-result.ts";
import type { EngineFacts, AtRestOutcomes } from "../rete/at-rest.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
import type { Production } from "../rete/production.ts";
import type { Bound } from "../rete/rule-matches.ts";
import {
  type ActionHandler,
  boundOf,
  callHandler,
  type Firing,
  prepareFiring,
  refusePromise,
  stageAgain,
  stampOf,
} from "./actions.ts";
import { Activation } from "./agenda/activation.ts";
import { AgendaPlace } from "./agenda/agenda-place.ts";
import type { FactActivations } from "./agenda/wave.ts";
import type { Changes } from "./changes/changes.ts";
import { AwaitedChanges, type FiringChanges } from "./changes/awaited-changes.ts";
import type { EffectKeys, FiringEffect } from "./effect-keys.ts";
import { HandlerContext, type HandlerHost, type QuickNumbers } from "./handler-context.ts";
import { GivenUp, type Patience } from "./patience.ts";
import { isPromise } from "./promise.ts";
import type { Effect } from "./results.ts";
import { HeldFiring, type Run } from "./run.ts";
import { clockText } from "./session-clock.ts";
import { type QuickFiring, QuickFirings, seesThis } from "./quick-firing.ts";
import type { Staging } from "./changes/staging.ts";
import type { SessionState } from "./state.ts";

const ENGINE = { byEngine: true } as const;
export class Loop {
  readonly #state: SessionState;
  readonly #changes: Changes;
  readonly #outcomes: AtRestOutcomes;
  readonly #host: HandlerHost;
  #handlers: ReadonlyMap<string, ActionHandler>;
  readonly #thisUsers = new WeakMap<ActionHandler, boolean>();
  #quickFirings: QuickFirings;
  /** An empty staging for the next firing: most firings stage nothing. */
  #spare: Staging | undefined = undefined;

  constructor(
    state: SessionState,
    changes: Changes,
    outcomes: AtRestOutcomes,
    keys: EffectKeys,
    handlers: ReadonlyMap<string, ActionHandler>,
  ) {
    this.#state = state;
    this.#changes = changes;
    this.#outcomes = outcomes;
    this.#host = { changes, open: state.open, keys, signal: undefined, action: undefined };
    this.#handlers = handlers;
    this.#quickFirings = new QuickFirings(handlers, this.#host);
  }

  /** Replaces the handlers by others with the same names, in a session in which no rule fires quickly. */
  replaceHandlers(handlers: ReadonlyMap<string, ActionHandler>): void {
    this.#handlers = handlers;
    this.#quickFirings = new QuickFirings(handlers, this.#host);
  }

  /** Drops what belongs to one program: the staging that is kept for the next firing, and how rules fire quickly. */
  dropSpareStaging(): void {
    this.#spare = undefined;
    this.#quickFirings = new QuickFirings(this.#handlers, this.#host);
  }

  /**
   * Returns what fires next; undefined when the run is complete, or when something failed and no other rule is left. When no rule is left to fire, outcomes are written until
   * all of them are stable, because a gate may read the results of others. Only then reactions fire, one at a time, so that
   * none fires for a state in between. When none is left either, flows move, and at the very end pipelines decide.
   */
  next(run: Run): Activation | FactActivations | undefined {
    while (!run.halted) {
      let next: Activation | FactActivations | undefined = this.#state.agenda.next();
      if (next === undefined && !run.hasFailed) {
        if (this.#judgeAll(run)) continue;
        next = this.#state.agenda.nextReaction();
        if (next === undefined && this.#move(run)) continue;
        if (next === undefined) this.#decideAll(run);
      }
      if (next !== undefined) run.refuseBeyondLimit();
      return next;
    }
    return undefined;
  }

  /** Writes outcomes until none differs. False when all were up to date already. */
  #judgeAll(run: Run): boolean {
    if (this.#outcomes.isEmpty) return false;
    let changed = false;
    while (this.#write(run, (facts) => this.#judge(facts))) changed = true;
    return changed;
  }

  /** Moves every flow that can move by one stage. False when none did. */
  #move(run: Run): boolean {
    return !this.#outcomes.isEmpty && this.#write(run, (facts) => this.#moveFlows(facts));
  }

  #moveFlows(facts: EngineFacts): void {
    for (const reached of this.#outcomes.moveFlows(facts)) this.#state.listeners.post("flow", reached);
  }

  #decideAll(run: Run): void {
    const { listeners } = this.#state;
    if (!this.#outcomes.isEmpty) {
      const decisions = this.#outcomes.decide();
      run.decided(decisions);
      for (const decision of decisions) listeners.post("decision", decision);
    }
    listeners.deliver();
  }

  #judge(facts: EngineFacts): void {
    const { listeners } = this.#state;
    for (const reached of this.#outcomes.judge(facts)) {
      // An event is delivered when more has changed: what a listener may read of the answer is computed now.
      if (reached.event === "verdict") listeners.post("verdict", reached.answer);
      else if (listeners.has("gate")) listeners.post("gate", { ...reached.answer });
    }
  }

  /** Lets outcomes write facts of engine-kept types. False when nothing changed. */
  #write(run: Run, work: (facts: EngineFacts) => void): boolean {
    const staging = this.#changes.newStaging();
    work({
      all: (type) => Array.from(this.#state.memory.facts(type)),
      insert: (type, fields) => staging.insert(type, fields, ENGINE),
      retract: (id) => void staging.retract(id, ENGINE),
    });
    if (staging.changes.length === 0) return false;
    this.#state.history.writing(this.#state.memory.change);
    this.#changes.commit(staging, "engine");
    run.refuseRestless();
    return true;
  }

  /** Fires what is next. */
  fire(next: Activation | FactActivations, run: Run): void {
    if (!run.collectsNext && !this.#hasFiringListeners() && this.#fireQuickly(next, run)) return;
    const bound = boundOf(next);
    const firing = this.#prepare(next, bound, this.#takeStaging(), run);
    if (firing.effects.length > 0 && this.#handlers.size > 0) this.#callHandlers(bound, firing, run);
    if (firing.staging.changes.length === 0) this.#spare = firing.staging;
    this.#finish(next, firing, run);
  }

  #callHandlers(bound: Bound, { effects, staging }: Firing, run: Run): void {
    const { open } = this.#state;
    let at = 0;
    open.staging = staging;
    try {
      for (; at < effects.length; at++) this.#callHandler(effects[at] as FiringEffect, staging);
    } catch (error) {
      throw run.failed(error, bound, effects.slice(0, at));
    } finally {
      open.staging = undefined;
    }
  }

  /**
   * Fires what is next, and awaits what handlers return. Changes of others are made in the meantime. When they end the match,
   * the firing is a conflict: what it wanted to change is dropped.
   */
  async fireAsync(next: Activation | FactActivations, run: Run, patience: Patience): Promise<void> {
    const bound = boundOf(next);
    const firing = this.#prepare(next, bound, this.#changes.newStaging(), run);
    if (firing.effects.length === 0) return this.#finish(next, firing, run);
    const place = new AgendaPlace(this.#state, next);
    const changes = new AwaitedChanges(this.#state.activity, firing.staging, () => this.#stageAgain(bound));
    const called: Effect[] = [];
    try {
      for (const effect of firing.effects) {
        await this.#awaitHandler(effect, changes, patience);
        called.push(effect);
        patience.refuseWhenOver(); // also when a handler that returned no promise ended the run
        if (!place.waits()) return this.#conflict(firing, called, run);
      }
      firing.staging = this.#stagedAtEnd(changes, called);
    } catch (error) {
      throw run.failed(error, bound, called);
    }
    this.#finish(place, firing, run);
  }

  /** Fires what is next in a run that goes on: what fails is held back, and waits for the next run. */
  async fireOrHold(next: Activation | FactActivations, run: Run, patience: Patience): Promise<void> {
    const place = new AgendaPlace(this.#state, next);
    try {
      await this.fireAsync(next, run, patience);
    } catch (error) {
      if (!isThrown(error, HeldFiring)) throw error;
      place.hold();
      run.addFailure(error);
    }
  }

  #stageAgain(bound: Bound): Staging {
    const staging = this.#changes.newStaging();
    stageAgain(bound, staging);
    return staging;
  }

  /** Returns the changes of a firing over the facts of now; a handler's change that is no longer possible fails its action. */
  #stagedAtEnd(changes: FiringChanges, called: readonly Effect[]): Staging {
    try {
      return changes.current();
    } catch (error) {
      throw isThrown(error, ActionFailure) ? error : new ActionFailure(called.at(-1)?.action ?? "", error);
    }
  }

  #conflict({ fired }: Firing, effects: readonly Effect[], run: Run): void {
    const conflict = { rule: fired.rule, bindings: fired.bindings, effects };
    run.addConflict(conflict);
    this.#state.listeners.post("conflict", conflict);
    this.#state.listeners.deliver();
  }

  /** Fires a rule that only calls handlers, without a record of the firing; false for another rule. */
  #fireQuickly(next: Activation | FactActivations, run: Run): boolean {
    return next instanceof Activation ? this.#fireActivationQuickly(next, run) : this.#fireFactQuickly(next, run);
  }

  #fireActivationQuickly(next: Activation, run: Run): boolean {
    const quick = this.#quickFiring(next.production);
    if (quick === undefined) return false;
    const staging = this.#takeStaging();
    this.#state.open.staging = staging;
    try {
      quick.fire(next.match, undefined, this.#numbers(next.changeNumber, staging));
    } catch (error) {
      throw run.failed(error, next, []);
    } finally {
      this.#state.open.staging = undefined;
    }
    this.#state.fired += 1;
    run.countMany(1);
    this.#leaveAgenda(next);
    this.#finishQuickly(staging, next.production.name);
    return true;
  }

  /** Fires the rules that wait on one fact, one after the other, for as long as they are next: until something changes. */
  #fireFactQuickly(factActivations: FactActivations, run: Run): boolean {
    let quick = this.#directFiring(factActivations.first());
    if (quick === undefined) return false;
    const staging = this.#takeStaging();
    const { changes } = staging;
    const { fact, position: begin } = factActivations;
    const last =
      begin + (factActivations.wave.isAlone(factActivations) ? Math.min(factActivations.size, run.uncollected) : 1) - 1;
    this.#state.open.staging = staging;
    const numbers = this.#numbers(factActivations.wave.changeNumber, staging);
    try {
      for (;;) {
        quick.fire(undefined, fact, numbers);
        this.#state.fired += 1;
        numbers.n += 1;
        factActivations.position += 1;
        if (factActivations.position > last || changes.length > 0) break;
        quick = this.#directFiring(factActivations.first());
        if (quick === undefined) break;
      }
    } catch (error) {
      throw run.failed(error, boundOf(factActivations), []);
    } finally {
      this.#state.open.staging = undefined;
      run.countMany(factActivations.position - begin);
      this.#state.agenda.firedDirect(factActivations, factActivations.position - begin);
    }
    this.#finishQuickly(staging, factActivations.fired().production.name);
    return true;
  }

  #numbers(stamp: number, staging: Staging): QuickNumbers {
    return { n: this.#state.fired + 1, stamp, staging };
  }

  #finishQuickly(staging: Staging, rule: string): void {
    if (staging.changes.length > 0) this.#changes.commitFiring(staging, rule);
    else this.#spare = staging;
  }

  #directFiring(terminal: DirectTerminal): QuickFiring | undefined {
    return this.#quickFirings.ofDirect(terminal);
  }

  #quickFiring(production: Production): QuickFiring | undefined {
    return this.#quickFirings.of(production);
  }

  #hasFiringListeners(): boolean {
    return this.#state.listeners.has("fire") || this.#state.listeners.has("effect");
  }

  #takeStaging(): Staging {
    const staging = this.#spare ?? this.#changes.newStaging();
    this.#spare = undefined;
    return staging;
  }

  #prepare(next: Activation | FactActivations, bound: Bound, staging: Staging, run: Run): Firing {
    try {
      const numbers = { n: this.#state.fired + 1, stamp: stampOf(next), clock: clockText(this.#state.clock) };
      return prepareFiring(bound, numbers, staging, this.#host.keys.scope);
    } catch (error) {
      throw run.failed(error, bound, []);
    }
  }

  /** Calls a handler and awaits it. What it changes through the session before its first `await` is its own, as in `run`. */
  async #awaitHandler(effect: FiringEffect, changes: FiringChanges, patience: Patience): Promise<void> {
    const handler = this.#handlers.get(effect.action);
    if (handler === undefined) return;
    const own = patience.newSignal();
    const host = { ...this.#host, signal: () => own.signal };
    const context = HandlerContext.recorded(host, effect, changes);
    try {
      const returned = this.#state.open.collect(changes.current(), () => callHandler(handler, effect, context));
      if (isPromise(returned)) await this.#wait(returned, patience);
    } catch (error) {
      if (isThrown(error, ActionFailure) || error instanceof GivenUp) throw error;
      throw new ActionFailure(effect.action, error);
    } finally {
      context.end();
      own.end();
    }
  }

  async #wait(returned: PromiseLike<unknown>, patience: Patience): Promise<void> {
    const { activity } = this.#state;
    activity.awaiting = true;
    try {
      await patience.wait(returned);
    } finally {
      activity.awaiting = false;
    }
  }

  /** Whether a handler needs a context; computed once for each. */
  #usesThis(handler: ActionHandler): boolean {
    let uses = this.#thisUsers.get(handler);
    if (uses === undefined) this.#thisUsers.set(handler, (uses = seesThis(handler)));
    return uses;
  }

  #callHandler(effect: FiringEffect, staging: Staging): void {
    const handler = this.#handlers.get(effect.action);
    if (handler === undefined) return;
    if (!this.#usesThis(handler)) return refusePromise(callHandler(handler, effect, undefined), effect.action);
    const context = HandlerContext.recorded(this.#host, effect, staging);
    try {
      refusePromise(callHandler(handler, effect, context), effect.action);
    } finally {
      context.end();
    }
  }

  #finish(next: Activation | FactActivations | AgendaPlace, firing: Firing, run: Run): void {
    const { fired, effects, decisions, staging } = firing;
    const { listeners } = this.#state;
    this.#state.fired = fired.n;
    this.#leaveAgenda(next);
    run.add(firing);
    listeners.post("fire", fired);
    for (let at = 0; at < effects.length; at++) listeners.post("effect", effects[at] as FiringEffect);
    for (const decision of decisions) listeners.post("decision", decision);
    this.#state.history.fired(fired, this.#state.memory.change);
    if (staging.changes.length > 0) this.#changes.commitFiring(staging, fired.rule, fired);
    else listeners.deliver();
  }

  #leaveAgenda(next: Activation | FactActivations | AgendaPlace): void {
    if (next instanceof AgendaPlace) return next.leave();
    if (!(next instanceof Activation)) {
      next.position += 1;
      return this.#state.agenda.firedDirect(next, 1);
    }
    this.#state.agenda.remove(next);
    next.forgetFacts();
  }
}
