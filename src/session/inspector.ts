/** Reads what a session holds now and remembers of the past; changes nothing. */
import type { Problem } from "../base/answers.ts";
import { nearest } from "../base/nearest.ts";
import type { Activation } from "./agenda/activation.ts";
import { activationsOf, markOf } from "./agenda/marks.ts";
import { didYouMean, SessionError } from "./errors.ts";
import type { FactOrigin } from "./history.ts";
import type { FactRef, FactSupport, MatchState, Past, SessionCounters } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import type { FactView, Fired, MatchView } from "./results.ts";
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

  get size(): number {
    return this.#state.memory.size;
  }

  facts(type?: string): FactView[] {
    const { open, memory } = this.#state;
    const facts: Iterable<Parameters<typeof factView>[0]> = open.staging?.known(type) ?? memory.facts(type);
    return Array.from(facts, factView);
  }

  fact(ref: FactRef): FactView | undefined {
    const { open, memory } = this.#state;
    const fact = (open.staging ?? memory).get(idOf(ref));
    return fact === undefined ? undefined : factView(fact);
  }

  matches(rule: string): MatchView[] {
    const { productions } = this.#program;
    if (!productions.has(rule)) {
      throw new SessionError("E207", `unknown rule "${rule}"`, didYouMean(nearest(rule, productions.keys())));
    }
    return this.#inFiringOrder(rule).map(matchView);
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
    const { history, memory } = this.#state;
    const fired = history.firing(n);
    if (fired === undefined) return undefined;
    return {
      fired,
      change: history.changeBefore(n),
      known: history.knows(n),
      all: () => history.before(n, memory.facts()),
      facts: (type) => history.before(n, memory.facts(type), type),
      fact: (id) => history.factBefore(n, id, memory.get(id)),
      later: () => history.passingSince(n),
    };
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
    return {
      ...this.#program.network.counters(),
      waiting: agenda.size,
      parked: agenda.parkedSize,
      logicalFacts: support.size,
      supportSteps: support.steps,
      fired,
    };
  }

  /** Returns the activations of all live matches, each once. */
  activations(): Set<Activation> {
    return activationsOf(this.#program.network, this.#state.agenda, this.#program.productions.keys());
  }

  #inFiringOrder(rule: string): Activation[] {
    const { agenda } = this.#state;
    return [...activationsOf(this.#program.network, agenda, [rule])].sort(agenda.compare);
  }
}
