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

/** Returns the live node of a watch of the plan. */
type Watches = (id: number) => WatchNode;
/** Returns a line for a session, with its watches. */
type LineFor = (watch: Watches) => LineSpec;

/** Compiles a guardian, and returns what makes the spec of a session's node. */
export function guardianSpec(
  plan: GuardianPlan,
  expressions: ExpressionCompiler,
): (watch: Watches, deadline: Deadline | undefined) => GuardianSpec {
  const { settings } = plan;
  const remarks = plan.checks.flatMap((check) =>
    check.lines.flatMap((line) => {
      const { polarity: kind } = line;
      if (kind !== "warn" && kind !== "flag") return [];
      return [{ lineFor: lineSpec(line, expressions), kind, checkTrack: check.track }];
    }),
  );
  const checks = plan.checks.map((check) => ({
    check,
    lines: check.lines
      .filter(({ polarity }) => polarity === "need" || polarity === "forbid")
      .map((line) => lineSpec(line, expressions)),
  }));
  const track = expressions.matchValue(settings.track, settings.level);
  const attempt = expressions.matchValue(settings.attempt, settings.level);
  return (watch, deadline) => ({
    name: plan.guardian,
    subjectType: plan.subjectType,
    subjectLevel: plan.subjectLevel,
    max: plan.max,
    reportAll: plan.reportAll,
    checks: checks.map(({ check, lines }) => ({ ...check, lines: lines.map((lineFor) => lineFor(watch)) })),
    remarks: remarks.map(({ lineFor, kind, checkTrack }): RemarkSpec => {
      return { ...lineFor(watch), kind, checkTrack };
    }),
    settings: { watch: watch(settings.watch), track, attempt },
    deadline,
  });
}

function lineSpec(line: LinePlan, expressions: ExpressionCompiler): LineFor {
  const { level, track, wanted, actions } = line;
  const levels = valuesOf(line.test);
  const test = expressions.truthOf(line.test, level);
  const reason = reasonText(line.reason, level, expressions);
  const sentence = line.sentence === undefined ? undefined : sentenceSpec(line.sentence, level, expressions);
  const whyUnknown = unknownReason([line.test], line.words);
  const fits = line.fits === undefined ? undefined : matchTruth(line.fits, expressions);
  const spent = (match: Match): ReturnType<typeof timeSpent> => timeSpent(match, levels);
  const off = line.off === undefined ? undefined : offSpec(line.off, expressions);
  return (watch) => ({
    watch: watch(line.watch),
    track,
    test,
    reason,
    sentence: sentence?.(watch),
    whyUnknown,
    wanted,
    fits,
    spent,
    off: off?.(watch),
    actions,
  });
}

function offSpec(off: WatchedTest, expressions: ExpressionCompiler): (watch: Watches) => LineSpec["off"] {
  const levels = valuesOf(off.test);
  const test = expressions.truthOf(off.test, off.level);
  const spent = (match: Match): ReturnType<typeof timeSpent> => timeSpent(match, levels);
  return (watch) => ({ watch: watch(off.watch), test, spent });
}

function sentenceSpec(
  { text, level, watch: id }: SentencePlan,
  lineLevel: number,
  expressions: ExpressionCompiler,
): (watch: Watches) => LineSpec["sentence"] {
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
  return (watch) => ({ watch: id === undefined ? undefined : watch(id), lineLevel, filled });
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
