/**
 * Constructs that no generator of test/support/generators.ts makes: each with the reason, or the test that is about it. A name stands
 * for the construct and for all that begin with it and a space.
 */

type Reasons = Readonly<Record<string, string>>;

const NO_KEY = "the checker refuses keys and times outside types";
const JUDGED = "stands in gates and pipelines only";

/** What the types of the tree allow, and no program can have. */
export const IMPOSSIBLE: Reasons = {
  "table params.key true": NO_KEY,
  "table params.at true": NO_KEY,
  "query params.key true": NO_KEY,
  "query params.at true": NO_KEY,
  "function params.key true": NO_KEY,
  "function params.at true": NO_KEY,
  "condition params.key true": NO_KEY,
  "condition params.at true": NO_KEY,
  "action params.key true": NO_KEY,
  "action params.at true": NO_KEY,
  "record fields.key true": NO_KEY,
  "record fields.at true": NO_KEY,
  "table params.default given": "the checker refuses defaults of tables (E214)",
  'within only "in window"': "set by the planner, which takes the test apart",
  'within only "has come"': "set by the planner, which takes the test apart",
  "in window given": "set by the checker, which writes windows out",
  last: "set by the checker, which writes windows out",
  "table from.file given": "set when the file is read",
  "option private true": "an option declares no name",
  "import private true": "an import declares no name of its own file",
  "fact private true": "facts are not names that other files use",
  "const type given": "the type of a parameter, whose value the checker has put in its place",
  "require test left out": "the checker refuses an empty requirement (E232)",
  'before action "ALLOW"': "the checker allows BLOCK only",
  'before action "NOTE"': "the checker allows BLOCK only",
  'before action "ANSWER"': "the checker allows BLOCK only",
  'before action "FORWARD"': "the checker allows BLOCK only",
  'before action "ERROR"': "the checker allows BLOCK only",
  'after action "ALLOW"': "the checker allows BLOCK only",
  'after action "NOTE"': "the checker allows BLOCK only",
  'after action "ANSWER"': "the checker allows BLOCK only",
  'after action "FORWARD"': "the checker allows BLOCK only",
  'after action "ERROR"': "the checker allows BLOCK only",
  'step action "ERROR"': "the checker allows it in otherwise only",
  'otherwise action "ALLOW"': "the checker refuses it (E206)",
  'otherwise action "NOTE"': "the checker refuses it (E206)",
};

/** The same in the plan. */
export const IMPOSSIBLE_IN_PLANS: Reasons = {
  "pipeline left left out": "a pipeline has a subject",
  'pipeline before.action "ALLOW"': "the checker allows BLOCK only",
  'pipeline before.action "NOTE"': "the checker allows BLOCK only",
  'pipeline before.action "ANSWER"': "the checker allows BLOCK only",
  'pipeline before.action "FORWARD"': "the checker allows BLOCK only",
  'pipeline before.action "ERROR"': "the checker allows BLOCK only",
  'pipeline after.action "ALLOW"': "the checker allows BLOCK only",
  'pipeline after.action "NOTE"': "the checker allows BLOCK only",
  'pipeline after.action "ANSWER"': "the checker allows BLOCK only",
  'pipeline after.action "FORWARD"': "the checker allows BLOCK only",
  'pipeline after.action "ERROR"': "the checker allows BLOCK only",
  "pipeline before.looks true": "a line is a test",
  "pipeline after.looks true": "a line is a test",
  'pipeline steps.action "ERROR"': "the checker allows it in otherwise only",
  'pipeline otherwise.action "ALLOW"': "the checker refuses it (E206)",
  'pipeline otherwise.action "NOTE"': "the checker refuses it (E206)",
  "pipeline otherwise.looks true": "it has no condition",
  "guardian left left out": "a guardian has a subject",
  "verify subject left out": "a guardian has a subject",
  "watch left left out": "its subject has a chain",
  "terminal ends left out": "a rule has an end",
  "last left left out": "it stands after the join of its pattern",
  "last fits.fact left out": "what it counts are facts",
  "last fits.open true": "a fact that may still come is a gap, and is not counted",
};

/** What the brute-force matcher need not read. */
export const NOT_MATCHED: Reasons = {
  outcome: JUDGED,
  quorum: JUDGED,
  "fact-quorum": JUDGED,
};

