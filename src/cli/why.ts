/** `sluice why`: runs a program and tells why a rule fired, why it did not, or where a fact comes from. */
import { type Explanation, type Fired, type RuleSession, RunLimitError, together, toHtml, toLinks } from "../index.ts";
import { explainedText } from "./explained.ts";
import { inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/fault.ts";
import { choice, readWords, UsageError, type Words } from "./usage.ts";

export const WHY_HELP = `sluice why FILES RULE [--fact v=ID…] [--facts F…] [--format text|json|lino|html] [--json]

Runs the program and tells why a rule fired, or why it did not: how far its condition gets, the first test that fails and
the values it saw, the facts that come nearest, and the smallest change that would make it fire. Each such change was tried
in a copy of the session. RULE may also be the id of a fact (where does it come from?) or a query (why does it find nothing?).

  --fact v=ID       only for this fact: v is a variable of the rule; may be given again. For a query also a text for a
                    parameter
  --facts F         more facts, as for sluice run
  --format F        text (a tree, the default), json, lino (Links Notation) or html (a page that folds, no scripts)
  --json            the same as --format json

Exit: 0 fine, 1 the rules or facts are at fault, 2 wrong usage, 5 the run reached its limit.

Example:  sluice why examples/hello/rules.tsd VIP_or_Adult --fact p=Person~p3
`;

interface Asked {
  readonly name: string;
  readonly bindings: Readonly<Record<string, string>>;
}

export function whyCommand(io: Io, args: readonly string[]): number {
  const words = readWords(args, ["json"], ["fact", "facts", "format"]);
  const format = words.flags.has("json") ? "json" : (choice(words, "format", FORMATS) ?? "text");
  const name = words.files.at(-1);
  if (name === undefined || words.files.length < 2) throw new UsageError("name the files and then the rule");
  const inputs = inputsOf({ ...words, files: words.files.slice(0, -1) });
  const asked = { name, bindings: bindingsIn(words) };
  const texts = new Texts();
  const json = format === "json";
  const { program, exit } = loadProgram(io, inputs.rules, texts, json);
  if (program === undefined) return exit;
  const site = { io, program, texts, progress: new Progress(io, !json), json };
  const session = program.session({ facts: "none", history: Infinity });
  const opened = openWithFacts(site, { session, ownFacts: true, files: inputs.facts });
  if (opened.exit !== undefined) return opened.exit;
  const ended = runAll(io, session, texts, json);
  io.out(rendered(answer(session, asked), format, io));
  return ended;
}

const FORMATS = ["text", "json", "lino", "html"] as const;

function bindingsIn(words: Words): Record<string, string> {
  const given = words.values.get("fact") ?? [];
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

/** So many firings are told one by one. */
const TOLD = 5;

function answer(session: RuleSession, { name, bindings }: Asked): Explanation {
  const isRule = session.program.checked.symbols.rules.get(name) !== undefined;
  if (!isRule && session.fact(name) !== undefined) return session.why(name);
  const firings = isRule
    ? session
        .firings(name)
        .filter((fired) => agrees(fired, bindings))
        .toReversed()
    : [];
  const [first] = firings;
  if (first === undefined) return session.whyNot(name, bindings);
  if (firings.length === 1) return session.why(first);
  const more = firings.length > TOLD ? `; the first ${TOLD} are told` : "";
  const told = firings.slice(0, TOLD).map((fired) => session.why(fired));
  return together(`"${name}" fired ${firings.length} times${more}.`, name, told);
}

function agrees(fired: Fired, bindings: Asked["bindings"]): boolean {
  return Object.entries(bindings).every(([name, id]) => fired.bindings[name] === id);
}

function rendered(explanation: Explanation, format: (typeof FORMATS)[number], io: Io): string {
  switch (format) {
    case "json":
      return `${JSON.stringify({ event: "reasoning", explanation })}\n`;
    case "lino":
      return toLinks(explanation);
    case "html":
      return toHtml(explanation);
    case "text":
      return explainedText(explanation, painter(io.outColor));
  }
}
