/** `sluice prove`: compares the network with a brute-force matcher, and shows the smallest difference. */
import {
  DEFAULT_BUDGETS,
  factSession,
  type FactView,
  type FoundDifference,
  type Problem,
  type Program,
  type Proof,
  prove,
  SeededRandom,
} from "../index.ts";
import { FACTS_OPTIONS, inputsOf } from "./inputs.ts";
import { EXIT, type Io } from "./io.ts";
import { openWithFacts } from "./open.ts";
import { painter } from "./paint.ts";
import { showProblems } from "./problems.ts";
import { loadProgram } from "./program.ts";
import { Progress } from "./progress.ts";
import { derivedFacts } from "./prove/derived.ts";
import { differenceText } from "./prove/difference.ts";
import { plural, Texts } from "./report.ts";
import { readArguments, wholeNumber } from "./arguments.ts";

export const PROVE_HELP: string = `Usage: sluice prove FILES [options]

Tests Sluice itself on your rules and facts. Each case loads the facts and then
makes random changes: it retracts, updates, duplicates and adds facts, with
values from your data and values next to the constants in your rules. After
every change, the matches of all rules are compared with those of a brute-force
matcher, which tries every combination of facts. The first difference is reduced
to the smallest case that still shows it.

Options:
  --cases N       the number of cases (default 200)
  --seed N        a different seed gives different cases (default 1)
  --steps N       the most facts the brute-force matcher may look at, in all
                  cases together (default ${DEFAULT_BUDGETS.proveSteps}); the cases done by
                  then are reported
  --facts FILE    load more facts (repeatable)
  --policy FILE   load facts that may also be of protected types (repeatable)
  --root DIR      also allow imports from DIR (repeatable)
  --functions FILE
                  a JavaScript module with the functions that the rules
                  declare (repeatable)
  --json          print one JSON object per line: difference, summary

Exit codes:
  0  no difference
  1  a difference, or errors in the rules or facts
  2  wrong usage, or a file cannot be read
  5  the step limit ended the run before all cases were done

Example:
  sluice prove examples/orders/rules.tsd --cases 500
`;

export function proveCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json"], [...FACTS_OPTIONS, "cases", "seed", "steps"]);
  const inputs = inputsOf(parsed);
  const cases = wholeNumber(parsed, "cases", 1) ?? 200;
  const seed = wholeNumber(parsed, "seed", 0) ?? 1;
  const steps = wholeNumber(parsed, "steps", 1) ?? DEFAULT_BUDGETS.proveSteps;
  const json = parsed.flags.has("json");
  const texts = new Texts();
  const { program, exit } = loadProgram(io, inputs.rules, texts, json);
  if (program === undefined) return exit;
  const progress = new Progress(io, !json);
  const context = { io, program, texts, progress, json };
  // There may be more facts than the rules can handle at once; each case uses some of them.
  const opened = openWithFacts(context, { session: factSession(program), programFacts: true, files: inputs });
  if (opened.exit !== undefined) return opened.exit;
  const problems: Problem[] = [];
  const proof = proofOf(program, opened.session.facts(), {
    cases,
    seed,
    steps,
    progress,
    clock: opened.session.clock,
    problem: (one) => problems.push(one),
    functions: io.functions,
  });
  progress.clear();
  showProblems(context, problems);
  if (json) writeJson(io, proof, seed);
  else writeText(io, proof, seed);
  if (proof.found !== undefined) return EXIT.fault;
  return proof.stopped === undefined ? EXIT.fine : EXIT.limit;
}

interface ProveOptions {
  readonly cases: number;
  readonly seed: number;
  readonly steps: number;
  readonly progress: Progress;
  /** The functions of the host, on both sides. */
  readonly functions: Io["functions"];
  /** What the clock shows in every case; undefined when the rules do not read it. */
  readonly clock: string | undefined;
  /** Called when a rule is disabled: it is not compared any more in that case. */
  readonly problem: (problem: Problem) => void;
}

function proofOf(program: Program, facts: readonly FactView[], options: ProveOptions): Proof {
  const { cases, seed, steps, progress, clock, problem, functions } = options;
  const atClock = clock === undefined ? {} : { clock };
  return prove({
    program: program.checked,
    functions: new Map(Object.entries(functions)),
    open: () => {
      const session = program.session({ facts: "none", functions, missingFunctions: "unknown", ...atClock });
      session.on("problem", problem);
      return session;
    },
    facts,
    derive: (some) => derivedFacts(program, some, functions, atClock),
    cases,
    steps,
    random: (oneCase) => {
      const source = new SeededRandom(Math.imul(seed, 1_000_003) + oneCase);
      return () => source.next();
    },
    begin: (oneCase) => progress.tick(() => `case ${oneCase} of ${cases}`),
  });
}

function writeText(io: Io, proof: Proof, seed: number): void {
  const { cases, changes, rules, sample, found, stopped } = proof;
  const paint = painter(io.outColor);
  const done = `${plural(cases, "case")}, ${plural(changes, "change")}, ${plural(rules, "rule")}`;
  if (sample !== undefined) {
    io.out(
      `using at most ${plural(sample, "fact")} of each type at a time: the brute-force matcher tries every combination\n`,
    );
  }
  if (stopped !== undefined) {
    return io.out(`${stopped} (raise the limit with --steps N): no difference in ${done}\n`);
  }
  if (found === undefined) return io.out(`${done}: no difference\n`);
  io.out(`${paint("red", `case ${found.case}: the network and the brute-force matcher differ`)}\n\n`);
  io.out(`${differenceText(found, paint).join("\n")}\n\n`);
  io.out(`${done}: 1 difference\n`);
  io.out("This is a bug in Sluice, not in your rules. Please report it with the facts and changes above");
  io.out(` (--seed ${seed}).\n`);
}

function writeJson(io: Io, proof: Proof, seed: number): void {
  const { found, sample, ...counts } = proof;
  const write = (event: object): void => io.out(`${JSON.stringify(event)}\n`);
  if (found !== undefined) write(differenceEvent(found));
  const sampled = sample === undefined ? {} : { sample };
  write({ event: "summary", ...counts, seed, ...sampled, differences: found === undefined ? 0 : 1 });
}

function differenceEvent({ case: oneCase, history, difference }: FoundDifference): object {
  const { rule, network, naive, failure } = difference;
  const answers = failure === undefined ? { rule, network, naive } : { failure };
  return { event: "difference", case: oneCase, facts: history.facts, changes: history.changes, ...answers };
}
