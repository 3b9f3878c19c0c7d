/** Rows as a table: one line for each case, the ratio to the hand-written program at the end. */
import type { Benchmark, FigureKind, Row } from "./benchmark.ts";

export interface Table {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

export function tableOf({ figures, versus }: Pick<Benchmark, "figures" | "versus">, rows: readonly Row[]): Table {
  const shown = figures.filter(({ key }) => rows.some((row) => row.figures[key] !== undefined));
  const compared = versus !== undefined && rows.some(({ engine }) => engine === "hand");
  return {
    head: ["work", "size", "engine", ...shown.map(titleOf), ...(compared ? ["× hand"] : [])],
    lines: rows.map((row) => [
      row.work,
      row.size.toLocaleString("en"),
      row.engine,
      ...cells(row, shown),
      ...(compared ? [ratioText(row, rows, versus)] : []),
    ]),
  };
}

function titleOf({ title, unit }: FigureKind): string {
  return unit === "count" || unit === "x" ? title : `${title} ${unit}`;
}

/** A case without times says why in their place. */
function cells(row: Row, shown: readonly FigureKind[]): string[] {
  if (row.status === "ok") return shown.map(({ key, unit }) => figureText(row.figures[key], unit));
  const words = row.note === undefined ? row.status : `${row.status}: ${row.note}`;
  return shown.map((_, index) => (index === 0 ? words : ""));
}

export function figureText(value: number | undefined, unit: FigureKind["unit"]): string {
  if (value === undefined) return "";
  if (unit === "count") return Math.round(value).toLocaleString("en");
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** How many times the hand-written program's time. */
export function ratioOf(row: Row, rows: readonly Row[], key: string): number | undefined {
  const hand = rows.find(({ work, size, engine }) => work === row.work && size === row.size && engine === "hand");
  const limit = hand?.figures[key];
  const own = row.figures[key];
  return limit === undefined || own === undefined || row === hand ? undefined : own / limit;
}

function ratioText(row: Row, rows: readonly Row[], key: string): string {
  const ratio = ratioOf(row, rows, key);
  return ratio === undefined ? "" : figureText(ratio, "x");
}

/** For a terminal: words to the left, columns of numbers to the right. */
export function plainText({ head, lines }: Table): string {
  const all = [head, ...lines];
  const columns = head.map((_, column) => ({
    width: Math.max(...all.map((line) => widthOf(line, column))),
    numbers: lines.some((line) => /^[\d,.-]+$/u.test(line[column] ?? "")),
  }));
  const ruler = columns.map(({ width }) => "─".repeat(width));
  const text = (line: readonly string[]): string =>
    columns.map(({ width, numbers }, column) => padded(line[column] ?? "", width, numbers)).join("  ");
  return [head, ruler, ...lines].map((line) => `${text(line).trimEnd()}\n`).join("");
}

function padded(cell: string, width: number, numbers: boolean): string {
  return numbers && !isExcuse(cell) ? cell.padStart(width) : cell.padEnd(width);
}

/** Words in place of numbers may run over the columns behind them. */
function widthOf(line: readonly string[], column: number): number {
  const cell = line[column] ?? "";
  return isExcuse(cell) && line.slice(column + 1).every((next) => next === "") ? 0 : cell.length;
}

/** Why there is no number. */
function isExcuse(cell: string): boolean {
  return /^(?:wrong|failed|too long|cannot)/u.test(cell);
}

export function markdown({ head, lines }: Table): string {
  const rule = head.map((_, column) => (lines.every((line) => isFigure(line[column] ?? "")) ? "---:" : "---"));
  return [head, rule, ...lines].map((line) => `| ${line.join(" | ")} |\n`).join("");
}

function isFigure(cell: string): boolean {
  return cell === "" || isExcuse(cell) || /^[-0-9]/u.test(cell);
}
