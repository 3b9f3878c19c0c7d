/** What the agenda knows of each match, by rule and identity, so that a restored session continues with it. */
import { IdMap } from "../../base/id-map.ts";
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

/**
 * Finds the activations of all live matches of the rules one by one, each once; undefined is a place to pause. Nothing may change
 * meanwhile.
 */
export function* eachActivationOf(
  network: NetworkPort,
  agenda: Agenda,
  rules: Iterable<string>,
): Generator<Activation | undefined, void, undefined> {
  const direct = yield* network.directMatches();
  for (const rule of rules) {
    yield;
    const terminal = network.directTerminal(rule);
    if (terminal === undefined) yield* activationsIn(network, agenda, [rule]);
    else for (const fact of direct.get(terminal) ?? []) yield agenda.directActivation(terminal, fact);
  }
}

/** Returns what is saved of an activation. */
export function markOf(activation: Activation): Mark {
  const { production, identity, changeNumber, waiting, recency } = activation;
  const mark = { rule: production.name, identity, stamp: changeNumber, waiting };
  return recency === undefined ? mark : { ...mark, recency };
}

/** Finds activations by rule and identity. It grows in small steps. */
export class ActivationIndex {
  readonly all: Activation[] = [];
  /** The places in `all`. */
  readonly #byRule = new Map<string, IdMap<number>>();

  add(activation: Activation): void {
    const { name } = activation.production;
    let byIdentity = this.#byRule.get(name);
    if (byIdentity === undefined) this.#byRule.set(name, (byIdentity = new IdMap()));
    byIdentity.add(activation.identity, this.all.length);
    this.all.push(activation);
  }

  find(rule: string, identity: string): Activation | undefined {
    const place = this.place(rule, identity);
    return place === undefined ? undefined : this.all[place];
  }

  place(rule: string, identity: string): number | undefined {
    return this.#byRule.get(rule)?.get(identity);
  }
}

/** Returns the activations of all live matches, to be found by rule and identity; undefined among them is a place to pause. */
export function* indexed(activations: Iterable<Activation | undefined>): Steps<ActivationIndex> {
  const index = new ActivationIndex();
  for (const activation of activations) {
    if (activation !== undefined) index.add(activation);
    yield;
  }
  return index;
}

/** What is to be done with activations that have no mark. */
export interface FreshMatches {
  /** The change that completed them; undefined: the last change of their facts. */
  readonly stamp: number | undefined;
}

/** Restores activations to what their marks say; undefined among them is a place to pause. One without a mark is new and waits. */
export function* applyMarks(
  agenda: Agenda,
  index: ActivationIndex,
  marks: Iterable<Mark | undefined>,
  { stamp }: FreshMatches,
): Steps<void> {
  const isMarked = new Uint8Array(index.all.length);
  for (const mark of marks) {
    yield;
    if (mark === undefined) continue;
    const place = index.place(mark.rule, mark.identity);
    const activation = place === undefined ? undefined : index.all[place];
    if (place === undefined || activation === undefined) continue;
    isMarked[place] = 1;
    activation.changeNumber = mark.stamp;
    if (mark.recency !== undefined && activation.recency !== undefined) activation.recency = mark.recency;
    if (mark.waiting) agenda.add(activation);
  }
  for (const [place, activation] of index.all.entries()) {
    if (isMarked[place] === 0) {
      if (stamp !== undefined) activation.changeNumber = stamp;
      agenda.add(activation);
    }
    yield;
  }
}
