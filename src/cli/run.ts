/** `sluice run`: loads rules and facts, fires rules, and shows what happens. */
import {
  ActionError,
  type Diagnostic,
  type Decision,
  type FlowAnswer,
  type GateAnswer,
  type OpenOptions,
  type PackSigner,
  type Problem,
  type Program,
  type RuleSession,
  RunLimitError,
  STRATEGIES,
  type RunResult,
  signPack,
  type VerdictAnswer,
} from "../index.ts";
import { packSigner } from "../node/index.ts";
import { factName } from "./fact-names.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { readKey } from "./keys.ts";
import { openWithFacts } from "./open.ts";
import { writeFile } from "./output.ts";
import { painter } from "./paint.ts";
import { sessionProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { cycleText, isRunError, runDiagnostic, type RunError } from "./run/diagnostic.ts";
import { logNetwork } from "./run/network-log.ts";
import { jsonView } from "./run/json-view.ts";
import { type RunEnd, summarise } from "./run/summary.ts";
import { TextView } from "./run/text-view.ts";
import type { RunView } from "./run/view.ts";
import { oneLine } from "./visible.ts";
import { choice, readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";

export const RUN_HELP = `Usage: sluice run FILES [options]

Loads rules and facts and fires rules until none is left to fire. Prints every
firing with its effects, the outcomes of gates, the stages of flows, the
verdicts of guardians, the decisions of pipelines, and a summary.

FILES are .tsd files or folders (every .tsd file below them); - reads standard
input. Several files form one program.

Facts:
  --facts FILE       load more facts after those in the rules (repeatable)
                       .json    {"Person": [{"id": "p1"}], "Order": {…}}
                       .ndjson  {"Person": {"id": "p1"}} on each line; any size
                       .csv     Person.csv: the first row names the fields, an
                                empty cell is a missing value, lists are JSON
                       -        standard input, JSON or NDJSON
  --policy FILE      load facts that may also be of protected types, which
                     --facts may not state (repeatable; the same formats)
  --seed-facts no    skip the facts in the rules

Running:
  --clock TIME       what "now" and "today" mean in the rules: real (the time at
                     which the command starts; the default), an instant such
                     as @2026-11-16T12:00:00Z, or facts (the latest @ time of
                     the facts so far, in the order of the files)
  --limit N          stop after N firings (default 100000)
  --strategy NAME    which match fires first among equals: breadth (the oldest),
                     depth (the newest) or lex

Output:
  --explain          explain every firing, outcome, verdict and decision
  --events all       also print every change of a fact, and every outcome and
                     verdict reached on the way; with --json, explain them all
  --json             print one JSON object per line: fire, reasoning, effect,
                     fact, gate, verdict, decision, diagnostic, diagnostics
                     (counts of those beyond 100), summary, network, sharing
  --log-network      before the run, print every node of the network to standard
                     error as the rules load: created, or shared with a rule
                     before; with --json, as network events and a sharing event
  --pack FILE        write a decision pack: program, facts, results and
                     explanations; see "sluice pack --help"
  --sign KEY         sign the pack with this private key (Ed25519, PEM)
  --root DIR         also allow imports from and audit files in DIR (repeatable)
  --functions FILE   a JavaScript module with the functions that the rules
                     declare (repeatable)

Facts are checked first; nothing runs when there are errors in them. The first
100 errors are printed, the others are counted by code and type.

Exit codes:
  0  success
  1  errors in the rules or facts, or an action failed
  2  wrong usage, or a file cannot be read
  5  the firing limit was reached

Example:
  sluice run examples/hello/rules.tsd --facts examples/hello/facts.json
`;

/** The options of a run. */
export interface RunOptions extends Inputs {
  readonly open: OpenOptions;
  readonly seedFacts: boolean;
  readonly allEvents: boolean;
  readonly explain?: boolean;
  /** Whether to log the nodes of the network as rules create and share them. */
  readonly logNetwork?: boolean;
  /** Where to write the decision pack. */
  readonly pack?: string;
  /** Signs the decision pack. */
  readonly signer?: PackSigner;
  readonly json: boolean;
}

export function runCommand(io: Io, args: readonly string[]): number {
  const options = runOptions(
    readArguments(
      args,
      ["json", "explain", "log-network"],
      [...FACTS_OPTIONS, "limit", "strategy", "seed-facts", "events", "pack", "sign"],
    ),
    io,
  );
  const texts = new Texts();
  const { program, exit } = loadProgram(io, options.rules, texts, options.json);
  if (program === undefined) return exit;
  if (options.logNetwork === true) logNetwork(io, program, options.json);
  return runProgram(io, program, options, texts);
}

/** Runs a loaded program and returns the exit code. */
export function runProgram(io: Io, program: Program, options: RunOptions, texts: Texts): number {
  return new Runner(io, program, options, texts).run();
}

function runOptions(parsed: Arguments, io: Io): RunOptions {
  const limit = wholeNumber(parsed, "limit", 0);
  const strategy = choice(parsed, "strategy", STRATEGIES);
  const pack = single(parsed, "pack");
  const sign = single(parsed, "sign");
  if (sign !== undefined && pack === undefined) throw new UsageError("--sign needs --pack FILE");
  return {
    ...inputsOf(parsed),
    open: { ...(limit === undefined ? {} : { limit }), ...(strategy === undefined ? {} : { strategy }) },
    seedFacts: choice(parsed, "seed-facts", ["yes", "no"]) !== "no",
    allEvents: choice(parsed, "events", ["all"]) === "all",
    explain: parsed.flags.has("explain"),
    logNetwork: parsed.flags.has("log-network"),
    ...(pack === undefined ? {} : { pack }),
    ...(sign === undefined ? {} : { signer: readKey(io, sign, packSigner) }),
    json: parsed.flags.has("json"),
  };
}

class Runner {
  readonly #io: Io;
  readonly #program: Program;
  readonly #options: RunOptions;
  readonly #texts: Texts;
  readonly #progress: Progress;
  readonly #view: RunView;
  readonly #fires = new Map<string, number>();
  /** The problems that were shown: a rule may exceed its limit at several nodes, and is reported once. */
  readonly #shown = new Set<string>();
  #fired = 0;
  #gates: readonly GateAnswer[] = [];
  #verdicts: readonly VerdictAnswer[] = [];
  #exit: number = EXIT.fine;

  constructor(io: Io, program: Program, options: RunOptions, texts: Texts) {
    this.#io = io;
    this.#program = program;
    this.#options = options;
    this.#texts = texts;
    this.#progress = new Progress(io, !options.json);
    const out = (text: string): void => {
      this.#progress.clear();
      io.out(text);
    };
    this.#view = options.json ? jsonView(out) : new TextView(out, painter(io.outColor), program.network());
  }

  run(): number {
    const { open, seedFacts, json, allEvents } = this.#options;
    const context = { io: this.#io, program: this.#program, texts: this.#texts, progress: this.#progress, json };
    const session = this.#program.session({
      ...open,
      facts: "none",
      functions: this.#io.functions,
      now: () => this.#io.now(),
      auditClock: () => this.#io.wallTime(),
      audit: (file, line) => this.#io.append(file, line, this.#io.roots),
    });
    const opened = openWithFacts(context, { session, programFacts: seedFacts, files: this.#options });
    if (opened.exit !== undefined) return opened.exit;
    for (const problem of opened.session.problems) this.#fault(problem);
    if (allEvents) this.#showFacts(opened.session, opened.own);
    return this.#runWith(opened.session);
  }

  #runWith(session: RuleSession): number {
    this.#listen(session);
    const end = this.#fireAll(session);
    this.#progress.clear();
    const why =
      this.#options.explain === true ? (of: GateAnswer | FlowAnswer | VerdictAnswer) => session.why(of) : undefined;
    this.#view.outcomes(this.#gates, this.#verdicts, session.flows(), why);
    const warnings = session.warnings.filter((warning) => !this.#isFault(warning));
    showDiagnostics(this.#io, warnings.toSorted(byPlace), this.#texts, this.#options.json);
    this.#view.summary(summarise(this.#program, session, this.#fires, end));
    return this.#exit;
  }

  /** Shows the facts that were loaded before the run. */
  #showFacts(session: RuleSession, own: number): void {
    for (const [index, fact] of session.facts().entries()) {
      this.#view.fact({ op: "assert", ...fact, by: index < own ? "program" : "host" });
    }
  }

  #listen(session: RuleSession): void {
    const { explain, allEvents, json } = this.#options;
    const explains = explain === true || (allEvents && json);
    session.on("fire", (fired) => {
      this.#fired += 1;
      this.#fires.set(fired.rule, (this.#fires.get(fired.rule) ?? 0) + 1);
      this.#view.fire(fired);
      if (explains) this.#view.reasoning(fired, session.why(fired));
      this.#progress.tick(() => `${this.#fired.toLocaleString("en")} firings`);
    });
    session.on("effect", (effect) => this.#view.effect(effect));
    session.on("decision", (decision) => {
      this.#decided(decision);
      if (explains) this.#view.reasoning(decision, session.why(decision));
    });
    if (!allEvents) return;
    session.on("fact", (event) => this.#view.fact(event));
    session.on("gate", (answer) => {
      this.#view.gate(answer);
      if (explains) this.#view.reasoning(answer, session.why(answer));
    });
    session.on("flow", (answer) => {
      this.#view.flow(answer);
      if (explains) this.#view.reasoning(answer, session.why(answer));
    });
    session.on("verdict", (answer) => {
      this.#view.verdict(answer);
      if (explains) this.#view.reasoning(answer, session.why(answer));
    });
  }

  /** Shows a decision. One that could not be audited is an error, and sets the exit code. */
  #decided(decision: Decision): void {
    this.#view.decision(decision);
    if (!("pipeline" in decision) || decision.code === undefined) return;
    this.#showUnaudited(decision.code, decision.subject, decision.value);
    if (this.#exit === EXIT.fine) this.#exit = EXIT.fault;
  }

  /** Reports a reason once: every decision shows it too. */
  #showUnaudited(code: string, subject: string, why: string): void {
    if (this.#options.json || this.#shown.has(why)) return;
    this.#shown.add(why);
    this.#io.err(`error ${code}  ${factName(subject)}: ${oneLine(why)}\n`);
    this.#io.err('      = make the file writable, or change the file after "audit to"\n');
  }

  #fireAll(session: RuleSession): RunEnd {
    try {
      const result = session.run();
      this.#pack(session, result);
      return this.#ended(result);
    } catch (error) {
      if (!isRunError(error)) throw error;
      for (const problem of sessionProblems(session.problems)) this.#fault(problem);
      this.#fault(error);
      if (error instanceof RunLimitError) return "limit";
      return error instanceof ActionError ? "failed" : "restless";
    }
  }

  #pack(session: RuleSession, result: RunResult): void {
    const { pack, signer } = this.#options;
    if (pack === undefined) return;
    const text = session.pack(result);
    writeFile(this.#io, pack, `${signer === undefined ? text : signPack(text, signer)}\n`);
  }

  #ended({ gates, verdicts, problems = [], halted }: RunResult): RunEnd {
    this.#gates = gates;
    this.#verdicts = verdicts;
    for (const problem of problems) this.#fault(problem);
    return halted ? "halted" : "done";
  }

  /** Returns whether a warning was already shown as an error: a function that still fails. */
  #isFault(warning: Diagnostic): boolean {
    return warning.code === "E521" && this.#shown.has(placeOf(warning));
  }

  #fault(error: RunError | Problem): void {
    const { json } = this.#options;
    const diagnostic = runDiagnostic(this.#program, error);
    const place = diagnostic.file === "" ? diagnostic.message : placeOf(diagnostic);
    const fault = `${place} ${subjectOf(error)}`;
    if (this.#shown.has(fault)) return;
    this.#shown.add(fault).add(place);
    this.#progress.clear();
    showDiagnostics(this.#io, [diagnostic], this.#texts, json);
    if (!json) for (const line of cycleText(diagnostic)) this.#io.err(`${line}\n`);
    if (error instanceof RunLimitError) this.#exit = EXIT.limit;
    else if (this.#exit === EXIT.fine) this.#exit = EXIT.fault;
  }
}

function placeOf({ code, file, line, column }: Diagnostic): string {
  return `${code} ${file}:${line}:${column}`;
}

/** Returns what tells problems at the same place apart: the subject of a flow or guardian, or the function of a rule. */
function subjectOf(error: RunError | Problem): string {
  if (error.code === "E521" && "function" in error) return `${error.function} ${error.how}`;
  return "subject" in error ? (error.subject ?? "") : "";
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column;
}
