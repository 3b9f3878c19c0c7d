/** What the agenda knows of each match, by rule and identity, so that a restored session continues with it. */
import type { NetworkPort } from "../../rete/port.ts";
import { Activation } from "./activation.ts";
import type { Agenda } from "./agenda.ts";

export interface Mark {
  readonly rule: string;
  readonly identity: string;
  /** The number of the change that completed the match. */
  readonly stamp: number;
  /** False when it has fired, or was held back by `no-loop`. */
  readonly waiting: boolean;
  /** For the strategy `lex`. */
  readonly recency?: readonly number[];
}

/** Returns the activations of all live matches of the rules, each once. */
export function activationsOf(network: NetworkPort, agenda: Agenda, rules: Iterable<string>): Set<Activation> {
  const activations = new Set<Activation>();
  for (const rule of rules) {
    const terminal = network.directTerminal(rule);
    for (const { fact, ending } of network.matches(rule)) {
      if (ending instanceof Activation) activations.add(ending);
      else if (terminal !== undefined && fact !== undefined) activations.add(agenda.directActivation(terminal, fact));
    }
  }
  return activations;
}

/** Returns what is saved of an activation. */
export function markOf(activation: Activation): Mark {
  const { production, identity, changeNumber, waiting, recency } = activation;
  const mark = { rule: production.name, identity, stamp: changeNumber, waiting };
  return recency === undefined ? mark : { ...mark, recency };
}

/** Finds activations by rule and identity. */
export class ActivationIndex {
  readonly #byRule = new Map<string, Map<string, Activation>>();

  constructor(activations: Iterable<Activation>) {
    for (const activation of activations) {
      const { name } = activation.production;
      let byIdentity = this.#byRule.get(name);
      if (byIdentity === undefined) this.#byRule.set(name, (byIdentity = new Map()));
      byIdentity.set(activation.identity, activation);
    }
  }

  find(rule: string, identity: string): Activation | undefined {
    return this.#byRule.get(rule)?.get(identity);
  }
}

/** Restores activations to what their marks say. One without a mark is new and waits. */
export function applyMarks(agenda: Agenda, activations: Set<Activation>, marks: Iterable<Mark>): void {
  const index = new ActivationIndex(activations);
  const fresh = new Set(activations);
  for (const mark of marks) {
    const activation = index.find(mark.rule, mark.identity);
    if (activation === undefined) continue;
    fresh.delete(activation);
    activation.changeNumber = mark.stamp;
    if (mark.recency !== undefined && activation.recency !== undefined) activation.recency = mark.recency;
    if (mark.waiting) agenda.add(activation);
  }
  for (const activation of fresh) agenda.add(activation);
}
