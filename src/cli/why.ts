/** `sluice why`: runs a program and tells why a rule fired or did not, why those who judge say what they say, or where a fact comes from. */
import { DEFAULT_BUDGETS, type RuleSession, RunLimitError, toHtml, toLinks } from "../index.ts";
import { explanationText } from "./explanation-text.ts";
import { FACTS_OPTIONS, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
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

export const WHY_HELP: string = `sluice why FILES RULE [--fact v=ID…] [--subject ID] [--facts F…] [--policy F…]
           [--format text|json|lino|html] [--steps N] [--json]

Runs the program and explains why a rule fired, or why it did not: how far its condition gets, the first test that fails
and the values it saw, the facts that come nearest, and the smallest change that would make it fire. Every such change is
verified on a copy of the session. RULE may also be a gate (why does it pass, hold or fail, and what would open it?),
a guardian (which line decided, and what would help?), a pipeline (what did each step do?), the id of a fact (where
does it come from?) or a query (why does it find nothing?).

  --fact v=ID       only for this fact: v is a variable of the rule, or the subject of a gate, guardian or pipeline; may be
                    given again. For a query also a text for a parameter
  --subject ID      of a gate, guardian or pipeline: only for this fact, by its id (Release~r-42) or its key (r-42)
  --facts F         more facts, as for sluice run
  --policy F        facts that may also be of protected types
  --format F        text (a tree, the default), json, lino (Links Notation) or html (a page that folds, no scripts)
  --steps N         how many steps the question may cost (${DEFAULT_BUDGETS.explainSteps}); an answer that stopped early says so
  --root DIR        let rules import files from this folder too; may be given again
  --json            the same as --format json

Exit: 0 fine, 1 the rules or facts are at fault, 2 wrong usage, 5 the run reached its limit.

Example:  sluice why examples/hello/rules.tsd VIP_or_Adult --fact p=Person~p3
          sluice why examples/release-gate/rules.tsd deploy --facts examples/release-gate/facts.json --subject r-42
          sluice why examples/answer-guardian/rules.tsd answer --fact d=Draft~d1
`;

export function whyCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], ["fact", ...FACTS_OPTIONS, "format", "steps", "subject"]);
  const format = parsed.flags.has("json") ? "json" : (choice(parsed, "format", FORMATS) ?? "text");
  const explainSteps = wholeNumber(parsed, "steps", 1) ?? DEFAULT_BUDGETS.explainSteps;
  const name = parsed.files.at(-1);
  if (name === undefined || parsed.files.length < 2)
    throw new UsageError("name the files and then the rule, gate, guardian or pipeline");
  const inputs = inputsOf({ ...parsed, files: parsed.files.slice(0, -1) });
  const asked = { name, bindings: bindingsIn(parsed), subject: single(parsed, "subject") };
  const texts = new Texts();
  const json = format === "json";
  const { program, exit } = loadProgram(io, inputs.rules, texts, json);
  if (program === undefined) return exit;
  const context = { io, program, texts, progress: new Progress(io, !json), json };
  const session = program.session({ facts: "none", history: Infinity, explainSteps });
  const opened = openWithFacts(context, { session, programFacts: true, files: inputs });
  if (opened.exit !== undefined) return opened.exit;
  const ended = runAll(io, session, texts, json);
  showProblems(context, sessionProblems(session.problems));
  const kind = judgeKind(session, asked);
  if (kind === undefined) io.out(rendered({ explanation: answer(session, asked), notes: [] }, format, io));
  else {
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
      if (at < 1) throw new UsageError(`--fact takes a variable and an id, as in p=Person~p4, not "${one}"`);
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

/** What stops a run is shown, and the facts are explained as they are then. */
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

function rendered({ explanation, notes }: SubjectReport, format: (typeof FORMATS)[number], io: Io): string {
  switch (format) {
    case "json":
      return `${JSON.stringify({ event: "reasoning", explanation })}\n`;
    case "lino":
      return toLinks(explanation);
    case "html":
      return toHtml(explanation, notes);
    case "text":
      return explanationText(explanation, painter(io.outColor));
  }
}
