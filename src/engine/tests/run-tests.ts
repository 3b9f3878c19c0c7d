/**
 * Runs the tests of a program, each in a session of its own.
 *
 * First the program's own facts do what they do, then the given facts come and what they cause is looked at. So reference
 * data that stands in the rules is there, and `fires 1` is not disturbed by the example facts beside it. A test without
 * `given` looks at what the program's own facts cause.
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
import { BY_AUTHOR, Given } from "./given.ts";
import type { TestFailure, TestOptions, TestOutcome, TestReport } from "./report.ts";
import { type Placed, placeOf, wordsOf } from "./words.ts";

type TestSite = Placed & { readonly decl: ast.TestDecl };

/** What the given facts caused. */
export interface Course {
  readonly fired: Fired[];
  readonly effects: Effect[];
  /** Outcomes that gates came to, also those that did not last. */
  readonly gates: GateAnswer[];
  /** What pipelines decided. */
  readonly decisions: PipelineDecision[];
}

/** A test decides about requests that nobody made: nothing is written down. */
const NOWHERE: Audit = () => undefined;

export function runTests(program: Program, options: TestOptions = {}): TestReport {
  const watch = options.coverage === true ? new CoverageWatch(program, options.functions ?? {}) : undefined;
  const tests = testsOf(program, options.only ?? "").map((site) => {
    const outcome = runTest(program, site, options, watch);
    options.done?.(outcome);
    return outcome;
  });
  const passed = tests.filter((test) => test.passed).length;
  return { tests, passed, failed: tests.length - passed, coverage: watch?.coverage() };
}

function testsOf(program: Program, only: string): TestSite[] {
  return program.checked.files.flatMap(({ declarations, source }) =>
    declarations.flatMap((decl) => (decl.kind === "test" && decl.name.name.includes(only) ? [{ decl, source }] : [])),
  );
}

function runTest(
  program: Program,
  site: TestSite,
  options: TestOptions,
  watch: CoverageWatch | undefined,
): TestOutcome {
  const { decl } = site;
  const expected = decl.items.filter((item) => item.kind !== "given");
  const session = program.session({ facts: "none", functions: options.functions ?? {}, audit: NOWHERE });
  const failures = orStopped(site, () => {
    const given = new Given(program, decl);
    const course = goThrough(program, session, given, watch);
    return expected.flatMap((item) => judge({ program, session, course, given, source: site.source }, item) ?? []);
  });
  const at = { name: decl.name.name, ...placeOf(site, decl.name.span) };
  const problems = session.problems.filter(({ code }) => code !== "E540" && code !== "E543");
  const outcome = { ...at, passed: failures.length === 0, expectations: expected.length, failures };
  return problems.length === 0 ? outcome : { ...outcome, problems };
}

function goThrough(program: Program, session: Session, given: Given, watch: CoverageWatch | undefined): Course {
  const course: Course = { fired: [], effects: [], gates: [], decisions: [] };
  watch?.follow(session);
  for (const { type, fields } of given.otherFacts(program.data().initialFacts)) session.assert(type, fields, BY_AUTHOR);
  if (given.size > 0) settle(session);
  session.on("fire", (fired) => course.fired.push(fired));
  session.on("effect", (effect) => course.effects.push(effect));
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

/** A rule that halts ends the run, not the test. */
function settle(session: Session): void {
  while (session.run().halted);
}

/** A run that fails is a failure of the test: its limit was reached, an action could not be done. */
function orStopped(site: TestSite, work: () => TestFailure[]): TestFailure[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const { name } = site.decl;
    return [
      {
        ...placeOf(site, name.span),
        expectation: `test ${wordsOf(site, name.span)}`,
        expected: "the rules run to their end",
        got: `${error.code} ${error.message}`,
        details: error.hint === undefined ? [] : [error.hint],
      },
    ];
  }
}
