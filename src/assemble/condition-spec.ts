/** Makes the functions of a condition node: its test, its order, its trust, and the words for traces. */
import { factLabel } from "../base/fact-label.ts";
import type { Maybe } from "../base/value.ts";
import type { ConditionSpec, ConditionWords } from "../gates/condition.ts";
import { valueWords } from "../gates/leaf-words.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { ConditionPlan, PlanExpr, WantedTest } from "../plan/plan.ts";
import type { Match } from "../rete/match.ts";
import { fieldsRead, matchTruth, unknownReason, valuesAt } from "./unknown-reasons.ts";

/** Returns the spec of a condition node that asks no other condition. */
export function conditionSpec(plan: ConditionPlan, rank: number, expressions: ExpressionCompiler): ConditionSpec {
  const { level, innerLevel, test, by, per, trust, fits } = plan;
  const read = [test, by, per, trust, fits?.test].filter((expr) => expr !== undefined);
  return {
    rank,
    subjectLevel: level,
    reading: plan.reading,
    test: expressions.truthOf(test, innerLevel),
    asked: undefined,
    by: by === undefined ? undefined : expressions.matchValue(by, innerLevel),
    per: per === undefined ? undefined : expressions.matchValue(per, innerLevel),
    trusted: trust === undefined ? undefined : expressions.matchTest(trust, innerLevel),
    reads: expressions.reads(...read),
    values: new Set(read.flatMap((expr) => [...valuesOf(expr)])),
    fits: fits === undefined ? undefined : matchTruth(fits, expressions),
    closes: plan.gaps.some((gap) => gap.fits.open === true),
    words: conditionWords(plan, expressions),
  };
}

function conditionWords(plan: ConditionPlan, expressions: ExpressionCompiler): ConditionWords {
  const inWords = ({ text, value, refers }: WantedTest): ((subject: Match) => string) => {
    if (value === undefined) return () => text;
    const of = expressions.matchValue(value, plan.level);
    const words = refers === true ? referenceWords : valueWords;
    return (subject) => `${text} ${words(of(subject))}`;
  };
  const { type = "fact", tests = [], counted = [] } = plan.wanted ?? {};
  const looked = tests.map(inWords);
  const passing = [...looked, ...counted.map(inWords)];
  const fields = fieldsShown(plan, testsOf(plan));
  const doubtful = plan.fits === undefined ? fields : fieldsShown(plan, [plan.fits.test]);
  return {
    type,
    inTime: plan.wanted?.inTime,
    wanted: (subject, isCounted = false) => {
      const words = (isCounted ? passing : looked).map((test) => test(subject));
      return `${type}${words.length === 0 ? "" : ` with ${words.join(" and ")}`}`;
    },
    facts: (evidence, unsure) =>
      [...(unsure ? doubtful : fields)].flatMap(([level, names]) => {
        const { fact } = evidence.at(level);
        return fact === undefined ? [] : [{ id: fact.id, values: valuesAt(evidence, level, names) }];
      }),
    whyUnknown: unknownReason(testsOf(plan)),
  };
}

function referenceWords(value: Maybe): string {
  return typeof value === "string" ? factLabel(value) : valueWords(value);
}

/** Returns the fields to show, by level: of the evidence, or of every fact that a test without evidence reads. */
function fieldsShown({ wanted }: ConditionPlan, exprs: readonly PlanExpr[]): Map<number, Set<string>> {
  const fields = fieldsRead(exprs);
  return wanted === undefined ? fields : new Map([[wanted.level, fields.get(wanted.level) ?? new Set()]]);
}

function testsOf({ test, by, per }: ConditionPlan): PlanExpr[] {
  return [test, by, per].filter((expr) => expr !== undefined);
}
