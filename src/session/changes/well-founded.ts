/**
 * Keeps every logical fact above the facts that it rests on.
 *
 * A plain fact has height 0. A logical fact has a `lowest` support and is higher than every fact of that support, so no
 * circle can hold itself up, and nothing is searched while supports only come. When a fact loses its lowest support, another
 * support below its height takes over. If there is none the fact falls, and so do the facts whose lowest support rests on it.
 * A fallen fact stands up again when one of its supports rests on facts that did not fall.
 *
 * This works where matches name all facts that they rest on. A fact that rests on unnamed facts (an `exists` over facts that may
 * depend on this one) is higher than `VAGUE`, and its height says when it was founded: it cannot rest on a
 * fact that was founded later. When one of these is in question, a trial decides (trial.ts), not a search.
 */
import type { Fact } from "../../rete/fact.ts";
import type { Activation } from "../agenda/activation.ts";
import { type Few, membersOf } from "./few.ts";
import { LowestFirst } from "./lowest-first.ts";

export interface LogicalFact {
  /** Also asserted by the host, or inserted without `logical`. */
  plain: boolean;
  supports: Few<Activation>;
  /** For facts without a key: what makes two of them equal. */
  readonly content: string | undefined;
  /** Above every fact of the lowest support. A fact that is also plain is below `VAGUE`. */
  height: number;
  /** Undefined for a fact that was plain first, and from the moment it is lost until the next check. */
  lowest: Activation | undefined;
}

/** From here on, a fact rests somewhere below on facts that are not named. */
const VAGUE: number = 2 ** 30;
/** Nothing holds the fact. */
export const UNFOUNDED: number = 2 ** 52;

export interface Links {
  readonly logical: ReadonlyMap<Fact, LogicalFact>;
  /** The facts that an activation supports. */
  readonly supported: ReadonlyMap<Activation, Few<Fact>>;
  /** The supports, of any fact, that rest on a fact. */
  readonly holds: ReadonlyMap<Fact, Few<Activation>>;
  /** A fact was founded by a match that does not name all its facts. */
  foundedVaguely(fact: Fact, height: number, by: Activation): void;
}

export class WellFounded {
  /** Counts the supports that were looked at. */
  steps = 0;
  /** While supports are restored their order says nothing: then all facts are founded at one time. */
  timeless = false;
  readonly #links: Links;
  #time = 0;

  constructor(links: Links) {
    this.#links = links;
  }

  /** A new support founds a fact that nothing holds, and makes a vague one sure if it can. */
  supportAdded(fact: Fact, logical: LogicalFact, activation: Activation): void {
    const top = this.#top(activation);
    if (bandOf(top) < bandOf(logical.height)) this.#found(fact, logical, activation, top);
    else if (logical.lowest === undefined && top < logical.height && top < VAGUE) logical.lowest = activation;
  }

  /** The fact is asserted plainly as well. */
  madePlain(fact: Fact, logical: LogicalFact): void {
    if (logical.height >= VAGUE) this.#found(fact, logical, undefined, -1);
  }

  /** In a trial: the fact is back because of this support, and everything that it rests on was there before. */
  foundAgain(fact: Fact, logical: LogicalFact, activation: Activation): void {
    this.#put(fact, logical, activation, this.#top(activation));
  }

