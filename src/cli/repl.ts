/** `sluice repl`: facts and rules by hand, one line at a time. */
import { compileFiles, type Program } from "../index.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { Texts } from "./report.ts";
import { Conversation } from "./repl/conversation.ts";
import { readArguments } from "./arguments.ts";

export const REPL_HELP = `Usage: sluice repl [FILES] [options]

Opens a session and reads commands: assert, update, retract, run, step, facts,
agenda, matches, query, why, why not, gate, undo and more. "help" lists them.
Any other line is read as rule source: a fact is asserted, and a type, rule or
query is added to the program. The Tab key completes commands, types, fields,
rules and ids; the arrow keys recall earlier lines.

Commands can also come from a file or a pipe; the exit code is then 1 when one
of them fails.

Options:
  --facts FILE    load more facts (repeatable)
  --policy FILE   load facts that may also be of protected types (repeatable)
  --root DIR      also allow imports from DIR (repeatable)
  --functions FILE
                  a JavaScript module with the functions that the rules
                  declare (repeatable)

Example:
  sluice repl examples/hello/rules.tsd

  > Person(id: "p9", name: "Zoe", age: 44)
  > agenda
  > run
  > why not VIP_or_Adult p="Person p3"
`;

export async function replCommand(io: Io, args: readonly string[]): Promise<number> {
  const inputs = inputsOf(readArguments(args, [], FACTS_OPTIONS), false);
  const { rules } = inputs;
  const texts = new Texts();
  const loaded = rules.length === 0 ? { program: compileFiles([]) } : loadProgram(io, rules, texts, false);
  if (loaded.program === undefined) return loaded.exit;
  const opened = openSession(io, loaded.program, inputs, texts);
  if (typeof opened === "number") return opened;
  const conversation = new Conversation(io, opened);
  if (io.interactive) io.out(`${conversation.welcome()}\n`);
  await io.dialogue(conversation);
  conversation.end();
  return conversation.failed && !io.interactive ? EXIT.fault : EXIT.fine;
}

function openSession(io: Io, program: Program, files: Inputs, texts: Texts): ReturnType<Program["session"]> | number {
  const context = { io, program, texts, progress: new Progress(io, false), json: false };
  const opened = openWithFacts(context, {
    session: program.session({ facts: "none", functions: io.functions, missingFunctions: "unknown" }),
    programFacts: true,
    files,
  });
  return opened.exit ?? opened.session;
}
