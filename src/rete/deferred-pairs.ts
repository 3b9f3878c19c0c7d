/**
 * Pairs with a control fact that are not made until one of them is to fire.
 *
 * A rule with a control fact (controls.ts in the compiler) pairs it with everything that the other patterns found; one pair
 * fires, the fact is switched, and all others are gone. So a control fact that comes makes no pairs: the agenda gets one thing
 * that stands for all of them, and asks it for the first when its turn comes.
 *
 *     control fact ─▶ Deferred ── first in order ──▶ one match        (then the next, and soon all)
 *
 * A match that comes later is paired at once. So what is deferred for a fact are the matches above that have no pair with it.
 */
import { LateMap } from "../base/late.ts";
import type { Fact } from "./fact.ts";
import { FiringOrder } from "./firing-order.ts";
import { JoinNode, type PairSpec } from "./join.ts";
import { compareMatches, type Match } from "./match.ts";
import { firstChild } from "./match-tree.ts";
import type { MatchListener } from "./port.ts";
import type { Production } from "./production.ts";
import type { Tally } from "./tally.ts";
import { TerminalNode } from "./terminal.ts";

/** Deferring pays off from this number of pairs on; fewer are made at once. */
const DEFER_FROM = 4;

export class Deferred {
  readonly fact: Fact;
  readonly production: Production;
  readonly #join: ControlJoin;
  /** The change that completed the pairs, and where they wait. Written by the session. */
  changeNumber = 0;
  place: unknown = undefined;

  constructor(join: ControlJoin, fact: Fact, production: Production) {
    this.#join = join;
    this.fact = fact;
    this.production = production;
  }

  /** Makes the pair that fires first; returns false when none is left. */
  makeFirst(newestFirst: boolean): boolean {
    return this.#join.makeFirst(this, newestFirst);
  }

  makeAll(): void {
    this.#join.makeAll(this);
  }
}

/** All deferred pairs of a network. */
export class DeferredPairs {
  readonly #byFact = new LateMap<Fact, Map<ControlJoin, Deferred>>();
  readonly #listener: () => MatchListener;

  constructor(listener: () => MatchListener) {
    this.#listener = listener;
  }

  get listener(): MatchListener {
    return this.#listener();
  }

  add(join: ControlJoin, deferred: Deferred): void {
    const ofFact = this.#byFact.get(deferred.fact);
    if (ofFact === undefined) this.#byFact.set(deferred.fact, new Map([[join, deferred]]));
    else ofFact.set(join, deferred);
  }

  /** Removes pairs that were made or are no longer wanted. */
  drop(join: ControlJoin, fact: Fact): void {
    const ofFact = this.#byFact.get(fact);
    const deferred = ofFact?.get(join);
    if (ofFact === undefined || deferred === undefined) return;
    ofFact.delete(join);
    if (ofFact.size === 0) this.#byFact.delete(fact);
    this.listener.pairsDropped(deferred);
  }

