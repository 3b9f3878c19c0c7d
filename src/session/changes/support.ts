/**
 * Truth maintenance: a logical fact lives as long as a match that inserted it.
 *
 * Invariant after every commit: each logical fact that was not also asserted plainly is founded, that is, it has a support
 * all of whose facts are plain or founded themselves. Facts that only support each other in a circle are not founded.
 * well-founded.ts says how that is known without a search.
 *
 * A fact that has no record here is plain.
 */
import { LateMap, LateSet } from "../../base/late.ts";
import { empty } from "../../base/empty.ts";
import type { Fact } from "../../rete/fact.ts";
import type { Activation } from "../agenda/activation.ts";
import { contentOf } from "./content.ts";
import { type SmallSet, membersOf, withOne, withoutOne } from "./small-set.ts";
import { WellFounded, restsOnUnnamed, type LogicalFact, UNFOUNDED } from "./well-founded.ts";
import { FoundingOrder } from "./founding-order.ts";

export interface Suspects {
  /** Facts that nothing supports. */
  readonly unfounded: readonly Fact[];
  /** Facts that are supported as far as rules name their facts; only a trial can decide. */
  readonly doubtful: readonly Fact[];
}

const NO_SUSPECTS: Suspects = { unfounded: [], doubtful: [] };

export class Support {
  readonly #logical = new LateMap<Fact, LogicalFact>();
  readonly #supported = new LateMap<Activation, SmallSet<Fact>>();
  /** The supports that rest on a fact, plain or logical. */
  readonly #holds = new LateMap<Fact, SmallSet<Activation>>();
  readonly #byContent = new LateMap<string, Fact>();
  /** Facts that lost their lowest support, or their plain assertion, since the last check. */
  readonly #lost = new LateSet<Fact>();
  /** Facts that lost their last support since then: these need no search. */
  readonly #bare = new LateSet<Fact>();
  /** Facts that rest on facts they do not name, and may have lost one. */
  readonly #doubted = new LateSet<Fact>();
  readonly #needing = new FoundingOrder((fact) => this.#logical.get(fact)?.height);
  readonly #minding = new FoundingOrder((fact) => this.#logical.get(fact)?.height);
  /** The types of facts that were removed since the last check, with the lowest height of one. */
  readonly #removedTypes = new LateMap<string, number>();
  /** The types of facts that were added since the last check. */
  readonly #addedTypes = new LateSet<string>();
  readonly #wellFounded = new WellFounded({
    logical: this.#logical,
    supported: this.#supported,
    holds: this.#holds,
    foundedOnUnnamed: (fact, height, by) => this.#foundedOnUnnamed(fact, height, by),
  });
  #steps = 0;

  get size(): number {
    return this.#logical.size;
  }

  /** The number of facts and supports looked at so far to found facts and to find unfounded ones. */
  get steps(): number {
    return this.#steps + this.#wellFounded.steps + this.#needing.steps + this.#minding.steps;
  }

  isLogical(fact: Fact): boolean {
    return this.#logical.has(fact);
  }

  isPlain(fact: Fact): boolean {
    return this.#logical.get(fact)?.plain ?? true;
  }

  /** Returns the logical fact without a key that has this content. */
  withContent(content: string): Fact | undefined {
    return this.#byContent.get(content);
  }

  supportsOf(fact: Fact): Iterable<Activation> {
    return membersOf(this.#logical.get(fact)?.supports);
  }

  // ---------------------------------------------------------------- supports come

  /** Records a logical fact. Its supports are added next; without any, the next check finds it unfounded. */
  addLogical(fact: Fact, how: { readonly plain: boolean; readonly keyless: boolean }): void {
    this.#record(fact, how.plain, how.keyless);
    if (!how.plain) this.#bare.add(fact);
  }

  /** Adds a support to a fact in working memory. */
  support(fact: Fact, activation: Activation): void {
    const logical = this.#logical.get(fact) ?? this.#record(fact, true, false);
    logical.supports = withOne(logical.supports, activation);
    const facts = this.#supported.get(activation);
    this.#supported.set(activation, withOne(facts, fact));
    if (facts === undefined) {
      for (const one of activation.facts) this.#holds.set(one, withOne(this.#holds.get(one), activation));
    }
    this.#wellFounded.supportAdded(fact, logical, activation);
  }

  /** Begins to connect many facts with their supports, in any order: all records first, then all supports. */
  beginRestore(): void {
    this.#wellFounded.timeless = true;
  }

  endRestore(): void {
    this.#wellFounded.timeless = false;
    for (const [fact, logical] of this.#logical) if (restsOnUnnamed(logical)) this.#doubted.add(fact);
  }

  /** Founds every fact again: the rules of another program look at other types. */
  programChanged(): void {
    for (const [fact, logical] of this.#logical) {
      logical.lowest = undefined;
      logical.height = logical.plain ? 0 : UNFOUNDED;
      if (!logical.plain) this.#lost.add(fact);
    }
    this.#needing.clear();
    this.#minding.clear();
    this.beginRestore();
    for (const [activation, facts] of this.#supported) {
      for (const fact of membersOf(facts)) {
        const logical = this.#logical.get(fact);
        if (logical !== undefined) this.#wellFounded.supportAdded(fact, logical, activation);
      }
    }
    this.endRestore();
  }

  /** Notes that fields of facts came or went: logical facts without a key are found by their content. */
  contentsChanged(): void {
    this.#byContent.clear();
    for (const [fact, logical] of [...this.#logical].sort(([a], [b]) => byOrder(a, b))) {
      if (logical.content === undefined) continue;
      logical.content = contentOf(fact.shape, fact.values);
      this.#byContent.set(logical.content, fact);
    }
  }

  /** Forgets everything: all facts are gone. */
  clear(): void {
    empty(this.#logical);
    empty(this.#supported);
    empty(this.#holds);
    empty(this.#byContent);
    empty(this.#lost);
    empty(this.#bare);
    empty(this.#doubted);
    empty(this.#removedTypes);
    empty(this.#addedTypes);
    this.#needing.clear();
    this.#minding.clear();
  }

  /** Notes that the fact is asserted plainly as well, or no longer. */
  setPlain(fact: Fact, plain: boolean): void {
    const logical = this.#logical.get(fact);
    if (logical === undefined) return;
    logical.plain = plain;
    if (plain) this.#wellFounded.madePlain(fact, logical);
    else if (logical.supports === undefined) this.#bare.add(fact);
    else if (logical.lowest === undefined) this.#lost.add(fact);
  }

  // ---------------------------------------------------------------- facts come and go

  /** Notes a new fact: where an `exists` has a `not` inside, it can end what that rests on. */
  factAdded(fact: Fact): void {
    if (!this.#minding.isEmpty) this.#addedTypes.add(fact.shape.type);
  }

  /** Notes that a fact changes: it is no longer what rules concluded, and is plain from now on. */
  factChanged(fact: Fact): void {
    this.#noteRemoved(fact);
    this.factAdded(fact);
    this.#doubtMatchesOf(fact);
    const logical = this.#logical.get(fact);
    if (logical === undefined) return;
    this.#wellFounded.madePlain(fact, logical);
    this.#release(fact, logical);
  }

  /** Notes that a fact is retracted. */
  factRemoved(fact: Fact): void {
    this.#noteRemoved(fact);
    this.release(fact);
  }

  /** Forgets what a fact rests on. */
  release(fact: Fact): void {
    const logical = this.#logical.get(fact);
    if (logical !== undefined) this.#release(fact, logical);
  }

  /** Removes a support that no longer exists. */
  activationEnded(activation: Activation): void {
    const facts = this.#supported.get(activation);
    if (facts === undefined) return;
    this.#holdsNothing(activation);
    for (const fact of membersOf(facts)) {
      const logical = this.#logical.get(fact);
      if (logical === undefined) continue;
      this.#steps += 1;
      logical.supports = withoutOne(logical.supports, activation);
      const wasLowest = logical.lowest === activation;
      if (wasLowest) logical.lowest = undefined;
      if (logical.plain) continue;
      if (logical.supports === undefined) this.#bare.add(fact);
      else if (wasLowest) this.#lost.add(fact);
    }
  }

  // ---------------------------------------------------------------- the check

  /** Returns the facts that became unfounded since the last check; doubtful ones only when nothing else is left. */
  takeSuspects(): Suspects {
    const bare = this.#takeBare();
    if (bare.length > 0) return { unfounded: bare, doubtful: [] };
    if (this.#lost.size > 0) {
      const unfounded = this.#takeLost();
      if (unfounded.length > 0) return { unfounded, doubtful: [] };
    }
    this.#doubtSinceLastCheck();
    if (this.#doubted.size === 0) return NO_SUSPECTS;
    const doubtful = [...this.#doubted].filter((fact) => this.#isInDoubt(fact));
    this.#doubted.clear();
    return { unfounded: [], doubtful: doubtful.sort(byOrder) };
  }

  /** Returns the facts without any support. Those that got one since count as having lost their lowest. */
  #takeBare(): Fact[] {
    if (this.#bare.size === 0) return [];
    const bare: Fact[] = [];
    for (const fact of this.#bare) {
      const logical = this.#logical.get(fact);
      if (logical === undefined || logical.plain) continue;
      if (logical.supports === undefined) bare.push(fact);
      else if (logical.lowest === undefined) this.#lost.add(fact);
    }
    this.#bare.clear();
    return bare.sort(byOrder);
  }

  /** Returns the unfounded among the facts that lost their lowest support; others may be in doubt. */
  #takeLost(): Fact[] {
    const searched: Fact[] = [];
    for (const fact of this.#lost) {
      const logical = this.#logical.get(fact);
      if (logical === undefined || logical.plain || logical.lowest !== undefined) continue;
      if (restsOnUnnamed(logical)) this.#doubted.add(fact);
      else searched.push(fact);
    }
    this.#lost.clear();
    const fallen = this.#wellFounded.fallen(searched);
    const possible = fallen.some((fact) => this.#wellFounded.isPossible(this.#logical.get(fact) as LogicalFact));
    if (!possible) return fallen.sort(byOrder);
    for (const fact of fallen) this.#doubted.add(fact);
    return [];
  }

  /** Puts facts in doubt whose `exists` may now be true only through facts that rest on them. */
  #doubtSinceLastCheck(): void {
    if (this.#removedTypes.size === 0 && this.#addedTypes.size === 0) return;
    const [needing, minding] = [this.#needing.walk(), this.#minding.walk()];
    for (const [type, height] of this.#removedTypes)
      for (const fact of needing.since(type, height)) this.#doubted.add(fact);
    for (const type of this.#addedTypes) for (const fact of minding.since(type, 0)) this.#doubted.add(fact);
    this.#removedTypes.clear();
    this.#addedTypes.clear();
  }

  /** Puts facts in doubt whose match names this fact and may now look for others: `p: P exists D(a == p.c)` when `c` changes. */
  #doubtMatchesOf(fact: Fact): void {
    for (const activation of membersOf(this.#holds.get(fact))) {
      if (activation.production.support?.unnamed === undefined) continue;
      for (const other of membersOf(this.#supported.get(activation))) {
        this.#steps += 1;
        this.#doubted.add(other);
      }
    }
  }

  #isInDoubt(fact: Fact): boolean {
    const logical = this.#logical.get(fact);
    return logical !== undefined && !logical.plain && (restsOnUnnamed(logical) || logical.lowest === undefined);
  }

  // ---------------------------------------------------------------- the trial

  /** Returns a live support of the fact. */
  holding(fact: Fact): Activation | undefined {
    for (const activation of this.supportsOf(fact)) {
      this.#steps += 1;
      if (activation.alive) return activation;
    }
    return undefined;
  }

  /** Returns the facts that an activation supports and that nothing else founds for certain. */
  *restingOn(activation: Activation): Iterable<Fact> {
    for (const fact of membersOf(this.#supported.get(activation))) {
      this.#steps += 1;
      if (this.#isInDoubt(fact)) yield fact;
    }
  }

  /**
   * Returns a function that finds the facts that may rest on a fact without naming it: those founded later, of rules that look at
   * its type. It returns each of them once.
   */
  restingUnnamed(): (fact: Fact) => Iterable<Fact> {
    const walk = this.#needing.walk();
    return (fact) => walk.since(fact.shape.type, this.#since(fact));
  }

  /** Founds a fact that came back in a trial by this activation. */
  foundAgain(fact: Fact, activation: Activation): void {
    const logical = this.#logical.get(fact);
    if (logical !== undefined) this.#wellFounded.foundAgain(fact, logical, activation);
  }

  // ---------------------------------------------------------------- records

  #record(fact: Fact, plain: boolean, keyless: boolean): LogicalFact {
    const content = keyless ? contentOf(fact.shape, fact.values) : undefined;
    const height = plain ? 0 : UNFOUNDED;
    const logical: LogicalFact = { plain, supports: undefined, content, height, lowest: undefined };
    this.#logical.set(fact, logical);
    if (content !== undefined) this.#byContent.set(content, fact);
    return logical;
  }

  #release(fact: Fact, logical: LogicalFact): void {
    for (const activation of membersOf(logical.supports)) this.#unlink(activation, fact);
    if (logical.content !== undefined) this.#byContent.delete(logical.content);
    this.#logical.delete(fact);
    this.#lost.delete(fact);
    this.#bare.delete(fact);
    this.#doubted.delete(fact);
    if (this.#logical.size > 0) return;
    this.#needing.clear();
    this.#minding.clear();
  }

  #unlink(activation: Activation, fact: Fact): void {
    const facts = withoutOne(this.#supported.get(activation), fact);
    if (facts === undefined) this.#holdsNothing(activation);
    else this.#supported.set(activation, facts);
  }

  #holdsNothing(activation: Activation): void {
    this.#supported.delete(activation);
    for (const fact of activation.facts) {
      const holds = withoutOne(this.#holds.get(fact), activation);
      if (holds === undefined) this.#holds.delete(fact);
      else this.#holds.set(fact, holds);
    }
  }

  /** Returns the height from which facts can rest on this one: only those founded later can. */
  #since(fact: Fact): number {
    const logical = this.#logical.get(fact);
    return logical !== undefined && restsOnUnnamed(logical) ? logical.height : 0;
  }

  #noteRemoved(fact: Fact): void {
    if (this.#needing.isEmpty) return;
    const { type } = fact.shape;
    this.#removedTypes.set(type, Math.min(this.#removedTypes.get(type) ?? UNFOUNDED, this.#since(fact)));
  }

  #foundedOnUnnamed(fact: Fact, height: number, { production }: Activation): void {
    const unnamed = production.support?.unnamed;
    if (unnamed === undefined) return;
    this.#needing.add(fact, height, unnamed.needs);
    this.#minding.add(fact, height, unnamed.minds);
  }
}

function byOrder(a: Fact, b: Fact): number {
  return a.order - b.order;
}
