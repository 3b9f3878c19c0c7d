/**
 * The verdict of a guardian as a pure function of the findings of its checks.
 *
 * Checks count in written order. The first that applies and is not true decides; anything but true counts as not
 * passed, whether it is false, unknown, failed with an error, or took too long.
 */

import type { CheckRules, Risk, Track } from "../base/judging.ts";

type VerdictName = "PASS" | "RETRY" | "FAIL";
/** The result of a check. */
export type CheckState = "true" | "false" | "unknown" | "threw" | "late";

/** The finding of a check; `reasons` and `actions` are those of its first line that did not pass. */
export interface Finding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly actions: readonly string[];
}

export interface Judged {
  readonly verdict: VerdictName;
  readonly reasons: readonly string[];
  readonly required_actions: readonly string[];
  /** The actions of the line, when the exit of the check is required instead. */
  readonly would_fix: readonly string[];
  readonly risk_level: Risk;
}

export interface Situation {
  readonly track: Track;
  readonly attempt: number;
  /** The most retries. */
  readonly max: number;
}

const PASSED: Judged = { verdict: "PASS", reasons: [], required_actions: [], would_fix: [], risk_level: "low" };

/** Returns the verdict; calls `look` for the checks in order, up to the one that decides. */
export function judge(
  checks: readonly CheckRules[],
  { track, attempt, max }: Situation,
  look: (check: number) => Finding,
): Judged {
  for (const [index, check] of checks.entries()) {
    if (check.track !== undefined && check.track !== track) continue;
    const finding = look(index);
    if (finding.state === "true") continue;
    const retry = track === "QUALITY" && attempt < max && !check.neverRetry;
    return retry ? again(check, finding) : ended(check, finding);
  }
  return PASSED;
}

function again({ risk }: CheckRules, { reasons, actions }: Finding): Judged {
  return { verdict: "RETRY", reasons, required_actions: actions, would_fix: [], risk_level: risk };
}

/**
 * Returns a FAIL. It requires the exit of the check; without one, or for a check that is never retried, the actions of
 * the line.
 */
function ended({ risk, exit, neverRetry }: CheckRules, { reasons, actions }: Finding): Judged {
  const base = { verdict: "FAIL", reasons, risk_level: risk } as const;
  if (exit === undefined || neverRetry) return { ...base, required_actions: actions, would_fix: [] };
  return { ...base, required_actions: [exit], would_fix: actions };
}

/** Returns the verdict on a subject that cannot be judged at all, such as one on a track that does not exist. */
export function unjudged(reason: string): Judged {
  return {
    verdict: "FAIL",
    reasons: [reason],
    required_actions: ["SAFE_REFUSAL"],
    would_fix: [],
    risk_level: "high",
  };
}
