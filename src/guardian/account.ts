/**
 * How a verdict was reached: the findings of every check and line, as far as they were computed. Read by explanations.
 */
import type { VerdictAnswer } from "../base/answers.ts";
import type { LineFinding, Remark } from "./line.ts";
import type { CheckState } from "./verdict.ts";
import type { Track } from "../base/judging.ts";

export interface VerdictAccount {
  readonly answer: VerdictAnswer;
  readonly track: Track;
  /** The most retries. */
  readonly max: number;
  /** Why the subject cannot be judged, if so; then no check was evaluated. */
  readonly fault: string | undefined;
  /** The checks in written order, up to the one that decided; all of them with `report all`. */
  readonly checks: readonly CheckAccount[];
  /**
   * What each `warn` and `flag` says, in written order; undefined when it does not apply. Empty unless the verdict is
   * PASS.
   */
  readonly remarks: readonly (Remark | undefined)[];
}

export interface CheckAccount {
  /** The state of the check; undefined when it does not run on this track. */
  readonly state: CheckState | undefined;
  readonly reasons: readonly string[];
  /**
   * The findings of each `need` and `forbid`, up to the one that decided, or all of them with `report all`; undefined when
   * the line does not run on this track.
   */
  readonly lines: readonly (LineFinding | undefined)[];
}

/** Returns the position of the check that decided; undefined when all passed. */
export function decidingCheck({ checks }: VerdictAccount): number | undefined {
  const at = checks.findIndex(({ state }) => state !== undefined && state !== "true");
  return at < 0 ? undefined : at;
}

/** Returns the position, among the lines with findings, of the line by which a check did not pass. */
export function decidingFinding({ lines }: CheckAccount): number {
  const at = lines.findIndex((finding) => finding !== undefined && finding.state !== "true");
  return at < 0 ? lines.length - 1 : at; // a check that is late ends with the line that took too long
}
