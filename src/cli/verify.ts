/** `sluice verify-answer`: asks a guardian about drafts, and returns an exit code for scripts. */
import { type Problem, type Program, RunLimitError, type RuleSession, type VerdictAnswer } from "../index.ts";
import { factName } from "./fact-names.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { type Paint, painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { VERDICT_COLORS } from "./run/verdict-text.ts";
import { subjectNamed } from "./subject.ts";
import { oneLine } from "./visible.ts";
import { unknownName, readArguments, single, missingName, type Arguments } from "./arguments.ts";
import { subjectReportText, verdictReport } from "./why/reports.ts";

export const VERIFY_HELP = `Usage: sluice verify-answer FILES [--guardian NAME] [--subject FACT] [options]

Loads rules and facts, fires the rules, and prints a guardian's verdict on each
draft: PASS, RETRY or FAIL, the reasons as codes and in words, the required
actions, and what would have fixed it.

Options:
  --guardian NAME   the guardian to ask; optional when the program has only one
  --subject FACT    the draft: its key (d1), its id (Draft~d1) or its label
                    ("Draft d1"). Without it, all drafts are shown and the worst
                    verdict sets the exit code
  --explain         also print every check and line with the values it saw, and
                    the smallest change that would help
  --facts FILE      load more facts (repeatable); "sluice run --help" lists the
                    formats
  --policy FILE     load facts that may also be of protected types (repeatable)
  --root DIR        also allow imports from DIR (repeatable)
  --functions FILE  a JavaScript module with the functions that the rules
                    declare (repeatable)
  --json            print one JSON object per draft

A rule that exceeds its match limit is switched off and reported (E511).
Whatever may depend on it is unknown and does not pass.

Exit codes:
  0  PASS
  3  RETRY; also when there is no draft
  4  FAIL
  1  errors in the rules or facts, or an action failed
  2  wrong usage, or a file cannot be read
  5  the firing limit was reached

Example:
  sluice verify-answer examples/answer-guardian/rules.tsd --subject d1
`;

interface VerifyOptions extends Inputs {
  readonly guardian: string | undefined;
  readonly subject: string | undefined;
  readonly explain: boolean;
  readonly json: boolean;
}

export function verifyCommand(io: Io, args: readonly string[]): number {
  const options = verifyOptions(readArguments(args, ["json", "explain"], ["guardian", "subject", ...FACTS_OPTIONS]));
  const texts = new Texts();
  const { program, exit } = loadProgram(io, options.rules, texts, options.json);
  if (program === undefined) return exit;
  return verify(io, program, { ...options, guardian: guardianOf(program, options) }, texts);
}

function verifyOptions(parsed: Arguments): VerifyOptions {
  return {
    ...inputsOf(parsed),
    guardian: single(parsed, "guardian"),
    subject: single(parsed, "subject"),
    explain: parsed.flags.has("explain"),
    json: parsed.flags.has("json"),
  };
}

function guardianOf(program: Program, { guardian }: VerifyOptions): string {
  const names = [...program.checked.symbols.guardians.names()];
  const [only, ...others] = names;
  if (guardian === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw missingName("guardian", names);
  }
  if (names.includes(guardian)) return guardian;
  throw unknownName("guardian", guardian, names);
}

function verify(
  io: Io,
  program: Program,
  options: VerifyOptions & { readonly guardian: string },
  texts: Texts,
): number {
  const { json } = options;
  const progress = new Progress(io, !json);
  const opened = openWithFacts(
    { io, program, texts, progress, json },
    { session: program.session({ facts: "none", functions: io.functions }), programFacts: true, files: options },
  );
  if (opened.exit !== undefined) return opened.exit;
  const ran = runAll(io, program, opened.session, texts, json);
  progress.clear();
  showProblems({ io, program, texts, json }, sessionProblems(opened.session.problems));
  if (ran.exit !== undefined) return ran.exit;
  const verdicts = verdictsOf(program, opened.session, options);
  show(io, options, verdicts, opened.session);
  const asked = new Set(verdicts.map(({ subject }) => subject));
  const faults = ran.problems.filter(
    (one) => "guardian" in one && one.guardian === options.guardian && asked.has(one.subject),
  );
  const diagnostics = faults.map((problem) => runDiagnostic(program, problem));
  showDiagnostics(io, diagnostics, texts, json);
  return faults.length > 0 ? EXIT.fault : worst(verdicts);
}

