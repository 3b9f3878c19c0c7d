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

/** Which dispatch marked a node last. Tables that can find the same nodes have the same marks. */
export class DispatchMarks {
  question: number = 0;
  /** Whether a fact is being dispatched: a function in a test may ask the same tables about a fact of another session. */
  busy: boolean = false;
}

/** The tables of a dispatch. */
interface Tables<Node> {
  readonly equals: readonly Equals<Node>[];
  readonly stretches: readonly Stretch[];
  /** For each element, the smallest value that satisfies the bound. */
  readonly least: readonly number[];
  readonly bound: Hits<Node>;
  readonly others: readonly Node[];
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
  readonly #marks: DispatchMarks;

  constructor({ equals, stretches, least, bound, others }: Tables<Node>, marks: DispatchMarks) {
    this.#equals = equals;
    this.#stretches = stretches;
    this.#least = least;
    this.#bound = bound;
    this.#others = others;
    this.#marks = marks;
  }

  /** Returns the dispatch to these nodes. */
  static to<Node extends Asked<Into>, Into>(nodes: readonly Node[], marks: DispatchMarks): Dispatch<Node, Into> {
    const places = new Places<Node>();
    for (const node of nodes) places.put(node, node.access, PLAIN);
    const bounds = places.bounds.sort(inRow);
    const tables = {
      equals: places.equals,
      stretches: stretchesOf(bounds),
      least: bounds.map(({ least }) => least),
      bound: { nodes: bounds.map(({ node }) => node), how: bounds.map(({ how }) => how) },
      others: places.others,
    };
    return new Dispatch(tables, marks);
  }

  /** Returns a dispatch that finds another node with the same access in place of one, or none. This one stays as it is. */
  replaced(node: Node, by: Node | undefined): Dispatch<Node, Into> {
    const values = equalValues(node.access);
    const equals = this.#equals.map((one) => {
      const own = values.filter(({ slot }) => slot === one.slot);
      if (own.length === 0) return one;
      const byValue = new Map(one.byValue);
      for (const { value } of own) {
        const hits = byValue.get(value);
        const now = hits === undefined ? undefined : hitsReplaced(hits, node, by);
        if (now === undefined || now.nodes.length === 0) byValue.delete(value);
        else byValue.set(value, now);
      }
      return { slot: one.slot, byValue };
    });
    const others = this.#others.includes(node)
      ? this.#others.flatMap((one) => (one !== node ? [one] : by === undefined ? [] : [by]))
      : this.#others;
    if (!this.#bound.nodes.includes(node)) {
      const tables = { equals, others, stretches: this.#stretches, least: this.#least, bound: this.#bound };
      return new Dispatch(tables, this.#marks);
    }
    const bound = hitsReplaced(this.#bound, node, by);
    const isKept = (at: number): boolean => by !== undefined || this.#bound.nodes[at] !== node;
    const least = this.#least.filter((_, at) => isKept(at));
    return new Dispatch({ equals, others, bound, least, stretches: this.#stretchesOf(isKept) }, this.#marks);
  }

  /** Returns the stretches of the elements that are kept. */
  #stretchesOf(isKept: (at: number) => boolean): Stretch[] {
    const stretches: Stretch[] = [];
    let length = 0;
    for (const { slot, direction, begin, end } of this.#stretches) {
      const start = length;
      for (let at = begin; at < end; at++) if (isKept(at)) length += 1;
      if (length > start) stretches.push({ slot, direction, begin: start, end: length });
    }
    return stretches;
  }

  /** Calls `collect` of every node whose test the fact passes. */
  collect(fact: Fact, into: Into): void {
    const marks = this.#marks;
    const found = marks.busy ? new Set<Node>() : undefined;
    if (found === undefined) marks.question += 1;
    const { question } = marks;
    marks.busy = true;
    const { values } = fact;
    const equals = this.#equals;
    for (let at = 0; at < equals.length; at++) {
      const { slot, byValue } = equals[at] as Equals<Node>;
      const value = values[slot];
      const hits = byValue.get(typeof value === "object" ? undefined : value); // neither equals anything
      if (hits === undefined) continue;
      const { nodes, how } = hits;
      for (let hit = 0; hit < nodes.length; hit++)
        take(nodes[hit] as Node, how[hit] as number, fact, into, question, found);
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
        take(nodes[hit] as Node, how[hit] as number, fact, into, question, found);
      }
    }
    const others = this.#others;
    for (let at = 0; at < others.length; at++) {
      const node = others[at] as Node;
      if (node.test(fact)) node.collect(fact, into);
    }
    if (found === undefined) marks.busy = false;
  }
}

/** Takes a node that was found. `found` are those found before, while the marks in the nodes belong to another fact. */
function take<Node extends Asked<Into>, Into>(
  node: Node,
  how: number,
  fact: Fact,
  into: Into,
  question: number,
  found: Set<Node> | undefined,
): void {
  if (how !== PLAIN) {
    if ((how & WAYS) !== 0) {
      if (found === undefined ? node.asked === question : found.has(node)) return;
      if (found === undefined) node.asked = question;
      else found.add(node);
    }
    if ((how & ASK) !== 0 && !node.test(fact)) return;
  }
  node.collect(fact, into);
}

/** Returns the values of slots at which a node is found. */
function equalValues(access: Access | undefined): Extract<Access, { kind: "equals" }>[] {
  switch (access?.kind) {
    case "equals":
      return [access];
    case "any":
      return access.of.flatMap(equalValues);
    case "first":
      return equalValues(access.of);
    default:
      return [];
  }
}

/** Returns hits with another node in place of one, or without it. */
function hitsReplaced<Node>({ nodes, how }: Hits<Node>, node: Node, by: Node | undefined): Hits<Node> {
  if (by !== undefined) return { nodes: nodes.map((one) => (one === node ? by : one)), how };
  return { nodes: nodes.filter((one) => one !== node), how: how.filter((_, at) => nodes[at] !== node) };
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
