/** `sluice types`: TypeScript declarations for a program. */
import { declarations } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeOutput } from "./output.ts";
import { loadProgram } from "./program.ts";
import { Texts } from "./report.ts";
import { readArguments, single } from "./arguments.ts";

export const TYPES_HELP = `Usage: sluice types FILES [options]

Generates TypeScript declarations for the types, actions, queries and rules of a
program. With them, program.session<Rules>() rejects a misspelt field at compile
time, and action handlers have typed arguments.

Options:
  -o, --output FILE   write to FILE; the default is standard output
  --root DIR          also allow imports from DIR (repeatable)
  --json              print errors as one JSON object per line, and the
                      declarations as one object

Exit codes:
  0  success
  1  errors in the rules
  2  wrong usage, or a file cannot be read or written

Example:
  sluice types examples/hello/rules.tsd -o rules.d.ts

  import { compile } from "sluice";
  import type { Rules } from "./rules.d.ts";
  const session = compile(source).session<Rules>();
`;

export function typesCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["output"], { o: "output" });
  const json = parsed.flags.has("json");
  const output = single(parsed, "output");
  const { program, exit } = loadProgram(io, parsed.files, new Texts(), json);
  if (program === undefined) return exit;
  const text = declarations(program, { from: parsed.files.join(" ") });
  if (json && output === undefined) io.out(`${JSON.stringify({ event: "types", text })}\n`);
  else writeOutput(io, output, text);
  return EXIT.fine;
}
