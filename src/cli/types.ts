/** `sluice types`: TypeScript declarations for a program. */
import { declarations } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeOutput } from "./output.ts";
import { loadProgram } from "./program.ts";
import { Texts } from "./report.ts";
import { readArguments, single } from "./arguments.ts";

export const TYPES_HELP = `sluice types FILES [-o F]

Writes TypeScript declarations for the types, actions, queries and rules of a program. With them the compiler knows the
facts: program.session<Rules>() takes no misspelt field, and the handlers of actions have typed arguments.

  -o, --output F   write to a file instead of standard output
  --root DIR       let rules import files from this folder too; may be given again
  --json           errors as JSON, one object per line; the declarations as one object

Exit: 0 fine, 1 the rules are at fault, 2 wrong usage or a file that cannot be read or written.

Example:  sluice types examples/hello/rules.tsd -o rules.d.ts

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
