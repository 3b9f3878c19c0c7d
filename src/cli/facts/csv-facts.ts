/** Reads facts in CSV: the file has the name of the type, the first row names the fields, every other row is a fact. */
import type { FactChecker, SchemaType } from "../../index.ts";
import { plural } from "../report.ts";
import { type Cell, type Row, rowsOf } from "./csv-reader.ts";
import { type CellReading, valueOf } from "./csv-values.ts";
import type { FactSink, Part } from "./file-fact.ts";
import { duplicateField } from "./json-reader.ts";
import type { Line } from "./lines.ts";
import { type Range, within } from "./mistake.ts";

interface Column {
  readonly name: string;
  readonly type: SchemaType;
}

export function readCsvFacts(type: string, lines: Iterable<Line>, checker: FactChecker, sink: FactSink): void {
  const table = new Table(type, checker, sink);
  let empty = true;
  const report: FactSink["report"] = (...mistake) => {
    empty = false;
    sink.report(...mistake);
  };
  for (const row of rowsOf(lines, report)) {
    empty = false;
    table.add(row);
  }
  if (!empty) return;
  const hint = "start with a row of field names, even when there are no facts";
  sink.report({ code: "E101", message: "the file is empty", hint }, within(1, 1));
}

class Table {
  readonly #type: string;
  readonly #checker: FactChecker;
  readonly #sink: FactSink;
  #columns: readonly Column[] | undefined;
  /** Whether rows become facts: not when the header has an error, which is reported once. */
  #admitted = true;

  constructor(type: string, checker: FactChecker, sink: FactSink) {
    this.#type = type;
    this.#checker = checker;
    this.#sink = sink;
  }

  add(row: Row): void {
    if (this.#columns === undefined) this.#header(row.cells);
    else if (this.#admitted && !row.faulty) this.#fact(row.cells, this.#columns);
  }

  // ---------------------------------------------------------------- the first row

  #header(cells: readonly Cell[]): void {
    const at = whole(cells);
    this.#columns = cells.map((cell) => this.#column(cell.text.trim()));
    this.#admitted = this.#sink.admits(this.#type, at) && this.#refuseWrongNames(cells);
    if (this.#admitted) this.#refuseIncomplete(at);
  }

  #column(name: string): Column {
    return { name, type: this.#checker.fieldNamed(this.#type, name)?.type ?? { kind: "any" } };
  }

  #refuseWrongNames(cells: readonly Cell[]): boolean {
    const seen = new Set<string>();
    let right = true;
    for (const cell of cells) {
      const name = cell.text.trim();
      const problem = seen.has(name) ? duplicateField(name) : this.#checker.fieldProblem(this.#type, name, null);
      seen.add(name);
      if (problem === undefined) continue;
      this.#sink.report(problem, rangeOf(cell), this.#type);
      right = false;
    }
    return right;
  }

  #refuseIncomplete(at: Range): void {
    const names = new Set(this.#columns?.map((column) => column.name));
    const missing = this.#checker.requiredFields(this.#type).filter((name) => !names.has(name));
    if (missing.length === 0) return;
    const fields = missing.length === 1 ? "field" : "fields";
    const message = `the header has no column for the required ${fields} ${missing.map((name) => `"${name}"`).join(", ")}`;
    const hint = "add a column, or declare the field optional (?) or with a default";
    this.#sink.report({ code: "E402", message, hint }, at, this.#type);
    this.#admitted = false;
  }

  // ---------------------------------------------------------------- the others

  #fact(cells: readonly Cell[], columns: readonly Column[]): void {
    const [first] = cells;
    if (first === undefined || !this.#fits(cells, columns)) return;
    let faulty = false;
    const entries = columns.map(({ name, type }, index) => {
      const cell = cells[index] ?? first;
      const reading = this.#reading(cell, () => (faulty = true));
      return [name, valueOf(cell, type, reading)] as const;
    });
    const range = (part?: Part): Range => {
      const cell = cells[columns.findIndex((column) => column.name === part?.field)];
      return cell === undefined ? whole(cells) : rangeOf(cell);
    };
    const { line, column } = first;
    this.#sink.fact({ type: this.#type, fields: Object.fromEntries(entries), faulty, line, column, range });
  }

  #reading(cell: Cell, reported: () => void): CellReading {
    return {
      nesting: this.#sink.nesting,
      keyKind: (type) => this.#checker.keyKind(type),
      report: (complaint) => {
        reported();
        this.#sink.report(complaint, rangeOf(cell), this.#type);
      },
    };
  }

  #fits(cells: readonly Cell[], columns: readonly Column[]): boolean {
    if (cells.length === columns.length) return true;
    const extra = cells[columns.length];
    const message = `the row has ${plural(cells.length, "cell")}, the header has ${columns.length}`;
    const hint = extra === undefined ? "leave the cell of a missing value empty" : "quote a cell that contains a comma";
    const range = extra === undefined ? whole(cells) : rangeOf(extra);
    this.#sink.report({ code: extra === undefined ? "E402" : "E401", message, hint }, range, this.#type);
    return false;
  }
}

function rangeOf(cell: Cell): Range {
  return within(cell.line, cell.column, cell.width);
}

/** Returns the range of a row on its first line. */
function whole(cells: readonly Cell[]): Range {
  const [first] = cells;
  const last = cells.findLast((cell) => cell.line === first?.line);
  if (first === undefined || last === undefined) return within(1, 1);
  return within(first.line, first.column, last.column + last.width - first.column);
}
