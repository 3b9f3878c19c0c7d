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
import { CellReport, type FileReport } from "./file-report.ts";
import { RESERVED } from "./lexemes.ts";
import { parsePart } from "./parse.ts";
import { plainCell, plainOutput } from "./plain-cell.ts";
import type { Parts } from "./recogniser.ts";
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
  readonly #limits: Limits;

  constructor(report: FileReport, limits: Limits) {
    this.#report = report;
    this.#limits = limits;
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
      if (hasParams) inputs.push(...this.#parsed("expr", cell));
      for (const param of hasParams ? [] : this.#parsed("param", cell)) {
        params.push(param);
        const { span } = param.name;
        inputs.push({ kind: "path", root: { name: param.name.name, span }, fields: [], span });
      }
    }
    const outputs = cells.slice(first).flatMap((cell) => {
      const bars = /^\s*\|\|/u.exec(cell.text)?.[0].length ?? 0;
      return this.#parsed("table_output", cell, bars);
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
      cells: cells.slice(0, inputs).flatMap((cell) => this.#cell(cell)),
      outputs: cells.slice(inputs, inputs + outputs).flatMap((cell) => this.#output(cell)),
      span,
    };
  }

  #cell(cell: CsvCell): readonly ast.TableCell[] {
    const plain = plainCell(cell.text, this.#limits.text);
    if (plain !== undefined) return [this.#placed(plain, cell)];
    const words = this.#words(cell);
    if (words === undefined) return this.#parsed("table_cell", cell);
    const test = { kind: "unary", op: "==", right: words, negated: false, span: words.span } as const;
    return [{ tests: [test], span: words.span }];
  }

  #output(cell: CsvCell): readonly ast.Expr[] {
    const plain = plainOutput(cell.text, this.#limits.text) ?? this.#words(cell);
    return plain === undefined ? this.#parsed("expr", cell) : [this.#placed(plain, cell)];
  }

  /** Returns several words, which are a string, as the name that the checker makes a string of; undefined for anything else. */
  #words({ text }: CsvCell): ast.PathExpr | undefined {
    const name = text.trim();
    if (!WORDS.test(name) || name.split(" ").some((word) => RESERVED.has(word.toLowerCase()))) return undefined;
    const start = text.indexOf(name);
    const span = { start, end: start + name.length };
    return { kind: "path", root: { name, span }, fields: [], span };
  }

  /** Returns what a cell holds after its first `from` characters; nothing when it has an error. */
  #parsed<Name extends keyof Parts>(name: Name, cell: CsvCell, from = 0): readonly Parts[Name][] {
    if (cell.text.slice(from).trim() === "") {
      const hint = name === "table_cell" ? 'write "-" for any value' : undefined;
      this.#report.error("E101", spanOf(cell), "this cell is empty", hint);
      return [];
    }
    const inside = new CellReport(this.#report, cell, from);
    const tree = parsePart(name, inside, this.#limits);
    return tree === undefined ? [] : [this.#placed(tree, cell)];
  }

  /** Returns a tree with its places in the file. */
  #placed<Tree>(tree: Tree, cell: CsvCell): Tree {
    const report = new CellReport(this.#report, cell);
    return moved(tree, (span) => report.inFile(span)) as Tree;
  }
}

/** Several words, such as `New York`. */
const WORDS = /^\p{L}[\p{L}\p{M}\p{N}_-]*(?: [\p{L}\p{M}\p{N}_-]+)+$/u;

function moved(node: unknown, place: (span: Span) => Span): unknown {
  if (Array.isArray(node)) return node.map((item) => moved(item, place));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, child]: [string, unknown]) =>
    key === "span" ? [key, place(child as Span)] : [key, moved(child, place)],
  );
  return Object.fromEntries(entries);
}

function spanOf({ start, end }: CsvCell): Span {
  return { start, end };
}

function placeOf(cells: readonly CsvCell[]): Span {
  return { start: cells[0]?.start ?? 0, end: cells.at(-1)?.end ?? 0 };
}