  factGone(fact: Fact): void {
    if (this.#byFact.size === 0) return;
    for (const join of [...(this.#byFact.get(fact)?.keys() ?? [])]) this.drop(join, fact);
  }

  of(join: ControlJoin): Deferred[] {
    return [...this.#byFact.values()].flatMap((ofFact) => ofFact.get(join) ?? []);
  }

  makeAll(): void {
    if (this.#byFact.size === 0) return;
    for (const ofFact of [...this.#byFact.values()]) for (const deferred of [...ofFact.values()]) deferred.makeAll();
  }
}

/** Pairs every match with every control fact. Needs no table of matches: the node above remembers all of them. */
export class ControlJoin extends JoinNode {
  readonly #pairs: DeferredPairs;

  /** The level of the control fact in a match. */
  readonly #level: number;
  /** The firing order of the matches above; made when the first pair is needed. */
  #order: FiringOrder | undefined = undefined;

  constructor(spec: PairSpec, level: number, tally: Tally, pairs: DeferredPairs) {
    super(spec, tally);
    this.#level = level;
    this.#pairs = pairs;
  }

  override get pairsAll(): boolean {
    return false;
  }

  override leftAdded(match: Match): void {
    this.#order?.add(match);
    for (let entry = this.spec.index?.table.find([], match, undefined); entry !== undefined; entry = entry.next) {
      this.emit(match, entry.fact, undefined);
      if (!match.alive) return;
    }
  }

  /** Does nothing: no entry is kept for a match. */
  leftRemoved(): void {
    if (this.spec.left.matches.size === 0) this.#order = undefined;
  }

  /** Defers the pairs of a new control fact, or makes them when there are few. */
  arrived(fact: Fact): void {
    if (this.overflowed) return;
    if (this.asleep) this.tally.wakeBelow?.(this); // what ends here says whether pairs can wait
    const [end, ...others] = this.children;
    const { left } = this.spec;
    if (end instanceof TerminalNode && others.length === 0 && left.matches.size >= DEFER_FROM) {
      const deferred = new Deferred(this, fact, end.production);
      this.#pairs.add(this, deferred);
      if (this.#pairs.listener.pairsDeferred(deferred)) return;
      this.#pairs.drop(this, fact);
    }
    for (const match of left.matches.toArray()) if (match.alive) this.emit(match, fact, undefined);
  }

  override rightAdded(fact: Fact): void {
    this.arrived(fact);
  }

  /** Drops the deferred pairs of a fact that leaves or changes. */
  leaving(fact: Fact): void {
    this.#pairs.drop(this, fact);
  }

  /** Drops all deferred pairs without making them. */
  forgetDeferred(): void {
    for (const { fact } of this.#pairs.of(this)) this.#pairs.drop(this, fact);
  }

  makeFirst(deferred: Deferred, newestFirst: boolean): boolean {
    const first = this.#first(deferred, newestFirst);
    if (first === undefined) this.#pairs.drop(this, deferred.fact);
    else this.#make(first, deferred);
    return first !== undefined;
  }

  makeAll(deferred: Deferred): void {
    const { fact } = deferred;
    for (const match of this.spec.left.matches.toArray()) if (!this.#isMade(match, fact)) this.#make(match, deferred);
    this.#pairs.drop(this, fact);
  }

  #make(match: Match, { fact, changeNumber }: Deferred): void {
    const { listener } = this.#pairs;
    listener.late = changeNumber;
    try {
      this.emit(match, fact, undefined);
    } finally {
      listener.late = undefined;
    }
  }

  /** Returns the match without a pair that fires first: by its facts, in the written order of the conditions. */
  #first({ fact, production }: Deferred, newestFirst: boolean): Match | undefined {
    const first = this.#orderFor(production, newestFirst).first();
    return first === undefined || !this.#isMade(first, fact) ? first : this.#firstLeft(fact, production, newestFirst);
  }

  #orderFor(production: Production, newestFirst: boolean): FiringOrder {
    if (this.#order?.production !== production) {
      const levels = this.#levels(production);
      this.#order = new FiringOrder(production, this.spec.left.matches, levels, newestFirst, this.tally);
    }
    return this.#order;
  }

  /** Returns the levels of the facts and items in which the pairs differ. */
  #levels({ factLevels, orderLevels = factLevels ?? [] }: Production): readonly number[] {
    return orderLevels.filter((level) => level !== this.#level);
  }

  #firstLeft(fact: Fact, production: Production, newestFirst: boolean): Match | undefined {
    const levels = this.#levels(production);
    let first: Match | undefined;
    this.spec.left.matches.each((match) => {
      if (first !== undefined && compareMatches(levels, match, first, newestFirst) >= 0) return;
      if (!this.#isMade(match, fact)) first = match;
    });
    return first;
  }

  #isMade(match: Match, fact: Fact): boolean {
    for (let child = firstChild(match, this); child !== undefined; child = child.nextSibling) {
      if (child.fact === fact) return true;
    }
    return false;
  }
}
