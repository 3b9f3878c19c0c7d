/** `sluice decide`: evaluates a gate, shows how the outcome is reached, and returns an exit code for scripts. */
import {
  flowSource,
  format,
  type GateAnswer,
  type Program,
  type RetFlow,
  RunLimitError,
  type RuleSession,
} from "../index.ts";
import { addGates, subjectType } from "./decide/gate-file.ts";
import { gateText } from "./decide/gate-text.ts";
import { decideGiven, gatesOfFlow, givenValues } from "./decide/given.ts";
import { showStage } from "./decide/next-stage.ts";
import { placeIn, type RetDocument, withDocument } from "./decide/ret-file.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { type Place, showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { subjectNamed } from "./subject.ts";
import { oneLine } from "./visible.ts";
import { unknownName, readArguments, single, UsageError, missingName, choice, type Arguments } from "./arguments.ts";

export const DECIDE_HELP = `Usage: sluice decide FILES [--gate NAME] [--subject FACT] [options]
       sluice decide --gate-json FILE [--condition NAME=VALUE ...] [options]

Loads rules and facts, fires the rules, and evaluates a gate. Prints the outcome
(pass, hold or fail), every part of the requirement with its value and evidence,
and what is missing.

Options:
  --gate NAME        the gate to evaluate; optional when the program has one.
                     With --gate-json: one gate of the document (without it, all
                     are shown), or a gate of the program whose subject it has
  --subject FACT     the fact to decide about: its key (r-42), its id
                     (Release~r-42) or its label ("Release r-42"). Without it,
                     all subjects are shown and the worst outcome sets the exit
                     code
  --gate-json FILE   decide a RET document: a requirement such as
                     {"And": [{"Condition": "tests_ok"}]}, a gate with
                     "gate_id" and "requirement", a list of gates, or a stage
                     with "advance_to", for which the next stage is printed. A
                     gate has the subject of --gate, or of the gate of the
                     program with its name, or what its conditions are about
  --condition NAME=VALUE
                     without FILES: the value of a condition of the document,
                     true, false or unknown, or t, f, u (repeatable). A gate
                     that "advance_to" only names is given in the same way, or
                     as pass, fail or hold
  --logic LOGIC      with --condition: kleene (default) or bochvar
  --source           print the gates and the flow of --gate-json as rules
                     instead of deciding
  --facts FILE       load more facts (repeatable); "sluice run --help" lists the
                     formats
  --policy FILE      load facts that may also be of protected types (repeatable)
  --root DIR         also allow imports from DIR (repeatable)
  --functions FILE   a JavaScript module with the functions that the rules
                     declare (repeatable)
  --json             print one JSON object per subject, with the whole tree

A rule that exceeds its match limit is switched off and reported (E511).
Whatever may depend on it is unknown, so the gate never passes because of it.

Exit codes (of several gates or subjects the worst: fail, then hold, then pass):
  0  pass; with "advance_to" there is a next stage
  3  hold; also when the gate has no subject
  4  fail
  1  errors in the rules, facts or document, an action failed, or no branch of
     "advance_to" matches
  2  wrong usage, or a file cannot be read
  5  the firing limit was reached

Example:
  sluice decide examples/release-gate/rules.tsd --gate deploy --subject r-42 \\
      --facts examples/release-gate/facts.json
  sluice decide --gate-json examples/release-gate/stage.json \\
      --condition tests_ok=true --condition alice=true --condition bob=unknown
`;

interface DecideOptions extends Inputs {
  readonly gate: string | undefined;
  readonly subject: string | undefined;
  readonly gateJson: string | undefined;
  readonly conditions: readonly string[];
  readonly logic: "kleene" | "bochvar" | undefined;
  readonly source: boolean;
  readonly json: boolean;
}

const VALUED = ["gate", "subject", ...FACTS_OPTIONS, "gate-json", "condition", "logic"];

export function decideCommand(io: Io, args: readonly string[]): number {
  const options = decideOptions(readArguments(args, ["json", "source"], VALUED));
  const texts = new Texts();
  if (options.rules.length === 0 && options.gateJson !== undefined)
    return decideAlone(io, options, options.gateJson, texts);
  const loaded = loadProgram(io, options.rules, texts, options.json);
  if (loaded.program === undefined) return loaded.exit;
  if (options.gateJson !== undefined) return decideDocument(io, loaded.program, options, options.gateJson, texts);
  return decide(io, loaded.program, { ...options, gates: [chosenGate(loaded.program, options.gate)] }, texts);
}

function decideOptions(parsed: Arguments): DecideOptions {
  const gateJson = single(parsed, "gate-json");
  const options = {
    ...inputsOf(parsed, gateJson === undefined),
    gate: single(parsed, "gate"),
    subject: single(parsed, "subject"),
    gateJson,
    conditions: parsed.values.get("condition") ?? [],
    logic: choice(parsed, "logic", ["kleene", "bochvar"]),
    source: parsed.flags.has("source"),
    json: parsed.flags.has("json"),
  };
  refuseMixed(options);
  return options;
}

/** Refuses options that would do nothing: condition values decide a document alone, facts decide it with rules. */
function refuseMixed({ rules, facts, policy, subject, gateJson, conditions, logic, source }: DecideOptions): void {
  const alone = rules.length === 0 && gateJson !== undefined;
  if (!alone && conditions.length > 0)
    throw new UsageError("--condition gives values for --gate-json without rules; with rules, facts give them");
  if (!alone && logic !== undefined)
    throw new UsageError("--logic is for --gate-json without rules; write it in the gate");
  if (alone && source) throw new UsageError("--source needs the rules that define the conditions");
  if (gateJson === undefined && source) throw new UsageError("--source needs --gate-json FILE");
  if (alone && (facts.length > 0 || policy.length > 0 || subject !== undefined))
    throw new UsageError("without rules, conditions are given with --condition NAME=VALUE, not with facts");
}

