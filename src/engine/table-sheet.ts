/** Decision tables as sheets of text, and back: what spreadsheets edit. */
import { csvText, readCsv } from "../base/csv.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { checkFiles } from "../engine.ts";
import type * as ast from "../language/ast.ts";
import { CellWriter } from "../language/cell-writer.ts";
import { columnWords } from "../language/cell-reader.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { ANY, isText } from "../language/check/types.ts";
import { readingLike, type SourceFile } from "../language/load.ts";
import { resolvePath } from "../language/path.ts";
import { printFile } from "../language/print.ts";
import { tableLines } from "../language/print-declaration.ts";
import { SheetPlaces } from "./sheet-places.ts";
import { parse, type CheckOptions } from "./source.ts";

/** The rows of a sheet, each a list of cells. The first row names the columns. */
export type TableSheet = readonly (readonly string[])[];

/** Returns the names of the decision tables of a program, in program order. */
export function tableNames(program: CheckedProgram): string[] {
  return [...program.symbols.tables.names()];
}

/**
 * Returns a decision table as a sheet: its columns and rows as they are written, the first output after `||`. Undefined when there is no
 * such table, or when it has errors.
 */
export function tableSheet(program: CheckedProgram, name: string): TableSheet | undefined {
  const table = [...program.tables.declared.values()].find(({ decl }) => decl.name.name === name);
  if (table === undefined) return undefined;
  const { decl } = table;
  const [head = { inputs: [], outputs: [] }, ...lines] = tableLines(decl);
  const constants = new Set([...program.symbols.constants.names()].map((one) => one.slice(one.lastIndexOf(".") + 1)));
  const params = new Set(decl.params.map((param) => param.name.name));
  const cells = new CellWriter((word) => word === "null" || constants.has(word));
  const results = new CellWriter((word) => word === "null" || constants.has(word) || params.has(word));
  const rows = lines.map(({ inputs, outputs }, row) => [
    ...inputs.map((text, column) => {
      const cell = decl.rows[row]?.cells[column];
      return cell !== undefined && isText(table.inputs[column] ?? ANY) ? cells.cell(cell) : text;
    }),
    ...outputs.map((text, column) => {
      const output = decl.rows[row]?.outputs[column];
      return output !== undefined && isText(table.outputs[column]?.type ?? ANY) ? results.output(output) : text;
    }),
  ]);
  const [first = "", ...others] = head.outputs.map(columnWords);
  const inputs = decl.from?.hasParams === false ? head.inputs.map(columnWords) : head.inputs;
  return [[...inputs, `|| ${first}`, ...others], ...rows];
}

/** A sheet to read into a program. */
export interface SheetFile {
  /** The name that errors show, such as `discount.csv`. */
  readonly file: string;
  /** The sheet as CSV. */
  readonly csv: string;
  /** The name of the sheet in a workbook. Errors then name it, and their lines and columns are those of its cells. */
  readonly sheet?: string;
}

/** What became of a program with the rows of a sheet. */
export interface SheetImport {
  /** The file that changes: that of the statement, or the CSV file that it takes its rows from. */
  readonly changed: string;
  /** What is new in it: the statement with other columns and rows, or the rows as CSV. Undefined when the sheet has errors. */
  readonly table: string | undefined;
  /** The text of this file with the new in its place; undefined when the sheet has errors. */
  readonly text: string | undefined;
  /** The comments inside the old table, which are not in the new one. */
  readonly lostComments: number;
  /** The errors of the sheet and of the program with it. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Replaces the columns and rows of a decision table by those of a sheet: in the program, or in the CSV file of the table. Its name,
 * parameters and hit policy stay. Returns undefined when the source text has no such table.
 *
 * @param files - The files of the program; the first is the one with the table.
 */
export function importSheet(
  files: readonly SourceFile[],
  name: string,
  sheet: SheetFile,
  options: CheckOptions = {},
): SheetImport | undefined {
  const [main, ...others] = files;
  if (main === undefined) return undefined;
  const { declarations, comments, source } = parse(main.source, { file: main.file });
  const old = declarations.find((decl): decl is ast.TableDecl => decl.kind === "table" && decl.name.name === name);
  if (old === undefined) return undefined;
  if (old.from !== null) return intoFile(files, resolvePath(main.file, old.from.path.value), sheet, options);
  const place = `/${sheet.file}.csv`;
  const from = { path: { kind: "text", value: place, span: old.span }, hasParams: true, file: undefined } as const;
  const statement = printFile({ declarations: [{ ...old, from }], comments: [] }).trimEnd();
  const { start, end } = old.span;
  const { text } = source;
  // As many lines as before, so that errors elsewhere keep their places.
  const lines = text.slice(start, end).split("\n").length - 1;
  const changed = text.slice(0, start) + statement + "\n".repeat(lines) + text.slice(end);
  const read = readingLike(options.read, (file) => (file === place ? sheet.csv : options.read?.(file)));
  const program = checkFiles([{ file: main.file, source: changed }, ...others], { ...options, read });
  const diagnostics = errorsOf(program, (file) => file === place, sheet);
  const lostComments = comments.filter(({ span }) => span.start > start && span.end < end).length;
  const done = { changed: main.file, lostComments, diagnostics };
  const found = [...program.tables.declared.values()].find(({ decl }) => decl.name.name === name);
  if (diagnostics.length > 0 || found === undefined) return { ...done, table: undefined, text: undefined };
  const table = printFile({ declarations: [{ ...found.decl, from: null }], comments: [] }).trimEnd();
  return { ...done, table, text: text.slice(0, start) + table + text.slice(end) };
}

/** Replaces the rows in the CSV file of a table. A file that the program may not read is not replaced either. */
function intoFile(files: readonly SourceFile[], place: string, sheet: SheetFile, options: CheckOptions): SheetImport {
  const identityOf = (file: string): string => options.read?.identity?.(file) ?? file;
  const isPlace = (file: string): boolean => identityOf(file) === identityOf(place);
  const read = readingLike(options.read, (file) => {
    const before = options.read?.(file);
    const isRead = typeof before === "string" || before instanceof Uint8Array;
    return isRead && isPlace(file) ? sheet.csv : before;
  });
  const diagnostics = errorsOf(checkFiles(files, { ...options, read }), isPlace, sheet);
  const rows = readCsv(sheet.csv).rows.map(({ cells }) => cells.map(({ text }) => text));
  const text = diagnostics.length > 0 ? undefined : csvText(rows);
  return { changed: place, table: text, text, lostComments: 0, diagnostics };
}

/** Returns the errors of a program; those in the file that stands for the sheet are at places of the sheet. */
function errorsOf(
  { diagnostics }: CheckedProgram,
  isPlace: (file: string) => boolean,
  sheet: SheetFile,
): readonly Diagnostic[] {
  const cells = sheet.sheet === undefined ? undefined : new SheetPlaces(sheet.csv, sheet.sheet);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((one) => {
      if (!isPlace(one.file)) return one;
      const inFile = { ...one, file: sheet.file };
      return cells === undefined ? inFile : cells.placed(inFile);
    });
}

/** Returns a sheet as CSV (RFC 4180). */
export function sheetCsv(sheet: TableSheet): string {
  return csvText(sheet);
}
