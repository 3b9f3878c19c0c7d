/** Makes the functions of a condition node: its test, its order, its trust, and the words for traces. */
import type { ConditionSpec, ConditionWords } from "../gates/condition.ts";
import { valueWords } from "../gates/leaf-words.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { ConditionPlan, PlanExpr } from "../plan/plan.ts";
import { fieldsRead, matchTruth, unknownReason, valuesAt } from "./unknown-reasons.ts";

/** Returns the spec of a condition node. */
export function conditionSpec(plan: ConditionPlan, rank: number, expressions: ExpressionCompiler): ConditionSpec {
  const { level, innerLevel, test, by, trust, fits } = plan;
  const read = [test, by, trust, fits?.test].filter((expr) => expr !== undefined);
  return {
    rank,
    subjectLevel: level,
    reading: plan.reading,
    test: expressions.truthOf(test, innerLevel),
    by: by === undefined ? undefined : expressions.matchValue(by, innerLevel),
    trusted: trust === undefined ? undefined : expressions.matchTest(trust, innerLevel),
    reads: expressions.reads(...read),
    values: new Set(read.flatMap((expr) => [...valuesOf(expr)])),
    fits: fits === undefined ? undefined : matchTruth(fits, expressions),
    words: conditionWords(plan, expressions),
  };
}

function conditionWords(plan: ConditionPlan, expressions: ExpressionCompiler): ConditionWords {
  const tests = (plan.wanted?.tests ?? []).map(({ text, value }) => ({
    text,
    value: value === undefined ? undefined : expressions.matchValue(value, plan.level),
  }));
  const fields = fieldsShown(plan, testsOf(plan));
  const doubtful = plan.fits === undefined ? fields : fieldsShown(plan, [plan.fits.test]);
  return {
    wanted: (subject) => {
      const words = tests.map(({ text, value }) =>
        value === undefined ? text : `${text} ${valueWords(value(subject))}`,
      );
      return `${plan.wanted?.type ?? "fact"}${words.length === 0 ? "" : ` with ${words.join(" and ")}`}`;
    },
    facts: (evidence, unsure) =>
      [...(unsure ? doubtful : fields)].flatMap(([level, names]) => {
        const { fact } = evidence.at(level);
        return fact === undefined ? [] : [{ id: fact.id, values: valuesAt(evidence, level, names) }];
      }),
    whyUnknown: unknownReason(testsOf(plan)),
  };
}

/** Returns the fields to show, by level: of the evidence, or of every fact that a test without evidence reads. */
function fieldsShown({ wanted }: ConditionPlan, exprs: readonly PlanExpr[]): Map<number, Set<string>> {
  const fields = fieldsRead(exprs);
  return wanted === undefined ? fields : new Map([[wanted.level, fields.get(wanted.level) ?? new Set()]]);
}

function testsOf({ test, by }: ConditionPlan): PlanExpr[] {
  return [test, by].filter((expr) => expr !== undefined);
}
