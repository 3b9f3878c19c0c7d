/**
 * The activations that one change made, of one salience. They are put in order only when their turn comes.
 *
 * Rules with a single pattern do not have an activation each: those that wait on one fact are one `FactActivations`, a list of
 * terminals. A thousand rules on one alpha node cost a fact a thousand entries in a list, and nothing else.
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import { type Activation, NO_SORT_KEY } from "./activation.ts";
import type { Level } from "./activation-queue.ts";
import { dropFirst, makeHeap } from "../../base/heap-order.ts";

/** The rules with a single pattern that wait to fire on a fact. */
export class FactActivations {
  readonly fact: Fact;
  readonly wave: Wave;
  /** Those before `position` have fired. The list is the network's until it must be changed; then it is copied. */
  #terminals: readonly DirectTerminal[];
  #owned: boolean;
  #sorted: boolean;
  position: number;
  /** The neighbours among those of the same fact, in waves of other changes and saliences. */
  previous: FactActivations | undefined;
  next: FactActivations | undefined;

  constructor(fact: Fact, wave: Wave, terminals: readonly DirectTerminal[]) {
    this.fact = fact;
    this.wave = wave;
    this.#terminals = terminals;
    this.#owned = false;
    this.#sorted = true;
    this.position = 0;
    this.previous = undefined;
    this.next = fact.waiting as FactActivations | undefined;
    if (this.next !== undefined) this.next.previous = this;
    fact.waiting = this;
  }

  get size(): number {
    return this.#terminals.length - this.position;
  }

  waiting(): readonly DirectTerminal[] {
    return this.#terminals.slice(this.position);
  }

  has(terminal: DirectTerminal): boolean {
    return this.#terminals.includes(terminal, this.position);
  }

  add(terminals: readonly DirectTerminal[]): void {
    const all = this.#ownTerminals();
    for (const terminal of terminals) all.push(terminal);
    this.#sorted = false;
  }

  /** Removes a terminal. False when it does not wait here. */
  delete(terminal: DirectTerminal): boolean {
    const index = this.#terminals.indexOf(terminal, this.position);
    if (index >= 0) this.#ownTerminals().splice(this.#terminals.indexOf(terminal, this.position), 1);
    return index >= 0;
  }

  /** Returns the terminal that fires first. */
  first(): DirectTerminal {
    if (!this.#sorted) this.#sort();
    return this.#terminals[this.position] as DirectTerminal;
  }

  /** Returns the terminal that fired last. */
  fired(): DirectTerminal {
    return this.#terminals[this.position - 1] as DirectTerminal;
  }

  /** Puts a terminal first: in a wave with several facts, the order of rules counts before that of facts. */
  bringForward(terminal: DirectTerminal): void {
    if (this.first() === terminal) return;
    const all = this.#ownTerminals();
    all.splice(all.indexOf(terminal, this.position), 1);
    all.splice(this.position, 0, terminal);
  }

  /** Returns a list that may be changed. */
  #ownTerminals(): DirectTerminal[] {
    if (!this.#owned) {
      this.#terminals = this.#terminals.slice(this.position);
      this.#owned = true;
      this.position = 0;
    }
    return this.#terminals as DirectTerminal[];
  }

  #sort(): void {
    const all = this.#ownTerminals();
    all.splice(0, this.position);
    this.position = 0;
    all.sort((a, b) => a.order - b.order);
    this.#sorted = true;
  }
}

interface DeferredPlace {
  readonly deferred: Deferred;
  /** The activation of the pair that was made last. */
  made: Activation | undefined;
  count: number;
}

/** The factor between the orders of two facts in a sort key: sessions seldom assert more facts. */
const SECOND_FACT = 2 ** 26;

/** Deferred pairs that are made one by one; from then on the rest is made at once. */
const MADE_SINGLY = 3;

/** A terminal among those of several facts. */
interface Place {
  readonly factActivations: FactActivations;
  readonly direct: DirectTerminal;
}

