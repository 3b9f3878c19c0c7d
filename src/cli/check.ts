/** `sluice check`: reports every error and warning of a program, and runs nothing. */
import { checkFiles } from "../index.ts";
import { auditsOutside } from "./audits.ts";
import { EXIT, type Io } from "./io.ts";
import { type Counts, plural, showDiagnostics, Texts } from "./report.ts";
import { exitOf, readImport, readSources, remembering } from "./sources.ts";
import { readArguments } from "./arguments.ts";

export const CHECK_HELP = `Usage: sluice check FILES [options]

Reports all errors and warnings in one pass. Runs nothing.

FILES are .tsd files or folders (every .tsd file below them); - reads standard
input. Several files form one program.

Options:
  --strict     treat warnings as errors
  --root DIR   also allow imports from DIR (repeatable)
  --json       print one JSON object per line

Exit codes:
  0  no errors
  1  errors
  2  wrong usage, or a file cannot be read

Example:
  sluice check examples/hello/rules.tsd
`;

export function checkCommand(io: Io, args: readonly string[]): number {
  const { files: paths, flags } = readArguments(args, ["strict", "json"]);
  const json = flags.has("json");
  const sources = readSources(io, paths);
  const { files, unreadable } = sources;
  const texts = new Texts().add(files);
  const checked = checkFiles(files, { read: remembering(texts, readImport(io, sources)), paramTexts: io.params });
  const diagnostics = [...unreadable, ...auditsOutside(io, checked), ...checked.diagnostics];
  const counts = showDiagnostics(io, diagnostics, texts, json);
  const statements = checked.files.reduce((sum, file) => sum + file.declarations.length, 0);
  summarise(io, { files: checked.files.length, statements, ...counts }, json);
  if (counts.errors > 0) return exitOf(diagnostics);
  return flags.has("strict") && counts.warnings > 0 ? EXIT.fault : EXIT.fine;
}

function summarise(io: Io, totals: Counts & { files: number; statements: number }, json: boolean): void {
  if (json) {
    io.out(`${JSON.stringify({ event: "summary", ...totals })}\n`);
    return;
  }
  const read = `${plural(totals.files, "file")}, ${plural(totals.statements, "statement")}`;
  const found =
    totals.errors + totals.warnings === 0
      ? "no errors"
      : `${plural(totals.errors, "error")}, ${plural(totals.warnings, "warning")}`;
  io.out(`${read}: ${found}\n`);
}
