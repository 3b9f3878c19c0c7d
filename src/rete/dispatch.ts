/**
 * Finds the nodes that a fact passes without asking each of them.
 *
 * Nodes that compare a field with a constant are found through the value of the field: equalities in a Map, bounds in
 * sorted lists of which the satisfied ones are always a beginning. An OR is found through each of its terms, once; a mixed
 * test through the most telling of its conjuncts, and then asked. The cost is that of the nodes that are found, not of those
 * that are there. What cannot be found this way is asked one by one.
 *
 *     status: "VIP" ─▶ [n1, n4]   "Gold" ─▶ [n2]        age: ─18──21──65─▶  n3 n5 | n7
 *
 * The bounds of all fields stand in one row of numbers, so that asking for them touches little memory.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";

/** A test, or a part of one, that the value of one slot decides. */
export type Access =
  | { readonly kind: "equals"; readonly slot: number; readonly value: Maybe }
  /** True for numbers above (or below) the bound, or equal to it when inclusive. */
  | { readonly kind: "above" | "below"; readonly slot: number; readonly bound: number; readonly inclusive: boolean }
  /** True when one of these holds. */
  | { readonly kind: "any"; readonly of: readonly Access[] }
  /** Must hold, but is only a part of the test. */
  | { readonly kind: "first"; readonly of: Access };

interface Asked<Into> {
  readonly access: Access | undefined;
  test(fact: Fact): boolean;
  collect(fact: Fact, into: Into): void;
  asked: number;
}

/** What to do when a node is found: nothing more, evaluate the rest of its test, or check whether it was found before. */
const PLAIN = 0;
const ASK = 1;
const WAYS = 2;

/** Nodes, each with what to do when it is found. */
interface Hits<Node> {
  readonly nodes: Node[];
  readonly how: number[];
}

interface Equals<Node> {
  readonly slot: number;
  readonly byValue: Map<Maybe, Hits<Node>>;
}

/** The bounds on one field in one direction: the elements from `begin` to `end`, in the order in which a growing value satisfies them. */
interface Stretch {
  readonly slot: number;
  /** -1 for upper bounds: they and the value are negated, so that a larger value satisfies more. */
  readonly direction: 1 | -1;
  readonly begin: number;
  readonly end: number;
}

export class Dispatch<Node extends Asked<Into>, Into> {
  readonly #equals: readonly Equals<Node>[];
  readonly #stretches: readonly Stretch[];
  /** For each element, the smallest value that satisfies the bound. */
  readonly #least: readonly number[];
  readonly #bound: Hits<Node>;
  readonly #others: readonly Node[];
  #question = 0;

  constructor(nodes: readonly Node[]) {
    const places = new Places<Node>();
    for (const node of nodes) {
      node.asked = 0; // by the tables that were there before
      places.put(node, node.access, PLAIN);
    }
    const bounds = places.bounds.sort(inRow);
    this.#equals = places.equals;
    this.#stretches = stretchesOf(bounds);
    this.#least = bounds.map(({ least }) => least);
    this.#bound = { nodes: bounds.map(({ node }) => node), how: bounds.map(({ how }) => how) };
    this.#others = places.others;
  }

  /** Calls `collect` of every node whose test the fact passes. */
  collect(fact: Fact, into: Into): void {
    this.#question += 1;
    const { values } = fact;
    const equals = this.#equals;
    for (let at = 0; at < equals.length; at++) {
      const { slot, byValue } = equals[at] as Equals<Node>;
      const value = values[slot];
      const hits = byValue.get(typeof value === "object" ? undefined : value); // neither equals anything
      if (hits === undefined) continue;
      const { nodes, how } = hits;
      for (let hit = 0; hit < nodes.length; hit++) this.#take(nodes[hit] as Node, how[hit] as number, fact, into);
    }
    const stretches = this.#stretches;
    const least = this.#least;
    const { nodes, how } = this.#bound;
    for (let at = 0; at < stretches.length; at++) {
      const { slot, direction, begin, end } = stretches[at] as Stretch;
      const value = values[slot];
      if (typeof value !== "number") continue;
      const turned = value * direction;
      for (let hit = begin; hit < end && turned >= (least[hit] as number); hit++) {
        this.#take(nodes[hit] as Node, how[hit] as number, fact, into);
      }
    }
    const others = this.#others;
    for (let at = 0; at < others.length; at++) {
      const node = others[at] as Node;
      if (node.test(fact)) node.collect(fact, into);
    }
  }

  #take(node: Node, how: number, fact: Fact, into: Into): void {
    if (how !== PLAIN) {
      if ((how & WAYS) !== 0) {
        if (node.asked === this.#question) return;
        node.asked = this.#question;
      }
      if ((how & ASK) !== 0 && !node.test(fact)) return;
    }
    node.collect(fact, into);
  }
}

// ---------------------------------------------------------------- laying the tables

interface Bound<Node> {
  readonly node: Node;
  readonly how: number;
  readonly slot: number;
  readonly direction: 1 | -1;
  readonly least: number;
}

/** Builds the tables: where each node is found. */
class Places<Node> {
  readonly equals: Equals<Node>[] = [];
  readonly bounds: Bound<Node>[] = [];
  readonly others: Node[] = [];

  put(node: Node, access: Access | undefined, how: number): void {
    if (access === undefined) {
      this.others.push(node);
      return;
    }
    switch (access.kind) {
      case "any":
        return access.of.forEach((one) => this.put(node, one, how | WAYS));
      case "first":
        return this.put(node, access.of, how | ASK);
      case "equals":
        return this.#putEqual(node, access.slot, access.value, how);
      default:
        this.bounds.push(boundOf(node, access, how));
    }
  }

  #putEqual(node: Node, slot: number, value: Maybe, how: number): void {
    let equals = this.equals.find((one) => one.slot === slot);
    if (equals === undefined) this.equals.push((equals = { slot, byValue: new Map() }));
    const hits = equals.byValue.get(value);
    if (hits === undefined) {
      equals.byValue.set(value, { nodes: [node], how: [how] });
      return;
    }
    hits.nodes.push(node);
    hits.how.push(how);
  }
}

function boundOf<Node>(
  node: Node,
  { kind, slot, bound, inclusive }: Extract<Access, { kind: "above" | "below" }>,
  how: number,
): Bound<Node> {
  const direction = kind === "above" ? 1 : -1;
  const turned = bound * direction;
  return { node, how, slot, direction, least: inclusive ? turned : numberAbove(turned) };
}

function inRow<Node>(a: Bound<Node>, b: Bound<Node>): number {
  return a.slot - b.slot || a.direction - b.direction || a.least - b.least;
}

function stretchesOf<Node>(bounds: readonly Bound<Node>[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (let begin = 0; begin < bounds.length;) {
    const { slot, direction } = bounds[begin] as Bound<Node>;
    let end = begin + 1;
    while (bounds[end]?.slot === slot && bounds[end]?.direction === direction) end += 1;
    stretches.push({ slot, direction, begin, end });
    begin = end;
  }
  return stretches;
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns the next larger double. */
function numberAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
