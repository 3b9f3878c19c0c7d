/**
 * Finds the nodes that a fact passes without asking each of them.
 *
 * Nodes that compare a field with a constant are found through the value of the field: equalities in a Map, bounds in
 * sorted lists of which the satisfied ones are always a beginning. The cost is that of the nodes that are passed, not of
 * those that are there. What cannot be found this way is asked one by one.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** A test that the value of one slot decides. */
export type Access =
  | { readonly kind: "equals"; readonly slot: number; readonly value: Maybe }
  /** More than the bound, or equal to it when inclusive; numbers only. */
  | { readonly kind: "above"; readonly slot: number; readonly bound: number; readonly inclusive: boolean }
  | { readonly kind: "below"; readonly slot: number; readonly bound: number; readonly inclusive: boolean };

export class Dispatch<Node extends { test(fact: Fact): boolean }> {
  readonly #equals = new Map<number, Map<Maybe, Set<Node>>>();
  readonly #above = new Map<number, Bounds<Node>>();
  readonly #below = new Map<number, Bounds<Node>>();
  readonly #others = new Set<Node>();

  add(node: Node, access: Access | undefined): void {
    if (access === undefined) this.#others.add(node);
    else if (access.kind === "equals") this.#equalTo(access.slot, access.value).add(node);
    else this.#bounds(access).add(node, access.bound, access.inclusive);
  }

  delete(node: Node, access: Access | undefined): void {
    if (access === undefined) this.#others.delete(node);
    else if (access.kind === "equals") this.#deleteEqual(node, access.slot, access.value);
    else this.#bounds(access).delete(node);
  }

  /** Calls back for every node whose test the fact passes. */
  find(fact: Fact, found: (node: Node) => void): void {
    for (const [slot, byValue] of this.#equals) {
      const nodes = byValue.get(fact.values[slot]);
      if (nodes !== undefined) for (const node of nodes) found(node);
    }
    for (const [slot, bounds] of this.#above) bounds.find(fact.values[slot], found);
    for (const [slot, bounds] of this.#below) bounds.find(fact.values[slot], found);
    for (const node of this.#others) if (node.test(fact)) found(node);
  }

  #equalTo(slot: number, value: Maybe): Set<Node> {
    let byValue = this.#equals.get(slot);
    if (byValue === undefined) this.#equals.set(slot, (byValue = new Map()));
    let nodes = byValue.get(value);
    if (nodes === undefined) byValue.set(value, (nodes = new Set()));
    return nodes;
  }

  #deleteEqual(node: Node, slot: number, value: Maybe): void {
    const byValue = this.#equals.get(slot);
    const nodes = byValue?.get(value);
    nodes?.delete(node);
    if (nodes?.size === 0) byValue?.delete(value);
    if (byValue?.size === 0) this.#equals.delete(slot);
  }

  #bounds(access: Exclude<Access, { kind: "equals" }>): Bounds<Node> {
    const table = access.kind === "above" ? this.#above : this.#below;
    let bounds = table.get(access.slot);
    if (bounds === undefined) table.set(access.slot, (bounds = new Bounds(access.kind === "above" ? 1 : -1)));
    return bounds;
  }
}

interface Entry<Node> {
  readonly node: Node;
  /** The bound, turned around for upper bounds, so that a larger value satisfies more. */
  readonly bound: number;
  readonly inclusive: boolean;
}

/** Sorted so that the entries which a value satisfies are the first ones. */
class Bounds<Node> {
  readonly #direction: 1 | -1;
  readonly #entries: Entry<Node>[] = [];

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  add(node: Node, bound: number, inclusive: boolean): void {
    const entry = { node, bound: bound * this.#direction, inclusive };
    this.#entries.splice(
      this.#count((other) => comesBefore(other, entry)),
      0,
      entry,
    );
  }

  delete(node: Node): void {
    const at = this.#entries.findIndex((entry) => entry.node === node);
    if (at >= 0) this.#entries.splice(at, 1);
  }

  find(value: Maybe, found: (node: Node) => void): void {
    if (typeof value !== "number") return;
    const turned = value * this.#direction;
    const satisfied = this.#count(({ bound, inclusive }) => (inclusive ? turned >= bound : turned > bound));
    for (let at = 0; at < satisfied; at++) {
      const entry = this.#entries[at];
      if (entry !== undefined) found(entry.node);
    }
  }

  /** How many entries, from the first, have the property. */
  #count(has: (entry: Entry<Node>) => boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#entries[middle];
      if (entry !== undefined && has(entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** At one bound, "at least" is satisfied before "more than". */
function comesBefore<Node>(a: Entry<Node>, b: Entry<Node>): boolean {
  return a.bound !== b.bound ? a.bound < b.bound : a.inclusive || !b.inclusive;
}