export class Wave {
  readonly changeNumber: number;
  readonly level: Level;
  previous: Wave | undefined;
  next: Wave | undefined;
  /** The number of activations that wait here. */
  waiting: number;
  /** The only activation, as in most waves; undefined when there are more, or none. */
  #only: Activation | undefined;
  #activations: Activation[] | undefined;
  #heaped: boolean;
  /** Whether some activations are ordered by items of lists, and how often items had changed places when they were put in order. */
  #hasItems: boolean;
  #moves: number;
  /** Deferred pairs, of which only the first ones are made. */
  #deferred: DeferredPlace[] | undefined;
  /** What waits on the only fact, as in most waves, or on one of several. */
  #onlyFact: FactActivations | undefined;
  /** What waits on each fact, where a change activated rules on several. */
  #byFact: Map<Fact, FactActivations> | undefined;
  /** The terminals of several facts in firing order; undefined until it is needed. */
  #places: Place[] | undefined;
  #place: number;

  constructor(changeNumber: number, level: Level) {
    this.changeNumber = changeNumber;
    this.level = level;
    this.previous = undefined;
    this.next = undefined;
    this.waiting = 0;
    this.#only = undefined;
    this.#activations = undefined;
    this.#heaped = true;
    this.#hasItems = false;
    this.#moves = 0;
    this.#deferred = undefined;
    this.#onlyFact = undefined;
    this.#byFact = undefined;
    this.#places = undefined;
    this.#place = 0;
  }

  add(activation: Activation): void {
    activation.wave = this;
    this.waiting += 1;
    this.#hasItems ||= activation.production.orderLevels !== undefined;
    if (this.#activations !== undefined) {
      this.#activations.push(activation);
      this.#heaped = false;
    } else if (this.#only === undefined || this.#only === activation || this.#only.wave !== this) {
      this.#only = activation;
    } else {
      this.#activations = [this.#only, activation];
      this.#only = undefined;
      this.#heaped = false;
    }
  }

  /** Removes an activation. It stays in the list until its turn comes, or until the list is longer than 4 × waiting + 64. */
  remove(activation: Activation): void {
    activation.wave = undefined;
    this.waiting -= 1;
    const all = this.#activations;
    if (all === undefined || all.length <= 4 * this.waiting + 64) return;
    this.#activations = all.filter((one) => one.wave === this);
    this.#heaped = false;
  }

  addDirect(terminals: readonly DirectTerminal[], fact: Fact): void {
    this.waiting += terminals.length;
    this.#places = undefined;
    const factActivations = this.#activationsOf(fact);
    if (factActivations === undefined) this.#keep(new FactActivations(fact, this, terminals));
    else factActivations.add(terminals);
  }

