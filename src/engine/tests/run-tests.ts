/**
 * Runs the tests of a program, each in a session of its own.
 *
 * First the facts of the program are asserted and the rules run; then the given facts are asserted, and expectations are about
 * what they cause. So reference data in the rules is there, and `fires 1` does not count example facts beside it. The
 * expectations of a test without `given` are about what the facts of the program cause. Each `advance` begins a new step.
 */
import type * as ast from "../../language/ast.ts";
import type { Audit } from "../../guardian/decisions.ts";
import type { GateAnswer, PipelineDecision } from "../../base/answers.ts";
import { SessionError } from "../../session/errors.ts";
import type { Effect, Fired } from "../../session/results.ts";
import type { OpenOptions, Program } from "../program.ts";
import type { Session } from "../session.ts";
import { CoverageWatch } from "./coverage.ts";
import { instantOf } from "../../language/check/tests.ts";
import { type Expectation, judge } from "./expectation.ts";
import { functionsIn } from "./given-calls.ts";
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
  /** The decisions of pipelines since the beginning of the test, in order: each request is decided once. */
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
  const steps = stepsOf(decl);
  const expected = steps.flatMap((step) => step.expected);
  const given = new GivenFacts(program, decl);
  const functions = functionsIn(program, decl, given, options.functions ?? {});
  const sessionOptions: OpenOptions = {
    functions,
    missingFunctions: "unknown",
    audit: NOWHERE,
  };
  const session = program.session({ facts: "none", ...sessionOptions });
  const copy = (): Session => program.session({ from: session.snapshot(), ...sessionOptions });
  const failures = orStopped(test, () => {
    watch?.calls(functions);
    const play = new Play(program, session, given, watch);
    return steps.flatMap((step, index) => {
      const course = index === 0 ? play.begin(step) : play.goOn(step);
      const context = { program, session, copy, course, given, source: test.source };
      return step.expected.flatMap((item) => judge(context, item) ?? []);
    });
  });
  const at = { name: decl.name.name, ...placeOf(test, decl.name.span) };
  const problems = session.problems.filter(({ code }) => code !== "E540" && code !== "E543");
  const outcome = { ...at, passed: failures.length === 0, expectations: expected.length, failures };
  return problems.length === 0 ? outcome : { ...outcome, problems };
}

/** A part of a test: the clock moves, facts are given, rules run, and the expectations are about what that causes. */
interface TestStep {
  readonly move: ast.ClockItem | ast.AdvanceItem | undefined;
  readonly given: readonly ast.GivenItem[];
  readonly expected: readonly Expectation[];
}

/** Returns the steps of a test: each `advance` begins one. */
function stepsOf({ items }: ast.TestDecl): TestStep[] {
  const steps: { move: TestStep["move"]; given: ast.GivenItem[]; expected: Expectation[] }[] = [];
  let step = { move: undefined as TestStep["move"], given: [] as ast.GivenItem[], expected: [] as Expectation[] };
  steps.push(step);
  for (const item of items) {
    if (item.kind === "advance") steps.push((step = { move: item, given: [], expected: [] }));
    else if (item.kind === "clock") step.move = item;
    else if (item.kind === "given") step.given.push(item);
    else if (item.kind !== "given-call") step.expected.push(item);
  }
  return steps;
}

/** Plays the steps of a test, one after the other, in one session. */
class Play {
  readonly #program: Program;
  readonly #session: Session;
  readonly #given: GivenFacts;
  readonly #watch: CoverageWatch | undefined;
  readonly #decisions: PipelineDecision[] = [];
  #course: Course = this.#newCourse();
  #now: number | undefined = undefined;

  constructor(program: Program, session: Session, given: GivenFacts, watch: CoverageWatch | undefined) {
    this.#program = program;
    this.#session = session;
    this.#given = given;
    this.#watch = watch;
  }

  /** Sets the clock, asserts the facts of the program, runs, and plays the first step. */
  begin(step: TestStep): Course {
    const session = this.#session;
    this.#watch?.follow(session);
    const to = this.#instantOf(step);
    if (to !== undefined) session.advance(to);
    const facts = this.#given.otherFacts(this.#program.data().initialFacts);
    for (const { type, fields } of facts) session.assert(type, fields, BY_AUTHOR);
    session.on("decision", (one) => {
      if ("pipeline" in one) this.#decisions.push(one);
    });
    if (step.given.length > 0) runToEnd(session);
    session.on("fire", (fired) => {
      this.#course.fired.push(fired);
      this.#watch?.fired([fired]); // also when the run does not end
    });
    session.on("effect", (effect) => this.#course.effects.push(effect));
    session.on("fact", ({ op, id, by }) => {
      if (op === "assert" && by !== "host") this.#course.made.push(id);
    });
    session.on("gate", (answer) => this.#course.gates.push(answer));
    return this.#play(step);
  }

  /** Runs until the time that the step says, and plays it. */
  goOn(step: TestStep): Course {
    this.#course = this.#newCourse();
    const to = this.#instantOf(step);
    if (to !== undefined) while (this.#session.runUntil(to).halted);
    return this.#play(step);
  }

  #play(step: TestStep): Course {
    this.#given.assertInto(this.#session, step.given);
    const { gates } = this.#session.run();
    this.#watch?.reached([...this.#course.gates, ...gates]);
    return this.#course;
  }

  #newCourse(): Course {
    return { fired: [], effects: [], made: [], gates: [], decisions: this.#decisions };
  }

  #instantOf({ move }: TestStep): Date | undefined {
    if (move === undefined) return undefined;
    this.#now = instantOf(move, this.#now);
    return this.#now === undefined ? undefined : new Date(this.#now);
  }
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
