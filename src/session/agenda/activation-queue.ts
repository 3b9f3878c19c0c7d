/**
 * The agenda of `breadth` and `depth`: for each salience the waves of activations in the order of the changes that made
 * them. Adding and removing cost a few assignments, however many wait.
 *
 *     salience 10   wave 7 ⇄ wave 9
 *     salience  0   wave 3 ⇄ wave 7 ⇄ wave 8       breadth takes the first, depth the last
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import { Activation, type Compare, DirectActivation } from "./activation.ts";
import { orderBySortKey } from "./strategies.ts";
import { Wave, type FactActivations } from "./wave.ts";

/** How often items of lists changed places: what was put in order before that is put in order again. */
export interface Moves {
  count: number;
}

/** The waves of one salience. */
export class Level {
  readonly salience: number;
  /** Whether the newest wave, and in it the newest facts, fire first: under `depth`. */
  readonly newestFirst: boolean;
  readonly inWave: Compare;
  readonly moves: Readonly<Moves>;
  first: Wave | undefined = undefined;
  last: Wave | undefined = undefined;
  /** The wave that was searched for last: the next search begins here. */
  #near: Wave | undefined = undefined;

  constructor(salience: number, newestFirst: boolean, moves: Readonly<Moves>) {
    this.salience = salience;
    this.moves = moves;
    this.newestFirst = newestFirst;
    this.inWave = orderBySortKey(newestFirst);
  }

  /** Returns the wave of a change, made when there is none. Most calls are for the newest change. */
  waveOf(changeNumber: number): Wave {
    const { last } = this;
    if (last?.changeNumber === changeNumber) return last;
    if (last === undefined || last.changeNumber < changeNumber) return this.#insert(changeNumber, last);
    let before: Wave | undefined = this.#near ?? last;
    while (before.next !== undefined && before.next.changeNumber <= changeNumber) before = before.next;
    while (before !== undefined && before.changeNumber > changeNumber) before = before.previous;
    this.#near = before?.changeNumber === changeNumber ? before : this.#insert(changeNumber, before);
    return this.#near;
  }

  /** Returns what fires first. A wave of deferred pairs may turn out to be empty. */
  next(): Activation | FactActivations | undefined {
    for (;;) {
      const wave = this.newestFirst ? this.last : this.first;
      const first = wave?.first();
      if (wave === undefined || first !== undefined) return first;
    }
  }

  remove(wave: Wave): void {
    const { previous, next } = wave;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.last = previous;
    else next.previous = previous;
    if (this.#near === wave) this.#near = undefined;
  }

  #insert(changeNumber: number, before: Wave | undefined): Wave {
    const wave = new Wave(changeNumber, this);
    const next = before === undefined ? this.first : before.next;
    wave.previous = before;
    wave.next = next;
    if (before === undefined) this.first = wave;
    else before.next = wave;
    if (next === undefined) this.last = wave;
    else next.previous = wave;
    return wave;
  }
}

export class ActivationQueue {
  readonly #newestFirst: boolean;
  readonly #moves: Moves = { count: 0 };
  /** The highest salience first. */
  readonly #levels: Level[] = [];
  /** Nothing waits at the levels before this one. */
  #top = 0;
  size = 0;

  constructor(newestFirst: boolean) {
    this.#newestFirst = newestFirst;
  }

