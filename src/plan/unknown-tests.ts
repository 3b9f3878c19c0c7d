/**
 * Tests that may be unknown, where something is judged.
 *
 * The patterns of a rule leave out facts for which a test is not true. In gates, guardians and pipelines a fact for which a
 * test is unknown may be the one that matters. There the nodes leave out only facts for which a test is false, and the tests
 * that may be unknown are kept, to be evaluated again for what was found.
 */
import { canonicalText } from "./read/canonical.ts";
import { isAlwaysKnown, mayFail } from "./known-kinds.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { levelsOf, valuesOf } from "./read/levels.ts";
import { normalise } from "./normalise.ts";
import type { FitPlan, GapPlan, PlanExpr } from "./plan.ts";

/** What may be unknown of the matches of a builder. */
export interface UnknownTests {
  /** The level of the first fact that is looked for; the levels before it belong to the subject. */
  first: number | undefined;
  /** Tests that may be unknown of a match. */
  readonly tests: PlanExpr[];
  /** Where it cannot be told which facts to look for. */
  readonly gaps: GapPlan[];
}

/** Nothing may be unknown yet. */
export const NO_UNKNOWN_TESTS: UnknownTests = { first: undefined, tests: [], gaps: [] };

/** Returns a copy that can be added to. */
export function copyOf({ first, tests, gaps }: UnknownTests): UnknownTests {
  return { first, tests: [...tests], gaps: [...gaps] };
}

/** Returns the test for a node. Where something is judged, a test that may be unknown is noted, and the node leaves out only what is false. */
export function notingUnknown(builder: RuleBuilder, test: PlanExpr): PlanExpr {
  if (builder.unknownTests === undefined || isAlwaysKnown(builder, test)) return test;
  builder.unknownTests.tests.push(test);
  return notFalse(test);
}

/** Adds a filter. Where something is judged, a test that uses the value of a subquery is only noted: the value changes. */
export function addFilter(builder: RuleBuilder, test: PlanExpr): void {
  if (builder.unknownTests === undefined || isAlwaysKnown(builder, test)) builder.filter(test);
  else if (valuesOf(test).size > 0) builder.unknownTests.tests.push(test);
  else builder.filter(notingUnknown(builder, test));
}

/**
 * Returns whether a join can find its facts by what their field must equal. A fact without the field is not found. Where the
 * value to look for may be missing, or a list or object, which is neither equal to a plain value nor different from one, a gap is
 * added: nothing can be looked for there, unless a test on the same subject (`outerTests`) is false.
 */
export function useAsKey(builder: RuleBuilder, equals: PlanExpr, outerTests: readonly PlanExpr[]): boolean {
  const { unknownTests } = builder;
  const same: PlanExpr = { op: "compare", by: "==", left: equals, right: equals };
  if (unknownTests === undefined || isAlwaysKnown(builder, same)) return true;
  if (levelsOf(equals).some((level) => level >= (unknownTests.first ?? Infinity))) return false;
  const gap = builder.branch();
  const plain = isPlain(equals);
  gap.filter(normalise({ op: "and", items: [{ op: "nottrue", of: plain }, ...outerTests.map(notFalse)] }));
  unknownTests.gaps.push({ end: gap.node ?? 0, fits: { test: plain, level: gap.level, fact: undefined } });
  return true;
}

/** Returns a test that is true for strings, numbers and booleans, and unknown for everything else: each of them is 0, or is not. */
function isPlain(value: PlanExpr): PlanExpr {
  const isZero: PlanExpr = { op: "compare", by: "==", left: value, right: { op: "const", value: 0 } };
  return { op: "or", items: [isZero, { op: "not", of: isZero }] };
}

function notFalse(test: PlanExpr): PlanExpr {
  return normalise({ op: "nottrue", of: { op: "not", of: test } });
}

/** Returns a test that is unknown while the value is missing, and true otherwise. */
export function trueOrUnknown(value: PlanExpr): PlanExpr {
  return {
    op: "or",
    items: [
      { op: "not", of: { op: "missing", of: value } },
      { op: "const", value: null },
    ],
  };
}

/** Returns the value that an aggregate takes of each fact. Where something is judged, one that fails makes the aggregate unknown. */
export function aggregatedValue(builder: RuleBuilder, value: PlanExpr): PlanExpr {
  if (builder.unknownTests !== undefined && mayFail(builder, value)) {
    const missing: PlanExpr = { op: "missing", of: value };
    builder.unknownTests.tests.push({ op: "or", items: [missing, { op: "not", of: missing }] });
  }
  return value;
}

/** Returns the tests that may be unknown as canonical text; empty when there are none. */
export function fitsText(fits: readonly (FitPlan | undefined)[] | undefined): string {
  if (fits === undefined) return "";
  return ` fits ${fits.map((one) => (one === undefined ? "" : canonicalText(one.test))).join(" | ")}`;
}
