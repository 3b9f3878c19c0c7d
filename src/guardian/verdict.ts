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

/**
 * The finding of a check. `reasons`, `sentences` and `actions` are those of its first line that did not pass or, where all
 * are reported, of every line that did not.
 */
export interface Finding {
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly sentences: readonly string[];
  readonly actions: readonly string[];
}

export interface Judged {
  readonly verdict: VerdictName;
  readonly reasons: readonly string[];
  readonly sentences: readonly string[];
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
  /** Whether the reasons of all checks are reported. */
  readonly reportAll: boolean;
}

const PASSED: Judged = {
  verdict: "PASS",
  reasons: [],
  sentences: [],
  required_actions: [],
  would_fix: [],
  risk_level: "low",
};

/** A check that did not pass. */
interface Failed {
  readonly check: CheckRules;
  readonly finding: Finding;
}

/** Returns the verdict; calls `look` for the checks in order, up to the one that decides unless all are reported. */
export function judge(checks: readonly CheckRules[], situation: Situation, look: (check: number) => Finding): Judged {
  const { track, attempt, max, reportAll } = situation;
  const failed: Failed[] = [];
  for (const [index, check] of checks.entries()) {
    if (check.track !== undefined && check.track !== track) continue;
    const finding = look(index);
    if (finding.state === "true") continue;
    failed.push({ check, finding });
    if (!reportAll) break;
  }
  const [first] = failed;
  if (first === undefined) return PASSED;
  const retry = track === "QUALITY" && attempt < max && !first.check.neverRetry;
  return { ...(retry ? again(failed) : ended(first, failed)), ...reported(failed) };
}

/** Returns what all checks that did not pass say, and the highest of their risks. */
function reported(failed: readonly Failed[]): Pick<Judged, "reasons" | "sentences" | "risk_level"> {
  return {
    reasons: failed.flatMap(({ finding }) => finding.reasons),
    sentences: failed.flatMap(({ finding }) => finding.sentences),
    risk_level: RISKS.find((risk) => failed.some(({ check }) => check.risk === risk)) ?? "high",
  };
}

const RISKS = ["high", "med", "low"] as const;

type Ending = Pick<Judged, "verdict" | "required_actions" | "would_fix">;

/** Returns a RETRY, which requires what the next draft needs. */
function again(failed: readonly Failed[]): Ending {
  return { verdict: "RETRY", required_actions: wanted(failed), would_fix: [] };
}

/**
 * Returns a FAIL. It requires the exit of the check that decided; without one, or for a check that is never retried, the
 * actions of its lines.
 */
function ended(first: Failed, failed: readonly Failed[]): Ending {
  const { exit, neverRetry } = first.check;
  if (exit !== undefined && !neverRetry) {
    return { verdict: "FAIL", required_actions: [exit], would_fix: wanted(failed) };
  }
  const { actions } = first.finding;
  return {
    verdict: "FAIL",
    required_actions: actions,
    would_fix: wanted(failed).filter((one) => !actions.includes(one)),
  };
}

/**
 * Returns the actions that another draft could take, each once. Those of a check that is never retried, such as
 * DENY_ACCESS, are for the end alone.
 */
function wanted(failed: readonly Failed[]): string[] {
  return [...new Set(failed.flatMap(({ check, finding }) => (check.neverRetry ? [] : finding.actions)))];
}

/** Returns the verdict on a subject that cannot be judged at all, such as one on a track that does not exist. */
export function unjudged(reason: string): Judged {
  return {
    verdict: "FAIL",
    reasons: [reason],
    sentences: [],
    required_actions: ["SAFE_REFUSAL"],
    would_fix: [],
    risk_level: "high",
  };
}
