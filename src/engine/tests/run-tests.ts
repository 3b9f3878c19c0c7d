/**
 * Runs the tests of a program, each in a session of its own.
 *
 * First the facts of the program are asserted and the rules run; then the given facts are asserted, and expectations are about
 * what they cause. So reference data in the rules is there, and `fires 1` does not count example facts beside it. The
 * expectations of a test without `given` are about what the facts of the program cause.
 */
import type * as ast from "../../language/ast.ts";
import type { Audit } from "../../guardian/decisions.ts";
import type { GateAnswer, PipelineDecision } from "../../base/answers.ts";
import { SessionError } from "../../session/errors.ts";
import type { Effect, Fired } from "../../session/results.ts";
import type { Program } from "../program.ts";
import type { Session } from "../session.ts";
import { CoverageWatch } from "./coverage.ts";
import { judge } from "./expectation.ts";
import { BY_AUTHOR, GivenFacts } from "./given.ts";
import type { TestFailure, TestOptions, TestOutcome, TestReport } from "./report.ts";
import { type Placed, placeOf, wordsOf } from "./words.ts";

type PlacedTest = Placed & { readonly decl: ast.TestDecl };

/** What the given facts caused. */
export interface Course {
  readonly fired: Fired[];
  readonly effects: Effect[];
  /** The ids of the facts that were made by rules and by the engine, in order. */
  readonly made: string[];
  /** The outcomes that gates reached, also those that changed again. */
  readonly gates: GateAnswer[];
  /** The decisions of pipelines. */
  readonly decisions: PipelineDecision[];
}

/** Writes nothing: the requests of a test are not real. */
const NOWHERE: Audit = () => undefined;

export function runTests(program: Program, options: TestOptions = {}): TestReport {
  const watch = options.coverage === true ? new CoverageWatch(program, options.functions ?? {}) : undefined;
  const tests = testsOf(program, options.only ?? "").map((test) => {
    const outcome = runTest(program, test, options, watch);
    options.done?.(outcome);
    return outcome;
  });
  const passed = tests.filter((test) => test.passed).length;
  return { tests, passed, failed: tests.length - passed, coverage: watch?.coverage() };
}

function testsOf(program: Program, only: string): PlacedTest[] {
  return program.checked.files.flatMap(({ declarations, source }) =>
    declarations.flatMap((decl) => (decl.kind === "test" && decl.name.name.includes(only) ? [{ decl, source }] : [])),
  );
}

function runTest(
  program: Program,
  test: PlacedTest,
  options: TestOptions,
  watch: CoverageWatch | undefined,
): TestOutcome {
  const { decl } = test;
  const expected = decl.items.filter((item) => item.kind !== "given");
  const sessionOptions = { functions: options.functions ?? {}, audit: NOWHERE };
  const session = program.session({ facts: "none", ...sessionOptions });
  const copy = (): Session => program.session({ from: session.snapshot(), ...sessionOptions });
  const failures = orStopped(test, () => {
    const given = new GivenFacts(program, decl);
    const course = playTest(program, session, given, watch);
    const context = { program, session, copy, course, given, source: test.source };
    return expected.flatMap((item) => judge(context, item) ?? []);
  });
  const at = { name: decl.name.name, ...placeOf(test, decl.name.span) };
  const problems = session.problems.filter(({ code }) => code !== "E540" && code !== "E543");
  const outcome = { ...at, passed: failures.length === 0, expectations: expected.length, failures };
  return problems.length === 0 ? outcome : { ...outcome, problems };
}

function playTest(program: Program, session: Session, given: GivenFacts, watch: CoverageWatch | undefined): Course {
  const course: Course = { fired: [], effects: [], made: [], gates: [], decisions: [] };
  watch?.follow(session);
  for (const { type, fields } of given.otherFacts(program.data().initialFacts)) session.assert(type, fields, BY_AUTHOR);
  if (given.size > 0) runToEnd(session);
  session.on("fire", (fired) => course.fired.push(fired));
  session.on("effect", (effect) => course.effects.push(effect));
  session.on("fact", ({ op, id, by }) => {
    if (op === "assert" && by !== "host") course.made.push(id);
  });
  session.on("gate", (answer) => course.gates.push(answer));
  session.on("decision", (one) => {
    if ("pipeline" in one) course.decisions.push(one);
  });
  given.assertInto(session);
  const { gates } = session.run();
  watch?.fired(course.fired);
  watch?.reached([...course.gates, ...gates]);
  return course;
}

/** Runs until no rule is left: a rule that halts ends the run, not the test. */
function runToEnd(session: Session): void {
  while (session.run().halted);
}

/** Returns the failures, or one failure when the run fails: its limit was reached, or an action failed. */
function orStopped(test: PlacedTest, work: () => TestFailure[]): TestFailure[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { name } = test.decl;
    return [
      {
        ...placeOf(test, name.span),
        expectation: `test ${wordsOf(test, name.span)}`,
        expected: "the rules run to their end",
        got: `${error.code} ${error.message}`,
        details: error.hint === undefined ? [] : [error.hint],
      },
    ];
  }
}