  /** Whether nothing waits, and no pair is deferred. */
  get isEmpty(): boolean {
    for (const level of this.#levels) if (level.first !== undefined) return false;
    return true;
  }

  first(): Activation | FactActivations | undefined {
    const levels = this.#levels;
    for (; this.#top < levels.length; this.#top++) {
      const first = (levels[this.#top] as Level).next();
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** Notes that items of lists changed places. */
  itemsMoved(): void {
    this.#moves.count += 1;
  }

  add(activation: Activation): void {
    this.#level(activation.production.salience).waveOf(activation.changeNumber).add(activation);
    this.size += 1;
  }

  addDeferred(deferred: Deferred): void {
    const wave = this.#level(deferred.production.salience).waveOf(deferred.changeNumber);
    wave.addDeferred(deferred);
    deferred.place = wave;
  }

  removeDeferred(deferred: Deferred): void {
    const wave = deferred.place as Wave | undefined;
    deferred.place = undefined;
    if (wave === undefined) return;
    wave.removeDeferred(deferred);
    if (wave.waiting === 0) wave.level.remove(wave);
  }

  remove(activation: Activation): void {
    const { wave } = activation;
    if (wave === undefined) return;
    wave.remove(activation);
    this.#left(wave, 1);
  }

  addDirect(terminals: readonly DirectTerminal[], fact: Fact, changeNumber: number): void {
    const first = terminals[0];
    if (first === undefined) return;
    this.#level(first.salience).waveOf(changeNumber).addDirect(terminals, fact);
    this.size += terminals.length;
  }

  removeDirect(terminal: DirectTerminal, fact: Fact): void {
    for (let waiting = waitingOn(fact); waiting !== undefined; waiting = waiting.next) {
      if (waiting.delete(terminal)) return this.#took(waiting, 1);
    }
  }

  firedDirect(factActivations: FactActivations, count: number): void {
    if (count > 0) this.#took(factActivations, count);
  }

  /** Removes all that waits on a fact, and returns the change number of each. */
  takeDirect(fact: Fact): Map<DirectTerminal, number> {
    const taken = new Map<DirectTerminal, number>();
    for (let waiting = waitingOn(fact); waiting !== undefined; waiting = waiting.next) {
      const { size } = waiting;
      for (const terminal of waiting.waiting()) taken.set(terminal, waiting.wave.changeNumber);
      waiting.position += size;
      waiting.wave.tookDirect(waiting, size);
      this.#left(waiting.wave, size);
    }
    fact.waiting = undefined;
    return taken;
  }

  /** Returns the number of the change since which a terminal waits on a fact; undefined when it does not. */
  waitingSince(terminal: DirectTerminal, fact: Fact): number | undefined {
    for (let waiting = waitingOn(fact); waiting !== undefined; waiting = waiting.next) {
      if (waiting.has(terminal)) return waiting.wave.changeNumber;
    }
    return undefined;
  }

  /** Returns the rules of all that waits. */
  *rules(): Iterable<string> {
    for (const level of this.#levels) {
      for (let wave = level.first; wave !== undefined; wave = wave.next) yield* wave.rules();
    }
  }

  items(): Activation[] {
    const items: Activation[] = [];
    for (const level of this.#levels) {
      for (let wave = level.first; wave !== undefined; wave = wave.next) {
        for (const item of wave.all()) items.push(item instanceof Activation ? item : asActivation(item, wave));
      }
    }
    return items;
  }

  #took(factActivations: FactActivations, count: number): void {
    if (factActivations.size === 0) unlink(factActivations);
    factActivations.wave.tookDirect(factActivations, count);
    this.#left(factActivations.wave, count);
  }

  #left(wave: Wave, count: number): void {
    this.size -= count;
    if (wave.waiting === 0 && count > 0) wave.level.remove(wave);
  }

  /** Returns the level of a salience, made when there is none, for adding to it. O(log n) in the number of saliences. */
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
    const made = new Level(salience, this.#newestFirst, this.#moves);
    levels.splice(at, 0, made);
    return made;
  }
}

function asActivation(
  { factActivations, direct }: { readonly factActivations: FactActivations; readonly direct: DirectTerminal },
  { changeNumber }: Wave,
): Activation {
  return new DirectActivation(direct, factActivations.fact, changeNumber, true);
}

/** Returns the first of those that wait on a fact; `next` links the others. */
function waitingOn(fact: Fact): FactActivations | undefined {
  return fact.waiting as FactActivations | undefined;
}

/** Takes an empty one out of those of its fact. */
function unlink(factActivations: FactActivations): void {
  const { fact, previous, next } = factActivations;
  if (previous === undefined) fact.waiting = next;
  else previous.next = next;
  if (next !== undefined) next.previous = previous;
}
