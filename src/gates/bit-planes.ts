/**
 * Evaluates 32 assignments at once, as two bit planes for each leaf (one for true, one for false; unknown is neither).
 * Used where all assignments of some leaves have to be tried.
 */
import type { Logic, Requirement } from "../base/judging.ts";

export interface BitPlanes {
  readonly trues: number;
  readonly falses: number;
}

export const LANES = 32;
const ALL = -1;

export function evaluateBitPlanes(tree: Requirement, logic: Logic, leaf: (leaf: number) => BitPlanes): BitPlanes {
  if (tree.kind === "leaf") return leaf(tree.leaf);
  const items = tree.items.map((item) => evaluateBitPlanes(item, logic, leaf));
  const [only] = items;
  if (tree.kind === "not") return { trues: only?.falses ?? 0, falses: only?.trues ?? 0 };
  const trues = atLeast(
    items.map((item) => item.trues),
    tree.min,
  );
  const falses = atLeast(
    items.map((item) => item.falses),
    items.length - tree.min + 1,
  );
  if (logic === "kleene") return { trues, falses };
  const known = items.reduce((sofar, item) => sofar & (item.trues | item.falses), ALL);
  return { trues: trues & known, falses: falses & known };
}

/**
 * Returns the lanes in which at least `min` of the planes have their bit set. Each lane is counted in binary, with one
 * counter plane for each digit.
 */
function atLeast(planes: readonly number[], min: number): number {
  if (min <= 0) return ALL;
  const counters: number[] = [];
  for (const plane of planes) {
    let carry = plane;
    for (let bit = 0; carry !== 0; bit++) {
      const before = counters[bit] ?? 0;
      counters[bit] = before ^ carry;
      carry &= before;
    }
  }
  let more = 0;
  let same = ALL;
  for (let bit = Math.max(counters.length, 32 - Math.clz32(min)) - 1; bit >= 0; bit--) {
    const counted = counters[bit] ?? 0;
    if ((min >>> bit) % 2 === 0) {
      more |= same & counted;
      same &= ~counted;
    } else same &= counted;
  }
  return more | same;
}
