/** How far facts are from what tests ask: two that fail as many tests are compared by what is missing for each. */
import type * as ast from "../../language/ast.ts";
import { evaluate, truth } from "./evaluate.ts";
import type { EvaluationScope } from "./scope.ts";
import { mentions } from "./parts.ts";

/** What is compared, one after the other: the smaller, the nearer. */
export type Nearness = readonly number[];

/** Returns a negative number when the first is nearer, a positive one when the second is, and 0 when both are as near. */
export function compareNearness(a: Nearness, b: Nearness): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/**
 * Returns whether a test joins a fact with others: it reads one of the variables, and asks for more than an order. The
 * fact of another partner is further away than one of the right partner with a wrong value.
 */
export function isJoin(test: ast.Expr, variables: ReadonlySet<string>): boolean {
  return !(test.kind === "compare" && ORDERS.has(test.op)) && mentions(test, variables);
}

const ORDERS: ReadonlySet<ast.CompareExpr["op"]> = new Set(["<", "<=", ">", ">="]);

/**
 * Returns how far the numbers that a test reads are from what it asks: their difference as a share of the number that is
 * asked for, infinite when a number is missing. It is 0 when the test is true or compares no numbers.
 */
export function distanceOf(test: ast.Expr, scope: EvaluationScope): number {
  return numbersApart(test, scope) ?? 0;
}

/** Returns the sum of the distances of tests. */
export function distanceOfAll(tests: readonly ast.Expr[], scope: EvaluationScope): number {
  return tests.reduce((sum, test) => sum + distanceOf(test, scope), 0);
}

/** Returns the distance of a test; undefined when it is not true and compares no numbers. */
function numbersApart(test: ast.Expr, scope: EvaluationScope): number | undefined {
  if (truth(test, scope) === true) return 0;
  if (test.kind === "logic") {
    if (test.op === "and") return distanceOfAll(test.items, scope);
    const distances = test.items.flatMap((item) => numbersApart(item, scope) ?? []);
    return distances.length === 0 ? undefined : Math.min(...distances);
  }
  const compared = test.kind === "not" ? test.operand : test;
  if (compared.kind !== "compare") return undefined;
  const left = evaluate(compared.left, scope);
  const right = evaluate(compared.right, scope);
  if (typeof left !== "number" && typeof right !== "number") return undefined;
  if (typeof left !== "number" || typeof right !== "number") return Infinity;
  const asked = compared.left.kind === "number" ? left : right;
  return Math.abs(left - right) / Math.max(1, Math.abs(asked));
}
