/** The activations whose matches are gone during a trial, by rule and identity. */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { Production } from "../../rete/production.ts";
import type { Activation } from "./activation.ts";
import type { Agenda } from "./agenda.ts";

interface Entry {
  readonly activation: Activation;
  readonly waited: boolean;
}

export class Paused {
  readonly #agenda: Agenda;
  readonly #byRule = new Map<string, Map<string, Entry>>();
  /** What waited on a fact that is gone, with change numbers. */
  readonly #direct = new Map<Fact, ReadonlyMap<DirectTerminal, number>>();
  #paused: Activation[] = [];
  #revived: Activation[] = [];

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  pause(activation: Activation): void {
    const { production, waiting } = activation;
    const entries = this.#byRule.get(production.name) ?? new Map<string, Entry>();
    this.#byRule.set(production.name, entries);
    entries.set(activation.identity, { activation, waited: waiting });
    this.#agenda.remove(activation);
    this.#paused.push(activation);
  }

  /** Continues and returns the paused activation of a match; undefined when it has none. */
  revive(production: Production, match: Match): Activation | undefined {
    const entries = this.#byRule.get(production.name);
    if (entries === undefined || entries.size === 0) return undefined;
    const identity = production.identity(match);
    const entry = entries.get(identity);
    if (entry === undefined) return undefined;
    entries.delete(identity);
    entry.activation.production = production;
    this.#resume(entry, match);
    return entry.activation;
  }

  pauseDirect(fact: Fact, waited: ReadonlyMap<DirectTerminal, number>): void {
    this.#direct.set(fact, waited);
  }

  /** Lets a rule wait again on a fact that came back, if it waited before. */
  reviveDirect(terminal: DirectTerminal, fact: Fact): void {
    const changeNumber = this.#direct.get(fact)?.get(terminal);
    if (changeNumber !== undefined) this.#agenda.addDirect([terminal], fact, changeNumber);
  }

  /** Returns the activations that were paused since the last call. */
  takePaused(): readonly Activation[] {
    const paused = this.#paused;
    this.#paused = [];
    return paused;
  }

  /** Returns the activations that continued since the last call. */
  takeRevived(): readonly Activation[] {
    const revived = this.#revived;
    this.#revived = [];
    return revived;
  }

  /** Returns the activations that did not come back. */
  left(): Activation[] {
    return [...this.#byRule.values()].flatMap((entries) => [...entries.values()].map((entry) => entry.activation));
  }

  #resume({ activation, waited }: Entry, match: Match): void {
    activation.match = match;
    activation.alive = true;
    activation.forgetFacts();
    this.#revived.push(activation);
    if (waited) this.#agenda.add(activation);
  }
}
