/**
 * How a verdict was reached: the findings of every check and line, as far as they were computed. Read by explanations.
 */
import type { VerdictAnswer } from "../base/answers.ts";
import type { LineFinding } from "./line.ts";
import type { CheckState } from "./verdict.ts";
import type { Track } from "../base/judging.ts";

export interface VerdictAccount {
  readonly answer: VerdictAnswer;
  readonly track: Track;
  /** The most retries. */
  readonly max: number;
  /** Why the subject cannot be judged, if so; then no check was evaluated. */
  readonly fault: string | undefined;
  /** The checks in written order, up to the one that decided. */
  readonly checks: readonly CheckAccount[];
  /**
   * The text of each `warn` and `flag` in written order; undefined when it does not apply. Empty unless the verdict is
   * PASS.
   */
  readonly remarks: readonly (string | undefined)[];
}

export interface CheckAccount {
  /** The state of the check; undefined when it does not run on this track. */
  readonly state: CheckState | undefined;
  readonly reasons: readonly string[];
  /**
   * The findings of each `need` and `forbid`, up to the one that decided; undefined when the line does not run on this
   * track.
   */
  readonly lines: readonly (LineFinding | undefined)[];
}
