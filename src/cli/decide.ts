/** `sluice decide`: evaluates a gate, shows how the outcome is reached, and returns an exit code for scripts. */
import { type GateAnswer, type Program, RunLimitError, type RuleSession } from "../index.ts";
import { gateFromFile } from "./decide/gate-file.ts";
import { gateText } from "./decide/gate-text.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { subjectNamed } from "./subject.ts";
import { unknownName, readArguments, single, UsageError, missingName, type Arguments } from "./arguments.ts";

export const DECIDE_HELP = `Usage: sluice decide FILES [--gate NAME] [--subject FACT] [options]

Loads rules and facts, fires the rules, and evaluates a gate. Prints the outcome
(pass, hold or fail), every part of the requirement with its value and evidence,
and what is missing.

Options:
  --gate NAME        the gate to evaluate; optional when the program has one
  --subject FACT     the fact to decide about: its key (r-42), its id
                     (Release~r-42) or its label ("Release r-42"). Without it,
                     all subjects are shown and the worst outcome sets the exit
                     code
  --gate-json FILE   use this requirement in RET JSON, such as
                     {"And": [{"Condition": "tests_ok"}]}, in place of that of
                     the gate; without --gate it is a gate without a subject
  --facts FILE       load more facts (repeatable); "sluice run --help" lists the
                     formats
  --policy FILE      load facts that may also be of protected types (repeatable)
  --root DIR         also allow imports from DIR (repeatable)
  --json             print one JSON object per subject, with the whole tree

A rule that exceeds its match limit is switched off and reported (E511).
Whatever may depend on it is unknown, so the gate never passes because of it.

Exit codes:
  0  pass
  3  hold; also when the gate has no subject
  4  fail
  1  errors in the rules or facts, or an action failed
  2  wrong usage, or a file cannot be read
  5  the firing limit was reached

Example:
  sluice decide examples/release-gate/rules.tsd --gate deploy --subject r-42 \\
      --facts examples/release-gate/facts.json
`;

interface DecideOptions extends Inputs {
  readonly gate: string | undefined;
  readonly subject: string | undefined;
  readonly gateJson: string | undefined;
  readonly json: boolean;
}

export function decideCommand(io: Io, args: readonly string[]): number {
  const options = decideOptions(readArguments(args, ["json"], ["gate", "subject", ...FACTS_OPTIONS, "gate-json"]));
  const texts = new Texts();
  const loaded = loadProgram(io, options.rules, texts, options.json);
  if (loaded.program === undefined) return loaded.exit;
  const asked = chosenGate(io, loaded.program, options, texts);
  return asked.program === undefined ? asked.exit : decide(io, asked.program, { ...options, gate: asked.gate }, texts);
}

function decideOptions(parsed: Arguments): DecideOptions {
  return {
    ...inputsOf(parsed),
    gate: single(parsed, "gate"),
    subject: single(parsed, "subject"),
    gateJson: single(parsed, "gate-json"),
    json: parsed.flags.has("json"),
  };
}

type ChosenGate =
  | { readonly program: Program; readonly gate: string; readonly exit?: undefined }
  | { readonly program?: undefined; readonly exit: number };

/** Returns the gate to evaluate, in a program that has it. */
function chosenGate(io: Io, program: Program, { gate, gateJson, json }: DecideOptions, texts: Texts): ChosenGate {
  const names = [...program.checked.symbols.gates.names()];
  const known = gate === undefined || names.includes(gate);
  if (!known) throw unknownName("gate", gate, names);
  if (gateJson !== undefined) return gateFromFile({ io, program, texts, json }, gateJson, gate);
  const [only, ...others] = names;
  if (gate !== undefined) return { program, gate };
  if (only !== undefined && others.length === 0) return { program, gate: only };
  throw missingName("gate", names);
}

function decide(io: Io, program: Program, options: DecideOptions & { readonly gate: string }, texts: Texts): number {
  const { json } = options;
  const progress = new Progress(io, !json);
  const session = program.session({ facts: "none" });
  const opened = openWithFacts({ io, program, texts, progress, json }, { session, programFacts: true, files: options });
  if (opened.exit !== undefined) return opened.exit;
  const failed = runAll(io, program, session, texts, json);
  progress.clear();
  showProblems({ io, program, texts, json }, sessionProblems(session.problems));
  if (failed !== undefined) return failed;
  const answers = answersOf(program, session, options);
  show(io, options, answers);
  return worst(answers);
}

/** Fires all rules; returns an exit code when the run fails: what a rule could not do may be what closes the gate. */
function runAll(io: Io, program: Program, session: RuleSession, texts: Texts, json: boolean): number | undefined {
  try {
    session.run();
    return undefined;
  } catch (error) {
    if (!isRunError(error)) throw error;
    showDiagnostics(io, [runDiagnostic(program, error)], texts, json);
    return error instanceof RunLimitError ? EXIT.limit : EXIT.fault;
  }
}

function answersOf(
  program: Program,
  session: RuleSession,
  options: DecideOptions & { readonly gate: string },
): GateAnswer[] {
  const { gate, subject } = options;
  if (subject === undefined) return session.gates(gate);
  const type = program.checked.symbols.gates.get(gate)?.decl.subject?.type.name;
  if (type === undefined) throw new UsageError(`gate "${gate}" has no subject; remove --subject`);
  return [session.gate(gate, subjectNamed(session, type, subject) ?? subject)];
}

function show(io: Io, { gate, json }: DecideOptions, answers: readonly GateAnswer[]): void {
  if (json) {
    for (const answer of answers) io.out(`${JSON.stringify({ event: "gate", ...answer })}\n`);
    return;
  }
  const paint = painter(io.outColor);
  const texts = answers.map((answer) => gateText(paint, answer).join("\n"));
  io.out(texts.length === 0 ? `gate "${gate}": hold (no subject to decide about)\n` : `${texts.join("\n\n")}\n`);
}

function worst(answers: readonly GateAnswer[]): number {
  const outcomes = new Set(answers.map((answer) => answer.outcome));
  if (outcomes.has("fail")) return EXIT.fail;
  return outcomes.has("hold") || outcomes.size === 0 ? EXIT.hold : EXIT.fine;
}
