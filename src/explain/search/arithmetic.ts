/** Solves arithmetic for one of its operands: `age * 3` is 21 when age is 7. */
import type * as ast from "../../language/ast.ts";

type Operator = ast.ChainExpr["ops"][number];

/** Returns the number of an operand that is not solved for; undefined when it has none. */
type NumberOf = (expr: ast.Value) => number | undefined;

/** Returns the number that an operand must have for an expression to be `result`; undefined when none is known. */
export function solvedFor(
  operand: ast.PathExpr,
  expr: ast.Value,
  result: number,
  numberOf: NumberOf,
): number | undefined {
  if (expr === operand) return Number.isFinite(result) ? result : undefined;
  if (expr.kind === "negate") return solvedFor(operand, expr.operand, -result, numberOf);
  if (expr.kind !== "chain") return undefined;
  const { items, ops } = expr;
  const [last, op] = [items.at(-1), ops.at(-1)];
  const [first] = items;
  if (last === undefined || op === undefined || first === undefined) return undefined;
  const before = items.length === 2 ? first : { ...expr, items: items.slice(0, -1), ops: ops.slice(0, -1) };
  const right = numberOf(last);
  if (right !== undefined) return solved(operand, before, LEFT[op]?.(result, right), numberOf);
  const left = numberOf(before);
  return left === undefined ? undefined : solved(operand, last, RIGHT[op]?.(result, left), numberOf);
}

function solved(operand: ast.PathExpr, expr: ast.Value, result: number | undefined, numberOf: NumberOf) {
  return result === undefined ? undefined : solvedFor(operand, expr, result, numberOf);
}

type Inverse = Readonly<Partial<Record<Operator, (result: number, other: number) => number>>>;

/** The left operand from the result and the right one. */
const LEFT: Inverse = {
  "+": (result, right) => result - right,
  "-": (result, right) => result + right,
  "*": (result, right) => result / right,
  "/": (result, right) => result * right,
};

/** The right operand from the result and the left one. */
const RIGHT: Inverse = {
  "+": (result, left) => result - left,
  "-": (result, left) => left - result,
  "*": (result, left) => result / left,
  "/": (result, left) => left / result,
};
