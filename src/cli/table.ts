/** `sluice table`: decision tables as CSV files for spreadsheets, and back. */
import { basename } from "node:path";
import { checkFiles, importSheet, sheetCsv, tableNames, tableSheet } from "../tools.ts";
import { DEFAULT_LIMITS } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeFile } from "./output.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { cannotRead, exitOf, readImport, readSources, remembering } from "./sources.ts";
import { type Arguments, readArguments, single, unknownName, UsageError } from "./arguments.ts";

export const TABLE_HELP = `Usage: sluice table export FILES NAME [-o FILE] [options]
       sluice table import SHEET FILES [--table NAME] [--write] [options]

Writes a decision table as CSV for a spreadsheet, and reads it back.
Exporting and importing gives the same table.

export prints the table NAME as CSV: the first row names the columns, the first
output after "||", and cells are written as in the rules.

import replaces the columns and rows of a table by those of the file SHEET. Its
name, parameters and hit policy stay. The table has the name of the file unless
--table names it; it must be in the first of FILES. All errors of the file are
reported at once, each with its cell.

Options:
  -o, --output FILE  export: write to FILE; the default is standard output
  --table NAME       import: the table to replace
  --write            import: rewrite the rule file; the default is to print the
                     new table
  --root DIR         also allow imports from DIR (repeatable)
  --json             print one JSON object per line

Exit codes:
  0  success
  1  errors in the rules or in the file
  2  wrong usage, or a file cannot be read or written

Examples:
  sluice table export examples/insurance-quote/rules.tsd base
  sluice table export rules.tsd discount -o discount.csv
  sluice table import discount.csv rules.tsd --write
`;

export function tableCommand(io: Io, args: readonly string[]): number {
  const [task, ...rest] = args;
  if (task !== "export" && task !== "import")
    throw new UsageError("write: sluice table export, or sluice table import");
  if (task === "export") return exportTable(io, readArguments(rest, ["json"], ["output"], { o: "output" }));
  return importTable(io, readArguments(rest, ["json", "write"], ["table"]));
}

function exportTable(io: Io, parsed: Arguments): number {
  const name = parsed.files.at(-1);
  const paths = parsed.files.slice(0, -1);
  if (name === undefined || paths.length === 0)
    throw new UsageError("name the rules and a table: sluice table export rules.tsd discount");
  const output = single(parsed, "output");
  if (output !== undefined && output !== "-" && !output.endsWith(".csv"))
    throw new UsageError(`-o: "${output}" must end in .csv`);
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
  const csv = sheetCsv(sheet);
  if (output !== undefined && output !== "-") writeFile(io, output, csv);
  else if (json) io.out(`${JSON.stringify({ event: "table", name, rows: sheet })}\n`);
  else io.out(csv.replaceAll("\r\n", "\n"));
  return EXIT.fine;
}

function importTable(io: Io, parsed: Arguments): number {
  const [file, ...paths] = parsed.files;
  if (file === undefined || paths.length === 0)
    throw new UsageError("name the file and the rules: sluice table import discount.csv rules.tsd");
  if (!file.endsWith(".csv")) throw new UsageError(`"${file}" must end in .csv`);
  const isWritten = parsed.flags.has("write");
  if (isWritten && paths.includes("-")) throw new UsageError("--write cannot write to standard input");
  const json = parsed.flags.has("json");
  const name = single(parsed, "table") ?? basename(file, ".csv");
  const sources = readSources(io, paths);
  const csv = textOf(io, file);
  const texts = new Texts().add(sources.files).add(typeof csv === "string" ? [{ file, source: csv }] : []);
  if (typeof csv !== "string" || sources.unreadable.length > 0) {
    const unread = [...sources.unreadable, ...(typeof csv === "string" ? [] : [csv])];
    showDiagnostics(io, unread, texts, json);
    return exitOf(unread);
  }
  const options = { read: remembering(texts, readImport(io, sources)), paramTexts: io.params };
  const done = importSheet(sources.files, name, { file, csv }, options);
  if (done === undefined) throw noTable(name, sources.files[0]?.file ?? "");
  showDiagnostics(io, done.diagnostics, texts, json);
  if (done.table === undefined || done.text === undefined) return exitOf(done.diagnostics);
  const [first] = sources.files;
  if (isWritten && first !== undefined) writeFile(io, first.file, done.text);
  const lost =
    isWritten && done.lostComments > 0 ? `; ${plural(done.lostComments, "comment")} inside the table removed` : "";
  if (json) io.out(`${JSON.stringify({ event: "table", name, written: isWritten, text: done.table })}\n`);
  else io.out(isWritten ? `${first?.file ?? ""}: table "${name}" replaced${lost}\n` : `${done.table}\n`);
  return EXIT.fine;
}

/** Returns the text of the file, or why it cannot be read. */
function textOf(io: Io, file: string): string | ReturnType<typeof cannotRead> {
  try {
    const bytes = io.read(file, DEFAULT_LIMITS.sourceBytes);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) return cannotRead(file, error);
    throw new UsageError(`"${file}" is not UTF-8; save it as UTF-8`);
  }
}

function noTable(name: string, file: string): UsageError {
  return new UsageError(`"${file}" has no table "${name}" with rows of its own; name another one with --table`);
}
