/** `sluice decide`: asks a gate, shows how its outcome came to be, and ends with a code that a script can use. */
import { type GateAnswer, type Program, RunLimitError, type RuleSession } from "../index.ts";
import { gateFromFile } from "./decide/gate-file.ts";
import { gateText } from "./decide/gate-text.ts";
import { findFact } from "./fact-names.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { unknownName, readArguments, single, UsageError, missingName, type Arguments } from "./arguments.ts";

export const DECIDE_HELP = `sluice decide FILES --gate NAME [--subject ID] [--facts F…] [--policy F…] [--gate-json FILE] [--json]

Loads rules and facts, fires the rules, and says whether a gate passes, holds or fails: the outcome, every part of the
requirement with its value and evidence, and what is missing.

  --gate NAME       the gate to ask; may be left out when the program has only one
  --subject ID      the fact to ask about, by its id (Release~r-42) or its key (r-42); without it all subjects are shown,
                    and the worst outcome counts
  --facts F         more facts, as for run
  --policy F        facts that may also be of protected types
  --gate-json FILE  a requirement in RET JSON ({"And": [{"Condition": "tests_ok"}, …]}) instead of the gate's own; without
                    --gate it is a gate by itself, without a subject
  --root DIR        let rules import files from this folder too; may be given again
  --json            one JSON object per line on standard output, one for each subject, with the tree

A rule that reaches its match limit is switched off and named (E511). What may depend on it is unknown, so the gate does
not pass because of what the rule would have found.

Exit: 0 pass, 3 hold, 4 fail; a gate without any subject holds. 1 the rules or facts are at fault, or an action failed, 2
wrong usage or a file that cannot be read, 5 the limit of firings was reached.

Example:  sluice decide examples/release-gate/rules.tsd --gate deploy --subject r-42
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

/** The gate that is meant, in a program that has it. */
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

/** What a rule could not do may be what closes the gate: then there is no outcome. */
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
  if (type === undefined) throw new UsageError(`gate "${gate}" has no subject; leave --subject out`);
  const known = session.gates(gate).find((answer) => answer.subject === `${type}~${subject}`);
  return [known ?? session.gate(gate, findFact(session, subject) ?? subject)];
}

function show(io: Io, { gate, json }: DecideOptions, answers: readonly GateAnswer[]): void {
  if (json) {
    for (const answer of answers) io.out(`${JSON.stringify({ event: "gate", ...answer })}\n`);
    return;
  }
  const paint = painter(io.outColor);
  const texts = answers.map((answer) => gateText(paint, answer).join("\n"));
  io.out(
    texts.length === 0 ? `gate "${gate}": hold, because there is no subject to ask about\n` : `${texts.join("\n\n")}\n`,
  );
}

function worst(answers: readonly GateAnswer[]): number {
  const outcomes = new Set(answers.map((answer) => answer.outcome));
  if (outcomes.has("fail")) return EXIT.fail;
  return outcomes.has("hold") || outcomes.size === 0 ? EXIT.hold : EXIT.fine;
}
