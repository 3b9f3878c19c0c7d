/** Reads what a session holds now and remembers of the past; changes nothing. */
import type { Problem } from "../base/answers.ts";
import { didYouMean, nearest } from "../base/nearest.ts";
import type { Activation } from "./agenda/activation.ts";
import { activationsIn, activationsOf, eachActivationOf, markOf } from "./agenda/marks.ts";
import { SessionError } from "./errors.ts";
import type { FactOrigin, PastChange, PastFact, RemovedFact } from "./history.ts";
import type { FactRef, FactSupport, MatchState, Past, PastFacts, SessionCounters } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import type { FactView, Fired, MatchView } from "./results.ts";
import { clockText } from "./session-clock.ts";
import type { SessionState } from "./state.ts";
import { bindingsOf, factView, idOf, matchView } from "./views.ts";

export class Inspector {
  readonly #state: SessionState;
  readonly #program: ProgramPort;

  constructor(state: SessionState, program: ProgramPort) {
    this.#state = state;
    this.#program = program;
  }

  /** The problems of the session and of host functions, without those of at-rest outcomes. */
  get problems(): readonly Problem[] {
    const { problems } = this.#state;
    const functions = this.#program.problems();
    return problems.isEmpty ? functions : [...problems.list(), ...functions];
  }

  /** The last number given to a fact of each type without keys. */
  get numbers(): Readonly<Record<string, number>> {
    return this.#state.memory.counters().keyless;
  }

  /** What the clock shows, as text; undefined while it is not set. */
  get clock(): string | undefined {
    return clockText(this.#state.clock);
  }

  get size(): number {
    return this.#state.memory.size;
  }

  facts(type?: string): FactView[] {
    const { open, memory } = this.#state;
    const facts: Iterable<Parameters<typeof factView>[0]> = open.staging?.known(type) ?? memory.facts(type);
    const views: FactView[] = [];
    for (const fact of facts) views.push(factView(fact));
    return views;
  }

  fact(ref: FactRef): FactView | undefined {
    const { open, memory } = this.#state;
    const fact = (open.staging ?? memory).get(idOf(ref));
    return fact === undefined ? undefined : factView(fact);
  }

  matches(rule: string): MatchView[] {
    this.refuseUnknownRule(rule);
    return this.#inFiringOrder(rule).map(matchView);
  }

  /** Throws E207 for a rule that the program does not have. */
  refuseUnknownRule(rule: string): void {
    const { productions } = this.#program;
    if (productions.has(rule)) return;
    throw new SessionError("E207", `unknown rule "${rule}"`, didYouMean(nearest(rule, productions.keys())));
  }

  /** Throws E201 for a type that the program does not have. */
  refuseUnknownType(type: string): void {
    const { open, types } = this.#state.admission.schema;
    if (typeof type !== "string") throw new SessionError("E407", "the name of a type must be a string");
    if (open || types.has(type)) return;
    throw new SessionError("E201", `unknown type "${type}"`, didYouMean(nearest(type, types.keys())));
  }

  matchStates(rule: string): MatchState[] {
    if (!this.#program.productions.has(rule)) return [];
    return this.#inFiringOrder(rule).map((activation) => {
      const state = activation.parked ? "parked" : activation.waiting ? "waiting" : "done";
      const { identity, stamp } = markOf(activation);
      return { bindings: bindingsOf(activation), identity, stamp, state };
    });
  }

  origin(ref: FactRef): FactOrigin & { readonly supports: readonly FactSupport[] } {
    const { memory, support, history } = this.#state;
    const fact = memory.get(idOf(ref));
    const supports = fact === undefined ? [] : [...support.supportsOf(fact)];
    return {
      ...history.originOf(idOf(ref)),
      supports: supports.map((activation) => ({
        rule: activation.production.name,
        bindings: bindingsOf(activation),
      })),
    };
  }

  past(n: number): Past | undefined {
    const { history } = this.#state;
    const fired = history.firing(n);
    if (fired === undefined) return undefined;
    const facts = this.pastFacts(history.changeBefore(n));
    return { ...facts, fired, known: history.knows(n), later: () => history.passingSince(n) };
  }

