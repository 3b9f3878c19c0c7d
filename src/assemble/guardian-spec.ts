/** Makes the functions of a guardian: tests, reasons, and the words for what is unknown. */
import type { Maybe } from "../base/value.ts";
import type { Deadline, GuardianSpec, RemarkSpec } from "../guardian/guardian.ts";
import type { LineSpec, Sentence } from "../guardian/line.ts";
import { fillIn, fillInWords } from "../guardian/reason.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Match } from "../rete/match.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { GuardianPlan, LinePlan, PlanText, SentencePlan, WatchedTest } from "../plan/plan.ts";
import { matchTruth, timeSpent, unknownReason } from "./unknown-reasons.ts";

/** Returns the spec of a guardian node; `watch` returns the live node of a watch. */
export function guardianSpec(
  plan: GuardianPlan,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
  deadline: Deadline | undefined,
): GuardianSpec {
  const { settings } = plan;
  const remarks = plan.checks.flatMap((check) =>
    check.lines.flatMap((line): RemarkSpec[] => {
      const { polarity: kind } = line;
      if (kind !== "warn" && kind !== "flag") return [];
      return [{ ...lineSpec(line, expressions, watch), kind, checkTrack: check.track }];
    }),
  );
  return {
    name: plan.guardian,
    subjectType: plan.subjectType,
    subjectLevel: plan.subjectLevel,
    max: plan.max,
    reportAll: plan.reportAll,
    checks: plan.checks.map((check) => ({
      ...check,
      lines: check.lines
        .filter(({ polarity }) => polarity === "need" || polarity === "forbid")
        .map((line) => lineSpec(line, expressions, watch)),
    })),
    remarks,
    settings: {
      watch: watch(settings.watch),
      track: expressions.matchValue(settings.track, settings.level),
      attempt: expressions.matchValue(settings.attempt, settings.level),
    },
    deadline,
  };
}

function lineSpec(line: LinePlan, expressions: ExpressionCompiler, watch: (id: number) => WatchNode): LineSpec {
  const { track, wanted, actions } = line;
  const levels = valuesOf(line.test);
  return {
    watch: watch(line.watch),
    track,
    test: expressions.truthOf(line.test, line.level),
    reason: reasonText(line.reason, line.level, expressions),
    sentence: line.sentence === undefined ? undefined : sentenceSpec(line.sentence, line.level, expressions, watch),
    whyUnknown: unknownReason([line.test], line.words),
    wanted,
    fits: line.fits === undefined ? undefined : matchTruth(line.fits, expressions),
    spent: expressions.stopwatch === undefined ? undefined : (match) => timeSpent(match, levels),
    off: line.off === undefined ? undefined : offSpec(line.off, expressions, watch),
    actions,
  };
}

function offSpec(off: WatchedTest, expressions: ExpressionCompiler, watch: (id: number) => WatchNode): LineSpec["off"] {
  const levels = valuesOf(off.test);
  const spent = expressions.stopwatch === undefined ? undefined : (match: Match) => timeSpent(match, levels);
  return { watch: watch(off.watch), test: expressions.truthOf(off.test, off.level), spent };
}

function sentenceSpec(
  { text, level, watch: id }: SentencePlan,
  lineLevel: number,
  expressions: ExpressionCompiler,
  watch: (id: number) => WatchNode,
): LineSpec["sentence"] {
  const pieces = text.map((piece) =>
    typeof piece === "string" ? piece : { value: expressions.quietValue(piece, level) },
  );
  const filled = (match: Match | undefined): Sentence => {
    const values = pieces.map((piece): string | { readonly value: Maybe } => {
      if (typeof piece === "string") return piece;
      return { value: match === undefined ? undefined : piece.value(match) };
    });
    const saysUnknown = values.some((piece) => typeof piece !== "string" && piece.value === undefined);
    return { text: fillInWords(values), saysUnknown };
  };
  return { watch: id === undefined ? undefined : watch(id), lineLevel, filled };
}

function reasonText(
  text: PlanText,
  level: number,
  expressions: ExpressionCompiler,
): (match: Match | undefined) => string {
  const pieces = text.map((piece) =>
    typeof piece === "string" ? piece : { value: expressions.matchValue(piece, level) },
  );
  return (match) =>
    fillIn(
      pieces.map((piece): string | { readonly value: Maybe } => {
        if (typeof piece === "string") return piece;
        return { value: match === undefined ? undefined : piece.value(match) };
      }),
    );
}
