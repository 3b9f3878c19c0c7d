/**
 * Finds the nodes that a fact passes without asking each of them.
 *
 * Nodes that compare a field with a constant are found through the value of the field: equalities in a Map, bounds in
 * sorted lists of which the satisfied ones are always a beginning. An OR is found through each of its terms, once; a mixed
 * test through the most telling of its conjuncts, and then asked. The cost is that of the nodes that are found, not of those
 * that are there. What cannot be found this way is asked one by one.
 *
 *     status: "VIP" ─▶ [n1, n4]   "Gold" ─▶ [n2]        age: ─18──21──65─▶  n3 n5 | n7
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** A test that the value of one slot decides. */
export type Access =
  | { readonly kind: "equals"; readonly slot: number; readonly value: Maybe }
  /** More than the bound, or equal to it when inclusive; numbers only. */
  | { readonly kind: "above" | "below"; readonly slot: number; readonly bound: number; readonly inclusive: boolean }
  /** One of them holds. */
  | { readonly kind: "any"; readonly of: readonly Access[] }
  /** It must hold, but it is not all of the test. */
  | { readonly kind: "first"; readonly of: Access };

interface Asked {
  test(fact: Fact): boolean;
  collect(fact: Fact, into: unknown[]): void;
  asked: number;
}

/** A node, and what is to be done when it is found. */
interface Hit<Node> {
  readonly node: Node;
  /** The rest of its test must be asked. */
  readonly ask: boolean;
  /** There are other ways to it: the first one counts. */
  readonly ways: boolean;
}

interface Equals<Node> {
  readonly slot: number;
  readonly byValue: Map<Maybe, Hit<Node>[]>;
}

export class Dispatch<Node extends Asked> {
  readonly #equals: Equals<Node>[] = [];
  readonly #bounds: Bounds<Node>[] = [];
  readonly #others: Hit<Node>[] = [];
  #question = 0;

  add(node: Node, access: Access | undefined): void {
    this.#place({ node, ask: access === undefined, ways: false }, access);
  }

  delete(node: Node, access: Access | undefined): void {
    if (access === undefined) return remove(this.#others, node);
    switch (access.kind) {
      case "any":
        return access.of.forEach((one) => this.delete(node, one));
      case "first":
        return this.delete(node, access.of);
      case "equals":
        return this.#deleteEqual(node, access.slot, access.value);
      default:
        this.#boundsOn(access.slot, access.kind).delete(node, access.bound);
    }
  }

  /** Lets every node whose test the fact passes collect. */
  collect(fact: Fact, into: unknown[]): void {
    this.#question += 1;
    const { values } = fact;
    for (const { slot, byValue } of this.#equals) {
      const value = values[slot];
      const hits = byValue.get(typeof value === "object" ? undefined : value); // neither equals anything
      if (hits !== undefined) for (const hit of hits) this.#take(hit, fact, into);
    }
    for (const bounds of this.#bounds) {
      const value = values[bounds.slot];
      if (typeof value !== "number") continue;
      const entries = bounds.sorted();
      const turned = value * bounds.direction;
      for (let at = 0; at < entries.length; at++) {
        const { bound, inclusive, hit } = entries[at] as Entry<Node>;
        if (turned < bound || (turned === bound && !inclusive)) break;
        this.#take(hit, fact, into);
      }
    }
    for (const { node } of this.#others) if (node.test(fact)) node.collect(fact, into);
  }

  #take({ node, ask, ways }: Hit<Node>, fact: Fact, into: unknown[]): void {
    if (ways) {
      if (node.asked === this.#question) return;
      node.asked = this.#question;
    }
    if (!ask || node.test(fact)) node.collect(fact, into);
  }

  #place(hit: Hit<Node>, access: Access | undefined): void {
    if (access === undefined) {
      this.#others.push(hit);
      return;
    }
    switch (access.kind) {
      case "any":
        return access.of.forEach((one) => this.#place({ ...hit, ways: true }, one));
      case "first":
        return this.#place({ ...hit, ask: true }, access.of);
      case "equals":
        this.#equalTo(access.slot, access.value).push(hit);
        return;
      default:
        this.#boundsOn(access.slot, access.kind).add(hit, access.bound, access.inclusive);
    }
  }

  #equalTo(slot: number, value: Maybe): Hit<Node>[] {
    let equals = this.#equals.find((one) => one.slot === slot);
    if (equals === undefined) this.#equals.push((equals = { slot, byValue: new Map() }));
    let hits = equals.byValue.get(value);
    if (hits === undefined) equals.byValue.set(value, (hits = []));
    return hits;
  }

  #deleteEqual(node: Node, slot: number, value: Maybe): void {
    const equals = this.#equals.find((one) => one.slot === slot);
    const hits = equals?.byValue.get(value);
    if (equals === undefined || hits === undefined) return;
    remove(hits, node);
    if (hits.length === 0) equals.byValue.delete(value);
    if (equals.byValue.size === 0) this.#equals.splice(this.#equals.indexOf(equals), 1);
  }

  #boundsOn(slot: number, kind: "above" | "below"): Bounds<Node> {
    const direction = kind === "above" ? 1 : -1;
    let bounds = this.#bounds.find((one) => one.slot === slot && one.direction === direction);
    if (bounds === undefined) this.#bounds.push((bounds = new Bounds(slot, direction)));
    return bounds;
  }
}

function remove<Node>(hits: Hit<Node>[], node: Node): void {
  const at = hits.findLastIndex((hit) => hit.node === node);
  if (at >= 0) hits.splice(at, 1);
}

interface Entry<Node> {
  readonly hit: Hit<Node>;
  /** The bound, turned around for upper bounds, so that a larger value satisfies more. */
  readonly bound: number;
  readonly inclusive: boolean;
}

/** Sorted, when it is first asked, so that the entries which a value satisfies are the first ones. */
class Bounds<Node> {
  readonly slot: number;
  readonly direction: 1 | -1;
  readonly #entries: Entry<Node>[] = [];
  #sorted = true;

  constructor(slot: number, direction: 1 | -1) {
    this.slot = slot;
    this.direction = direction;
  }

  add(hit: Hit<Node>, bound: number, inclusive: boolean): void {
    this.#entries.push({ hit, bound: bound * this.direction, inclusive });
    this.#sorted = false;
  }

  delete(node: Node, bound: number): void {
    const entries = this.sorted();
    const turned = bound * this.direction;
    let at = 0;
    for (let end = entries.length; at < end;) {
      const middle = (at + end) >> 1;
      if ((entries[middle]?.bound ?? 0) < turned) at = middle + 1;
      else end = middle;
    }
    while (entries[at]?.bound === turned && entries[at]?.hit.node !== node) at += 1;
    if (entries[at]?.hit.node === node) this.#entries.splice(at, 1);
  }

  /** At one bound, "at least" is satisfied before "more than". */
  sorted(): readonly Entry<Node>[] {
    if (!this.#sorted) {
      this.#entries.sort((a, b) => a.bound - b.bound || Number(b.inclusive) - Number(a.inclusive));
      this.#sorted = true;
    }
    return this.#entries;
  }
}
