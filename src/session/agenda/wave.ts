/**
 * What one change activated, of one salience. It is put in order only when its turn comes.
 *
 * Rules with a single pattern do not have an activation each: all that wait on one fact are one cohort, a list of ends. A
 * thousand rules on one alpha node cost a fact a thousand places in a list, and nothing else.
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Match } from "../../rete/match.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import { type Activation, UNLISTED } from "./activation.ts";
import type { Level } from "./activation-queue.ts";
import { dropFirst, makeHeap } from "../../base/heap-order.ts";

/** The rules with a single pattern that wait to fire on a fact. */
export class FactActivations {
  readonly fact: Fact;
  readonly batch: Wave;
  /** Those before `at` have fired. Borrowed from the network as long as nothing is to be changed in it. */
  #ends: readonly DirectTerminal[];
  #own: boolean;
  #sorted: boolean;
  at: number;
  /** The neighbours among the cohorts of the same fact. */
  previous: FactActivations | undefined;
  next: FactActivations | undefined;

  constructor(fact: Fact, batch: Wave, ends: readonly DirectTerminal[]) {
    this.fact = fact;
    this.batch = batch;
    this.#ends = ends;
    this.#own = false;
    this.#sorted = true;
    this.at = 0;
    this.previous = undefined;
    this.next = fact.waiting as FactActivations | undefined;
    if (this.next !== undefined) this.next.previous = this;
    fact.waiting = this;
  }

  get size(): number {
    return this.#ends.length - this.at;
  }

  waiting(): readonly DirectTerminal[] {
    return this.#ends.slice(this.at);
  }

  has(end: DirectTerminal): boolean {
    return this.#ends.includes(end, this.at);
  }

  add(ends: readonly DirectTerminal[]): void {
    const all = this.#mine();
    for (const end of ends) all.push(end);
    this.#sorted = false;
  }

  /** False when it does not wait here. */
  delete(end: DirectTerminal): boolean {
    const index = this.#ends.indexOf(end, this.at);
    if (index >= 0) this.#mine().splice(this.#ends.indexOf(end, this.at), 1);
    return index >= 0;
  }

  /** The end that fires first. */
  first(): DirectTerminal {
    if (!this.#sorted) this.#sort();
    return this.#ends[this.at] as DirectTerminal;
  }

  /** The end that fired last. */
  fired(): DirectTerminal {
    return this.#ends[this.at - 1] as DirectTerminal;
  }

  /** Brings an end to the front that fires before its time, because another fact's come first. */
  bringForward(end: DirectTerminal): void {
    if (this.first() === end) return;
    const all = this.#mine();
    all.splice(all.indexOf(end, this.at), 1);
    all.splice(this.at, 0, end);
  }

  #mine(): DirectTerminal[] {
    if (!this.#own) {
      this.#ends = this.#ends.slice(this.at);
      this.#own = true;
      this.at = 0;
    }
    return this.#ends as DirectTerminal[];
  }

  #sort(): void {
    const all = this.#mine();
    all.splice(0, this.at);
    this.at = 0;
    all.sort((a, b) => a.order - b.order);
    this.#sorted = true;
  }
}

interface DeferredPlace {
  readonly deferred: Deferred;
  /** The pair that was made last. */
  made: Activation | undefined;
  count: number;
}

/** More facts than this are seldom asserted in a session. */
const MANY = 2 ** 26;

/** So many pairs are made one by one. */
const FEW = 3;

/** An end among those of several facts. */
interface Place {
  readonly cohort: FactActivations;
  readonly end: DirectTerminal;
}

export class Wave {
  readonly stamp: number;
  readonly level: Level;
  previous: Wave | undefined;
  next: Wave | undefined;
  /** How many wait here. */
  waiting: number;
  /** The only activation, as a rule; undefined when there are more, or none. */
  #only: Activation | undefined;
  #activations: Activation[] | undefined;
  #heaped: boolean;
  /** Pairs of which only the first ones are made. */
  #deferred: DeferredPlace[] | undefined;
  /** The only cohort, as a rule. */
  #cohort: FactActivations | undefined;
  /** All cohorts, where a change made several. */
  #cohorts: Map<Fact, FactActivations> | undefined;
  /** Their ends in order, worked out when it is needed. */
  #places: Place[] | undefined;
  #place: number;

  constructor(stamp: number, level: Level) {
    this.stamp = stamp;
    this.level = level;
    this.previous = undefined;
    this.next = undefined;
    this.waiting = 0;
    this.#only = undefined;
    this.#activations = undefined;
    this.#heaped = true;
    this.#deferred = undefined;
    this.#cohort = undefined;
    this.#cohorts = undefined;
    this.#places = undefined;
    this.#place = 0;
  }

  add(activation: Activation): void {
    activation.batch = this;
    this.waiting += 1;
    if (this.#activations !== undefined) {
      this.#activations.push(activation);
      this.#heaped = false;
    } else if (this.#only === undefined || this.#only === activation || this.#only.batch !== this) {
      this.#only = activation;
    } else {
      this.#activations = [this.#only, activation];
      this.#only = undefined;
      this.#heaped = false;
    }
  }

  /** It stays in the list until its turn comes, or until most of the list are such. */
  remove(activation: Activation): void {
    activation.batch = undefined;
    this.waiting -= 1;
    const all = this.#activations;
    if (all === undefined || all.length <= 4 * this.waiting + 64) return;
    this.#activations = all.filter((one) => one.batch === this);
    this.#heaped = false;
  }

