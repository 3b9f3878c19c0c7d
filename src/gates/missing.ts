/**
 * The smallest set of unknown leaves that could still open a gate.
 *
 * If no unknown leaf occurs twice, the cheapest way to make each part true, and to make it false, follows from those of
 * its items. This is exact for any size. An unknown leaf that occurs several times ties parts together: for up to
 * `MAX_TIED` of these every assignment is tried, and the rest follows as before; this is exact as well. Beyond that,
 * occurrences are taken as independent, and the result is used only if it really opens the gate; otherwise all unknown
 * leaves are returned. With `logic bochvar` any unknown leaf keeps the gate closed, so all of them are needed.
 *
 * Among sets of one size the same one is returned every time, with a preference for earlier leaves.
 */
import { type Code, evaluate, FALSE, leavesOf, opposite, TRUE, UNKNOWN } from "./requirement.ts";
import type { Logic, Requirement } from "../base/judging.ts";

const MAX_TIED = 6;

/** Returns the missing leaves in the order of the program; empty when the gate is open, or nothing can open it. */
export function missingLeaves(tree: Requirement, logic: Logic, leaf: (leaf: number) => Code): number[] {
  if (evaluate(tree, logic, leaf) !== UNKNOWN) return [];
  const counts = new Map<number, number>();
  for (const one of leavesOf(tree)) if (leaf(one) === UNKNOWN) counts.set(one, (counts.get(one) ?? 0) + 1);
  const unknown = [...counts.keys()];
  const tied = unknown.filter((one) => (counts.get(one) ?? 0) > 1);
  const way = tied.length > MAX_TIED ? untied(tree, leaf, unknown) : cheapestOfAll(tree, leaf, tied);
  if (way === undefined) return [];
  return logic === "bochvar" ? unknown : unknown.filter((one) => way.has(one));
}

/** Returns the smallest way over all assignments of the tied leaves: 3 to the power of their number, at most 729. */
function cheapestOfAll(
  tree: Requirement,
  leaf: (leaf: number) => Code,
  tied: readonly number[],
): Assignment | undefined {
  let best: Assignment | undefined;
  for (let number = 0; number < 3 ** tied.length; number++) {
    const assigned = assignment(tied, number);
    const rest = cheapest(tree, (one) => assigned.get(one) ?? leaf(one), TRUE, assigned);
    if (rest === undefined) continue;
    const known = [...assigned].filter(([, code]) => code !== UNKNOWN);
    const way = new Map([...known, ...rest]);
    if (best === undefined || way.size < best.size) best = way;
  }
  return best;
}

const CHOICES: readonly Code[] = [UNKNOWN, TRUE, FALSE];

function assignment(tied: readonly number[], number: number): Assignment {
  return new Map(tied.map((one, digit) => [one, CHOICES[Math.floor(number / 3 ** digit) % 3] ?? UNKNOWN]));
}

/**
 * Returns the cheapest way with every occurrence taken as a leaf of its own, or all unknown leaves if that way does not
 * open the gate.
 */
function untied(tree: Requirement, leaf: (leaf: number) => Code, unknown: readonly number[]): Assignment | undefined {
  const way = cheapest(tree, leaf, TRUE, new Map());
  const opens = way !== undefined && evaluate(tree, "kleene", (one) => way.get(one) ?? leaf(one)) === TRUE;
  return way === undefined || opens ? way : new Map(unknown.map((one) => [one, TRUE]));
}

// ---------------------------------------------------------------- every leaf at one place

/** Leaves with the value that each must take. */
type Assignment = ReadonlyMap<number, Code>;

/** Returns the smallest way to give a tree a value; undefined when there is none. Leaves in `kept` stay as they are. */
function cheapest(
  tree: Requirement,
  leaf: (leaf: number) => Code,
  wanted: Code,
  kept: Assignment,
): Assignment | undefined {
  if (tree.kind === "leaf") {
    const now = leaf(tree.leaf);
    if (now === wanted) return NO_CHANGE;
    return now === UNKNOWN && !kept.has(tree.leaf) ? new Map([[tree.leaf, wanted]]) : undefined;
  }
  const [only] = tree.items;
  if (tree.kind === "not") return only === undefined ? undefined : cheapest(only, leaf, opposite(wanted), kept);
  const needed = wanted === TRUE ? tree.min : tree.items.length - tree.min + 1;
  const ways = tree.items.map((item) => cheapest(item, leaf, wanted, kept)).filter((way) => way !== undefined);
  if (ways.length < needed) return undefined;
  const chosen = ways.sort((a, b) => a.size - b.size).slice(0, Math.max(0, needed));
  return new Map(chosen.flatMap((way) => [...way]));
}

const NO_CHANGE: Assignment = new Map();
