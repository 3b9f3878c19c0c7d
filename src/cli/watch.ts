/** `sluice watch`: runs again whenever a file changes, and shows which firings and outcomes are gone and which are new. */
import { type Effect, type Fired, type Program, RunLimitError, type RunResult, type RuleSession } from "../index.ts";
import { type FactVariables, factVariables } from "./bindings.ts";
import { factName } from "./fact-names.ts";
import { FACTS_OPTIONS, type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { sessionProblems, showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/diagnostic.ts";
import { outcomeRows } from "./outcome-rows.ts";
import { readArguments, UsageError, wholeNumber } from "./arguments.ts";
import { visible } from "./visible.ts";
import { differenceOf, type Firing, firingText, keyOf } from "./watch/firings.ts";

export const WATCH_HELP = `Usage: sluice watch FILES [options]

Runs the rules, and runs them again whenever a rule file, an imported file or a
facts file changes. After each change it prints the firings that are gone (-)
and new (+) with their effects, and the changes in the outcomes of gates,
guardians and pipelines. Press Ctrl-C to stop.

Options:
  --facts FILE    load more facts (repeatable)
  --policy FILE   load facts that may also be of protected types (repeatable)
  --limit N       stop a run after N firings (default 100000)
  --root DIR      also allow imports from DIR (repeatable)
  --functions FILE
                  a JavaScript module with the functions that the rules
                  declare (repeatable)
  --json          print one JSON object per line: run (with gone and new firings
                  and outcomes), diagnostic

Exit codes:
  0  stopped
  2  wrong usage

Example:
  sluice watch examples/hello/rules.tsd --facts examples/hello/facts.json
`;

interface WatchOptions extends Inputs {
  readonly limit: number | undefined;
  readonly json: boolean;
}

export async function watchCommand(io: Io, args: readonly string[]): Promise<number> {
  const parsed = readArguments(args, ["json"], [...FACTS_OPTIONS, "limit"]);
  const inputs = inputsOf(parsed);
  if ([...inputs.rules, ...inputs.facts, ...inputs.policy].includes("-")) {
    throw new UsageError("cannot watch standard input; name files");
  }
  const watcher = new Watcher(io, {
    ...inputs,
    limit: wholeNumber(parsed, "limit", 0),
    json: parsed.flags.has("json"),
  });
  await io.watch(
    () => watcher.files(),
    () => watcher.run(),
  );
  if (!parsed.flags.has("json")) io.out("\n");
  return EXIT.fine;
}

/** What a run did. */
interface RunRecord {
  readonly firings: readonly Firing[];
  /** A line for each outcome of gates, guardians and pipelines. */
  readonly outcomes: readonly string[];
  readonly factVariables: FactVariables;
}

class Watcher {
  readonly #io: Io;
  readonly #options: WatchOptions;
  #texts = new Texts();
  /** The last run that completed. */
  #seen: RunRecord | undefined;

  constructor(io: Io, options: WatchOptions) {
    this.#io = io;
    this.#options = options;
  }

  /** Returns the files on the command line and those they import. */
  files(): string[] {
    const { rules, facts, policy } = this.#options;
    return [...new Set([...rules, ...facts, ...policy, ...this.#texts.files()])];
  }

  run(): void {
    const { rules, json } = this.#options;
    const start = this.#io.now();
    this.#texts = new Texts();
    const { program } = loadProgram(this.#io, rules, this.#texts, json);
    const seen = program === undefined ? undefined : this.#runOnce(program);
    if (seen === undefined) return this.#say("not run; waiting for changes");
    this.#show(seen, this.#io.now() - start);
    this.#seen = seen;
  }

  #runOnce(program: Program): RunRecord | undefined {
    const { limit, json } = this.#options;
    const session = program.session({
      facts: "none",
      functions: this.#io.functions,
      ...(limit === undefined ? {} : { limit }),
    });
    const context = { io: this.#io, program, texts: this.#texts, progress: new Progress(this.#io, false), json };
    const opened = openWithFacts(context, { session, programFacts: true, files: this.#options });
    if (opened.exit !== undefined) return undefined;
    const effects: Effect[] = [];
    const fired: Fired[] = [];
    session.on("fire", (one) => fired.push(one));
    session.on("effect", (one) => effects.push(one));
    const result = this.#ended(program, session);
    showProblems(context, sessionProblems(session.problems));
    const rows = result === undefined ? [] : outcomeRows(painter(false), result, json ? visible : factName);
    return {
      firings: fired.map((one) => ({ ...one, effects: effects.filter((effect) => effect.n === one.n) })),
      outcomes: rows.map((cells) => cells.filter((cell) => cell !== "").join("  ")),
      factVariables: factVariables(program.network()),
    };
  }

  /** Runs the session. Reports what stopped it; a run at its limit still has a result. */
  #ended(program: Program, session: RuleSession): RunResult | undefined {
    try {
      return session.run();
    } catch (error) {
      if (!isRunError(error)) throw error;
      showDiagnostics(this.#io, [runDiagnostic(program, error)], this.#texts, this.#options.json);
      return error instanceof RunLimitError ? error.result : undefined;
    }
  }

  #show({ firings, outcomes, factVariables: facts }: RunRecord, milliseconds: number): void {
    const fires = differenceOf(this.#seen?.firings ?? [], firings, keyOf);
    const words = differenceOf(this.#seen?.outcomes ?? [], outcomes, (line) => line);
    if (this.#options.json) {
      const { gone, added } = fires;
      const judged = { gone: words.gone, new: words.added };
      this.#io.out(`${JSON.stringify({ event: "run", fired: firings.length, gone, new: added, judged })}\n`);
      return;
    }
    const paint = painter(this.#io.outColor);
    const before = this.#seen?.factVariables ?? facts;
    const gone = [...fires.gone.map((one) => firingText(one, before)), ...words.gone];
    const added = [...fires.added.map((one) => firingText(one, facts)), ...words.added];
    for (const line of gone) this.#io.out(`${paint("red", `- ${line}`)}\n`);
    for (const line of added) this.#io.out(`${paint("green", `+ ${line}`)}\n`);
    const changes =
      this.#seen === undefined
        ? ""
        : gone.length + added.length === 0
          ? ", no changes"
          : `, ${added.length} new, ${gone.length} gone`;
    this.#say(`${plural(firings.length, "firing")}${changes} (${Math.round(milliseconds)} ms); waiting for changes`);
  }

  #say(words: string): void {
    if (!this.#options.json) this.#io.out(`${painter(this.#io.outColor)("faint", words)}\n`);
  }
}
