/** `sluice bench sharing FILES`: what sharing nodes is worth for a person's own rules. */
import { basename, dirname, join } from "node:path";
import { factSession, type FactView, type Program } from "../../index.ts";
import { type Arguments, single, UsageError, wholeNumber } from "../arguments.ts";
import { type Inputs, inputsOf } from "../inputs.ts";
import { EXIT, type Io } from "../io.ts";
import { openWithFacts } from "../open.ts";
import { writeFile } from "../output.ts";
import { loadProgram } from "../program.ts";
import { Progress } from "../progress.ts";
import { plural, Texts } from "../report.ts";
import { oneLine } from "../visible.ts";
import { conclusionOf, count, isTimeClear } from "./conclusion.ts";
import { generatedFacts } from "./facts.ts";
import { followFact, setClock } from "../clock.ts";
import { measureSizes, ruleNames, type Size } from "./measure.ts";
import { sharingPlot } from "./plot.ts";
import { sharingText } from "./text.ts";

/** The options of `sluice bench sharing` that take a value. */
export const SHARING_OPTIONS = ["facts", "policy", "count", "rounds", "seed"] as const;

const DEFAULT_COUNT = 1000;
const DEFAULT_ROUNDS = 11;
const LEAST_ROUNDS = 3;

/** Measures the rules of the files; `parsed` begins with the name of the benchmark. */
export function benchSharing(io: Io, parsed: Arguments): number {
  const inputs = inputsOf({ ...parsed, files: parsed.files.slice(1) });
  const json = parsed.flags.has("json");
  if (single(parsed, "processes") !== undefined) throw new UsageError("--processes is for the benchmarks of a clone");
  const rounds = wholeNumber(parsed, "rounds", LEAST_ROUNDS) ?? DEFAULT_ROUNDS;
  const texts = new Texts();
  const { program, exit } = loadProgram(io, inputs.rules, texts, json);
  if (program === undefined) return exit;
  if (ruleNames(program).length === 0) throw new UsageError("there are no rules to measure in these files");
  const progress = new Progress(io, !json);
  const found = factsOf({ io, program, texts, progress, json }, inputs, parsed);
  if ("exit" in found) return found.exit;
  const begin = (rules: number): void => progress.tick(() => `measuring ${plural(rules, "rule")}`);
  const sizes = measureSizes(program, {
    facts: found.facts,
    functions: io.functions,
    clock: found.clock,
    rounds,
    now: () => io.now(),
    heap: io.heap,
    begin,
  });
  progress.clear();
  const plot = plotFile(parsed, inputs);
  writeFile(io, plot, sharingPlot(sizes, { title: inputs.rules.join(" "), source: found.source }));
  if (json) writeJson(io, sizes, found.source, plot);
  else writeText(io, sizes, found.source, { title: inputs.rules.join(" "), plot, rounds, always: judgesOf(program) });
  return sizes.every(({ difference }) => difference === undefined) ? EXIT.fine : EXIT.fault;
}

interface Found {
  readonly facts: readonly FactView[];
  /** Where they come from: `1,000 generated facts (seed 1)`. */
  readonly source: string;
  /** What the clock shows; undefined when the rules do not read it. */
  readonly clock: string | undefined;
}

interface Context {
  readonly io: Io;
  readonly program: Program;
  readonly texts: Texts;
  readonly progress: Progress;
  readonly json: boolean;
}

/** Returns the facts of files; without files, facts that are generated from the types and constants of the rules. */
function factsOf(context: Context, files: Inputs, parsed: Arguments): Found | { readonly exit: number } {
  const seed = wholeNumber(parsed, "seed", 0);
  const asked = wholeNumber(parsed, "count", 1);
  const { program } = context;
  if (files.facts.length + files.policy.length === 0) {
    return generated(program, context.io, asked ?? DEFAULT_COUNT, seed ?? 1);
  }
  if (asked !== undefined || seed !== undefined) {
    throw new UsageError("--count and --seed are for generated facts; leave them out, or leave out --facts");
  }
  const opened = openWithFacts(context, { session: factSession(program), programFacts: true, files });
  if (opened.exit !== undefined) return { exit: opened.exit };
  const facts = opened.session.facts();
  const source = `${count(facts.length)} given ${facts.length === 1 ? "fact" : "facts"}`;
  return { facts, source, clock: opened.session.clock };
}

/** Generates facts, and fewer of them while a rule has too many matches for the limit of the session. */
function generated(program: Program, io: Io, asked: number, seed: number): Found {
  for (let many = asked; ; many = Math.ceil(many / 2)) {
    const facts = generatedFacts(program, many, seed);
    const session = program.session({ facts: "none", functions: io.functions, missingFunctions: "unknown" });
    setClock(io, program, session);
    for (const { type, fields } of facts) followFact(io, session, type, fields);
    session.batch(() => {
      for (const { type, fields } of facts) session.assert(type, fields, { role: "policy" });
    });
    const isTooMuch = session.problems.some(({ code }) => code === "E511");
    if (isTooMuch && many > 1) continue;
    const fewer = many === asked ? "" : `; more would exceed the match limit`;
    const source = `${count(facts.length)} generated facts (seed ${seed}${fewer})`;
    return { facts, source, clock: session.clock };
  }
}

/** Returns the file of the plot: next to the first file of rules, unless the user names one. */
function plotFile(parsed: Arguments, { rules }: Inputs): string {
  const named = single(parsed, "plot");
  if (named !== undefined) return named;
  const [first = "-"] = rules;
  return first.endsWith(".tsd") ? join(dirname(first), `${basename(first, ".tsd")}.sharing.svg`) : "sharing.svg";
}

/** Returns the kinds of judges that a program has: they need nodes, too. */
function judgesOf({ checked: { symbols } }: Program): string[] {
  const { gates, guardians, pipelines, flows } = symbols;
  const kinds = Object.entries({ gates, guardians, pipelines, flows });
  return kinds.flatMap(([kind, names]) => ([...names.names()].length === 0 ? [] : [kind]));
}

interface TextOptions {
  readonly title: string;
  readonly plot: string;
  readonly rounds: number;
  readonly always: readonly string[];
}

function writeText(io: Io, sizes: readonly Size[], source: string, { title, plot, rounds, always }: TextOptions): void {
  io.out(`${oneLine(title)}: ${source}, medians of ${rounds} rounds\n\n`);
  io.out(sharingText(io, sizes, always));
  io.out(`plot: ${oneLine(plot)}\n`);
}

function writeJson(io: Io, sizes: readonly Size[], source: string, plot: string): void {
  const write = (event: object): void => io.out(`${JSON.stringify(event)}\n`);
  for (const measured of sizes) {
    const { difference, ...size } = measured;
    write({ event: "size", ...size, clear: isTimeClear(measured), same: difference === undefined, difference });
  }
  const same = sizes.every(({ difference }) => difference === undefined);
  write({ event: "conclusion", source, same, plot, text: conclusionOf(sizes).join(" ") });
}
