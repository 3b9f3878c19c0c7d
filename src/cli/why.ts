/** `sluice why`: runs a program and explains a rule, gate, guardian, pipeline, flow, query or fact. */
import { DEFAULT_BUDGETS, type PlanRule, type RuleSession, RunLimitError, toHtml, toLinks } from "../index.ts";
import { explanationText } from "./explanation-text.ts";
import { FACTS_OPTIONS, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { joinedRules, joinedText } from "./joined-text.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { choice, readArguments, single, UsageError, wholeNumber, type Arguments } from "./arguments.ts";
import { answer } from "./why/answer.ts";
import { mergedReport, judgeReport, judgeReportText, judgeKind, type SubjectReport } from "./why/reports.ts";

export const WHY_HELP: string = `Usage: sluice why FILES NAME [options]

Runs the program and explains NAME, which is one of:

  a rule       why it fired; or why not: how far its condition gets, the first
               test that fails and the values it saw, the nearest facts, and
               the smallest change that would make it fire
  a gate       why it passes, holds or fails, and what would open it
  a guardian   which line decided, and what would help
  a pipeline   what each step did
  a flow       the stage of each subject, the gates and branches that led there,
               and why it stays
  a query      why it finds nothing
  a fact       where it comes from; by its id (Person~p3) or its label
               ("Person p3")

Every suggested change is verified on a copy of the session.

Options:
  --fact VAR=FACT    only for this fact: VAR is a variable of the rule, or the
                     subject of a gate, guardian, pipeline or flow; FACT is a
                     key, an id or a label (repeatable). For a query, also the
                     value of a parameter
  --subject FACT     only for this subject of a gate, guardian, pipeline or
                     flow: its key (r-42), its id or its label
  --format FORMAT    text (default), json, lino (Links Notation) or html (a page
                     with a collapsible tree and no scripts)
  --steps N          the most steps to spend (default ${DEFAULT_BUDGETS.explainSteps}); an incomplete
                     answer says so
  --facts FILE       load more facts (repeatable); "sluice run --help" lists the
                     formats
  --policy FILE      load facts that may also be of protected types (repeatable)
  --root DIR         also allow imports from DIR (repeatable)
  --functions FILE   a JavaScript module with the functions that the rules
                     declare (repeatable)
  --json             the same as --format json

Exit codes:
  0  success
  1  errors in the rules or facts
  2  wrong usage, or a file cannot be read
  5  the firing limit was reached

Examples:
  sluice why examples/hello/rules.tsd VIP_or_Adult --fact "p=Person p3"
  sluice why examples/release-gate/rules.tsd deploy --subject r-42 \\
      --facts examples/release-gate/facts.json
  sluice why examples/answer-guardian/rules.tsd answer --subject d1
`;

export function whyCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["fact", ...FACTS_OPTIONS, "format", "steps", "subject"]);
  const format = parsed.flags.has("json") ? "json" : (choice(parsed, "format", FORMATS) ?? "text");
  const explainSteps = wholeNumber(parsed, "steps", 1) ?? DEFAULT_BUDGETS.explainSteps;
  const name = parsed.files.at(-1);
  if (name === undefined || parsed.files.length < 2)
    throw new UsageError("name the files, and then the rule, gate, guardian, pipeline, flow, query or fact to explain");
  const inputs = inputsOf({ ...parsed, files: parsed.files.slice(0, -1) });
  const asked = { name, bindings: bindingsIn(parsed), subject: single(parsed, "subject") };
  const texts = new Texts();
  const json = format === "json";
  const { program, exit } = loadProgram(io, inputs.rules, texts, json);
  if (program === undefined) return exit;
  const context = { io, program, texts, progress: new Progress(io, !json), json };
  const session = program.session({
    facts: "none",
    functions: io.functions,
    missingFunctions: "unknown",
    history: Infinity,
    explainSteps,
  });
  const opened = openWithFacts(context, { session, programFacts: true, files: inputs });
  if (opened.exit !== undefined) return opened.exit;
  const ended = runAll(io, session, texts, json);
  showProblems(context, sessionProblems(session.problems));
  const kind = judgeKind(session, asked);
  if (kind === undefined) {
    const joined = joinedRules(program).get(name);
    io.out(rendered({ explanation: answer(session, asked), notes: [], joined }, format, io));
  } else {
    const told = judgeReport(session, kind, asked);
    io.out(
      format === "text" ? judgeReportText(told, painter(io.outColor)) : rendered(mergedReport(told, name), format, io),
    );
  }
  return ended;
}

const FORMATS = ["text", "json", "lino", "html"] as const;

function bindingsIn(parsed: Arguments): Record<string, string> {
  const given = parsed.values.get("fact") ?? [];
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf("=");
      if (at < 1) throw new UsageError(`--fact must be VARIABLE=FACT, such as p=Person~p4, not "${one}"`);
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

/** Fires all rules. A run that stops early is reported, and its facts are explained as they are then. */
function runAll(io: Io, session: RuleSession, texts: Texts, json: boolean): number {
  try {
    session.run();
    return EXIT.fine;
  } catch (error) {
    if (!isRunError(error)) throw error;
    showDiagnostics(io, [runDiagnostic(session.program, error)], texts, json);
    return error instanceof RunLimitError ? EXIT.limit : EXIT.fault;
  }
}

/** What is explained, and for a rule that is not joined as it is written, the order of its patterns. */
interface Report extends SubjectReport {
  readonly joined?: NonNullable<PlanRule["joined"]> | undefined;
}

function rendered({ explanation, notes, joined }: Report, format: (typeof FORMATS)[number], io: Io): string {
  const joins = joined === undefined ? [] : [`It is ${joinedText(joined)}.`];
  switch (format) {
    case "json": {
      const order = joined === undefined ? {} : { joined: { order: joined.patterns, because: joined.because } };
      return `${JSON.stringify({ event: "reasoning", explanation, ...order })}\n`;
    }
    case "lino":
      return toLinks(explanation);
    case "html":
      return toHtml(explanation, [...notes, ...joins]);
    case "text":
      return [explanationText(explanation, painter(io.outColor), "--fact "), ...joins.map((line) => `${line}\n`)].join(
        "\n",
      );
  }
}
