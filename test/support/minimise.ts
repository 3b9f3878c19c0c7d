/**
 * Makes a failing case smaller as long as it fails: leaves out rules, facts, operations, elements and tests, one at a time,
 * and takes the simplest values. Knows the shape of cases, so it ends with programs that a person can read.
 */
import * as fc from "fast-check";
import type { Case, Domain } from "./engine-arbitrary.ts";
import { caseOf } from "./engine-arbitrary.ts";
import { InvalidProgram } from "./engine-program.ts";
import { Difference } from "./difference.ts";

/** Making a case smaller ends after this, and what is smallest then is reported. */
const PATIENCE = 20_000;

/** A property over cases; what it reports is the smallest case that was found to fail in the same way. */
export function forAllCases(domain: Domain, numRuns: number, check: (one: Case) => void): void {
  fc.assert(
    fc.property(caseOf(domain), (one) => {
      const found = failure(one, check);
      if (found === undefined) return;
      const end = Date.now() + PATIENCE;
      const sameWay = (smaller: Case): boolean => wayOf(failure(smaller, check)) === wayOf(found);
      const smallest = minimise(one, sameWay, () => Date.now() >= end);
      throw failure(smallest, check) ?? found;
    }),
    { numRuns, endOnFailure: true },
  );
}

/** Why a case fails; a case that is no program does not count. */
function failure(one: Case, check: (one: Case) => void): Error | undefined {
  try {
    check(one);
    return undefined;
  } catch (error) {
    return error instanceof InvalidProgram ? undefined : (error as Error);
  }
}

/** Differences are alike; of other errors the text counts. */
function wayOf(error: Error | undefined): string | undefined {
  return error instanceof Difference ? "difference" : error?.message.slice(0, 60);
}

/** The smallest that was found until there was nothing smaller, or no time left. */
export function minimise(one: Case, fails: (smaller: Case) => boolean, isOver: () => boolean): Case {
  let smallest = one;
  for (let next: Case | undefined = one; next !== undefined; smallest = next ?? smallest) {
    next = firstThat(smallerTrees(smallest) as Iterable<Case>, fails, isOver);
  }
  return smallest;
}

function firstThat<T>(items: Iterable<T>, test: (item: T) => boolean, isOver: () => boolean): T | undefined {
  for (const item of items) {
    if (isOver()) return undefined;
    if (test(item)) return item;
  }
  return undefined;
}

/** Trees with one thing less, larger cuts first. */
function* smallerTrees(tree: unknown): Iterable<unknown> {
  if (Array.isArray(tree)) {
    yield* shorter(tree);
    for (const [index, item] of tree.entries()) {
      for (const smaller of smallerTrees(item)) yield tree.with(index, smaller);
    }
    return;
  }
  if (typeof tree !== "object" || tree === null) return;
  yield* simpler(tree as Record<string, unknown>);
  for (const [key, child] of Object.entries(tree)) {
    for (const smaller of smallerTrees(child)) yield { ...tree, [key]: smaller };
  }
}

function* shorter(items: readonly unknown[]): Iterable<unknown> {
  if (items.length > 3) {
    yield items.slice(0, items.length >> 1);
    yield items.slice(items.length >> 1);
  }
  for (let index = items.length - 1; index >= 0; index--) yield items.toSpliced(index, 1);
}

/** Numbers that count something, and what the smallest of it is. */
const ZERO = ["of", "via", "which", "key", "with", "index", "field", "change"];
const WITHOUT = ["o", "x", "u", "w", "l"];

function* simpler(node: Readonly<Record<string, unknown>>): Iterable<unknown> {
  for (const part of Object.values(node).flat())
    if (groupOf(part) !== undefined && groupOf(part) === groupOf(node)) yield part;
  if (node["is"] === "near") yield { is: "new", rule: node["rule"] };
  for (const name of ZERO) {
    if (typeof node[name] === "number" && node[name] > 0) yield { ...node, [name]: 0 };
  }
  for (const name of WITHOUT) if (name in node) yield without(node, name);
  for (const name of ["test", "points"]) if (name in node && node[name] !== null) yield { ...node, [name]: null };
  if (node["named"] === false) yield { ...node, named: true };
  for (const [name, value] of [
    ["s", "a"],
    ["n", 1],
    ["b", false],
    ["type", "B"],
  ] as const) {
    if (name in node && node[name] !== value && !(name === "n" && node[name] === 0)) yield { ...node, [name]: value };
  }
}

function without(node: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== name));
}

/** A test gives way to a part of it that is a test, an element to an element, an operand to an operand. */
const GROUPS: readonly (readonly string[])[] = [
  ["field", "constant", "value", "sum", "call", "table", "aggregate"],
  ["fact", "absence", "forall", "gather", "where", "let", "each", "choice"],
  [
    "compare",
    "same",
    "holds",
    "in",
    "contains",
    "contains-any",
    "items",
    "like",
    "matches",
    "presence",
    "exists",
    "exists-in",
  ].concat(["listed", "not", "and", "or"]),
];

function groupOf(part: unknown): readonly string[] | undefined {
  if (typeof part !== "object" || part === null || !("is" in part)) return undefined;
  return GROUPS.find((group) => group.includes(String(part.is)));
}
