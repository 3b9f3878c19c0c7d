/** Makes the functions of a guardian: tests, reasons, and the words for what is unknown. */
import type { Maybe } from "../base/value.ts";
import type { Deadline, GuardianParts, RemarkParts } from "../guardian/guardian.ts";
import type { LineParts } from "../guardian/line.ts";
import { fillIn } from "../guardian/reason.ts";
import type { WatchNode } from "../guardian/watch.ts";
import type { Match } from "../rete/match.ts";
import type { Frames } from "./expression-compiler.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { GuardianPlan, LinePlan, PlanText, WatchedTest } from "../plan/plan.ts";
import { fitsOf, spentAt, unclearIn } from "./unclear.ts";

export function guardianParts(
  plan: GuardianPlan,
  frames: Frames,
  watch: (id: number) => WatchNode,
  deadline: Deadline | undefined,
): GuardianParts {
  const { settings } = plan;
  const remarks = plan.checks.flatMap((check) =>
    check.lines.flatMap((line): RemarkParts[] => {
      const { polarity: kind } = line;
      if (kind !== "warn" && kind !== "flag") return [];
      return [{ ...lineParts(line, frames, watch), kind, checkTrack: check.track }];
    }),
  );
  return {
    name: plan.guardian,
    subjectType: plan.subjectType,
    subjectLevel: plan.subjectLevel,
    max: plan.max,
    checks: plan.checks.map((check) => ({
      ...check,
      lines: check.lines
        .filter(({ polarity }) => polarity === "need" || polarity === "forbid")
        .map((line) => lineParts(line, frames, watch)),
    })),
    remarks,
    settings: {
      watch: watch(settings.watch),
      track: frames.matchValue(settings.track, settings.level),
      attempt: frames.matchValue(settings.attempt, settings.level),
    },
    deadline,
  };
}

function lineParts(line: LinePlan, frames: Frames, watch: (id: number) => WatchNode): LineParts {
  const { track, wanted, actions } = line;
  const levels = valuesOf(line.test);
  return {
    watch: watch(line.watch),
    track,
    test: frames.truthOf(line.test, line.level),
    reason: reasonText(line.reason, line.level, frames),
    unclear: unclearIn([line.test], line.words),
    wanted,
    fits: line.fits === undefined ? undefined : fitsOf(line.fits, frames),
    spent: frames.stopwatch === undefined ? undefined : (match) => spentAt(match, levels),
    off: line.off === undefined ? undefined : offParts(line.off, frames, watch),
    actions,
  };
}

function offParts(off: WatchedTest, frames: Frames, watch: (id: number) => WatchNode): LineParts["off"] {
  const levels = valuesOf(off.test);
  const spent = frames.stopwatch === undefined ? undefined : (match: Match) => spentAt(match, levels);
  return { watch: watch(off.watch), test: frames.truthOf(off.test, off.level), spent };
}

function reasonText(text: PlanText, level: number, frames: Frames): (match: Match | undefined) => string {
  const pieces = text.map((piece) => (typeof piece === "string" ? piece : { value: frames.matchValue(piece, level) }));
  return (match) =>
    fillIn(
      pieces.map((piece): string | { readonly value: Maybe } => {
        if (typeof piece === "string") return piece;
        return { value: match === undefined ? undefined : piece.value(match) };
      }),
    );
}
