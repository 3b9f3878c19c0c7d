/**
 * Reads the columns and rows of a table from a CSV file. Cells are written as in a program; a word that is no constant is a string.
 *
 * The first row names the columns: what each looks at, then the outputs, the first of them after `||`. Without parameters in the program
 * each input is a parameter, `country: string`.
 */
import { type CsvCell, type CsvFault, type CsvRow, readCsv } from "../base/csv.ts";
import type { Limits } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import type * as ast from "./ast.ts";
import { CellReader } from "./cell-reader.ts";
import type { FileReport } from "./file-report.ts";
import { screen } from "./screen.ts";

/** Returns the table with its columns and the rows without errors; as it is when the file cannot be read as a table. Errors are in the report. */
export function tableFromFile(decl: ast.TableDecl, report: FileReport, limits: Limits): ast.TableDecl {
  const { from } = decl;
  if (from === null || !screen(report, limits)) return decl;
  const { rows, faults } = readCsv(report.source.text);
  for (const { cells, line } of rows) for (const [at, cell] of cells.entries()) report.place(cell, line, at + 1);
  for (const fault of faults) reportFault(report, fault);
  const [head, ...others] = rows;
  if (head?.isFaulty === true) return decl;
  if (head === undefined) {
    report.error("E101", { start: 0, end: 0 }, "the file is empty", HEADER_HINT);
    return decl;
  }
  const reader = new FileReader(report, limits);
  const columns = reader.header(head, from.hasParams);
  if (columns === undefined) return decl;
  // Rows without an error are checked further, so that all errors are reported at once.
  const read = others.flatMap((row) => {
    if (row.isFaulty) return [];
    const before = report.diagnostics.length;
    const one = reader.row(row, columns.inputs.length, columns.outputs.length);
    return report.diagnostics.length > before ? [] : [one];
  });
  if (read.length === 0 && others.length > 0) return decl;
  return {
    ...decl,
    params: from.hasParams ? decl.params : columns.params,
    inputs: columns.inputs,
    outputs: columns.outputs,
    rows: read,
    from: { ...from, file: report.source.file },
  };
}

const HEADER_HINT = "the first row names the columns, such as: country: string,|| rate: number";

function reportFault(report: FileReport, { what, start, end }: CsvFault): void {
  const span = { start, end };
  if (what === "unclosed quote") report.error("E102", span, "this quote is not closed", 'close it with "');
  else if (what === "text after quote")
    report.error("E100", span, "unexpected text after a closing quote", 'write "" for a quote inside a quoted cell');
  else
    report.error(
      "E100",
      span,
      "unexpected quote in a cell",
      'quote the whole cell, and write "" for a quote inside it',
    );
}

interface Columns {
  readonly params: readonly ast.FieldDecl[];
  readonly inputs: readonly ast.Expr[];
  readonly outputs: readonly ast.TableOutput[];
}

class FileReader {
  readonly #report: FileReport;
  readonly #cells: CellReader;

  constructor(report: FileReport, limits: Limits) {
    this.#report = report;
    this.#cells = new CellReader(report, limits);
  }

  /** Returns the columns that the first row names; undefined when it has an error. */
  header({ cells }: CsvRow, hasParams: boolean): Columns | undefined {
    const before = this.#report.diagnostics.length;
    const first = cells.findIndex(({ text }) => text.trimStart().startsWith("||"));
    if (first < 0) {
      const hint =
        cells.length === 1 && cells[0]?.text.includes(";") === true ? "separate cells with commas" : HEADER_HINT;
      this.#report.error(
        "E100",
        placeOf(cells),
        'no cell of the first row begins with "||": the first output does',
        hint,
      );
      return undefined;
    }
    if (first === 0) this.#report.error("E100", placeOf(cells), 'there is no column before "||"', HEADER_HINT);
    const params: ast.FieldDecl[] = [];
    const inputs: ast.Expr[] = [];
    for (const cell of cells.slice(0, first)) {
      if (hasParams) inputs.push(...this.#cells.parsed("expr", cell));
      for (const param of hasParams ? [] : this.#cells.column("param", cell)) {
        params.push(param);
        const { span } = param.name;
        inputs.push({ kind: "path", root: { name: param.name.name, span }, fields: [], span });
      }
    }
    const outputs = cells.slice(first).flatMap((cell) => {
      const bars = /^\s*\|\|/u.exec(cell.text)?.[0].length ?? 0;
      return this.#cells.column("table_output", cell, bars);
    });
    return this.#report.diagnostics.length > before ? undefined : { params, inputs, outputs };
  }

  /** Returns a row; cells with an error are left out. */
  row({ cells }: CsvRow, inputs: number, outputs: number): ast.TableRowDecl {
    if (cells.length !== inputs + outputs) {
      const message = `this row has ${cells.length} cells; the first row has ${inputs + outputs}`;
      const hint = cells.length > inputs + outputs ? "quote a cell that contains a comma" : 'write "-" for any value';
      this.#report.error("E209", placeOf(cells), message, hint);
    }
    const span = placeOf(cells);
    return {
      cells: cells.slice(0, inputs).flatMap((cell) => this.#cells.cell(cell)),
      outputs: cells.slice(inputs, inputs + outputs).flatMap((cell) => this.#cells.output(cell)),
      span,
    };
  }
}

function placeOf(cells: readonly CsvCell[]): Span {
  return { start: cells[0]?.start ?? 0, end: cells.at(-1)?.end ?? 0 };
}