/** What hand-written tests compare: the language around programs, and forms of few values. */
export const ELSEWHERE: Reasons = {
  test: "test/engine/test-blocks.test.ts",
  given: "test/engine/test-blocks.test.ts",
  "given-call": "test/engine/given-calls.test.ts",
  clock: "test/clock/clock.test.ts",
  advance: "test/clock/clock.test.ts",
  "expect-rule": "test/engine/test-blocks.test.ts",
  "expect-effect": "test/engine/test-blocks.test.ts",
  "expect-gate": "test/engine/test-blocks.test.ts",
  "expect-verdict": "test/engine/test-blocks.test.ts",
  "expect-decision": "test/engine/test-blocks.test.ts",
  "expect-facts": "test/engine/test-blocks.test.ts",
  "remove-rule": "test/language/tsd-files.test.ts",
  "remove-fact": "test/language/tsd-files.test.ts",
  reset: "test/language/tsd-files.test.ts",
  limited: "test/session/xuples.test.ts",
  duration: "test/session/xuples.test.ts",
  use: "test/guardian/standard-guardian.test.ts",
  audit: "test/node/audit.test.ts",
};

/** What is missing: a generator with a second opinion. */
export const GAPS: Reasons = {
  outcome: "test/guardian/pipeline.test.ts, by hand",
  "xuple-space private true": "one generator of modules has the kinds of names that others have",
  "alias private true": "the same",
  "pipeline private true": "the same",
  "guardian private true": "the same",
  "flow private true": "the same",
  "gate private true": "the same",
  "rule private true": "the same",
  "action private true": "the same",
  "record private true": "the same",
  "table from.hasParams false": "test/tables/file.test.ts, by hand",
  "otherwise value left out": "test/guardian/pipeline.test.ts, by hand",
  "step value left out": "test/guardian/pipeline.test.ts, by hand",
  "after value left out": "test/guardian/pipeline-after.test.ts, by hand",
  "before value left out": "test/guardian/pipeline.test.ts, by hand",
  "flow subject left out": "test/gates/flows.test.ts, by hand",
  'branch on "hold"': "test/gates/flows.test.ts, by hand",
  'branch on "always"': "test/gates/flows.test.ts, by hand",
  "branch goto left out": "test/gates/flows.test.ts, by hand",
  "trust-field": "test/gates/gates.test.ts, by hand",
};

/** The same in the plan: values of properties, of which the kinds of node themselves are generated unless named alone. */
export const GAPS_IN_PLANS: Reasons = {
  outcome: "test/guardian/pipeline.test.ts, by hand",
  unmet: "test/gates/gates.test.ts, by hand",
  'decided part "reason"': "test/guardian/pipeline-after.test.ts, by hand",
  'cast to "instant number"': "test/time/explained-times.test.ts, by hand",
  'cast to "duration number"': "test/time/explained-times.test.ts, by hand",
  "step timesAsText true": "test/time/explained-times.test.ts, by hand",
  "field timesAsText true": "test/time/explained-times.test.ts, by hand",
  "field type left out": "test/engine/types.test.ts, by hand",
  "pipeline before.ways.value left out": "test/guardian/pipeline.test.ts, by hand",
  "pipeline steps.ways.value left out": "test/guardian/pipeline.test.ts, by hand",
  "pipeline after.ways.value left out": "test/guardian/pipeline-after.test.ts, by hand",
  "pipeline otherwise.ways.value left out": "test/guardian/pipeline.test.ts, by hand",
  "pipeline audit given": "test/node/audit.test.ts, by hand",
  "guardian checks.lines.fits.fact left out": "test/guardian/guardian.test.ts, by hand",
  "guardian checks.lines.fits.open true": "test/gates/answers-in-time.test.ts, by hand",
  "guardian checks.lines.sentence.watch left out": "test/guardian/sentences.test.ts, by hand",
  "watch inner left out": "test/guardian/guardian.test.ts, by hand",
  "watch gaps.fits.fact given": "test/guardian/guardian.test.ts, by hand",
  "flow left left out": "test/gates/flows.test.ts, by hand",
  "flow subjectLevel left out": "test/gates/flows.test.ts, by hand",
  "flow stages.decide.subject left out": "test/gates/flows.test.ts, by hand",
  'flow stages.branches.on "hold"': "test/gates/flows.test.ts, by hand",
  'flow stages.branches.on "always"': "test/gates/flows.test.ts, by hand",
  "condition inner left out": "test/gates/gates.test.ts, by hand",
  "condition asked.definition left out": "test/gates/quorum.test.ts, by hand",
  "condition asked.call left out": "test/gates/quorum.test.ts, by hand",
  "condition fits.fact left out": "test/gates/gates.test.ts, by hand",
  "condition fits.open true": "test/gates/answers-in-time.test.ts, by hand",
  "condition gaps.fits.fact given": "test/gates/gates.test.ts, by hand",
  "condition wanted.tests.refers true": "test/gates/reference-words.test.ts, by hand",
  "condition wanted.counted.refers true": "test/gates/reference-words.test.ts, by hand",
  "terminal left left out": "a rule without a condition on facts",
  "timer inside left out": "inside its span no test is unknown",
  "filter left left out": "a test without facts, which the planner decides",
  "lookup left left out": "a reference without facts",
};
