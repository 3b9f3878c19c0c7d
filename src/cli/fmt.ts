/** `sluice fmt`: one layout for all, comments kept. */
import { type Diagnostic, formatFiles } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeFile } from "./output.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { exitOf, readSources } from "./sources.ts";
import { readArguments, UsageError } from "./arguments.ts";

export const FMT_HELP = `sluice fmt FILES [--check | --write] [--migrate] [--json]

Prints the files in the canonical layout, comments kept. A file that cannot be read as rules is left as it is.

  --check     print nothing but the names of files that would change; exit 1 if there are any
  --write     write the files that change
  --migrate   also rewrite older spellings; rules without a name are numbered over all files named
  --json      one JSON object per line on standard output

Exit: 0 fine, 1 a file has syntax errors or (with --check) would change, 2 wrong usage or a file that cannot be read.

Example:  sluice fmt --check examples/
`;

interface Formatted {
  readonly file: string;
  readonly text: string;
  readonly changed: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function fmtCommand(io: Io, args: readonly string[]): number {
  const { files: paths, flags } = readArguments(args, ["check", "write", "migrate", "json"]);
  if (flags.has("check") && flags.has("write")) throw new UsageError("--check and --write exclude each other");
  if (flags.has("write") && paths.includes("-")) {
    throw new UsageError("standard input cannot be written; without --write the result goes to standard output");
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
  const said = [...unreadable, ...formatted.flatMap((one) => one.diagnostics)];
  const { errors } = showDiagnostics(io, said, texts, json);
  for (const one of formatted) show(io, one, flags, json);
  if (unreadable.length > 0) return exitOf(unreadable);
  const wouldChange = formatted.filter((one) => one.changed).length;
  if (flags.has("check") && !json) io.out(`${plural(formatted.length, "file")}, ${wouldChange} would change\n`);
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
    io.out(one.text); // bytes that are no text would not come out as they went in
  }
}
