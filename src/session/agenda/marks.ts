/** What the agenda knows of each match, by rule and identity, so that a restored session continues with it. */
import type { Steps } from "../../base/slices.ts";
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

/** Returns the activations of all live matches of the rules, each once; through indexes, which are kept, when it is a lookup. */
export function activationsOf(
  network: NetworkPort,
  agenda: Agenda,
  rules: Iterable<string>,
  isLookup = false,
): Set<Activation> {
  return new Set(activationsIn(network, agenda, rules, isLookup));
}

/** Finds the activations of all live matches of the rules one by one, each once. Nothing may change meanwhile. */
export function* activationsIn(
  network: NetworkPort,
  agenda: Agenda,
  rules: Iterable<string>,
  isLookup = false,
): Generator<Activation, void, undefined> {
  for (const rule of rules) {
    const terminal = network.directTerminal(rule);
    for (const { fact, ending } of network.matches(rule, isLookup)) {
      if (ending instanceof Activation) yield ending;
      else if (terminal !== undefined && fact !== undefined) yield agenda.directActivation(terminal, fact);
    }
  }
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

  add(activation: Activation): void {
    const { name } = activation.production;
    let byIdentity = this.#byRule.get(name);
    if (byIdentity === undefined) this.#byRule.set(name, (byIdentity = new Map()));
    byIdentity.set(activation.identity, activation);
  }

  find(rule: string, identity: string): Activation | undefined {
    return this.#byRule.get(rule)?.get(identity);
  }

  *all(): Iterable<Activation> {
    for (const byIdentity of this.#byRule.values()) yield* byIdentity.values();
  }
}

/** Returns the activations of all live matches, to be found by rule and identity. */
export function* indexed(activations: Iterable<Activation>): Steps<ActivationIndex> {
  const index = new ActivationIndex();
  for (const activation of activations) {
    index.add(activation);
    yield;
  }
  return index;
}

/** What is to be done with activations that have no mark. */
export interface FreshMatches {
  /** The change that completed them; undefined: the last change of their facts. */
  readonly stamp: number | undefined;
}

/** Restores activations to what their marks say. One without a mark is new and waits. */
export function* applyMarks(
  agenda: Agenda,
  index: ActivationIndex,
  marks: Iterable<Mark>,
  { stamp }: FreshMatches,
): Steps<void> {
  const marked = new Set<Activation>();
  for (const mark of marks) {
    const activation = index.find(mark.rule, mark.identity);
    if (activation === undefined) continue;
    marked.add(activation);
    activation.changeNumber = mark.stamp;
    if (mark.recency !== undefined && activation.recency !== undefined) activation.recency = mark.recency;
    if (mark.waiting) agenda.add(activation);
    yield;
  }
  for (const activation of index.all()) {
    if (!marked.has(activation)) {
      if (stamp !== undefined) activation.changeNumber = stamp;
      agenda.add(activation);
    }
    yield;
  }
}
