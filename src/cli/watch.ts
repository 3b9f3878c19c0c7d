/** `sluice watch`: runs again whenever a file changes, and shows which firings are gone and which are new. */
import type { Effect, Fired, Program } from "../index.ts";
import { type Inputs, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { plural, showDiagnostics, Texts } from "./report.ts";
import { isRunError, runDiagnostic } from "./run/fault.ts";
import { readWords, UsageError, wholeNumber } from "./usage.ts";
import { differenceOf, type Firing, firingText } from "./watch/firings.ts";

export const WATCH_HELP = `sluice watch FILES [--facts F…] [--limit N] [--json]

Runs the rules, and runs them again whenever one of the files changes, with imported files and files of facts. After each
change it shows the firings that are gone (-) and those that are new (+), with their effects. Ctrl-C ends it.

  --facts F   more facts, as for run
  --limit N   stop a run after N firings (100000)
  --json      one JSON object per line on standard output: run with gone and new firings, diagnostic

Exit: 0 when it is ended, 2 wrong usage.

Example:  sluice watch examples/hello/rules.tsd --facts examples/hello/facts.json
`;

interface Wanted extends Inputs {
  readonly limit: number | undefined;
  readonly json: boolean;
}

export async function watchCommand(io: Io, args: readonly string[]): Promise<number> {
  const words = readWords(args, ["json"], ["facts", "limit"]);
  const inputs = inputsOf(words);
  if ([...inputs.rules, ...inputs.facts].includes("-")) {
    throw new UsageError("standard input cannot be watched; name files");
  }
  const watcher = new Watcher(io, { ...inputs, limit: wholeNumber(words, "limit", 0), json: words.flags.has("json") });
  await io.watch(
    () => watcher.files(),
    () => watcher.run(),
  );
  if (!words.flags.has("json")) io.out("\n");
  return EXIT.fine;
}

class Watcher {
  readonly #io: Io;
  readonly #wanted: Wanted;
  #texts = new Texts();
  /** Those of the last run that worked. */
  #firings: readonly Firing[] | undefined;

  constructor(io: Io, wanted: Wanted) {
    this.#io = io;
    this.#wanted = wanted;
  }

  /** What was named, and what was read because of it. */
  files(): string[] {
    return [...new Set([...this.#wanted.rules, ...this.#wanted.facts, ...this.#texts.files()])];
  }

  run(): void {
    const { rules, json } = this.#wanted;
    const start = this.#io.now();
    this.#texts = new Texts();
    const { program } = loadProgram(this.#io, rules, this.#texts, json);
    const firings = program === undefined ? undefined : this.#firingsOf(program);
    if (firings === undefined) return this.#say("not run; waiting for a change");
    this.#show(firings, this.#io.now() - start);
    this.#firings = firings;
  }

  #firingsOf(program: Program): Firing[] | undefined {
    const { facts, limit, json } = this.#wanted;
    const session = program.session({ facts: "none", ...(limit === undefined ? {} : { limit }) });
    const site = { io: this.#io, program, texts: this.#texts, progress: new Progress(this.#io, false), json };
    const opened = openWithFacts(site, { session, ownFacts: true, files: facts });
    if (opened.exit !== undefined) return undefined;
    const effects: Effect[] = [];
    const fired: Fired[] = [];
    session.on("fire", (one) => fired.push(one));
    session.on("effect", (one) => effects.push(one));
    try {
      session.run();
    } catch (error) {
      if (!isRunError(error)) throw error;
      showDiagnostics(this.#io, [runDiagnostic(program, error)], this.#texts, json);
    }
    return fired.map((one) => ({ ...one, effects: effects.filter((effect) => effect.n === one.n) }));
  }

  #show(firings: readonly Firing[], milliseconds: number): void {
    const { gone, added } = differenceOf(this.#firings ?? [], firings);
    if (this.#wanted.json) {
      this.#io.out(`${JSON.stringify({ event: "run", fired: firings.length, gone, new: added })}\n`);
      return;
    }
    const paint = painter(this.#io.outColor);
    for (const firing of gone) this.#io.out(`${paint("red", `- ${firingText(firing)}`)}\n`);
    for (const firing of added) this.#io.out(`${paint("green", `+ ${firingText(firing)}`)}\n`);
    const changes =
      this.#firings === undefined
        ? ""
        : gone.length + added.length === 0
          ? ", nothing changed"
          : `, ${added.length} new, ${gone.length} gone`;
    this.#say(`${plural(firings.length, "firing")}${changes} (${Math.round(milliseconds)} ms); waiting for a change`);
  }

  #say(words: string): void {
    if (!this.#wanted.json) this.#io.out(`${painter(this.#io.outColor)("faint", words)}\n`);
  }
}