  /** Takes `count` of those that wait on a fact out of the count. */
  tookDirect(factActivations: FactActivations, count: number): void {
    this.waiting -= count;
    if (factActivations.size > 0) return;
    this.#byFact?.delete(factActivations.fact);
    if (this.#onlyFact === factActivations) this.#onlyFact = this.#byFact?.values().next().value;
  }

  /** Whether nothing but these waits here. */
  isAlone(factActivations: FactActivations): boolean {
    return this.waiting === factActivations.size;
  }

  addDeferred(deferred: Deferred): void {
    this.waiting += 1;
    (this.#deferred ??= []).push({ deferred, made: undefined, count: 0 });
  }

  removeDeferred(deferred: Deferred): void {
    this.waiting -= 1;
    this.#deferred = this.#deferred?.filter((one) => one.deferred !== deferred);
  }

  /** Returns the rules of all that waits here, also of pairs that are not made yet. */
  *rules(): Iterable<string> {
    for (const item of this.all()) yield ("direct" in item ? item.direct : item).production.name;
    for (const { deferred } of this.#deferred ?? []) yield deferred.production.name;
  }

  /** Returns what fires first: an activation, or the first terminal on a fact. Undefined when no deferred pair was left. */
  first(): Activation | FactActivations | undefined {
    if (this.#deferred !== undefined) this.#makeFirst();
    const factActivations = this.#firstOnFact();
    const activation = this.#firstActivation();
    if (factActivations === undefined) return activation;
    if (activation === undefined) return factActivations;
    return activation.production.order < factActivations.first().order ? activation : factActivations;
  }

  *all(): Iterable<Activation | Place> {
    if (this.#only?.wave === this) yield this.#only;
    for (const activation of this.#activations ?? []) if (activation.wave === this) yield activation;
    for (const factActivations of this.#allOnFacts())
      for (const direct of factActivations.waiting()) yield { factActivations, direct };
  }

  /** Keeps many activations as a heap, which is made in O(n): often one fires and the others are removed. */
  #firstActivation(): Activation | undefined {
    if (this.#activations === undefined) return this.#only?.wave === this ? this.#only : undefined;
    if (this.waiting === 0) return undefined;
    if (!this.#heaped || (this.#hasItems && this.#moves !== this.level.moves.count)) this.#heap();
    const heap = this.#activations;
    while (heap.length > 0 && heap[0]?.wave !== this) dropFirst(heap, this.level.inWave);
    return heap[0];
  }

  #heap(): void {
    this.#activations = makeHeap(onceEach(this.#activations ?? [], this), this.level.inWave);
    this.#heaped = true;
    this.#moves = this.level.moves.count;
  }

  /** Makes the first pair of everything deferred. When three have fired the rest probably will too, and is made at once. */
  #makeFirst(): void {
    for (const place of [...(this.#deferred ?? [])]) {
      if (place.made?.wave === this) continue;
      place.count += 1;
      if (place.count > MADE_SINGLY) place.deferred.makeAll();
      else if (place.deferred.makeFirst(this.level.newestFirst)) place.made = this.#activations?.at(-1) ?? this.#only;
    }
  }

  // ---------------------------------------------------------------- activations of facts

  #activationsOf(fact: Fact): FactActivations | undefined {
    return this.#onlyFact?.fact === fact ? this.#onlyFact : this.#byFact?.get(fact);
  }

  #keep(factActivations: FactActivations): void {
    if (this.#onlyFact !== undefined) this.#byFact ??= new Map([[this.#onlyFact.fact, this.#onlyFact]]);
    this.#byFact?.set(factActivations.fact, factActivations);
    this.#onlyFact ??= factActivations;
  }

  #allOnFacts(): Iterable<FactActivations> {
    return this.#byFact?.values() ?? (this.#onlyFact === undefined ? [] : [this.#onlyFact]);
  }

  #firstOnFact(): FactActivations | undefined {
    return this.#byFact === undefined || this.#byFact.size < 2 ? this.#onlyFact : this.#firstOfManyFacts();
  }

  /** Returns the first of several facts: by rule, then by fact. */
  #firstOfManyFacts(): FactActivations | undefined {
    this.#places ??= this.#sortPlaces();
    const places = this.#places;
    for (; this.#place < places.length; this.#place++) {
      const { factActivations, direct } = places[this.#place] as Place;
      if (!factActivations.has(direct)) continue;
      factActivations.bringForward(direct);
      return factActivations;
    }
    return undefined;
  }

  #sortPlaces(): Place[] {
    this.#place = 0;
    const places = [...this.#allOnFacts()].flatMap((factActivations) =>
      factActivations.waiting().map((direct): Place => ({ factActivations, direct })),
    );
    const direction = this.level.newestFirst ? -1 : 1;
    return places.sort(
      (a, b) =>
        a.direct.order - b.direct.order || direction * (a.factActivations.fact.order - b.factActivations.fact.order),
    );
  }
}

/** Returns those that wait in a wave, each once and with its sort key: one that left and came back is in the list twice. */
function onceEach(activations: readonly Activation[], wave: Wave): Activation[] {
  const once: Activation[] = [];
  for (const one of activations) one.sortKey = NO_SORT_KEY;
  for (const one of activations) {
    if (one.wave !== wave || one.sortKey !== NO_SORT_KEY) continue;
    one.sortKey = sortKeyOf(one);
    once.push(one);
  }
  return once;
}

/**
 * Returns the order of the first two facts as one number: the first is often a control fact that all have in common. Where the
 * second order is 2 ** 26 or more, keys are equal and the facts decide. A fact that is written after an item does not count.
 */
function sortKeyOf({ production, match }: Activation): number {
  const { factLevels, leadingFacts = 2 } = production;
  const first = leadingFacts < 1 ? 0 : orderAt(match, factLevels?.[0]);
  const second = leadingFacts < 2 ? 0 : orderAt(match, factLevels?.[1]);
  return first * SECOND_FACT + Math.min(second, SECOND_FACT - 1);
}

function orderAt(match: Match | undefined, level: number | undefined): number {
  return level === undefined ? 0 : (match?.at(level).fact?.order ?? 0);
}
