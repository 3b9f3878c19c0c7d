/**
 * What a decision table did, in words: the row that applies and why, or, where no row does, the nearest one and what it would need.
 */
import type { Maybe } from "../../base/value.ts";
import type * as ast from "../../language/ast.ts";
import type { TableUse } from "../../language/check/table-uses.ts";
import { cellText } from "../../language/print-table.ts";
import { clashWords } from "../../tables/clash-words.ts";
import { cellTruth } from "../../tables/cell.ts";
import type { ApplicableRow } from "../../tables/decide.ts";
import { evaluate } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { type TableAnswer, tableAnswer, inputInside } from "../read/tables.ts";
import { seenValue, type Words } from "../read/words.ts";

/** The most rows that are named. */
const MOST_NAMED = 3;

/** Returns what a call of a table gives and which rows made it so; undefined when the call is of no table. */
export function tableWords(call: ast.CallExpr, scope: EvaluationScope, words: Words): string | undefined {
  const answer = tableAnswer(call, scope, evaluate);
  if (answer === undefined) return undefined;
  const value = evaluate(call, scope);
  const text = words.expression(call);
  if (value === undefined) return `${text} is unknown because ${unknownWords(answer)}`;
  return `${text} is ${seenValue(value)} (${appliedRows(answer)})`;
}

/** Returns an output of a table's call, `discount(o).rate`, with what the table looks at and the rows that gave it. */
export function tableOutputWords(
  expr: ast.PropertyExpr,
  scope: EvaluationScope,
  words: Words,
  seen: (input: ast.Expr) => string[],
): string[] | undefined {
  const answer = expr.of.kind === "call" ? tableAnswer(expr.of, scope, evaluate) : undefined;
  const value = answer === undefined ? undefined : evaluate(expr, scope);
  if (answer === undefined || value === undefined) return undefined;
  const given = `${words.expression(expr)} is ${seenValue(value)} (${appliedRows(answer)})`;
  return [...answer.use.inputs.flatMap(seen), given];
}

/** Returns the rows that gave the value of a call, or of an output of it, in short: `row 1 of discount`; undefined for any other value. */
export function rowNames(expr: ast.Expr, scope: EvaluationScope): string | undefined {
  const call = expr.kind === "property" ? expr.of : expr;
  const answer = call.kind === "call" ? tableAnswer(call, scope, evaluate) : undefined;
  const rows = answer?.decision.rows.filter((one) => one.sure) ?? [];
  if (answer === undefined || rows.length === 0 || rows.length > MOST_NAMED) return undefined;
  const numbers = rows.map(({ row }) => row + 1);
  return `${numbers.length === 1 ? "row" : "rows"} ${numbers.join(", ")} of ${answer.use.table.data.name}`;
}

/** Returns the rows that apply for sure. */
function appliedRows({ use, decision }: TableAnswer): string {
  const sure = decision.rows.filter((one) => one.sure);
  const rows = sure.slice(0, MOST_NAMED).map(({ row }) => rowWords(use, row));
  const more = sure.length > MOST_NAMED ? `; and ${sure.length - MOST_NAMED} more` : "";
  return `${rows.length === 0 ? noRow(use) : rows.join("; ")}${more}`;
}

/** Returns a row with the cells that ask for something: `row 2 of discount: o.total [500..1000), o.country in EU`. */
function rowWords(use: TableUse, row: number): string {
  const asked = (use.table.decl.rows[row]?.cells ?? []).flatMap((cell, column) =>
    cell.tests.length === 0 ? [] : [columnWords(use, row, column)],
  );
  return `row ${row + 1} of ${use.table.data.name}: ${asked.length === 0 ? "whatever the values are" : asked.join(", ")}`;
}

function columnWords({ table }: TableUse, row: number, column: number): string {
  const cell = table.decl.rows[row]?.cells[column];
  return `${table.data.columns[column]?.text ?? ""} ${cell === undefined ? "" : cellText(cell)}`;
}

function noRow({ table }: TableUse): string {
  return `no row of ${table.data.name} applies`;
}

function unknownWords({ use, inputs, decision }: TableAnswer): string {
  const { data } = use.table;
  if (decision.clash !== undefined) return `${data.name} ${clashWords(data, decision.clash)[0]}`;
  const doubtful = decision.rows.find(({ sure }) => !sure);
  if (doubtful !== undefined) return `it is unknown whether ${doubtWords(use, inputs, doubtful)} applies`;
  if (decision.rows.length > 0) return `${rowWords(use, decision.rows[0]?.row ?? 0)} gives nothing`;
  const nearest = nearestRow(use, inputs);
  return nearest === undefined ? noRow(use) : `${noRow(use)}; the nearest is ${nearest}`;
}

/** Returns a row that may apply, and the columns that leave it open. */
function doubtWords(use: TableUse, inputs: readonly Maybe[], { row }: ApplicableRow): string {
  const open = truthsOf(use, inputs, row).flatMap((truth, column) =>
    truth === undefined ? [use.table.data.columns[column]?.text ?? ""] : [],
  );
  return `row ${row + 1} of ${use.table.data.name} (${open.join(", ")} cannot be compared)`;
}

/** Returns the row with the fewest cells that its inputs do not pass, and these cells. */
function nearestRow(use: TableUse, inputs: readonly Maybe[]): string | undefined {
  let best: { readonly row: number; readonly failed: readonly number[] } | undefined;
  for (const row of use.table.data.rows.keys()) {
    const failed = truthsOf(use, inputs, row).flatMap((truth, column) => (truth === true ? [] : [column]));
    if (best === undefined || failed.length < best.failed.length) best = { row, failed };
  }
  if (best === undefined) return undefined;
  const { row, failed } = best;
  return `row ${row + 1}, which needs ${failed.map((column) => columnWords(use, row, column)).join(", ")}`;
}

function truthsOf({ table }: TableUse, inputs: readonly Maybe[], row: number): (boolean | undefined)[] {
  return (table.data.rows[row]?.cells ?? []).map((cell, column) =>
    cellTruth(cell, inputInside(table, column, inputs[column])),
  );
}