  addDirect(ends: readonly DirectTerminal[], fact: Fact): void {
    this.waiting += ends.length;
    this.#places = undefined;
    const cohort = this.#cohortOf(fact);
    if (cohort === undefined) this.#keep(new FactActivations(fact, this, ends));
    else cohort.add(ends);
  }

  /** So many of a cohort wait no longer. */
  tookDirect(cohort: FactActivations, count: number): void {
    this.waiting -= count;
    if (cohort.size > 0) return;
    this.#cohorts?.delete(cohort.fact);
    if (this.#cohort === cohort) this.#cohort = this.#cohorts?.values().next().value;
  }

  /** Whether nothing else waits here. */
  isAlone(cohort: FactActivations): boolean {
    return this.waiting === cohort.size;
  }

  addDeferred(deferred: Deferred): void {
    this.waiting += 1;
    (this.#deferred ??= []).push({ deferred, made: undefined, count: 0 });
  }

  removeDeferred(deferred: Deferred): void {
    this.waiting -= 1;
    this.#deferred = this.#deferred?.filter((one) => one.deferred !== deferred);
  }

  /** The rules of what waits here, also of pairs that are not made yet. */
  *rules(): Iterable<string> {
    for (const item of this.all()) yield ("end" in item ? item.end : item).production.name;
    for (const { deferred } of this.#deferred ?? []) yield deferred.production.name;
  }

  /** What fires first: an activation, or the first end of a cohort. Undefined when nothing deferred was left. */
  first(): Activation | FactActivations | undefined {
    if (this.#deferred !== undefined) this.#makeFirst();
    const cohort = this.#firstCohort();
    const activation = this.#firstActivation();
    if (cohort === undefined) return activation;
    if (activation === undefined) return cohort;
    return activation.production.order < cohort.first().order ? activation : cohort;
  }

  *all(): Iterable<Activation | Place> {
    if (this.#only?.batch === this) yield this.#only;
    for (const activation of this.#activations ?? []) if (activation.batch === this) yield activation;
    for (const cohort of this.#allCohorts()) for (const end of cohort.waiting()) yield { cohort, end };
  }

  /** Often one of many fires, and the others go: so they are kept as a heap, which is quickly made, and not sorted. */
  #firstActivation(): Activation | undefined {
    if (this.#activations === undefined) return this.#only?.batch === this ? this.#only : undefined;
    if (this.waiting === 0) return undefined;
    if (!this.#heaped) this.#heap();
    const heap = this.#activations;
    while (heap.length > 0 && heap[0]?.batch !== this) dropFirst(heap, this.level.byLead);
    return heap[0];
  }

  #heap(): void {
    this.#activations = makeHeap(onceEach(this.#activations ?? [], this), this.level.byLead);
    this.#heaped = true;
  }

  /** Of everything deferred one pair waits here. When several have fired, the rest will too, and is made at once. */
  #makeFirst(): void {
    for (const place of [...(this.#deferred ?? [])]) {
      if (place.made?.batch === this) continue;
      place.count += 1;
      if (place.count > FEW) place.deferred.makeAll();
      else if (place.deferred.makeFirst(this.level.newestFirst)) place.made = this.#activations?.at(-1) ?? this.#only;
    }
  }

  // ---------------------------------------------------------------- cohorts

  #cohortOf(fact: Fact): FactActivations | undefined {
    return this.#cohort?.fact === fact ? this.#cohort : this.#cohorts?.get(fact);
  }

  #keep(cohort: FactActivations): void {
    if (this.#cohort !== undefined) this.#cohorts ??= new Map([[this.#cohort.fact, this.#cohort]]);
    this.#cohorts?.set(cohort.fact, cohort);
    this.#cohort ??= cohort;
  }

  #allCohorts(): Iterable<FactActivations> {
    return this.#cohorts?.values() ?? (this.#cohort === undefined ? [] : [this.#cohort]);
  }

  #firstCohort(): FactActivations | undefined {
    return this.#cohorts === undefined || this.#cohorts.size < 2 ? this.#cohort : this.#firstOfMany();
  }

  /** Of several facts: by rule, then by fact. */
  #firstOfMany(): FactActivations | undefined {
    this.#places ??= this.#sortPlaces();
    const places = this.#places;
    for (; this.#place < places.length; this.#place++) {
      const { cohort, end } = places[this.#place] as Place;
      if (!cohort.has(end)) continue;
      cohort.bringForward(end);
      return cohort;
    }
    return undefined;
  }

  #sortPlaces(): Place[] {
    this.#place = 0;
    const places = [...this.#allCohorts()].flatMap((cohort) => cohort.waiting().map((end): Place => ({ cohort, end })));
    const direction = this.level.newestFirst ? -1 : 1;
    return places.sort((a, b) => a.end.order - b.end.order || direction * (a.cohort.fact.order - b.cohort.fact.order));
  }
}

/** Those that wait in a batch, each once and with its lead: one that left and came back is in the list twice. */
function onceEach(activations: readonly Activation[], batch: Wave): Activation[] {
  const once: Activation[] = [];
  for (const one of activations) one.lead = UNLISTED;
  for (const one of activations) {
    if (one.batch !== batch || one.lead !== UNLISTED) continue;
    one.lead = leadOf(one);
    once.push(one);
  }
  return once;
}

/** The first is often a control fact that all have in common: so two of them. Where numbers grow too large, leads are equal. */
function leadOf({ production, match }: Activation): number {
  const { factLevels } = production;
  return orderAt(match, factLevels?.[0]) * MANY + Math.min(orderAt(match, factLevels?.[1]), MANY - 1);
}

function orderAt(match: Match | undefined, level: number | undefined): number {
  return level === undefined ? 0 : (match?.at(level).fact?.order ?? 0);
}
