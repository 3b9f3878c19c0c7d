/** `sluice fmt`: prints or writes rule files in the canonical layout. */
import { type Diagnostic, formatFiles } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeFile } from "./output.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { exitOf, readSources } from "./sources.ts";
import { readArguments, UsageError } from "./arguments.ts";

export const FMT_HELP = `Usage: sluice fmt FILES [--check | --write] [options]

Prints files in the canonical layout. Comments are kept. A file with syntax
errors is left as it is.

Options:
  --check     only list the files that would change; exit 1 if there are any
  --write     rewrite the files that change
  --migrate   also replace older spellings; rules without a name are numbered
              across all given files
  --json      print one JSON object per line

Exit codes:
  0  success
  1  a file has syntax errors, or (with --check) would change
  2  wrong usage, or a file cannot be read

Example:
  sluice fmt --check examples/
`;

interface Formatted {
  readonly file: string;
  readonly text: string;
  readonly changed: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function fmtCommand(io: Io, args: readonly string[]): number {
  const { files: paths, flags } = readArguments(args, ["check", "write", "migrate", "json"]);
  if (flags.has("check") && flags.has("write")) throw new UsageError("use --check or --write, not both");
  if (flags.has("write") && paths.includes("-")) {
    throw new UsageError("--write cannot write to standard input; without --write the result goes to standard output");
  }
  const json = flags.has("json");
  const { files, unreadable } = readSources(io, paths);
  const migrate = flags.has("migrate");
  const texts = new Texts().add(files);
  const results = formatFiles(files, { migrate });
  const formatted = files.flatMap(({ file }, index): Formatted[] => {
    const result = results[index];
    return result === undefined ? [] : [{ file, ...result, changed: result.text !== texts.of(file) }];
  });
  const diagnostics = [...unreadable, ...formatted.flatMap((one) => one.diagnostics)];
  const { errors } = showDiagnostics(io, diagnostics, texts, json);
  for (const one of formatted) show(io, one, flags, json);
  if (unreadable.length > 0) return exitOf(unreadable);
  const wouldChange = formatted.filter((one) => one.changed).length;
  if (flags.has("check") && !json) io.out(`${plural(formatted.length, "file")}, ${wouldChange} to change\n`);
  return errors > 0 || (flags.has("check") && wouldChange > 0) ? EXIT.fault : EXIT.fine;
}

function show(io: Io, one: Formatted, flags: ReadonlySet<string>, json: boolean): void {
  const broken = one.diagnostics.some((diagnostic) => diagnostic.severity === "error");
  if (flags.has("write") && one.changed && !broken) writeFile(io, one.file, one.text);
  if (json) {
    const text = flags.has("check") || flags.has("write") ? {} : { text: one.text };
    io.out(`${JSON.stringify({ event: "format", file: one.file, changed: one.changed, ...text })}\n`);
  } else if (flags.has("check") || flags.has("write")) {
    if (one.changed) io.out(`${one.file}\n`);
  } else if (one.diagnostics.every(({ code }) => code !== "E104")) {
    io.out(one.text); // bytes that are not UTF-8 would not come out as they went in
  }
}
