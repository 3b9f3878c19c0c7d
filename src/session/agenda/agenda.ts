/**
 * Where activations wait, in the order in which they will fire.
 *
 * Activations of a group that is not active are parked; `focus` adds them.
 */
import { LateMap, LateSet } from "../../base/late.ts";
import { empty } from "../../base/empty.ts";
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import type { Strategy } from "../../base/strategy.ts";
import { type Activation, type Compare, DirectActivation, HELD_BACK } from "./activation.ts";
import { orderOf, rulesOf } from "./strategies.ts";
import type { FactActivations } from "./wave.ts";
import { ActivationQueue } from "./activation-queue.ts";
import { HeldBack } from "./held-back.ts";
import { Heap } from "./heap.ts";

export class Agenda {
  readonly compare: Compare;
  /** All activations, for strategies in which a new one can belong anywhere. */
  readonly #heap: Heap | undefined;
  readonly #queue: ActivationQueue;
  /** The reactions of gates to their outcomes: they wait until no rule is left to fire. */
  readonly #reactions: Heap;
  readonly #parked = new LateMap<string, Set<Activation>>();
  readonly #active = new LateSet<string>();
  /** What failed in the run that is under way; undefined in most runs. */
  #held: HeldBack | undefined = undefined;

  constructor(strategy: Strategy) {
    this.compare = orderOf(strategy);
    const { needsHeap, newestFirst } = rulesOf(strategy);
    this.#heap = needsHeap ? new Heap(this.compare) : undefined;
    this.#queue = new ActivationQueue(newestFirst);
    this.#reactions = new Heap(this.compare);
  }

