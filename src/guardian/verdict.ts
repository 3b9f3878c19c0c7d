/**
 * The verdict of a guardian, as a function of what its checks found: nothing is read and nothing is remembered.
 *
 * Checks count in written order. The first that applies and is not true decides; anything but true counts as not passed,
 * whether it is false, unknown, failed with an error, or took too long.
 */

import type { CheckRules, Risk, Track } from "../base/judging.ts";

type VerdictName = "PASS" | "RETRY" | "FAIL";
/** How a check came out. */
export type CheckState = "true" | "false" | "unknown" | "threw" | "late";

/** What a check found; `reasons` and `actions` are those of its first line that did not pass. */
export interface Finding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly actions: readonly string[];
}

export interface Judged {
  readonly verdict: VerdictName;
  readonly reasons: readonly string[];
  readonly required_actions: readonly string[];
  /** What the line asked for, where something else is required. */
  readonly would_fix: readonly string[];
  readonly risk_level: Risk;
}

export interface Situation {
  readonly track: Track;
  readonly attempt: number;
  /** So many retries there are at most. */
  readonly max: number;
}

const PASSED: Judged = { verdict: "PASS", reasons: [], required_actions: [], would_fix: [], risk_level: "low" };

/** `look` is asked in order, and only as far as it matters. */
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

/** A check that is never retried keeps what its line asks for; for the others the exit takes its place. */
function ended({ risk, exit, neverRetry }: CheckRules, { reasons, actions }: Finding): Judged {
  const base = { verdict: "FAIL", reasons, risk_level: risk } as const;
  if (exit === undefined || neverRetry) return { ...base, required_actions: actions, would_fix: [] };
  return { ...base, required_actions: [exit], would_fix: actions };
}

/** A subject that cannot be judged at all, such as one on a track that does not exist. */
export function unjudged(reason: string): Judged {
  return {
    verdict: "FAIL",
    reasons: [reason],
    required_actions: ["SAFE_REFUSAL"],
    would_fix: [],
    risk_level: "high",
  };
}