  /** Of facts below `VAGUE`, or unfounded, that lost their lowest support: those that no named facts hold any more. */
  fallen(lost: readonly Fact[]): Fact[] {
    const fallen = this.#fall(lost);
    for (const fact of fallen) this.#standUp(fact);
    return fallen.filter((fact) => this.#links.logical.get(fact)?.height === UNFOUNDED);
  }

  /** Whether a support rests on nothing that fell. */
  isPossible({ supports }: LogicalFact): boolean {
    for (const activation of membersOf(supports)) if (this.#top(activation) < UNFOUNDED) return true;
    return false;
  }

  /** The lowest first: whatever a fact could rest on instead is decided before. */
  #fall(lost: readonly Fact[]): Fact[] {
    const { logical: facts } = this.#links;
    const fallen: Fact[] = [];
    const queue = new LowestFirst<Fact>();
    for (const fact of lost) queue.put(fact, facts.get(fact)?.height ?? 0);
    for (let fact = queue.take(); fact !== undefined; fact = queue.take()) {
      const logical = facts.get(fact);
      if (logical === undefined || logical.plain || logical.lowest !== undefined) continue;
      logical.lowest = this.#another(logical);
      if (logical.lowest !== undefined) continue;
      logical.height = UNFOUNDED;
      fallen.push(fact);
      this.#pullDown(fact, queue);
    }
    return fallen;
  }

  /** Facts whose lowest support rests on this one are next. Above `VAGUE` a trial decides. */
  #pullDown(fact: Fact, queue: LowestFirst<Fact>): void {
    const { logical: facts, supported, holds } = this.#links;
    for (const activation of membersOf(holds.get(fact))) {
      for (const above of membersOf(supported.get(activation))) {
        const logical = facts.get(above);
        if (logical?.lowest !== activation || logical.height >= VAGUE) continue;
        logical.lowest = undefined;
        queue.put(above, logical.height);
      }
    }
  }

  #another({ supports, height }: LogicalFact): Activation | undefined {
    if (height === UNFOUNDED) return undefined;
    for (const activation of membersOf(supports)) if (this.#top(activation) < height) return activation;
    return undefined;
  }

  /** Above the highest support there is: the others can take over later without a fall. */
  #standUp(fact: Fact): void {
    const logical = this.#links.logical.get(fact);
    if (logical?.height !== UNFOUNDED) return;
    let best: Activation | undefined;
    let highest = -1;
    for (const activation of membersOf(logical.supports)) {
      const top = this.#top(activation);
      if (top > highest && top < VAGUE) [best, highest] = [activation, top];
    }
    if (best !== undefined) this.#found(fact, logical, best, highest);
  }

  /** Puts the fact above a support. Facts that rest on it may come down by that. */
  #found(start: Fact, logical: LogicalFact, activation: Activation | undefined, top: number): void {
    const { logical: facts, supported, holds } = this.#links;
    this.#put(start, logical, activation, top);
    if (!holds.has(start)) return;
    const changed = [start];
    for (let fact = changed.pop(); fact !== undefined; fact = changed.pop()) {
      for (const held of membersOf(holds.get(fact))) {
        const below = this.#top(held);
        for (const above of membersOf(supported.get(held))) {
          const other = facts.get(above);
          if (other === undefined || bandOf(below) >= bandOf(other.height)) continue;
          this.#put(above, other, held, below);
          changed.push(above);
        }
      }
    }
  }

  #put(fact: Fact, logical: LogicalFact, activation: Activation | undefined, top: number): void {
    logical.lowest = activation;
    logical.height = top < VAGUE ? top + 1 : this.#now();
    if (logical.height >= VAGUE && activation !== undefined && unnamedOf(activation) !== undefined) {
      this.#links.foundedVaguely(fact, logical.height, activation);
    }
  }

  #now(): number {
    if (!this.timeless) this.#time += 1;
    return VAGUE + this.#time;
  }

  /** The height of the highest fact that a support rests on. */
  #top(activation: Activation): number {
    const { facts } = activation;
    let top = unnamedOf(activation) === undefined ? 0 : VAGUE;
    for (let at = 0; at < facts.length; at++) {
      const height = this.#links.logical.get(facts[at] as Fact)?.height ?? 0;
      if (height > top) top = height;
    }
    this.steps += 1;
    return top;
  }
}

export function isVague({ height }: LogicalFact): boolean {
  return height >= VAGUE && height < UNFOUNDED;
}

function unnamedOf({ production }: Activation): object | undefined {
  return production.support?.unnamed;
}

/** 0: founded for sure; 1: as far as rules name their facts; 2: not at all. */
function bandOf(height: number): number {
  if (height < VAGUE) return 0;
  return height < UNFOUNDED ? 1 : 2;
}