/** Returns the gate of the program to evaluate. */
function chosenGate(program: Program, gate: string | undefined): string {
  const names = [...program.checked.symbols.gates.names()];
  if (gate !== undefined && !names.includes(gate)) throw unknownName("gate", gate, names);
  const [only, ...others] = names;
  if (gate !== undefined) return gate;
  if (only !== undefined && others.length === 0) return only;
  throw missingName("gate", names);
}

// ---------------------------------------------------------------- RET documents

/** Decides a document from the values on the command line. */
function decideAlone(io: Io, options: DecideOptions, file: string, texts: Texts): number {
  const { gate, json, logic = "kleene" } = options;
  const values = givenValues(options.conditions);
  const read = withDocument({ io, texts, json }, file, undefined, (one) => ({
    ...decideGiven(one, gate, values, logic),
    place: branchesIn(one),
  }));
  if (read.exit !== undefined) return read.exit;
  const { answers, flow, place } = read.result;
  const decided = answers.map((answer) => ({ gate: answer.gate, answers: [answer] }));
  show(io, json, decided);
  return flow === undefined ? worst(decided) : showStage({ io, texts, json, place, flow }, answers, [null]);
}

/** Returns where a document has its branches. */
function branchesIn(document: RetDocument): Place {
  return placeIn(document, "$", "advance_to");
}

/** Decides a document with the conditions of a program. */
function decideDocument(io: Io, program: Program, options: DecideOptions, file: string, texts: Texts): number {
  const { gate: wanted, json } = options;
  const { conditions } = program.checked.symbols;
  const made = withDocument({ io, texts, json }, file, conditions.names(), (document) => {
    const added = addGates(document, program, wanted, texts);
    return { ...added, rules: options.source ? sourceOf(added) : "", place: branchesIn(document) };
  });
  if (made.exit !== undefined) return made.exit;
  const { flow, rules, place } = made.result;
  if (options.source) {
    io.out(rules);
    return EXIT.fine;
  }
  const gates =
    flow === undefined
      ? made.result.gates
      : gatesOfFlow(flow).map(({ name = "" }) => chosenGate(made.result.program, name));
  return decide(io, made.result.program, { ...options, gates, next: flow && { flow, place } }, texts);
}

/** Returns the gates and the flow of a document as rules. */
function sourceOf({ program, source, flow, file }: ReturnType<typeof addGates>): string {
  const moves = flow === undefined ? "" : flowSource(program, flow, { name: flow.stage ?? file });
  return format(`${source}\n${moves}`).text;
}

// ---------------------------------------------------------------- deciding

interface Deciding extends DecideOptions {
  /** The gates to decide. */
  readonly gates: readonly string[];
  /** The flow whose next stage is shown, and where the document has its branches. */
  readonly next?: { readonly flow: RetFlow; readonly place: Place } | undefined;
}

/** A gate with the answers for its subjects. */
interface Decided {
  readonly gate: string;
  readonly answers: readonly GateAnswer[];
}

function decide(io: Io, program: Program, options: Deciding, texts: Texts): number {
  const { json, next, gates } = options;
  const progress = new Progress(io, !json);
  const session = program.session({ facts: "none", functions: io.functions });
  const opened = openWithFacts({ io, program, texts, progress, json }, { session, programFacts: true, files: options });
  if (opened.exit !== undefined) return opened.exit;
  const failed = runAll(io, program, session, texts, json);
  progress.clear();
  showProblems({ io, program, texts, json }, sessionProblems(session.problems));
  if (failed !== undefined) return failed;
  const isAbout = gates.some((gate) => subjectType(program, gate) !== undefined);
  const decided = gates.map((gate) => {
    const asked = isAbout && subjectType(program, gate) === undefined ? undefined : options.subject;
    return { gate, answers: answersOf(program, session, gate, asked) };
  });
  show(io, json, decided);
  if (next === undefined) return worst(decided);
  const answers = decided.flatMap((one) => one.answers);
  const subjects = isAbout ? answers.flatMap(({ subject }) => subject ?? []) : [null];
  return showStage({ io, texts, json, ...next }, answers, subjects);
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
  gate: string,
  subject: string | undefined,
): readonly GateAnswer[] {
  if (subject === undefined) return session.gates(gate);
  const type = subjectType(program, gate);
  if (type === undefined) throw new UsageError(`gate "${gate}" has no subject; remove --subject`);
  return [session.gate(gate, subjectNamed(session, type, subject) ?? subject)];
}

function show(io: Io, json: boolean, decided: readonly Decided[]): void {
  if (json) {
    const answers = decided.flatMap((one) => one.answers);
    for (const answer of answers) io.out(`${JSON.stringify({ event: "gate", ...answer })}\n`);
    return;
  }
  const paint = painter(io.outColor);
  const texts = decided.flatMap(({ gate, answers }) =>
    answers.length === 0
      ? `gate "${oneLine(gate)}": hold (no subject to decide about)`
      : answers.map((answer) => gateText(paint, answer).join("\n")),
  );
  io.out(`${texts.join("\n\n")}\n`);
}

/** Returns the exit code of the worst outcome. A gate without a subject holds. */
function worst(decided: readonly Decided[]): number {
  const outcomes = new Set(
    decided.flatMap(({ answers }) => (answers.length === 0 ? "hold" : answers.map(({ outcome }) => outcome))),
  );
  if (outcomes.has("fail")) return EXIT.fail;
  return outcomes.has("hold") || outcomes.size === 0 ? EXIT.hold : EXIT.fine;
}
