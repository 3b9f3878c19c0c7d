/**
 * Where activations wait, in the order in which they will fire.
 *
 * Activations of a group that is not active are parked beside; `focus` brings them in.
 */
import type { Fact } from "../../rete/fact.ts";
import type { DirectTerminal } from "../../rete/direct-terminal.ts";
import type { Deferred } from "../../rete/deferred-pairs.ts";
import { type Activation, type Compare, DirectActivation, orderOf, type Strategy } from "./activation.ts";
import type { FactActivations } from "./wave.ts";
import { ActivationQueue } from "./activation-queue.ts";
import { Heap } from "./heap.ts";

export class Agenda {
  readonly compare: Compare;
  /** For `lex`, where what comes can belong anywhere. */
  readonly #heap: Heap | undefined;
  readonly #byStamp: ActivationQueue;
  /** What gates do about their outcomes; it waits until no rule is left. */
  readonly #reactions: Heap;
  readonly #parked = new Map<string, Set<Activation>>();
  readonly #active = new Set<string>();

  constructor(strategy: Strategy) {
    this.compare = orderOf(strategy);
    this.#heap = strategy === "lex" ? new Heap(this.compare) : undefined;
    this.#byStamp = new ActivationQueue(strategy === "depth");
    this.#reactions = new Heap(this.compare);
  }

  /** How many would fire if nothing changed. */
  get size(): number {
    return (this.#heap?.size ?? this.#byStamp.size) + this.#reactions.size;
  }

  /** The rules that would fire next if nothing changed, each once. */
  waitingRules(): Set<string> {
    const rules = new Set(this.#byStamp.rules());
    for (const heap of [this.#heap, this.#reactions]) {
      for (const { production } of heap?.items() ?? []) rules.add(production.name);
    }
    return rules;
  }

  /** How many wait for their group. */
  get parkedSize(): number {
    let size = 0;
    for (const parked of this.#parked.values()) size += parked.size;
    return size;
  }

  get activeGroups(): readonly string[] {
    return [...this.#active];
  }

  add(activation: Activation): void {
    if (activation instanceof DirectActivation) return this.#addDirectAgain(activation);
    if (activation.waiting) return;
    const { group, reaction } = activation.production;
    if (reaction === true) this.#reactions.push(activation);
    else if (group === undefined || this.#active.has(group)) this.#push(activation);
    else this.#park(activation, group);
  }

  /** Does nothing when the activation does not wait. */
  remove(activation: Activation): void {
    if (activation.batch !== undefined) this.#byStamp.remove(activation);
    else if (activation.position >= 0) this.#heapOf(activation)?.remove(activation);
    else if (activation.parked) this.#unpark(activation);
  }

  /** Pairs of which the first is made when its turn comes. */
  addDeferred(deferred: Deferred): void {
    this.#byStamp.addDeferred(deferred);
  }

  removeDeferred(deferred: Deferred): void {
    this.#byStamp.removeDeferred(deferred);
  }

  /** What fires next: an activation, or the first of the rules that wait on a fact alone. */
  next(): Activation | FactActivations | undefined {
    return this.#heap === undefined ? this.#byStamp.first() : this.#heap.first();
  }

  /** To be asked when there is no other. */
  nextReaction(): Activation | undefined {
    return this.#reactions.first();
  }

  // ---------------------------------------------------------------- rules with a single pattern

  /** Ends of one salience, in the order of their rules; the list must not change. */
  addDirect(ends: readonly DirectTerminal[], fact: Fact, stamp: number): void {
    this.#byStamp.addDirect(ends, fact, stamp);
  }

  removeDirect(end: DirectTerminal, fact: Fact): void {
    this.#byStamp.removeDirect(end, fact);
  }

  /** So many of a cohort have fired. */
  firedDirect(cohort: FactActivations, count: number): void {
    this.#byStamp.firedDirect(cohort, count);
  }

  takeDirect(fact: Fact): Map<DirectTerminal, number> {
    return this.#byStamp.takeDirect(fact);
  }

  /** What is known of a fact that matches a rule: since when it waits; since when the fact is as it is, if it has fired. */
  directActivation(end: DirectTerminal, fact: Fact): Activation {
    const stamp = this.#byStamp.stampOf(end, fact);
    return new DirectActivation(end, fact, stamp ?? fact.tag, stamp !== undefined);
  }

  // ---------------------------------------------------------------- groups

  /** Activates a group for the rest of the session. */
  focus(group: string): void {
    if (this.#active.has(group)) return;
    this.#active.add(group);
    const parked = [...(this.#parked.get(group) ?? [])].sort((a, b) => a.stamp - b.stamp);
    this.#parked.delete(group);
    for (const activation of parked) {
      activation.parked = false;
      this.#push(activation);
    }
  }

  /** Takes everything out, for a program that changes saliences, orders or groups. */
  takeAll(): readonly Activation[] {
    const queued = this.#heap?.items() ?? this.#byStamp.items();
    const all = [...queued, ...this.#reactions.items(), ...[...this.#parked.values()].flatMap((parked) => [...parked])];
    for (const activation of all) {
      if (activation instanceof DirectActivation && activation.fact !== undefined) {
        this.#byStamp.removeDirect(activation.end, activation.fact);
      } else this.remove(activation);
    }
    return all;
  }

  #addDirectAgain({ end, fact, stamp }: DirectActivation): void {
    if (fact !== undefined && end.attached && this.#byStamp.stampOf(end, fact) === undefined) {
      this.#byStamp.addDirect([end], fact, stamp);
    }
  }

  #heapOf(activation: Activation): Heap | undefined {
    return activation.production.reaction === true ? this.#reactions : this.#heap;
  }

  #push(activation: Activation): void {
    if (this.#heap === undefined) this.#byStamp.add(activation);
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
