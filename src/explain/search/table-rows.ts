/**
 * The rows of decision tables as tests, for the search: to get another value from a table, make the cells of another row hold.
 */
import type * as ast from "../../language/ast.ts";
import type { TableUse } from "../../language/check/table-uses.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import { forEachNode } from "../../language/walk.ts";
import { truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";

/** The most rows of a table that are read for values to try, and the most that are tried. */
const MOST_READ = 100;
const MOST_TRIED = 8;

/** Returns the tests of the first rows of a table, where it is asked. */
export function rowsOf(use: TableUse): readonly (readonly ast.Expr[])[] {
  return use.table.decl.rows.slice(0, MOST_READ).map(({ cells }) =>
    cells.flatMap((cell, column) => {
      const input = use.inputs[column];
      return input === undefined || cell.tests.length === 0 ? [] : [cellTest(input, cell)];
    }),
  );
}

/** Returns the rows of the tables that a test asks, each as tests that all must hold: those first of which the fewest do not. */
export function rowsToTry(test: ast.Expr, scope: EvaluationScope): readonly (readonly ast.Expr[])[] {
  const rows = tablesIn(test, scope.world.context.program).flatMap(rowsOf);
  const missed = new Map(rows.map((row) => [row, row.filter((cell) => truth(cell, scope) !== true).length]));
  const others = rows.filter((row) => missed.get(row) !== 0);
  return others.sort((a, b) => (missed.get(a) ?? 0) - (missed.get(b) ?? 0)).slice(0, MOST_TRIED);
}

function tablesIn(test: ast.Expr, { tables }: CheckedProgram): TableUse[] {
  const uses: TableUse[] = [];
  if (tables.declared.size === 0) return uses;
  forEachNode(test, (node) => {
    const use = node["kind"] === "call" ? tables.uses.get(node as unknown as ast.CallExpr) : undefined;
    if (use !== undefined) uses.push(use);
  });
  return uses;
}

/** Returns a cell as a test of what its column looks at. */
function cellTest(input: ast.Expr, { tests, span }: ast.TableCell): ast.Expr {
  const items = tests.map((test) => unaryTest(input, test));
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind: "logic", op: "or", items, listed: false, span };
}

function unaryTest(left: ast.Expr, { op, right, negated, span }: ast.UnaryTest): ast.Expr {
  if (op === "in") return { kind: "in", left, right, negated, span };
  const compared: ast.Expr = { kind: "compare", op, left, right: right as ast.Expr, span };
  return negated ? { kind: "not", operand: compared, span } : compared;
}
