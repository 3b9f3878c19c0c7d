/**
 * What a run does: takes what fires next, calls the host's handlers, and commits what was wanted.
 *
 * When nobody asks what fired, rules that only call handlers go a short way (short-way.ts), without a record of the firing.
 */
import { isThrown } from "../base/host-result.ts";
import type { EngineFacts, AtRestOutcomes } from "../rete/at-rest.ts";
import type { DirectTerminal } from "../rete/direct-terminal.ts";
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
import { Activation } from "./agenda/activation.ts";
import type { Agenda } from "./agenda/agenda.ts";
import type { FactActivations } from "./agenda/wave.ts";
import type { History } from "./history.ts";
import type { ActivationListener } from "./agenda/activation-listener.ts";
import type { Listeners } from "./listeners.ts";
import type { Memory } from "./memory.ts";
import type { OpenStaging } from "./changes/open-staging.ts";
import type { SessionEvents } from "./options.ts";
import type { Effect, Fired } from "./results.ts";
import type { Run } from "./run.ts";
import { type QuickFiring, quickFiringOf } from "./quick-firing.ts";
import type { Staging } from "./changes/staging.ts";

/** What the loop works on. */
export interface LoopContext {
  readonly agenda: Agenda;
  readonly handlers: ReadonlyMap<string, ActionHandler>;
  readonly listeners: Listeners<SessionEvents>;
  readonly activationListener: ActivationListener;
  readonly history: History;
  readonly memory: Memory;
  readonly open: OpenStaging;
  /** Of the program that runs now. */
  atRest(): AtRestOutcomes | undefined;
  newStaging(): Staging;
  commit(staging: Staging, by: string, fired?: Fired): void;
}

const ENGINE = { byEngine: true } as const;
/** Says that a rule has no short way. */
const NO_SHORT_WAY = Symbol("no short way");

export class Loop {
  /** Firings of the whole session so far. */
  fired: number = 0;
  readonly #site: LoopContext;
  /** An empty staging for the next firing: most firings stage nothing. */
  #spare: Staging | undefined = undefined;

  constructor(site: LoopContext) {
    this.#site = site;
  }

  /** The program is another one: what was kept for the next firing belongs to the one before. */
  forget(): void {
    this.#spare = undefined;
  }