  /** Returns the facts as they were after a change. */
  pastFacts(change: number): PastFacts {
    const { history, memory } = this.#state;
    return {
      change,
      clock: clockText(this.#state.clockHistory.after(change)),
      known: history.knowsChange(change),
      all: () => history.after(change, memory.facts()),
      facts: (type) => history.after(change, memory.facts(type), type),
      fact: (id) => history.factAfter(change, id, memory.get(id)),
    };
  }

  /** Returns the remembered facts that were removed, of one type or of all, newest first. */
  removed(type?: string): Iterable<RemovedFact> {
    return this.#state.history.removed(type);
  }

  /** Returns whether every fact that was removed is remembered. */
  isComplete(): boolean {
    return this.#state.history.isComplete;
  }

  /** Returns the facts that were removed and do not exist again, as they were last, each once, newest first. */
  withdrawn(type?: string): FactView[] {
    const found = new Map<string, FactView>();
    for (const { fact } of this.removed(type)) {
      if (found.has(fact.id) || this.#state.memory.get(fact.id) !== undefined) continue;
      const { id, fields } = fact;
      found.set(id, { id, type: fact.type, fields });
    }
    return [...found.values()];
  }

  /** Returns the change with a number; undefined when it is not remembered. */
  changeAt(change: number): PastChange | undefined {
    const { history, memory } = this.#state;
    return history.changeAt(change, memory.facts());
  }

  /** Returns the number of the last remembered firing before a change. */
  firingBefore(change: number): number | undefined {
    return this.#state.history.firingBefore(change);
  }

  /** Returns the facts before the engine wrote a fact with this tag; undefined when that is not remembered. */
  beforeWrite(tag: number): PastFacts | undefined {
    const change = this.#state.history.writeBefore(tag);
    return change === undefined ? undefined : this.pastFacts(change);
  }

  /** Returns a fact with its place among the others. */
  placed(ref: FactRef): PastFact | undefined {
    const fact = this.#state.memory.get(idOf(ref));
    return fact === undefined ? undefined : { ...factView(fact), order: fact.order, tag: fact.tag };
  }

  firings(rule: string): Fired[] {
    return this.#state.history.firings(rule);
  }

  agenda(): { readonly rule: string; readonly bindings: Fired["bindings"] }[] {
    return [...this.activations()]
      .filter((activation) => activation.waiting && !activation.parked)
      .sort(this.#state.agenda.compare)
      .map((activation) => ({ rule: activation.production.name, bindings: bindingsOf(activation) }));
  }

  counters(): SessionCounters {
    const { agenda, support, fired } = this.#state;
    const { clock } = this.#program.network;
    return {
      ...this.#program.network.counters(),
      waiting: agenda.size,
      parked: agenda.parkedSize,
      logicalFacts: support.size,
      supportSteps: support.steps,
      timers: clock.waiting,
      timerSteps: clock.steps,
      expired: this.#state.expiry.refused,
      fired,
    };
  }

  /** Returns the activations of all live matches, each once. */
  activations(): Set<Activation> {
    return activationsOf(this.#program.network, this.#state.agenda, this.#program.productions.keys());
  }

  /** Finds the activations that are kept: those of rules with a single pattern are made when somebody asks. */
  *keptActivations(): Generator<Activation, void, undefined> {
    const { network, productions } = this.#program;
    const rules = [...productions.keys()].filter((rule) => network.directTerminal(rule) === undefined);
    yield* activationsIn(network, this.#state.agenda, rules);
  }

  /** Finds the activations of all live matches one by one; undefined is a place to pause. Nothing may change meanwhile. */
  eachActivation(): Generator<Activation | undefined, void, undefined> {
    return eachActivationOf(this.#program.network, this.#state.agenda, this.#program.productions.keys());
  }

  #inFiringOrder(rule: string): Activation[] {
    const { agenda } = this.#state;
    return [...activationsOf(this.#program.network, agenda, [rule], true)].sort(agenda.compare);
  }
}
