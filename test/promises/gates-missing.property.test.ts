/**
 * Gates: the smallest set of unknown leaves that could still open a requirement, against brute force. The random trees have few
 * leaves, so that many leaves occur in several places, with every operator below every other.
 */
import { expect, test } from "vitest";
import { missingLeaves } from "../../src/gates/missing.ts";
import { type Code, FALSE, TRUE, UNKNOWN } from "../../src/gates/requirement.ts";
import { SeededRandom } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import type { Requirement } from "../../src/base/judging.ts";

const LEAVES = 5;
type Tri = "T" | "F" | "U";

/** The value of a tree, written from the tables of the contract. */
function value(tree: Requirement, bochvar: boolean, leaf: readonly Tri[]): Tri {
  if (tree.kind === "leaf") return leaf[tree.leaf] ?? "U";
  const items = tree.items.map((item) => value(item, bochvar, leaf));
  if (tree.kind === "not") return items[0] === "T" ? "F" : items[0] === "F" ? "T" : "U";
  if (bochvar && items.includes("U")) return "U";
  const wanted = tree.kind === "all" ? items.length : tree.kind === "any" ? 1 : tree.min;
  if (items.filter((item) => item === "T").length >= wanted) return "T";
  return items.filter((item) => item !== "F").length < wanted ? "F" : "U";
}

/** All ways to give some of the leaves a value, as whole lists of values. */
function* ways(values: readonly Tri[], leaves: readonly number[]): Iterable<readonly Tri[]> {
  const [first, ...rest] = leaves;
  if (first === undefined) {
    yield values;
    return;
  }
  for (const one of ["U", "T", "F"] as const) yield* ways(values.with(first, one), rest);
}

function fewest(tree: Requirement, bochvar: boolean, values: readonly Tri[], unknown: readonly number[]): number {
  let best = Infinity;
  for (const way of ways(values, unknown)) {
    const used = unknown.filter((leaf) => way[leaf] !== "U").length;
    if (used < best && value(tree, bochvar, way) === "T") best = used;
  }
  return best;
}

function randomTree(below: (limit: number) => number, depth: number): Requirement {
  const kind = depth === 0 || below(4) === 0 ? "leaf" : (["not", "all", "any", "at least"] as const)[below(4)];
  if (kind === undefined || kind === "leaf") return { kind: "leaf", leaf: below(LEAVES), text: "" };
  const size = kind === "not" ? 1 : 1 + below(4);
  const items = Array.from({ length: size }, () => randomTree(below, depth - 1));
  const min = kind === "all" ? size : kind === "at least" ? 1 + below(size) : 1;
  return { kind, min, items, text: "" };
}

function leavesIn(tree: Requirement): number[] {
  return tree.kind === "leaf" ? [tree.leaf] : tree.items.flatMap(leavesIn);
}

const CODES: Readonly<Record<Tri, Code>> = { T: TRUE, F: FALSE, U: UNKNOWN };

test(
  "what is missing is the smallest set that can open it, and nothing where nothing can",
  () => {
    const random = new SeededRandom(5);
    const below = (limit: number): number => Math.floor(random.next() * limit);
    const seen = { opens: 0, cannot: 0, several: 0 };
    for (let number = 0; number < runs(); number++) {
      const tree = randomTree(below, 3);
      const bochvar = below(4) === 0;
      const values = Array.from({ length: LEAVES }, () => (["T", "F", "U", "U"] as const)[below(4)] ?? "U");
      const found = missingLeaves(tree, bochvar ? "bochvar" : "kleene", (leaf) => CODES[values[leaf] ?? "U"]);
      const shown = JSON.stringify({ tree, bochvar, values, found });
      if (value(tree, bochvar, values) !== "U") {
        expect(found, shown).toEqual([]);
        continue;
      }
      const unknown = [...new Set(leavesIn(tree))].filter((leaf) => values[leaf] === "U");
      const smallest = fewest(tree, bochvar, values, unknown);
      expect(found.length, shown).toBe(smallest === Infinity ? 0 : smallest);
      if (smallest === Infinity) seen.cannot += 1;
      else {
        expect(fewest(tree, bochvar, values, found), shown).toBe(smallest);
        seen.opens += 1;
        if (smallest > 1) seen.several += 1;
      }
    }
    expect(Math.min(seen.opens, seen.cannot, seen.several)).toBeGreaterThan(0);
  },
  PATIENT,
);

/** Quorums over overlapping runs of leaves, some of them negated: many leaves are tied, in few classes. */
function overlapping(below: (limit: number) => number, size: number): Requirement {
  const items = Array.from({ length: 2 + below(2) }, (): Requirement => {
    const from = below(size - 2);
    const leaves = Array.from({ length: Math.min(size - from, 2 + below(size)) }, (_, index) => from + index);
    const min = 1 + below(leaves.length);
    const of: Requirement = {
      kind: "at least",
      min,
      items: leaves.map((leaf) => ({ kind: "leaf", leaf, text: "" })),
      text: "",
    };
    return below(4) === 0 ? { kind: "not", min: 1, items: [of], text: "" } : of;
  });
  const min = below(3) === 0 ? 1 : items.length;
  return { kind: "at least", min, items, text: "" };
}

test(
  "quorums over the same members share what is missing",
  () => {
    const random = new SeededRandom(6);
    const below = (limit: number): number => Math.floor(random.next() * limit);
    const size = 7;
    let tied = 0;
    for (let number = 0; number < Math.max(30, runs() / 20); number++) {
      const tree = overlapping(below, size);
      const values = Array.from({ length: size }, () => (["T", "F", "U", "U", "U", "U"] as const)[below(6)] ?? "U");
      const leaves = leavesIn(tree);
      const unknown = [...new Set(leaves)].filter((leaf) => values[leaf] === "U");
      const isUnknown = value(tree, false, values) === "U";
      const smallest = isUnknown ? fewest(tree, false, values, unknown) : Infinity;
      const found = missingLeaves(tree, "kleene", (leaf) => CODES[values[leaf] ?? "U"]);
      const shown = JSON.stringify({ tree, values, found });
      expect(found.length, shown).toBe(smallest === Infinity ? 0 : smallest);
      if (smallest === Infinity) continue;
      expect(fewest(tree, false, values, found), shown).toBe(smallest);
      if (isUnknown && leaves.filter((leaf) => unknown.includes(leaf)).length > unknown.length + 3) tied += 1;
    }
    expect(tied).toBeGreaterThan(0);
  },
  PATIENT,
);
