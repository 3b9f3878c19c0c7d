/** `sluice check`: says everything there is to say about a program, and runs nothing. */
import { checkFiles } from "../index.ts";
import { auditsOutside } from "./audits.ts";
import { EXIT, type Io } from "./io.ts";
import { type Counts, plural, showDiagnostics, Texts } from "./report.ts";
import { exitOf, readImport, readSources, remembering } from "./sources.ts";
import { readArguments } from "./arguments.ts";

export const CHECK_HELP = `sluice check FILES [--strict] [--root DIR] [--json]

Reads rules and reports every mistake at once; nothing is run. Several files are one program, a folder stands
for all .tsd files below it, - for standard input.

  --strict    warnings count as errors
  --root DIR  let rules import files from this folder too; may be given again
  --json      one JSON object per line on standard output

Exit: 0 no errors, 1 errors, 2 wrong usage or a file that cannot be read.

Example:  sluice check examples/hello/rules.tsd
`;

export function checkCommand(io: Io, args: readonly string[]): number {
  const { files: paths, flags } = readArguments(args, ["strict", "json"]);
  const json = flags.has("json");
  const sources = readSources(io, paths);
  const { files, unreadable } = sources;
  const texts = new Texts().add(files);
  const checked = checkFiles(files, { read: remembering(texts, readImport(io, sources)) });
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
      ? "no mistakes found"
      : `${plural(totals.errors, "error")}, ${plural(totals.warnings, "warning")}`;
  io.out(`${read}: ${found}\n`);
}
