/**
 * What one change activated, of one salience. It is put in order only when its turn comes.
 *
 * Rules with a single pattern do not have an activation each: all that wait on one fact are one cohort, a list of ends. A
 * thousand rules on one alpha node cost a fact a thousand places in a list, and nothing else.
 */
import type { Fact } from "../rete/fact.ts";
import type { LightEnd } from "../rete/light-end.ts";
import { type Activation, orderInChange } from "./activation.ts";
import type { Level } from "./by-stamp.ts";

/** The rules with a single pattern that wait to fire on a fact. */
export class Cohort {
  readonly fact: Fact;
  readonly batch: Batch;
  /** Those before `at` have fired. */
  readonly ends: LightEnd[] = [];
  at = 0;
  #sorted = true;
  /** The next cohort of the same fact. */
  next: Cohort | undefined;

  constructor(fact: Fact, batch: Batch) {
    this.fact = fact;
    this.batch = batch;
    this.next = fact.waiting as Cohort | undefined;
    fact.waiting = this;
  }

  get size(): number {
    return this.ends.length - this.at;
  }

  add(end: LightEnd): void {
    const { ends } = this;
    const last = ends[ends.length - 1];
    if (last !== undefined && last.production.order > end.production.order) this.#sorted = false;
    ends.push(end);
  }

  /** False when it does not wait here. */
  delete(end: LightEnd): boolean {
    const index = this.ends.indexOf(end, this.at);
    if (index >= 0) this.ends.splice(index, 1);
    return index >= 0;
  }

  /** The end that fires first. */
  first(): LightEnd {
    if (!this.#sorted) this.#sort();
    return this.ends[this.at] as LightEnd;
  }

  /** Brings an end to the front that fires before its time, because another fact's come first. */
  bringForward(end: LightEnd): void {
    const index = this.ends.indexOf(end, this.at);
    this.ends.splice(index, 1);
    this.ends.splice(this.at, 0, end);
  }

  #sort(): void {
    this.ends.splice(0, this.at);
    this.at = 0;
    this.ends.sort((a, b) => a.production.order - b.production.order);
    this.#sorted = true;
  }
}

/** An end among those of several facts. */
interface Place {
  readonly cohort: Cohort;
  readonly end: LightEnd;
}

export class Batch {
  readonly stamp: number;
  readonly level: Level;
  previous: Batch | undefined = undefined;
  next: Batch | undefined = undefined;
  /** How many wait here. */
  waiting = 0;
  #activations: Activation[] = [];
  #at = 0;
  #sorted = true;
  readonly #cohorts = new Set<Cohort>();
  /** Where there are several cohorts: their ends in order, worked out when it is needed. */
  #places: Place[] | undefined = undefined;
  #place = 0;

  constructor(stamp: number, level: Level) {
    this.stamp = stamp;
    this.level = level;
  }

  add(activation: Activation): void {
    activation.batch = this;
    this.#activations.push(activation);
    this.#sorted = false;
    this.waiting += 1;
  }

  /** It stays in the list until its turn comes, or until half of the list are such. */
  remove(activation: Activation): void {
    activation.batch = undefined;
    this.waiting -= 1;
    if (this.#activations.length > 2 * this.waiting + 32) {
      this.#activations = this.#activations.filter((one) => one.batch === this);
      this.#at = 0;
    }
  }

  addLight(end: LightEnd, fact: Fact): void {
    let cohort = fact.waiting as Cohort | undefined;
    while (cohort !== undefined && cohort.batch !== this) cohort = cohort.next;
    if (cohort === undefined) {
      cohort = new Cohort(fact, this);
      this.#cohorts.add(cohort);
    }
    cohort.add(end);
    this.#places = undefined;
    this.waiting += 1;
  }

  /** So many of a cohort wait no longer. */
  tookLight(cohort: Cohort, count: number): void {
    this.waiting -= count;
    if (cohort.size === 0) this.#cohorts.delete(cohort);
  }

  /** What fires first: an activation, or the first end of a cohort. */
  first(): Activation | Cohort {
    const cohort = this.#cohorts.size === 0 ? undefined : this.#firstCohort();
    const activation = this.#firstActivation();
    if (cohort === undefined) return activation as Activation;
    if (activation === undefined) return cohort;
    return activation.production.order < cohort.first().production.order ? activation : cohort;
  }

  *all(): Iterable<Activation | Place> {
    for (const activation of this.#activations) if (activation.batch === this) yield activation;
    for (const cohort of this.#cohorts) for (const end of cohort.ends.slice(cohort.at)) yield { cohort, end };
  }

  #firstActivation(): Activation | undefined {
    if (!this.#sorted) this.#sort();
    const activations = this.#activations;
    while (this.#at < activations.length && activations[this.#at]?.batch !== this) this.#at += 1;
    return activations[this.#at];
  }

  #sort(): void {
    this.#activations = [...new Set(this.#activations)].filter((one) => one.batch === this).sort(orderInChange);
    this.#at = 0;
    this.#sorted = true;
  }

  #firstCohort(): Cohort | undefined {
    if (this.#cohorts.size > 1) return this.#firstOfMany();
    const [only] = this.#cohorts;
    return only;
  }

  /** Of several facts: by rule, then by fact. */
  #firstOfMany(): Cohort | undefined {
    this.#places ??= this.#sortPlaces();
    const places = this.#places;
    for (; this.#place < places.length; this.#place++) {
      const { cohort, end } = places[this.#place] as Place;
      if (!cohort.ends.includes(end, cohort.at)) continue;
      cohort.bringForward(end);
      return cohort;
    }
    return undefined;
  }

  #sortPlaces(): Place[] {
    this.#place = 0;
    const places = [...this.#cohorts].flatMap((cohort) =>
      cohort.ends.slice(cohort.at).map((end): Place => ({ cohort, end })),
    );
    return places.sort(
      (a, b) => a.end.production.order - b.end.production.order || a.cohort.fact.order - b.cohort.fact.order,
    );
  }
}
