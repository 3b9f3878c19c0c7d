/**
 * Keeps every logical fact above the facts that it rests on.
 *
 * A plain fact has height 0. A logical fact has a `lowest` support and is higher than every fact of that support, so no
 * circle can hold itself up, and nothing is searched while supports only come. When a fact loses its lowest support, another
 * support below its height takes over. If there is none the fact falls, and so do the facts whose lowest support rests on it.
 * A fallen fact stands up again when one of its supports rests on facts that did not fall.
 *
 * This works where matches name all facts that they rest on. A fact that rests on unnamed facts (an `exists` over facts that may
 * depend on this one) is higher than `UNNAMED_FROM`, and its height says when it was founded: it cannot rest on a
 * fact that was founded later. When one of these is in question, a trial decides (retraction-trial.ts), not a search.
 */
import type { LateMap } from "../../base/late.ts";
import type { Fact } from "../../rete/fact.ts";
import type { Activation } from "../agenda/activation.ts";
import { type SmallSet, membersOf } from "./small-set.ts";
import { MinHeap } from "./min-heap.ts";

export interface LogicalFact {
  /** Also asserted by the host, or inserted without `logical`. */
  plain: boolean;
  /** The activations that insert it. */
  supports: SmallSet<Activation>;
  /** For facts without a key: what makes two of them equal. */
  content: string | undefined;
  /** Above every fact of the lowest support. A fact that is also plain is below `UNNAMED_FROM`. */
  height: number;
  /** Undefined for a fact that was plain first, and from the moment it is lost until the next check. */
  lowest: Activation | undefined;
}

/** The height from which a fact rests, directly or not, on facts that no match names. */
const UNNAMED_FROM: number = 2 ** 30;
/** The height of a fact that nothing supports. */
export const UNFOUNDED: number = 2 ** 52;

export interface Links {
  readonly logical: LateMap<Fact, LogicalFact>;
  /** The facts that an activation supports. */
  readonly supported: LateMap<Activation, SmallSet<Fact>>;
  /** The supports, of any fact, that rest on a fact. */
  readonly holds: LateMap<Fact, SmallSet<Activation>>;
  /** Is called when a fact was founded by a match that does not name all its facts. */
  foundedOnUnnamed(fact: Fact, height: number, by: Activation): void;
}

export class WellFounded {
  /** The number of supports looked at so far. */
  steps = 0;
  /** Whether all facts count as founded at one time: while supports are restored their order says nothing. */
  timeless = false;
  readonly #links: Links;
  #time = 0;

  constructor(links: Links) {
    this.#links = links;
  }

  /** Founds a fact that nothing supported, and brings one that rests on unnamed facts below them if the new support can. */
  supportAdded(fact: Fact, logical: LogicalFact, activation: Activation): void {
    const top = this.#top(activation);
    if (certaintyOf(top) < certaintyOf(logical.height)) this.#found(fact, logical, activation, top);
    else if (logical.lowest === undefined && top < logical.height && top < UNNAMED_FROM) logical.lowest = activation;
  }

  /** Lowers a fact that is now asserted plainly as well. */
  madePlain(fact: Fact, logical: LogicalFact): void {
    if (logical.height >= UNNAMED_FROM) this.#found(fact, logical, undefined, -1);
  }

  /** Founds a fact that came back in a trial by this support; everything it rests on came back before. */
  foundAgain(fact: Fact, logical: LogicalFact, activation: Activation): void {
    this.#put(fact, logical, activation, this.#top(activation));
  }

  /** Returns, of facts that lost their lowest support, those that no named facts support any more. */
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

  /** Lets facts fall, lowest first: what a fact could rest on instead is decided before it. */
  #fall(lost: readonly Fact[]): Fact[] {
    const { logical: facts } = this.#links;
    const fallen: Fact[] = [];
    const queue = new MinHeap<Fact>();
    for (const fact of lost) queue.push(fact, facts.get(fact)?.height ?? 0);
    for (let fact = queue.pop(); fact !== undefined; fact = queue.pop()) {
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

  /** Queues the facts whose lowest support rests on this one. From `UNNAMED_FROM` on a trial decides. */
  #pullDown(fact: Fact, queue: MinHeap<Fact>): void {
    const { logical: facts, supported, holds } = this.#links;
    for (const activation of membersOf(holds.get(fact))) {
      for (const above of membersOf(supported.get(activation))) {
        const logical = facts.get(above);
        if (logical?.lowest !== activation || logical.height >= UNNAMED_FROM) continue;
        logical.lowest = undefined;
        queue.push(above, logical.height);
      }
    }
  }

  #another({ supports, height }: LogicalFact): Activation | undefined {
    if (height === UNFOUNDED) return undefined;
    for (const activation of membersOf(supports)) if (this.#top(activation) < height) return activation;
    return undefined;
  }

  /** Founds a fallen fact above the highest of its supports: the others can take over later without a fall. */
  #standUp(fact: Fact): void {
    const logical = this.#links.logical.get(fact);
    if (logical?.height !== UNFOUNDED) return;
    let best: Activation | undefined;
    let highest = -1;
    for (const activation of membersOf(logical.supports)) {
      const top = this.#top(activation);
      if (top > highest && top < UNNAMED_FROM) [best, highest] = [activation, top];
    }
    if (best !== undefined) this.#found(fact, logical, best, highest);
  }

  /** Puts the fact above a support, and brings down the facts that rest on it where they can be lower. */
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
          if (other === undefined || certaintyOf(below) >= certaintyOf(other.height)) continue;
          this.#put(above, other, held, below);
          changed.push(above);
        }
      }
    }
  }

  #put(fact: Fact, logical: LogicalFact, activation: Activation | undefined, top: number): void {
    logical.lowest = activation;
    logical.height = top < UNNAMED_FROM ? top + 1 : this.#now();
    if (logical.height >= UNNAMED_FROM && activation !== undefined && unnamedOf(activation) !== undefined) {
      this.#links.foundedOnUnnamed(fact, logical.height, activation);
    }
  }

  #now(): number {
    if (!this.timeless) this.#time += 1;
    return UNNAMED_FROM + this.#time;
  }

  /** Returns the height of the highest fact that a support rests on. */
  #top(activation: Activation): number {
    const { facts } = activation;
    let top = unnamedOf(activation) === undefined ? 0 : UNNAMED_FROM;
    for (let at = 0; at < facts.length; at++) {
      const height = this.#links.logical.get(facts[at] as Fact)?.height ?? 0;
      if (height > top) top = height;
    }
    this.steps += 1;
    return top;
  }
}

/** Whether a fact is founded, and rests on facts that no match names. */
export function restsOnUnnamed({ height }: LogicalFact): boolean {
  return height >= UNNAMED_FROM && height < UNFOUNDED;
}

function unnamedOf({ production }: Activation): object | undefined {
  return production.support?.unnamed;
}

/** Returns 0 for a fact that is founded, 1 for one that is as far as rules name their facts, 2 for one that is not. */
function certaintyOf(height: number): number {
  if (height < UNNAMED_FROM) return 0;
  return height < UNFOUNDED ? 1 : 2;
}
