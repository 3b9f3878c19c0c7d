/** `sluice table`: decision tables as CSV and XLSX files for spreadsheets, and back. */
import { basename } from "node:path";
import { checkFiles, importSheet, sheetCsv, tableNames, tableSheet, type TableSheet } from "../tools.ts";
import { DEFAULT_LIMITS, type Diagnostic } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeFile } from "./output.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { cannotRead, exitOf, readImport, readSources, remembering } from "./sources.ts";
import { loadSpreadsheets, type SheetRead, xlsxBytes, xlsxSheet } from "./spreadsheet.ts";
import { type Arguments, readArguments, single, unknownName, UsageError } from "./arguments.ts";

export const TABLE_HELP = `Usage: sluice table export FILES NAME [-o FILE] [options]
       sluice table import SHEET FILES [--table NAME] [--write] [options]

Writes a decision table as CSV or XLSX for a spreadsheet, and reads it back.
Exporting and importing gives the same table.

export prints the table NAME as CSV: the first row names the columns, the first
output after "||", and cells are written as in the rules.

import replaces the columns and rows of a table by those of the file SHEET. Its
name, parameters and hit policy stay. The table has the name of the file unless
--table names it; it must be in the first of FILES. All errors of the file are
reported at once, each with its cell. Where a table takes its rows from a CSV
file, that file changes and not the rules.

Files that end in .xlsx need one more package: npm install @sluice/tables

Options:
  -o, --output FILE  export: write to FILE, which ends in .csv or .xlsx; the
                     default is standard output
  --table NAME       import: the table to replace
  --sheet NAME       import: the sheet of an .xlsx file; the default is the one
                     with the name of the table, or the only one
  --write            import: rewrite the file with the rows; the default is to
                     print the new table
  --root DIR         also allow imports from DIR (repeatable)
  --json             print one JSON object per line

Exit codes:
  0  success
  1  errors in the rules or in the file
  2  wrong usage, or a file cannot be read or written

Examples:
  sluice table export examples/insurance-quote/rules.tsd base
  sluice table export rules.tsd discount -o discount.csv
  sluice table export rules.tsd discount -o discount.xlsx
  sluice table import discount.csv rules.tsd --write
  sluice table import discount.xlsx rules.tsd --write
`;

export function tableCommand(io: Io, args: readonly string[]): number | Promise<number> {
  const [task, ...rest] = args;
  if (task !== "export" && task !== "import")
    throw new UsageError("write: sluice table export, or sluice table import");
  if (task === "export") return exportTable(io, readArguments(rest, ["json"], ["output"], { o: "output" }));
  return importTable(io, readArguments(rest, ["json", "write"], ["table", "sheet"]));
}

/** What a file is, by its name. */
function formatOf(file: string): "csv" | "xlsx" | undefined {
  if (file.endsWith(".csv")) return "csv";
  return file.endsWith(".xlsx") ? "xlsx" : undefined;
}

// ---------------------------------------------------------------- export

function exportTable(io: Io, parsed: Arguments): number | Promise<number> {
  const name = parsed.files.at(-1);
  const paths = parsed.files.slice(0, -1);
  if (name === undefined || paths.length === 0)
    throw new UsageError("name the rules and a table: sluice table export rules.tsd discount");
  const output = single(parsed, "output");
  const file = output === "-" ? undefined : output;
  const format = file === undefined ? "csv" : formatOf(file);
  if (format === undefined) throw new UsageError(`-o: "${file}" must end in .csv or .xlsx`);
  const json = parsed.flags.has("json");
  const sources = readSources(io, paths);
  const texts = new Texts().add(sources.files);
  const options = { read: remembering(texts, readImport(io, sources)), paramTexts: io.params };
  const program = checkFiles(sources.files, options);
  const errors = program.diagnostics.filter(({ severity }) => severity === "error");
  const diagnostics = [...sources.unreadable, ...errors];
  showDiagnostics(io, diagnostics, texts, json);
  if (diagnostics.length > 0) return exitOf(diagnostics);
  const sheet = tableSheet(program, name);
  if (sheet === undefined) throw unknownName("table", name, tableNames(program));
  if (file !== undefined && format === "xlsx") return exportXlsx(io, file, name, sheet);
  const csv = sheetCsv(sheet);
  if (file !== undefined) writeFile(io, file, csv);
  else if (json) io.out(`${JSON.stringify({ event: "table", name, rows: sheet })}\n`);
  else io.out(csv.replaceAll("\r\n", "\n"));
  return EXIT.fine;
}

