/**
 * The smallest set of unknown leaves that could still open a gate.
 *
 * Where every leaf stands at one place, the cheapest way to make each part true, and to make it false, follows from those
 * of its items: exact, whatever the size. Where an unknown leaf stands at several places, the parts are not independent:
 * then all assignments are tried, thirty-two at a time, for up to `MOST_TRIED` unknown leaves. Beyond that, places are
 * taken as independent, and what comes out is used only if it really opens the gate; otherwise all unknown leaves are
 * given. With `logic bochvar` any unknown leaf keeps the gate closed, so all of them are needed.
 *
 * Among sets of one size the one with the earlier leaves is given.
 */
import { evaluatePlanes, LANES, type Planes } from "./planes.ts";
import {
  type Code,
  evaluate,
  FALSE,
  leavesOf,
  type Logic,
  opposite,
  type Requirement,
  TRUE,
  UNKNOWN,
} from "./requirement.ts";

const MOST_TRIED = 9;

/** Leaves in the author's order; empty when the gate is open, or nothing can open it. */
export function missingLeaves(tree: Requirement, logic: Logic, leaf: (leaf: number) => Code): number[] {
  if (evaluate(tree, logic, leaf) !== UNKNOWN) return [];
  const places = leavesOf(tree).filter((one) => leaf(one) === UNKNOWN);
  const unknown = [...new Set(places)];
  const readOnce = unknown.length === places.length;
  if (!readOnce && unknown.length <= MOST_TRIED) return tried(tree, logic, leaf, unknown);
  const way = cheapest(tree, leaf, TRUE);
  if (way === undefined) return [];
  if (logic === "bochvar") return unknown;
  return readOnce || opens(tree, leaf, way) ? inOrder(way, unknown) : unknown;
}

// ---------------------------------------------------------------- every leaf at one place

/** Leaves with the value that they must take. */
type Way = ReadonlyMap<number, Code>;

/** The smallest way to give a tree a value; undefined when there is none. */
function cheapest(tree: Requirement, leaf: (leaf: number) => Code, wanted: Code): Way | undefined {
  if (tree.kind === "leaf") {
    const now = leaf(tree.leaf);
    if (now === wanted) return new Map();
    return now === UNKNOWN ? new Map([[tree.leaf, wanted]]) : undefined;
  }
  const [only] = tree.items;
  if (tree.kind === "not") return only === undefined ? undefined : cheapest(only, leaf, opposite(wanted));
  const needed = wanted === TRUE ? tree.min : tree.items.length - tree.min + 1;
  const ways = tree.items.map((item) => cheapest(item, leaf, wanted)).filter((way) => way !== undefined);
  if (ways.length < needed) return undefined;
  const chosen = ways.sort((a, b) => a.size - b.size).slice(0, Math.max(0, needed));
  return new Map(chosen.flatMap((way) => [...way]));
}

function opens(tree: Requirement, leaf: (leaf: number) => Code, way: Way): boolean {
  return evaluate(tree, "kleene", (one) => way.get(one) ?? leaf(one)) === TRUE;
}

function inOrder(way: Way, unknown: readonly number[]): number[] {
  return unknown.filter((leaf) => way.has(leaf));
}

// ---------------------------------------------------------------- a leaf at several places

/** The digit of a leaf in the number of an assignment: 0 leaves it unknown. */
const DIGITS: readonly Code[] = [UNKNOWN, TRUE, FALSE];

function tried(tree: Requirement, logic: Logic, leaf: (leaf: number) => Code, unknown: readonly number[]): number[] {
  const all = DIGITS.length ** unknown.length;
  let best: number[] | undefined;
  for (let first = 0; first < all; first += LANES) {
    const lanes = Math.min(LANES, all - first);
    const planes = new Map(unknown.map((one, digit) => [one, planesOf(first, lanes, digit)]));
    const { trues } = evaluatePlanes(tree, logic, (one) => planes.get(one) ?? constant(leaf(one)));
    for (let lane = 0; lane < lanes; lane++) {
      if (((trues >>> lane) & 1) === 0) continue;
      const set = unknown.filter((_, digit) => digitOf(first + lane, digit) !== UNKNOWN);
      if (best === undefined || comesBefore(set, best)) best = set;
    }
  }
  return best ?? [];
}

function planesOf(first: number, lanes: number, digit: number): Planes {
  let trues = 0;
  let falses = 0;
  for (let lane = 0; lane < lanes; lane++) {
    const code = digitOf(first + lane, digit);
    if (code === TRUE) trues |= 1 << lane;
    else if (code === FALSE) falses |= 1 << lane;
  }
  return { trues, falses };
}

function digitOf(assignment: number, digit: number): Code {
  return DIGITS[Math.floor(assignment / DIGITS.length ** digit) % DIGITS.length] ?? UNKNOWN;
}

function constant(code: Code): Planes {
  return { trues: code === TRUE ? -1 : 0, falses: code === FALSE ? -1 : 0 };
}

/** Fewer leaves first, then the earlier ones; both lists are in the order of the leaves' first places. */
function comesBefore(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const at = a.findIndex((leaf, index) => leaf !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
