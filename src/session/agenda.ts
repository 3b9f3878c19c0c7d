/**
 * Where activations wait, in the order in which they will fire.
 *
 * Activations of a group that is not active are parked beside; `focus` brings them in.
 */
import { type Activation, type Compare, orderOf, type Strategy } from "./activation.ts";
import { Heap } from "./heap.ts";

export class Agenda {
  readonly compare: Compare;
  readonly #heap: Heap;
  /** What gates do about their outcomes; it waits until no rule is left. */
  readonly #reactions: Heap;
  readonly #parked = new Map<string, Set<Activation>>();
  readonly #active = new Set<string>();

  constructor(strategy: Strategy) {
    this.compare = orderOf(strategy);
    this.#heap = new Heap(this.compare);
    this.#reactions = new Heap(this.compare);
  }

  /** How many would fire if nothing changed. */
  get size(): number {
    return this.#heap.size + this.#reactions.size;
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
    if (activation.waiting) return;
    const { group, reaction } = activation.production;
    if (reaction === true) this.#reactions.push(activation);
    else if (group === undefined || this.#active.has(group)) this.#heap.push(activation);
    else this.#park(activation, group);
  }

  /** Does nothing when the activation does not wait. */
  remove(activation: Activation): void {
    const heap = activation.production.reaction === true ? this.#reactions : this.#heap;
    if (activation.position >= 0) heap.remove(activation);
    else if (activation.parked) this.#unpark(activation);
  }

  next(): Activation | undefined {
    return this.#heap.first();
  }

  /** To be asked when there is no other. */
  nextReaction(): Activation | undefined {
    return this.#reactions.first();
  }

  /** Activates a group for the rest of the session. */
  focus(group: string): void {
    if (this.#active.has(group)) return;
    this.#active.add(group);
    const parked = this.#parked.get(group) ?? [];
    this.#parked.delete(group);
    for (const activation of parked) {
      activation.parked = false;
      this.#heap.push(activation);
    }
  }

  /** Takes everything out, for a program that changes saliences, orders or groups. */
  takeAll(): readonly Activation[] {
    const waiting = [...this.#heap.items(), ...this.#reactions.items()];
    const all = [...waiting, ...[...this.#parked.values()].flatMap((parked) => [...parked])];
    for (const activation of all) this.remove(activation);
    return all;
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
