/** How a verdict came to be: what every check and line found, as far as they were looked at. For whoever explains it. */
import type { VerdictAnswer } from "../base/answers.ts";
import type { LineFinding } from "./line.ts";
import type { CheckState } from "./verdict.ts";
import type { Track } from "../base/judging.ts";

export interface VerdictAccount {
  readonly answer: VerdictAnswer;
  readonly track: Track;
  /** So many retries there are at most. */
  readonly max: number;
  /** Why the subject cannot be judged; then no check was looked at. */
  readonly fault: string | undefined;
  /** In written order, up to the one that decided. */
  readonly checks: readonly CheckAccount[];
  /** For each `warn` and `flag` in written order what it said; undefined: nothing. Empty unless the verdict is PASS. */
  readonly remarks: readonly (string | undefined)[];
}

export interface CheckAccount {
  /** Undefined: the check is not for this track. */
  readonly state: CheckState | undefined;
  readonly reasons: readonly string[];
  /** For each `need` and `forbid` up to the one that decided; undefined: the line is not for this track. */
  readonly lines: readonly (LineFinding | undefined)[];
}