  /**
   * When no rule is left to fire, outcomes are written until all of them stand, for a gate may look at the results of
   * others. Only then reactions fire, one at a time, so that none fires for a state in between; and when there is none
   * left either, flows go on, and at the very end pipelines decide.
   */
  next(run: Run): Activation | FactActivations | undefined {
    while (!run.halted) {
      let next: Activation | FactActivations | undefined = this.#site.agenda.next();
      if (next === undefined) {
        if (this.#judgeAll(run)) continue;
        next = this.#site.agenda.nextReaction();
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
    const atRest = this.#site.atRest();
    let moved = false;
    if (atRest !== undefined) while (this.#keep(run, atRest, (facts) => this.#judge(atRest, facts))) moved = true;
    return moved;
  }

  #move(run: Run): boolean {
    const atRest = this.#site.atRest();
    return atRest !== undefined && this.#keep(run, atRest, (facts) => void atRest.move(facts));
  }

  #decideAll(run: Run): void {
    const decisions = this.#site.atRest()?.decide() ?? [];
    run.decided(decisions);
    for (const decision of decisions) this.#site.listeners.post("decision", decision);
    this.#site.listeners.deliver();
  }

  #judge(atRest: AtRestOutcomes, facts: EngineFacts): void {
    for (const told of atRest.judge(facts)) {
      if (told.event === "gate") this.#site.listeners.post("gate", told.answer);
      else this.#site.listeners.post("verdict", told.answer);
    }
  }

  /** Lets the keeper change its facts. False when it did not. */
  #keep(run: Run, atRest: AtRestOutcomes, work: (facts: EngineFacts) => void): boolean {
    const staging = this.#site.newStaging();
    work({
      all: (type) => Array.from(this.#site.memory.facts(type)),
      insert: (type, fields) => staging.insert(type, fields, ENGINE),
      retract: (id) => void staging.retract(id, ENGINE),
    });
    if (staging.changes.length === 0) return false;
    this.#site.commit(staging, "engine");
    run.refuseRestless(atRest);
    return true;
  }

  fire(next: Activation | FactActivations, run: Run): void {
    if (!run.keeps && !this.#isHeard() && this.#fireShort(next, run)) return;
    const bound = boundOf(next);
    const firing = this.#prepare(bound, run);
    if (firing.effects.length > 0) this.#handAll(bound, firing, run);
    this.#finish(next, firing, run);
  }

  #handAll(bound: Bound, firing: Firing, run: Run): void {
    const handed: Effect[] = [];
    try {
      this.#site.open.collect(firing.staging, () => {
        for (const effect of firing.effects) this.#handSync(effect, firing, handed);
      });
    } catch (error) {
      throw run.failed(error, bound, handed);
    }
  }

  async fireAsync(next: Activation | FactActivations, run: Run): Promise<void> {
    const bound = boundOf(next);
    const firing = this.#prepare(bound, run);
    const handed: Effect[] = [];
    this.#site.open.staging = firing.staging;
    try {
      for (const effect of firing.effects) await this.#hand(effect, firing, handed);
    } catch (error) {
      throw run.failed(error, bound, handed);
    } finally {
      this.#site.open.staging = undefined;
    }
    this.#finish(next, firing, run);
  }

  /**
   * For rules that only call handlers, when nobody asks for more; false for another rule. Goes on with the rules that wait on
   * the same fact for as long as nothing is changed: they are next.
   */
  #fireShort(next: Activation | FactActivations, run: Run): boolean {
    return next instanceof Activation ? this.#fireOneShort(next, run) : this.#fireQuickly(next, run);
  }

  #fireOneShort(next: Activation, run: Run): boolean {
    const way = this.#quickFiring(next.production);
    if (way === undefined) return false;
    const staging = this.#takeStaging();
    this.#site.open.staging = staging;
    try {
      way.fire(next.match, undefined, this.fired + 1);
    } catch (error) {
      throw run.failed(error, next, []);
    } finally {
      this.#site.open.staging = undefined;
    }
    this.fired += 1;
    run.countMany(1);
    this.#leaveAgenda(next);
    this.#finishShort(staging, next.production.name);
    return true;
  }

  #fireQuickly(cohort: FactActivations, run: Run): boolean {
    let way = this.#directWay(cohort.first());
    if (way === undefined) return false;
    const staging = this.#takeStaging();
    const { changes } = staging;
    const { fact, at: begin } = cohort;
    const last = begin + (cohort.batch.isAlone(cohort) ? Math.min(cohort.size, run.quiet) : 1) - 1;
    this.#site.open.staging = staging;
    try {
      for (;;) {
        way.fire(undefined, fact, this.fired + 1);
        this.fired += 1;
        cohort.at += 1;
        if (cohort.at > last || changes.length > 0) break;
        way = this.#directWay(cohort.first());
        if (way === undefined) break;
      }
    } catch (error) {
      throw run.failed(error, boundOf(cohort), []);
    } finally {
      this.#site.open.staging = undefined;
      run.countMany(cohort.at - begin);
      this.#site.agenda.firedDirect(cohort, cohort.at - begin);
    }
    this.#finishShort(staging, cohort.fired().production.name);
    return true;
  }

  #finishShort(staging: Staging, rule: string): void {
    if (staging.changes.length > 0) this.#commitFiring(staging, rule);
    else this.#spare = staging;
  }

  #directWay(end: DirectTerminal): QuickFiring | undefined {
    if (end.note === undefined) end.note = this.#quickFiring(end.production) ?? NO_SHORT_WAY;
    return end.note === NO_SHORT_WAY ? undefined : (end.note as QuickFiring);
  }

  #quickFiring(production: Production): QuickFiring | undefined {
    if (production.note === undefined) production.note = quickFiringOf(production, this.#site.handlers) ?? NO_SHORT_WAY;
    return production.note === NO_SHORT_WAY ? undefined : (production.note as QuickFiring);
  }

  #isHeard(): boolean {
    return this.#site.listeners.has("fire") || this.#site.listeners.has("effect");
  }

  #takeStaging(): Staging {
    const staging = this.#spare ?? this.#site.newStaging();
    this.#spare = undefined;
    return staging;
  }

  #prepare(bound: Bound, run: Run): Firing {
    try {
      return prepareFiring(bound, this.fired + 1, this.#site.newStaging());
    } catch (error) {
      throw run.failed(error, bound, []);
    }
  }

  async #hand(effect: Effect, firing: Firing, handed: Effect[]): Promise<void> {
    const handler = this.#site.handlers.get(effect.action);
    if (handler !== undefined) {
      try {
        await callHandler(handler, effect, firing);
      } catch (error) {
        throw isThrown(error, ActionFailure) ? error : new ActionFailure(effect.action, error);
      }
    }
    handed.push(effect);
  }

  #handSync(effect: Effect, firing: Firing, handed: Effect[]): void {
    const handler = this.#site.handlers.get(effect.action);
    if (handler !== undefined) refusePromise(callHandler(handler, effect, firing), effect.action);
    handed.push(effect);
  }

  #finish(next: Activation | FactActivations, firing: Firing, run: Run): void {
    const { fired, effects, staging } = firing;
    this.fired = fired.n;
    this.#leaveAgenda(next);
    run.add(firing);
    this.#site.listeners.post("fire", fired);
    for (const effect of effects) this.#site.listeners.post("effect", effect);
    for (const decision of firing.decisions) this.#site.listeners.post("decision", decision);
    this.#site.history.fired(fired, this.#site.memory.change);
    this.#commitFiring(staging, fired.rule, fired);
  }

  #leaveAgenda(next: Activation | FactActivations): void {
    if (!(next instanceof Activation)) {
      next.at += 1;
      return this.#site.agenda.firedDirect(next, 1);
    }
    this.#site.agenda.remove(next);
    next.forgetFacts();
  }

  #commitFiring(staging: Staging, rule: string, fired?: Fired): void {
    this.#site.activationListener.firing = rule;
    this.#site.commit(staging, `rule ${rule}`, fired);
  }
}
