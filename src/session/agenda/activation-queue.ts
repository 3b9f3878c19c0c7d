/**
 * The agenda of `breadth` and `depth`: for each salience the batches of activations in the order of the changes that made
 * them. Coming and going cost a few assignments, however many wait.
 *
 *     salience 10   batch 7 ⇄ batch 9
 *     salience  0   batch 3 ⇄ batch 7 ⇄ batch 8       breadth takes the first, depth the last
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import { Activation, type Compare, DirectActivation, orderByLead } from "./activation.ts";
import { Wave, type FactActivations } from "./wave.ts";

/** What waits with one salience. */
export class Level {
  readonly salience: number;
  /** Under `depth`: the newest batch, and in it the newest facts, come first. */
  readonly newestFirst: boolean;
  readonly byLead: Compare;
  first: Wave | undefined = undefined;
  last: Wave | undefined = undefined;
  /** Where something was put last, to begin a search from. */
  #near: Wave | undefined = undefined;

  constructor(salience: number, newestFirst: boolean) {
    this.salience = salience;
    this.newestFirst = newestFirst;
    this.byLead = orderByLead(newestFirst ? "depth" : "breadth");
  }

  /** The batch of a change, made when there is none. Most changes are the newest one. */
  at(stamp: number): Wave {
    const { last } = this;
    if (last?.stamp === stamp) return last;
    if (last === undefined || last.stamp < stamp) return this.#insert(stamp, last);
    let before: Wave | undefined = this.#near ?? last;
    while (before.next !== undefined && before.next.stamp <= stamp) before = before.next;
    while (before !== undefined && before.stamp > stamp) before = before.previous;
    this.#near = before?.stamp === stamp ? before : this.#insert(stamp, before);
    return this.#near;
  }

  /** What fires first. A batch of deferred pairs may turn out to be empty. */
  next(): Activation | FactActivations | undefined {
    for (;;) {
      const batch = this.newestFirst ? this.last : this.first;
      const first = batch?.first();
      if (batch === undefined || first !== undefined) return first;
    }
  }

  remove(batch: Wave): void {
    const { previous, next } = batch;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    if (this.#near === batch) this.#near = undefined;
  }

  #insert(stamp: number, before: Wave | undefined): Wave {
    const batch = new Wave(stamp, this);
    const next = before === undefined ? this.first : before.next;
    batch.previous = before;
    batch.next = next;
    if (before === undefined) this.first = batch;
    else before.next = batch;
    if (next === undefined) this.last = batch;
    else next.previous = batch;
    return batch;
  }
}

export class ActivationQueue {
  readonly #newestFirst: boolean;
  /** The highest salience first. */
  readonly #levels: Level[] = [];
  /** Nothing waits at the levels before this one. */
  #top = 0;
  size = 0;

  constructor(newestFirst: boolean) {
    this.#newestFirst = newestFirst;
  }

  first(): Activation | FactActivations | undefined {
    const levels = this.#levels;
    for (; this.#top < levels.length; this.#top++) {
      const first = (levels[this.#top] as Level).next();
      if (first !== undefined) return first;
    }
    return undefined;
  }

  add(activation: Activation): void {
    this.#level(activation.production.salience).at(activation.stamp).add(activation);
    this.size += 1;
  }

  addDeferred(deferred: Deferred): void {
    const batch = this.#level(deferred.production.salience).at(deferred.stamp);
    batch.addDeferred(deferred);
    deferred.place = batch;
  }

  removeDeferred(deferred: Deferred): void {
    const batch = deferred.place as Wave | undefined;
    deferred.place = undefined;
    if (batch === undefined) return;
    batch.removeDeferred(deferred);
    if (batch.waiting === 0) batch.level.remove(batch);
  }

  remove(activation: Activation): void {
    const { batch } = activation;
    if (batch === undefined) return;
    batch.remove(activation);
    this.#left(batch, 1);
  }

  addDirect(ends: readonly DirectTerminal[], fact: Fact, stamp: number): void {
    const first = ends[0];
    if (first === undefined) return;
    this.#level(first.salience).at(stamp).addDirect(ends, fact);
    this.size += ends.length;
  }

  removeDirect(end: DirectTerminal, fact: Fact): void {
    for (let cohort = fact.waiting as FactActivations | undefined; cohort !== undefined; cohort = cohort.next) {
      if (cohort.delete(end)) return this.#took(cohort, 1);
    }
  }

  firedDirect(cohort: FactActivations, count: number): void {
    if (count > 0) this.#took(cohort, count);
  }

  /** What waits on a fact waits no longer; gives the change of each. */
  takeDirect(fact: Fact): Map<DirectTerminal, number> {
    const taken = new Map<DirectTerminal, number>();
    for (let cohort = fact.waiting as FactActivations | undefined; cohort !== undefined; cohort = cohort.next) {
      const { size } = cohort;
      for (const end of cohort.waiting()) taken.set(end, cohort.batch.stamp);
      cohort.at += size;
      cohort.batch.tookDirect(cohort, size);
      this.#left(cohort.batch, size);
    }
    fact.waiting = undefined;
    return taken;
  }

  /** The change since which an end waits on a fact; undefined when it does not. */
  stampOf(end: DirectTerminal, fact: Fact): number | undefined {
    for (let cohort = fact.waiting as FactActivations | undefined; cohort !== undefined; cohort = cohort.next) {
      if (cohort.has(end)) return cohort.batch.stamp;
    }
    return undefined;
  }

  /** The rules of all that waits. */
  *rules(): Iterable<string> {
    for (const level of this.#levels) {
      for (let batch = level.first; batch !== undefined; batch = batch.next) yield* batch.rules();
    }
  }

  items(): Activation[] {
    const items: Activation[] = [];
    for (const level of this.#levels) {
      for (let batch = level.first; batch !== undefined; batch = batch.next) {
        for (const item of batch.all()) items.push(item instanceof Activation ? item : asActivation(item, batch));
      }
    }
    return items;
  }

  #took(cohort: FactActivations, count: number): void {
    if (cohort.size === 0) dropCohort(cohort);
    cohort.batch.tookDirect(cohort, count);
    this.#left(cohort.batch, count);
  }

  #left(batch: Wave, count: number): void {
    this.size -= count;
    if (batch.waiting === 0 && count > 0) batch.level.remove(batch);
  }

  /** The level of a salience, made when there is none; something will wait there. */
  #level(salience: number): Level {
    const levels = this.#levels;
    let at = 0;
    for (let end = levels.length; at < end;) {
      const middle = (at + end) >> 1;
      if ((levels[middle] as Level).salience > salience) at = middle + 1;
      else end = middle;
    }
    if (at < this.#top) this.#top = at;
    const found = levels[at];
    if (found?.salience === salience) return found;
    const made = new Level(salience, this.#newestFirst);
    levels.splice(at, 0, made);
    return made;
  }
}

function asActivation(
  { cohort, end }: { readonly cohort: FactActivations; readonly end: DirectTerminal },
  { stamp }: Wave,
): Activation {
  return new DirectActivation(end, cohort.fact, stamp, true);
}

function dropCohort(cohort: FactActivations): void {
  const { fact, previous, next } = cohort;
  if (previous === undefined) fact.waiting = next;
  else previous.next = next;
  if (next !== undefined) next.previous = previous;
}
