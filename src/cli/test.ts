/** `sluice test`: runs the test blocks of a program and shows what differs. */
import type { Program, TestOutcome, TestReport } from "../index.ts";
import { EXIT, type Io } from "./io.ts";
import { writeFile } from "./output.ts";
import { type Paint, painter } from "./paint.ts";
import { loadProgram } from "./program.ts";
import { plural, Texts } from "./report.ts";
import { coverageText } from "./test/coverage-text.ts";
import { junit } from "./test/junit.ts";
import { outcomeText } from "./test/outcome-text.ts";
import { readArguments, single } from "./arguments.ts";

export const TEST_HELP = `Usage: sluice test FILES [options]

Runs the test blocks in the rules and prints every expectation that fails. Each
test has a session of its own: first the rules run on the facts in the program,
then on the given facts, and the expectations look at what the given facts
cause. A given fact replaces a fact of the program with the same key. A test
without "given" looks at what the facts of the program cause.

"given risk("FR", 10) = 0.3" states what a function of the host returns. Other
calls use the functions of --functions; without them they are unknown.

A rule that exceeds its match limit is switched off and reported (E511); an
expectation that may depend on it fails.

Options:
  --only TEXT    only run tests whose name contains TEXT
  --coverage     also print which rules never fired, which conditions were never
                 both true and false, and which gate outcomes were never reached
  --junit FILE   also write the results as JUnit XML, for CI
  --root DIR     also allow imports from DIR (repeatable)
  --functions FILE
                 a JavaScript module with the functions that the rules
                 declare (repeatable)
  --json         print one JSON object per line: test, coverage, summary

Exit codes:
  0  all tests pass
  1  a test fails, there are no tests, or there are errors in the rules
  2  wrong usage, or a file cannot be read

Example:
  sluice test examples/loan-approval/rules.tsd --coverage
`;

interface TestCommandOptions {
  readonly json: boolean;
  readonly coverage: boolean;
  readonly junit: string | undefined;
  readonly only: string | undefined;
}

export function testCommand(io: Io, args: readonly string[]): number {
  const parsed = readArguments(args, ["json", "coverage"], ["junit", "only"]);
  const options = {
    json: parsed.flags.has("json"),
    coverage: parsed.flags.has("coverage"),
    junit: single(parsed, "junit"),
    only: single(parsed, "only"),
  };
  const { program, exit } = loadProgram(io, parsed.files, new Texts(), options.json);
  return program === undefined ? exit : testProgram(io, program, options);
}

function testProgram(io: Io, program: Program, options: TestCommandOptions): number {
  const { coverage, only, json } = options;
  const paint = painter(io.outColor);
  const done = (outcome: TestOutcome): void => {
    if (json) io.out(`${JSON.stringify({ event: "test", ...outcome })}\n`);
    else io.out(`${outcomeText(outcome, paint).join("\n")}\n`);
  };
  const report = program.test({ coverage, done, functions: io.functions, ...(only === undefined ? {} : { only }) });
  if (json) writeJson(io, report);
  else writeText(io, report, paint);
  if (options.junit !== undefined) writeFile(io, options.junit, junit(report));
  return report.failed > 0 || report.tests.length === 0 ? EXIT.fault : EXIT.fine;
}

function writeJson(io: Io, { tests, passed, failed, coverage }: TestReport): void {
  if (coverage !== undefined) io.out(`${JSON.stringify({ event: "coverage", ...coverage })}\n`);
  io.out(`${JSON.stringify({ event: "summary", tests: tests.length, passed, failed })}\n`);
}

function writeText(io: Io, { tests, passed, failed, coverage }: TestReport, paint: Paint): void {
  if (tests.length === 0) return io.err('no tests found; add one: test "name" { given … expect … }\n');
  if (coverage !== undefined) io.out(`\n${coverageText(coverage, paint).join("\n")}\n`);
  const counts = failed === 0 ? paint("green", "all passed") : `${passed} passed, ${paint("red", `${failed} failed`)}`;
  io.out(`\n${plural(tests.length, "test")}: ${counts}\n`);
}
