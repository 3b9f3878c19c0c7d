/** The command line: finds the command and turns wrong usage into words. */
import { SessionError } from "../index.ts";
import { CHECK_HELP, checkCommand } from "./check.ts";
import { FMT_HELP, fmtCommand } from "./fmt.ts";
import { DECIDE_HELP, decideCommand } from "./decide.ts";
import { EXIT, type Io } from "./io.ts";
import { PROVE_HELP, proveCommand } from "./prove.ts";
import { RUN_HELP, runCommand } from "./run.ts";
import { UsageError } from "./usage.ts";
import { VERIFY_HELP, verifyCommand } from "./verify.ts";

interface Command {
  readonly run: (io: Io, args: readonly string[]) => number;
  readonly help: string;
  readonly line: string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["run", { run: runCommand, help: RUN_HELP, line: "load rules and facts, fire, and show what happened" }],
  ["check", { run: checkCommand, help: CHECK_HELP, line: "report every mistake in rules" }],
  ["decide", { run: decideCommand, help: DECIDE_HELP, line: "ask a gate: pass, hold or fail, and why" }],
  ["verify-answer", { run: verifyCommand, help: VERIFY_HELP, line: "ask a guardian: PASS, RETRY or FAIL, and why" }],
  ["prove", { run: proveCommand, help: PROVE_HELP, line: "compare the network with a naive matcher" }],
  ["fmt", { run: fmtCommand, help: FMT_HELP, line: "print rules in the canonical layout" }],
]);

const HELP = `sluice <command> [files…]

${[...COMMANDS].map(([name, command]) => `  ${name.padEnd(13)} ${command.line}`).join("\n")}

  sluice <command> --help   options and an example
  sluice --version

Example:  sluice run examples/hello/rules.tsd
`;

export function main(io: Io, args: readonly string[], version: string): number {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    io.out(HELP);
    return name === undefined ? EXIT.usage : EXIT.fine;
  }
  if (name === "--version" || name === "-V") {
    io.out(`${version}\n`);
    return EXIT.fine;
  }
  const command = COMMANDS.get(name);
  if (command === undefined)
    return wrongUsage(
      io,
      `there is no command "${name}"; there is ${[...COMMANDS.keys()].join(", ")}`,
      "sluice --help",
    );
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out(command.help);
    return EXIT.fine;
  }
  try {
    return command.run(io, rest);
  } catch (error) {
    if (error instanceof UsageError) return wrongUsage(io, error.message, `sluice ${name} --help`);
    if (error instanceof SessionError) return fault(io, error);
    throw error;
  }
}

/** What a program or its facts did, and no diagnostic foresaw. */
function fault(io: Io, { code, message, hint }: SessionError): number {
  io.err(`error ${code}  ${message}${hint === undefined ? "" : `\n      = ${hint}`}\n`);
  return EXIT.fault;
}

function wrongUsage(io: Io, message: string, more: string): number {
  io.err(`sluice: ${message}\nsee: ${more}\n`);
  return EXIT.usage;
}