async function exportXlsx(io: Io, file: string, name: string, sheet: TableSheet): Promise<number> {
  writeFile(io, file, xlsxBytes(await loadSpreadsheets(io), file, name, sheet));
  return EXIT.fine;
}

// ---------------------------------------------------------------- import

function importTable(io: Io, parsed: Arguments): number | Promise<number> {
  const [file, ...paths] = parsed.files;
  if (file === undefined || paths.length === 0)
    throw new UsageError("name the file and the rules: sluice table import discount.csv rules.tsd");
  const format = formatOf(file);
  if (format === undefined) throw new UsageError(`"${file}" must end in .csv or .xlsx`);
  if (parsed.flags.has("write") && paths.includes("-")) throw new UsageError("--write cannot write to standard input");
  const asked = single(parsed, "sheet");
  if (asked !== undefined && format === "csv") throw new UsageError(`--sheet: "${file}" has no sheets; leave it out`);
  const name = single(parsed, "table") ?? basename(file, `.${format}`);
  const wanted = { file, paths, name };
  if (format === "csv") return importRead(io, parsed, wanted, (bytes) => csvSheet(file, bytes));
  return loadSpreadsheets(io).then((spreadsheets) =>
    importRead(io, parsed, wanted, (bytes) => xlsxSheet(spreadsheets, file, bytes, name, asked)),
  );
}

interface Wanted {
  readonly file: string;
  readonly paths: readonly string[];
  readonly name: string;
}

function importRead(
  io: Io,
  parsed: Arguments,
  { file, paths, name }: Wanted,
  sheetIn: (bytes: Uint8Array) => SheetRead,
): number {
  const json = parsed.flags.has("json");
  const sources = readSources(io, paths);
  const bytes = bytesOf(io, file);
  const texts = new Texts().add(sources.files);
  if (!(bytes instanceof Uint8Array) || sources.unreadable.length > 0) {
    const unread = [...sources.unreadable, ...(bytes instanceof Uint8Array ? [] : [bytes])];
    showDiagnostics(io, unread, texts, json);
    return exitOf(unread);
  }
  const { faults, ...sheet } = sheetIn(bytes);
  if (sheet.sheet === undefined) texts.add([{ file, source: sheet.csv }]);
  const options = { read: remembering(texts, readImport(io, sources)), paramTexts: io.params };
  const done = importSheet(sources.files, name, { file, ...sheet }, options);
  if (done === undefined)
    throw new UsageError(`"${sources.files[0]?.file ?? ""}" has no table "${name}"; name another one with --table`);
  const errors = withFaults(done.diagnostics, faults);
  showDiagnostics(io, errors, texts, json);
  const { changed, table, text, lostComments } = done;
  if (errors.length > 0 || table === undefined || text === undefined) return exitOf(errors);
  const isWritten = parsed.flags.has("write");
  if (isWritten) writeFile(io, changed, text);
  const lost = lostComments > 0 ? `; ${plural(lostComments, "comment")} inside the table removed` : "";
  const isInRules = changed === sources.files[0]?.file;
  if (json) io.out(`${JSON.stringify({ event: "table", name, file: changed, written: isWritten, text: table })}\n`);
  else if (isWritten) io.out(`${changed}: ${isInRules ? "" : "rows of "}table "${name}" replaced${lost}\n`);
  else io.out(isInRules ? `${table}\n` : table.replaceAll("\r\n", "\n"));
  return EXIT.fine;
}

/** Returns errors in order; of those in a cell without a text only that it has none. */
function withFaults(diagnostics: readonly Diagnostic[], faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const [first] = faults;
  if (first === undefined) return diagnostics;
  const placeOf = ({ line, column }: Diagnostic): string => `${line}:${column}`;
  const faulty = new Set(faults.map(placeOf));
  const inSheet = diagnostics.filter((one) => one.file === first.file && !faulty.has(placeOf(one)));
  const elsewhere = diagnostics.filter(({ file }) => file !== first.file);
  return [...[...inSheet, ...faults].sort((a, b) => a.line - b.line || a.column - b.column), ...elsewhere];
}

/** Returns the bytes of the file, or why it cannot be read. */
function bytesOf(io: Io, file: string): Uint8Array | Diagnostic {
  try {
    return io.read(file, DEFAULT_LIMITS.sourceBytes);
  } catch (error) {
    return cannotRead(file, error);
  }
}

function csvSheet(file: string, bytes: Uint8Array): SheetRead {
  try {
    return { csv: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), faults: [] };
  } catch {
    throw new UsageError(`"${file}" is not UTF-8; save it as UTF-8`);
  }
}