type Ran = { readonly problems: readonly Problem[]; readonly exit?: undefined } | { readonly exit: number };

/** Fires all rules; returns an exit code when the run fails: what a rule could not do may be what fails the draft. */
function runAll(io: Io, program: Program, session: RuleSession, texts: Texts, json: boolean): Ran {
  try {
    return { problems: session.run().problems ?? [] };
  } catch (error) {
    if (!isRunError(error)) throw error;
    showDiagnostics(io, [runDiagnostic(program, error)], texts, json);
    return { exit: error instanceof RunLimitError ? EXIT.limit : EXIT.fault };
  }
}

function verdictsOf(
  program: Program,
  session: RuleSession,
  { guardian, subject }: VerifyOptions & { readonly guardian: string },
): VerdictAnswer[] {
  if (subject === undefined) return session.verdicts(guardian);
  const type = program.checked.symbols.guardians.get(guardian)?.decl.subject.type.name ?? "";
  return [session.verdict(guardian, subjectNamed(session, type, subject) ?? subject)];
}

function show(
  io: Io,
  { guardian, json, explain }: VerifyOptions,
  verdicts: readonly VerdictAnswer[],
  session: RuleSession,
): void {
  if (json) {
    for (const verdict of verdicts) {
      io.out(`${JSON.stringify({ event: "verdict", ...verdict })}\n`);
      if (explain) io.out(`${JSON.stringify(reasoning(session, verdict))}\n`);
    }
    return;
  }
  const paint = painter(io.outColor);
  const texts = verdicts.map((verdict) => {
    const lines = verdictLines(paint, verdict);
    return [
      ...lines,
      ...(explain ? ["", subjectReportText(verdictReport(session, verdict), paint).trimEnd()] : []),
    ].join("\n");
  });
  io.out(texts.length === 0 ? `guardian "${guardian}": no draft to judge\n` : `${texts.join("\n\n")}\n`);
}

function reasoning(session: RuleSession, verdict: VerdictAnswer): object {
  const { guardian, subject } = verdict;
  const { explanation } = verdictReport(session, verdict);
  return { event: "reasoning", of: "verdict", guardian, subject, explanation };
}

type Row = readonly [label: string, items: readonly string[]];

function verdictLines(paint: Paint, answer: VerdictAnswer): string[] {
  const { guardian, subject, verdict, risk_level, attempt } = answer;
  const head = `guardian "${oneLine(guardian)}" for ${paint("cyan", factName(subject))}: ${paint(VERDICT_COLORS[verdict], verdict)}`;
  const rows: Row[] = [
    ["reasons", answer.reasons],
    ...answer.sentences.map((sentence, index): Row => [index === 0 ? "says" : "", [sentence]]),
    ["required", answer.required_actions],
    ["would fix", answer.would_fix],
    ["flags", answer.flags],
    ["warnings", answer.warnings],
    ["risk", verdict === "PASS" ? [] : [risk_level]],
    ["attempt", attempt === 0 ? [] : [String(attempt)]],
  ];
  const shown = rows.filter(([, items]) => items.length > 0);
  return [
    head,
    ...shown.map(([name, items]) => `  ${paint("faint", name.padEnd(9))}  ${items.map(oneLine).join(", ")}`),
  ];
}

function worst(verdicts: readonly VerdictAnswer[]): number {
  const names = new Set(verdicts.map(({ verdict }) => verdict));
  if (names.has("FAIL")) return EXIT.fail;
  return names.has("RETRY") || names.size === 0 ? EXIT.hold : EXIT.fine;
}
