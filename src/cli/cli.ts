/** The command line: finds the command, runs it, and reports wrong usage. */
import { nearestName, SessionError } from "../index.ts";
import { BENCH_HELP, benchCommand } from "./bench.ts";
import { CHECK_HELP, checkCommand } from "./check.ts";
import { FMT_HELP, fmtCommand } from "./fmt.ts";
import { DECIDE_HELP, decideCommand } from "./decide.ts";
import { GRAPH_HELP, graphCommand } from "./graph.ts";
import { HASH_HELP, hashCommand } from "./hash.ts";
import { loadFunctions } from "./host-functions.ts";
import { withSafeOutput } from "./safe-output.ts";
import { EXIT, type Io } from "./io.ts";
import { INFER_HELP, inferCommand } from "./infer.ts";
import { PACK_HELP, packCommand } from "./pack.ts";
import { PROVE_HELP, proveCommand } from "./prove.ts";
import { REPL_HELP, replCommand } from "./repl.ts";
import { RUN_HELP, runCommand } from "./run.ts";
import { oneLine } from "./visible.ts";
import { TEST_HELP, testCommand } from "./test.ts";
import { TABLE_HELP, tableCommand } from "./table.ts";
import { TYPES_HELP, typesCommand } from "./types.ts";
import { splitCommon, UsageError } from "./arguments.ts";
import { WHY_HELP, whyCommand } from "./why.ts";
import { WATCH_HELP, watchCommand } from "./watch.ts";
import { VERIFY_HELP, verifyCommand } from "./verify.ts";

interface Command {
  readonly run: (io: Io, args: readonly string[]) => number | Promise<number>;
  readonly help: string;
  readonly purpose: (typeof PURPOSES)[number];
  readonly line: string;
}

const PURPOSES = ["Run rules", "Make decisions", "Explain", "Write rules", "Check Sluice itself"] as const;
const [RUN, DECIDE, EXPLAIN, WRITE, CHECK] = PURPOSES;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["run", { run: runCommand, help: RUN_HELP, purpose: RUN, line: "fire rules on facts and print what happens" }],
  ["watch", { run: watchCommand, help: WATCH_HELP, purpose: RUN, line: "run again whenever a file changes" }],
  ["repl", { run: replCommand, help: REPL_HELP, purpose: RUN, line: "work with facts and rules interactively" }],
  ["decide", { run: decideCommand, help: DECIDE_HELP, purpose: DECIDE, line: "evaluate a gate: pass, hold or fail" }],
  [
    "verify-answer",
    { run: verifyCommand, help: VERIFY_HELP, purpose: DECIDE, line: "ask a guardian: PASS, RETRY or FAIL" },
  ],
  [
    "pack",
    { run: packCommand, help: PACK_HELP, purpose: DECIDE, line: "verify a decision pack, or create signing keys" },
  ],
  ["why", { run: whyCommand, help: WHY_HELP, purpose: EXPLAIN, line: "explain why a rule fired, or why not" }],
  ["graph", { run: graphCommand, help: GRAPH_HELP, purpose: EXPLAIN, line: "draw the rule network" }],
  ["hash", { run: hashCommand, help: HASH_HELP, purpose: EXPLAIN, line: "name the network nodes of a test" }],
  ["check", { run: checkCommand, help: CHECK_HELP, purpose: WRITE, line: "report errors and warnings" }],
  ["test", { run: testCommand, help: TEST_HELP, purpose: WRITE, line: "run the test blocks in rules" }],
  ["fmt", { run: fmtCommand, help: FMT_HELP, purpose: WRITE, line: "format rule files" }],
  ["table", { run: tableCommand, help: TABLE_HELP, purpose: WRITE, line: "decision tables in spreadsheets, and back" }],
  ["infer", { run: inferCommand, help: INFER_HELP, purpose: WRITE, line: "write type declarations for a facts file" }],
  ["types", { run: typesCommand, help: TYPES_HELP, purpose: WRITE, line: "generate TypeScript declarations" }],
  [
    "prove",
    { run: proveCommand, help: PROVE_HELP, purpose: CHECK, line: "compare the network with a brute-force matcher" },
  ],
  [
    "bench",
    { run: benchCommand, help: BENCH_HELP, purpose: CHECK, line: "measure sharing on your rules, or run benchmarks" },
  ],
]);

const HELP = `Sluice is a production rule engine: it runs rules on facts and explains itself.

Usage: sluice <command> [files] [options]

${PURPOSES.map(section).join("\n\n")}

Options:
  -h, --help     show this help, or that of a command
  -V, --version  print the version
  --root DIR     for any command: also allow imports from and audit files in DIR
  --param N=V    for any command: give the parameter N of the program the value V
  --functions FILE
                 for any command: a JavaScript module with the functions that
                 the rules declare
  --clock TIME   for any command that runs rules: what "now" means in them: real
                 (the default), an instant such as @2026-11-16T12:00:00Z, or
                 facts (the latest @ time of the facts)

Examples:
  sluice run examples/hello/rules.tsd
  sluice why examples/hello/rules.tsd VIP_or_Adult --fact "p=Person p3"

Run "sluice <command> --help" for the options of a command.
Documentation: docs/README.md in the repository; start with docs/tutorial.md.
`;

function section(purpose: Command["purpose"]): string {
  const commands = [...COMMANDS].filter(([, command]) => command.purpose === purpose);
  return [`${purpose}:`, ...commands.map(([name, { line }]) => `  ${name.padEnd(13)}  ${line}`)].join("\n");
}

/** Runs a command line and returns the exit code. */
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
  if (command === undefined) return wrongUsage(io, unknownCommand(name), "sluice --help");
  if (args.includes("--help") || args.includes("-h")) {
    io.out(command.help);
    return EXIT.fine;
  }
  const refuse = (error: unknown): number => refused(io, name, error);
  try {
    const { rest, roots, params, functions: files, clock } = splitCommon(args);
    for (const root of roots) if (!io.isFolder(root)) throw new UsageError(`--root: "${root}" is not a folder`);
    const run = (functions: Io["functions"]): number | Promise<number> =>
      command.run({ ...io, roots, params, functions, clock }, rest);
    const exit = files.length === 0 ? run({}) : loadFunctions(io, files).then(run);
    return typeof exit === "number" ? exit : exit.catch(refuse);
  } catch (error) {
    return refuse(error);
  }
}

function unknownCommand(name: string): string {
  const meant = nearestName(name, COMMANDS.keys());
  const hint = meant === undefined ? `commands: ${[...COMMANDS.keys()].join(", ")}` : `did you mean "${meant}"?`;
  return `unknown command "${name}"; ${hint}`;
}

/** Prints an error of the user and returns the exit code; throws every other error again. */
function refused(io: Io, name: string, error: unknown): number {
  if (error instanceof UsageError) return wrongUsage(io, error.message, `sluice ${name} --help`);
  if (error instanceof SessionError) return fault(io, error);
  throw error;
}

/** Prints an error of the session that no diagnostic covers. */
function fault(io: Io, { code, message, hint }: SessionError): number {
  io.err(`error ${code}  ${oneLine(message)}${hint === undefined ? "" : `\n      = ${oneLine(hint)}`}\n`);
  return EXIT.fault;
}

function wrongUsage(io: Io, message: string, more: string): number {
  io.err(`sluice: ${oneLine(message)}\nRun "${more}" for help.\n`);
  return EXIT.usage;
}
