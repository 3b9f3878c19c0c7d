/**
 * The smallest set of unknown leaves that could still open a gate.
 *
 * If no unknown leaf occurs twice, the cheapest way to make each part true, and to make it false, follows from those of
 * its items. This is exact for any size. An unknown leaf that occurs several times ties parts together (tied-leaves.ts): every
 * assignment of these is tried, if that takes no more than `MAX_VISITS`, and the rest follows as before; this is exact as
 * well. Beyond that, occurrences are taken as independent, a leaf that occurs often as cheap at each place, and the result is
 * used only if it really opens the gate; otherwise all unknown leaves are returned. With `logic bochvar` any unknown leaf keeps
 * the gate closed, so all of them are needed.
 *
 * A leaf may stand for several facts, which is its weight. Among sets of one weight the same one is returned every time,
 * with a preference for earlier leaves.
 */
import { type Code, evaluate, leavesOf, opposite, TRUE, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";
import { type Assignment, TiedLeaves } from "./tied-leaves.ts";

/** The most leaves that are visited over all assignments: six tied leaves among 1,000, or five among 3,000. */
const MAX_VISITS = 3 ** 6 * 1_000;

/** What is known of a leaf besides its value. */
interface LeafTraits {
  /** Returns false for an unknown leaf that can only become true. Default: every leaf can become false. */
  readonly canFail?: (leaf: number) => boolean;
  /** Returns how many facts it takes to make a leaf true. Default: 1. */
  readonly weight?: (leaf: number) => number;
}

/** Returns the missing leaves in the order of the program; empty when the gate is open, or nothing can open it. */
export function missingLeaves(
  tree: Requirement,
  logic: Logic,
  leaf: (leaf: number) => Code,
  traits: LeafTraits = {},
): number[] {
  return [...missingValues(tree, logic, leaf, traits).keys()];
}

/** Returns the same leaves with the value that each must take; UNKNOWN for one that needs a value, whichever it is. */
export function missingValues(
  tree: Requirement,
  logic: Logic,
  leaf: (leaf: number) => Code,
  { canFail = () => true, weight = () => 1 }: LeafTraits = {},
): Assignment {
  if (evaluate(tree, logic, leaf) !== UNKNOWN) return new Map();
  const all = leavesOf(tree);
  const counts = new Map<number, number>();
  for (const one of all) if (leaf(one) === UNKNOWN) counts.set(one, (counts.get(one) ?? 0) + 1);
  const unknown = [...counts.keys()];
  const leaves = { leaf, canFail, weight };
  const tied = new TiedLeaves(tree, new Set(unknown.filter((one) => (counts.get(one) ?? 0) > 1)), leaves);
  const isExact = tied.size * all.length <= Math.max(MAX_VISITS, all.length);
  const way = isExact ? cheapestOfAll(tree, leaves, tied) : untied(tree, leaves, counts);
  if (way === undefined) return new Map();
  const needed = logic === "bochvar" ? unknown : unknown.filter((one) => way.values.has(one));
  return new Map(needed.map((one) => [one, way.values.get(one) ?? UNKNOWN]));
}

type Leaves = Required<LeafTraits> & { readonly leaf: (leaf: number) => Code };

/** A way to give a part a value. */
interface Way {
  readonly values: Assignment;
  /** The weight of the leaves. */
  readonly cost: number;
}

function wayOf(values: Assignment, { weight }: Leaves): Way {
  let cost = 0;
  for (const one of values.keys()) cost += weight(one);
  return { values, cost };
}

/** Returns the smallest way over all assignments of the tied leaves. */
function cheapestOfAll(tree: Requirement, leaves: Leaves, tied: TiedLeaves): Way | undefined {
  const { leaf } = leaves;
  let best: Way | undefined;
  for (const assigned of tied.assignments()) {
    const rest = cheapest(tree, { ...leaves, leaf: (one) => assigned.get(one) ?? leaf(one) }, TRUE, assigned);
    if (rest === undefined) continue;
    const known = [...assigned].filter(([, code]) => code !== UNKNOWN);
    const way = wayOf(new Map([...known, ...rest.values]), leaves);
    if (best === undefined || way.cost < best.cost) best = way;
  }
  return best;
}

/**
 * Returns the cheapest way with every occurrence taken as a leaf of its own, or all unknown leaves if that way does not
 * open the gate. A leaf costs less at each place the more places it has, so that parts agree on it.
 */
function untied(tree: Requirement, leaves: Leaves, counts: ReadonlyMap<number, number>): Way | undefined {
  const weight = (one: number): number => leaves.weight(one) / (counts.get(one) ?? 1);
  const way = cheapest(tree, { ...leaves, weight }, TRUE, new Map());
  const now = (one: number): Code => way?.values.get(one) ?? leaves.leaf(one);
  if (way === undefined || evaluate(tree, "kleene", now) === TRUE) return way;
  return wayOf(new Map([...counts.keys()].map((one) => [one, TRUE])), leaves);
}

// ---------------------------------------------------------------- every leaf at one place

/** Returns the smallest way to give a tree a value; undefined when there is none. Leaves in `kept` stay as they are. */
function cheapest(tree: Requirement, leaves: Leaves, wanted: Code, kept: Assignment): Way | undefined {
  if (tree.kind === "leaf") {
    const now = leaves.leaf(tree.leaf);
    if (now === wanted) return NO_CHANGE;
    const canChange = now === UNKNOWN && !kept.has(tree.leaf);
    const isPossible = canChange && (wanted === TRUE || leaves.canFail(tree.leaf));
    return isPossible ? { values: new Map([[tree.leaf, wanted]]), cost: leaves.weight(tree.leaf) } : undefined;
  }
  const [only] = tree.items;
  if (tree.kind === "not") return only === undefined ? undefined : cheapest(only, leaves, opposite(wanted), kept);
  const needed = wanted === TRUE ? tree.min : tree.items.length - tree.min + 1;
  const ways = tree.items.map((item) => cheapest(item, leaves, wanted, kept)).filter((way) => way !== undefined);
  if (ways.length < needed) return undefined;
  const chosen = ways.sort((a, b) => a.cost - b.cost).slice(0, Math.max(0, needed));
  return wayOf(new Map(chosen.flatMap(({ values }) => [...values])), leaves);
}

const NO_CHANGE: Way = { values: new Map(), cost: 0 };