  /** The number of activations that would fire if nothing changed. */
  get size(): number {
    return (this.#heap?.size ?? this.#queue.size) + this.#reactions.size + (this.#held?.size ?? 0);
  }

  /** Returns the rules that would fire if nothing changed, each once. */
  waitingRules(): Set<string> {
    const rules = new Set(this.#queue.rules());
    for (const heap of [this.#heap, this.#reactions]) {
      for (const { production } of heap?.items() ?? []) rules.add(production.name);
    }
    for (const { production } of this.#held?.activations() ?? []) rules.add(production.name);
    for (const { terminal } of this.#held?.direct() ?? []) rules.add(terminal.production.name);
    return rules;
  }

  /** The number of activations that wait for their group. */
  get parkedSize(): number {
    let size = 0;
    for (const parked of this.#parked.values()) size += parked.size;
    return size;
  }

  get activeGroups(): readonly string[] {
    return [...this.#active];
  }

  /** Adds an activation, unless it waits already. */
  add(activation: Activation): void {
    if (activation instanceof DirectActivation) return this.#addDirectAgain(activation);
    if (activation.waiting || this.#held?.take(activation) === true) return;
    const { group, reaction } = activation.production;
    if (reaction === true) this.#reactions.push(activation);
    else if (group === undefined || this.#active.has(group)) this.#push(activation);
    else this.#park(activation, group);
  }

  /** Removes an activation, if it waits. */
  remove(activation: Activation): void {
    if (activation.wave !== undefined) this.#queue.remove(activation);
    else if (activation.heapPosition >= 0) this.#heapOf(activation)?.remove(activation);
    else if (activation.heapPosition === HELD_BACK) this.#held?.remove(activation);
    else if (activation.parked) this.#unpark(activation);
  }

  /** Notes that items of lists changed places: what waits is in another order. */
  itemsMoved(): void {
    this.#queue.itemsMoved();
    this.#heap?.reorder();
  }

  /** Adds deferred pairs; the first is made when its turn comes. */
  addDeferred(deferred: Deferred): void {
    this.#queue.addDeferred(deferred);
  }

  removeDeferred(deferred: Deferred): void {
    this.#queue.removeDeferred(deferred);
  }

  /** Returns what fires next: an activation, or the first of the rules that wait on one fact. */
  next(): Activation | FactActivations | undefined {
    return this.#heap === undefined ? this.#queue.first() : this.#heap.first();
  }

  /** Returns the reaction that fires next; it is called when no rule is left. */
  nextReaction(): Activation | undefined {
    return this.#reactions.first();
  }

  // ---------------------------------------------------------------- rules with a single pattern

  /** Adds terminals of one salience, in the order of their rules. The list must never change. */
  addDirect(terminals: readonly DirectTerminal[], fact: Fact, changeNumber: number): void {
    this.#queue.addDirect(this.#held?.takeDirect(terminals, fact, changeNumber) ?? terminals, fact, changeNumber);
  }

  removeDirect(terminal: DirectTerminal, fact: Fact): void {
    this.#queue.removeDirect(terminal, fact);
    this.#held?.removeDirect(terminal, fact);
  }

  /** Notes that `count` of those that wait on a fact have fired. */
  firedDirect(factActivations: FactActivations, count: number): void {
    this.#queue.firedDirect(factActivations, count);
  }

  /** Removes all that waits on a fact, and returns the change number of each. */
  takeDirect(fact: Fact): Map<DirectTerminal, number> {
    const taken = this.#queue.takeDirect(fact);
    this.#held?.removeFact(fact, taken);
    return taken;
  }

  /** Returns the number of the change since which a terminal waits on a fact; undefined when it does not. */
  waitingSince(terminal: DirectTerminal, fact: Fact): number | undefined {
    return this.#queue.waitingSince(terminal, fact) ?? this.#held?.waitingSince(terminal, fact);
  }

  /** Returns an activation for a fact that matches a rule: since it waits, or, once it has fired, since the fact last changed. */
  directActivation(terminal: DirectTerminal, fact: Fact): Activation {
    const changeNumber = this.waitingSince(terminal, fact);
    return new DirectActivation(terminal, fact, changeNumber ?? fact.tag, changeNumber !== undefined);
  }

  // ---------------------------------------------------------------- what failed

  /** Holds back an activation that failed, until `release`. */
  hold(activation: Activation): void {
    this.remove(activation);
    (this.#held ??= new HeldBack()).hold(activation);
  }

  /** Holds back a rule with a single pattern that failed on a fact. */
  holdDirect(terminal: DirectTerminal, fact: Fact, stamp: number): void {
    this.#queue.removeDirect(terminal, fact);
    (this.#held ??= new HeldBack()).holdDirect(terminal, fact, stamp);
  }

  /** Whether something was held back since the last `release`. */
  get holdsBack(): boolean {
    return this.#held !== undefined;
  }

  /** Lets what was held back fire again, at its place. */
  release(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    for (const activation of [...held.activations()]) {
      held.remove(activation);
      this.add(activation);
    }
    for (const { terminal, fact, stamp } of held.direct()) this.#queue.addDirect([terminal], fact, stamp);
  }

  // ---------------------------------------------------------------- groups

  /** Activates a group for the rest of the session. */
  focus(group: string): void {
    if (this.#active.has(group)) return;
    this.#active.add(group);
    const parked = [...(this.#parked.get(group) ?? [])].sort((a, b) => a.changeNumber - b.changeNumber);
    this.#parked.delete(group);
    for (const activation of parked) {
      activation.parked = false;
      this.#push(activation);
    }
  }

  /** Removes and returns everything: another program may have other saliences, orders and groups. */
  takeAll(): readonly Activation[] {
    const queued = this.#heap?.items() ?? this.#queue.items();
    const all = [...queued, ...this.#reactions.items(), ...[...this.#parked.values()].flatMap((parked) => [...parked])];
    for (const activation of all) {
      if (activation instanceof DirectActivation && activation.fact !== undefined) {
        this.#queue.removeDirect(activation.direct, activation.fact);
      } else this.remove(activation);
    }
    return all;
  }

  /** Removes everything and ends all groups. */
  clear(): void {
    if (!this.#isEmpty) this.takeAll();
    empty(this.#active);
  }

  /** Whether nothing waits, parked or not. */
  get #isEmpty(): boolean {
    const queued = this.#heap?.size ?? 0;
    return queued + this.#reactions.size + this.#parked.size === 0 && this.#queue.isEmpty;
  }

  #addDirectAgain({ direct, fact, changeNumber }: DirectActivation): void {
    if (fact !== undefined && this.waitingSince(direct, fact) === undefined) {
      this.#queue.addDirect([direct], fact, changeNumber);
    }
  }

  #heapOf(activation: Activation): Heap | undefined {
    return activation.production.reaction === true ? this.#reactions : this.#heap;
  }

  #push(activation: Activation): void {
    if (this.#heap === undefined) this.#queue.add(activation);
    else this.#heap.push(activation);
  }

  #park(activation: Activation, group: string): void {
    activation.parked = true;
    const parked = this.#parked.get(group);
    if (parked === undefined) this.#parked.set(group, new Set([activation]));
    else parked.add(activation);
  }

  #unpark(activation: Activation): void {
    activation.parked = false;
    const group = activation.production.group ?? "";
    const parked = this.#parked.get(group);
    parked?.delete(activation);
    if (parked?.size === 0) this.#parked.delete(group);
  }
}
