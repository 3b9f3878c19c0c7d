/** The command line: finds the command and turns wrong usage into words. */
import { SessionError } from "../index.ts";
import { BENCH_HELP, benchCommand } from "./bench.ts";
import { CHECK_HELP, checkCommand } from "./check.ts";
import { FMT_HELP, fmtCommand } from "./fmt.ts";
import { DECIDE_HELP, decideCommand } from "./decide.ts";
import { GRAPH_HELP, graphCommand } from "./graph.ts";
import { withSafeOutput } from "./safe-output.ts";
import { EXIT, type Io } from "./io.ts";
import { PACK_HELP, packCommand } from "./pack.ts";
import { PROVE_HELP, proveCommand } from "./prove.ts";
import { REPL_HELP, replCommand } from "./repl.ts";
import { RUN_HELP, runCommand } from "./run.ts";
import { oneLine } from "./visible.ts";
import { TEST_HELP, testCommand } from "./test.ts";
import { TYPES_HELP, typesCommand } from "./types.ts";
import { splitRoots, UsageError } from "./arguments.ts";
import { WHY_HELP, whyCommand } from "./why.ts";
import { WATCH_HELP, watchCommand } from "./watch.ts";
import { VERIFY_HELP, verifyCommand } from "./verify.ts";

interface Command {
  readonly run: (io: Io, args: readonly string[]) => number | Promise<number>;
  readonly help: string;
  readonly line: string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["run", { run: runCommand, help: RUN_HELP, line: "load rules and facts, fire, and show what happened" }],
  ["why", { run: whyCommand, help: WHY_HELP, line: "explain why a rule fired or did not, and what would help" }],
  ["check", { run: checkCommand, help: CHECK_HELP, line: "report every error in rules" }],
  ["decide", { run: decideCommand, help: DECIDE_HELP, line: "ask a gate: pass, hold or fail, and why" }],
  ["test", { run: testCommand, help: TEST_HELP, line: "run the test blocks of rules" }],
  ["types", { run: typesCommand, help: TYPES_HELP, line: "write TypeScript declarations for rules" }],
  ["graph", { run: graphCommand, help: GRAPH_HELP, line: "draw the network" }],
  ["repl", { run: replCommand, help: REPL_HELP, line: "facts and rules by hand, line by line" }],
  ["watch", { run: watchCommand, help: WATCH_HELP, line: "run again whenever a file changes" }],
  ["verify-answer", { run: verifyCommand, help: VERIFY_HELP, line: "ask a guardian: PASS, RETRY or FAIL, and why" }],
  ["prove", { run: proveCommand, help: PROVE_HELP, line: "compare the network with a naive matcher" }],
  ["bench", { run: benchCommand, help: BENCH_HELP, line: "measure Sluice (in a clone of the repository)" }],
  ["pack", { run: packCommand, help: PACK_HELP, line: "verify a decision pack" }],
  ["fmt", { run: fmtCommand, help: FMT_HELP, line: "print rules in the canonical layout" }],
]);

const HELP = `sluice <command> [files…]

${[...COMMANDS].map(([name, command]) => `  ${name.padEnd(13)} ${command.line}`).join("\n")}

  sluice <command> --help   options and an example
  sluice <command> … --root DIR
                            let rules also import from this folder, and pipelines write their audit there
  sluice --version

Example:  sluice run examples/hello/rules.tsd
`;

/** The exit code; of a command that takes its time, when it is done. */
export function main(raw: Io, args: readonly string[], version: string): number | Promise<number> {
  return command(withSafeOutput(raw), args, version);
}

function command(io: Io, args: readonly string[], version: string): number | Promise<number> {
  const [name, ...rest] = args;
  if (name === "help" && rest[0] !== undefined) return command(io, [rest[0], "--help"], version);
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.out(HELP);
    return name === undefined ? EXIT.usage : EXIT.fine;
  }
  if (name === "--version" || name === "-V" || name === "-v") {
    io.out(`${version}\n`);
    return EXIT.fine;
  }
  return runNamed(io, name, rest);
}

function runNamed(io: Io, name: string, args: readonly string[]): number | Promise<number> {
  const command = COMMANDS.get(name);
  if (command === undefined)
    return wrongUsage(io, `no command "${name}": the commands are ${[...COMMANDS.keys()].join(", ")}`, "sluice --help");
  if (args.includes("--help") || args.includes("-h")) {
    io.out(command.help);
    return EXIT.fine;
  }
  const refuse = (error: unknown): number => refused(io, name, error);
  try {
    const { rest, roots } = splitRoots(args);
    for (const root of roots) if (!io.isFolder(root)) throw new UsageError(`--root "${root}" is not a folder`);
    const exit = command.run({ ...io, roots }, rest);
    return typeof exit === "number" ? exit : exit.catch(refuse);
  } catch (error) {
    return refuse(error);
  }
}

/** A mistake of the user in words; our own is thrown on. */
function refused(io: Io, name: string, error: unknown): number {
  if (error instanceof UsageError) return wrongUsage(io, error.message, `sluice ${name} --help`);
  if (error instanceof SessionError) return fault(io, error);
  throw error;
}

/** What a program or its facts did, and no diagnostic foresaw. */
function fault(io: Io, { code, message, hint }: SessionError): number {
  io.err(`error ${code}  ${oneLine(message)}${hint === undefined ? "" : `\n      = ${oneLine(hint)}`}\n`);
  return EXIT.fault;
}

function wrongUsage(io: Io, message: string, more: string): number {
  io.err(`sluice: ${oneLine(message)}\nsee: ${more}\n`);
  return EXIT.usage;
}
