/** Prints decision tables, with the bars of all rows below each other. */
import type { FieldDecl, TableCell, TableDecl, TableOutput, TablePolicy, TypeRef, UnaryTest } from "./ast.ts";
import { Comments } from "./comments.ts";
import { type Doc, group, render } from "./layout.ts";
import { block, rowsOf } from "./place.ts";
import { expressionText } from "./print-part.ts";
import { expression, LEVEL, searched } from "./print-expression.ts";

const COLLECTED: ReadonlySet<TablePolicy> = new Set<TablePolicy>(["sum", "min", "max", "list"]);

/** Returns the hit policy as it is written. */
export function policyWords(policy: TablePolicy): string {
  return COLLECTED.has(policy) ? `collect ${policy}` : policy;
}

export function table(comments: Comments, one: TableDecl, params: Doc, typeWords: (type: TypeRef) => string): Doc {
  const { end } = one.span;
  if (one.from !== null) {
    const parameters = one.from.hasParams ? (noParams(one.params) ? "()" : params) : "";
    return [`table ${one.name.name}`, parameters, ` from ${expressionText(one.from.path)} ${policyWords(one.policy)}`];
  }
  const lines = alignedLines(one, typeWords);
  const header: Doc = [`table ${one.name.name}`, noParams(one.params) ? "()" : params, ` ${policyWords(one.policy)} `];
  return block(comments, header, one.hit.span.end, end, () =>
    rowsOf(comments, [one.head, ...one.rows], end, (_, index) => lines[index] ?? ""),
  );
}

function noParams(params: readonly FieldDecl[]): boolean {
  return params.length === 0;
}

/** Returns the head and the rows, each column as wide as its widest cell. */
function alignedLines(one: TableDecl, typeWords: (type: TypeRef) => string): string[] {
  const rows = tableTexts(one, typeWords);
  const inputWidths = widths(rows.map(({ inputs }) => inputs));
  const outputWidths = widths(rows.map(({ outputs }) => outputs));
  return rows.map(({ inputs, outputs }) => `| ${padded(inputs, inputWidths)} || ${padded(outputs, outputWidths)} |`);
}

/** The cells of a line as they are written. */
export interface LineTexts {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Returns the head and the rows as they are written. */
export function tableTexts(one: TableDecl, typeWords: (type: TypeRef) => string): readonly LineTexts[] {
  return [
    { inputs: one.inputs.map(expressionText), outputs: one.outputs.map((output) => outputWords(output, typeWords)) },
    ...one.rows.map(({ cells, outputs }) => ({ inputs: cells.map(cellText), outputs: outputs.map(expressionText) })),
  ];
}

function outputWords({ name, type }: TableOutput, typeWords: (type: TypeRef) => string): string {
  const words = type.kind === "union" ? `(${typeWords(type)})` : typeWords(type);
  return name === null ? words : `${name.name}: ${words}`;
}

function widths(rows: readonly (readonly string[])[]): number[] {
  const found: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) found[column] = Math.max(found[column] ?? 0, widthOf(text));
  }
  return found;
}

function padded(texts: readonly string[], columns: readonly number[]): string {
  return texts.map((text, column) => text + " ".repeat((columns[column] ?? 0) - widthOf(text))).join(" | ");
}

function widthOf(text: string): number {
  return [...text].length;
}

/** Returns a cell as it is written. */
export function cellText({ tests }: TableCell): string {
  return tests.length === 0 ? "-" : tests.map(unaryText).join(", ");
}

/** Returns a unary test as it is written: `"gold"`, `>= 1000`, `[500..1000)`. */
function unaryText({ op, right, negated }: UnaryTest): string {
  const comments = new Comments([], "");
  const words = right.kind === "range" ? searched(comments, right) : expression(comments, right, LEVEL.sum);
  const text = render(group(words), Number.MAX_SAFE_INTEGER);
  const operator = op === "==" || right.kind === "range" ? "" : `${op} `;
  return `${negated ? "not " : ""}${operator}${text}`;
}
