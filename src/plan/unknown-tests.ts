/**
 * What a chain that judges does not know.
 *
 * The patterns of a rule choose: a fact for which a test is not true is not seen. Where something is judged, in gates,
 * guardians and pipelines, a fact for which a test is unknown may be the one that matters. There the nodes leave out only
 * facts for which a test is false, and the tests that may be unknown are kept, to be asked again of what was found.
 */
import { canonicalText } from "./read/canonical.ts";
import { isAlwaysKnown, mayFail } from "./known-kinds.ts";
import type { RuleBuilder } from "./rule-builder.ts";
import { levelsOf, valuesOf } from "./read/levels.ts";
import { normalise } from "./normalise.ts";
import type { FitPlan, GapPlan, PlanExpr } from "./plan.ts";

export interface UnknownTests {
  /** The level of the first fact that is looked for; what stands above it is given. */
  first: number | undefined;
  /** Tests that may be unknown of what is found. */
  readonly tests: PlanExpr[];
  readonly gaps: GapPlan[];
}

export const NO_UNKNOWN_TESTS: UnknownTests = { first: undefined, tests: [], gaps: [] };

export function copyOf({ first, tests, gaps }: UnknownTests): UnknownTests {
  return { first, tests: [...tests], gaps: [...gaps] };
}

/** The test that leaves out what is certainly wrong; what may be unknown is noted. */
export function notingUnknown(builder: RuleBuilder, test: PlanExpr): PlanExpr {
  if (builder.unknownTests === undefined || isAlwaysKnown(builder, test)) return test;
  builder.unknownTests.tests.push(test);
  return notFalse(test);
}

/** A test behind the chain. One that uses the answer to a question is asked only of what was found: answers change. */
export function addFilter(builder: RuleBuilder, test: PlanExpr): void {
  if (builder.unknownTests === undefined || isAlwaysKnown(builder, test)) builder.filter(test);
  else if (valuesOf(test).size > 0) builder.unknownTests.tests.push(test);
  else builder.filter(notingUnknown(builder, test));
}

/**
 * Whether facts can be found by what their field must equal. A fact whose own field is missing is about nobody, and is not
 * found. What is given for the field must be there: where it is missing, nothing can be looked for, unless another test
 * on what is given (`given`) says that nothing fits.
 */
export function useAsKey(builder: RuleBuilder, equals: PlanExpr, given: readonly PlanExpr[]): boolean {
  const { unknownTests } = builder;
  const same: PlanExpr = { op: "compare", by: "==", left: equals, right: equals };
  if (unknownTests === undefined || isAlwaysKnown(builder, same)) return true;
  if (levelsOf(equals).some((level) => level >= (unknownTests.first ?? Infinity))) return false;
  const gap = builder.branch();
  gap.filter(normalise({ op: "and", items: [{ op: "nottrue", of: same }, ...given.map(notFalse)] }));
  unknownTests.gaps.push({ end: gap.node ?? 0, fits: { test: same, level: gap.level, fact: undefined } });
  return true;
}

function notFalse(test: PlanExpr): PlanExpr {
  return normalise({ op: "nottrue", of: { op: "not", of: test } });
}

/** Unknown while the value is missing, true otherwise. */
export function trueOrUnknown(value: PlanExpr): PlanExpr {
  return {
    op: "or",
    items: [
      { op: "not", of: { op: "missing", of: value } },
      { op: "const", value: null },
    ],
  };
}

/** The value that an aggregate takes of each fact. One that fails leaves it in doubt what the aggregate is. */
export function aggregatedValue(builder: RuleBuilder, value: PlanExpr): PlanExpr {
  if (builder.unknownTests !== undefined && mayFail(builder, value)) {
    const missing: PlanExpr = { op: "missing", of: value };
    builder.unknownTests.tests.push({ op: "or", items: [missing, { op: "not", of: missing }] });
  }
  return value;
}

export function fitsText(fits: readonly (FitPlan | undefined)[] | undefined): string {
  if (fits === undefined) return "";
  return ` fits ${fits.map((one) => (one === undefined ? "" : canonicalText(one.test))).join(" | ")}`;
}
