/** What gates, guardians and pipelines answer, and the problems that a session reports: plain data that hosts receive. */
import type { Maybe } from "./value.ts";

export type Outcome = "pass" | "hold" | "fail";
export type Status = "true" | "unknown" | "false";

/** A part of a requirement that is unknown and could still open the gate. */
export interface MissingLeaf {
  /** The author's own text. */
  readonly text: string;
  /** Why it is unknown: what has to come, or to become clear. */
  readonly needs: string;
}

/** One fact that a leaf looked at. */
export interface SeenFact {
  readonly id: string;
  /** The fields that the test reads. */
  readonly values: Readonly<Record<string, Maybe>>;
  /** What the test gives for this fact alone. */
  readonly value: Status;
  /** False when the fact was seen but does not count: not trusted enough, or not the newest. */
  readonly counts: boolean;
  /** Why it does not count, or why it gives unknown. */
  readonly note?: string;
}

/** A requirement with the value of every part, in the author's order. */
export type GateTree =
  | {
      readonly kind: "all" | "any" | "not" | "at least";
      readonly text: string;
      readonly value: Status;
      /** Of `at least`. */
      readonly min?: number;
      readonly items: readonly GateTree[];
    }
  | {
      readonly kind: "leaf";
      readonly text: string;
      /** What a named condition stands for. */
      readonly condition?: string;
      readonly value: Status;
      /** How the value came to be, in words. */
      readonly reason: string;
      readonly evidence: readonly SeenFact[];
    };

/** What a gate says about a subject. `missing` and `tree` are worked out when they are first read. */
export interface GateAnswer {
  readonly gate: string;
  /** The id of the subject; null for a gate without `for`. */
  readonly subject: string | null;
  readonly outcome: Outcome;
  readonly status: Status;
  readonly missing: readonly MissingLeaf[];
  readonly tree: GateTree;
}

/** What a guardian says about a subject. */
export interface VerdictAnswer {
  readonly guardian: string;
  readonly subject: string;
  readonly verdict: "PASS" | "RETRY" | "FAIL";
  readonly reasons: readonly string[];
  /** Only actions of the closed list. */
  readonly required_actions: readonly string[];
  /** What would have helped, where something else is required because no retry is left. */
  readonly would_fix: readonly string[];
  readonly risk_level: "high" | "med" | "low";
  readonly attempt: number;
  /** Remarks on what passes: how it may be used, and what it came close to. */
  readonly flags: readonly string[];
  readonly warnings: readonly string[];
}

export type StepAction = "ALLOW" | "NOTE" | "BLOCK" | "ANSWER" | "FORWARD" | "ERROR";

/** What a pipeline decided about a request. */
export interface PipelineDecision {
  readonly pipeline: string;
  readonly subject: string;
  readonly decision: "BLOCK" | "ANSWER" | "FORWARD" | "ERROR";
  /** The reason of BLOCK and ERROR, the answer of ANSWER, the receiver of FORWARD. */
  readonly value: string;
  /** What NOTE steps added. */
  readonly flags: readonly string[];
  readonly trace: PipelineTrace;
  /** Of an ERROR because the decision could not be written down. */
  readonly code?: "E544";
}

export interface PipelineTrace {
  readonly request_id: string;
  readonly rules_executed: readonly ExecutedStep[];
  readonly final_decision: PipelineDecision["decision"];
  readonly total_latency_ms: number;
}

export interface ExecutedStep {
  readonly rule: string;
  readonly action: StepAction;
  readonly reason: string;
  readonly latency_ms: number;
}

/** A subject that a guardian cannot judge because of what its facts say. The verdict is FAIL. */
export interface GuardianProblem {
  readonly code: "E543";
  readonly guardian: string;
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
}

/** A flow that cannot go on, or goes on for ever. */
export interface FlowProblem {
  readonly code: "E540";
  readonly flow: string;
  readonly subject: string | null;
  readonly stage: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly hint: string;
}

/**
 * Rules would make more partial matches than the limit allows, and were switched off. The change that led to it was made, and
 * the other rules go on; what may depend on these rules is unknown.
 */
export interface LimitProblem {
  readonly code: "E511";
  readonly rules: readonly string[];
  /** The pattern in the author's words. */
  readonly pattern: string;
  readonly limit: number;
  readonly message: string;
  readonly hint: string;
}

/** A listener threw, and nobody listens to "error". What the session did stands. */
export interface ListenerProblem {
  readonly code: "E522";
  /** The event that the listener subscribed to. */
  readonly event: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * A function that failed while something was tested: it threw, returned what it was not declared to return, or could not be
 * called. The test is unknown, and the rules conclude nothing from it; what depends on them is in doubt.
 */
export interface FunctionProblem {
  readonly code: "E521";
  /** The rules that use the test; `gate "g"`, `guardian "d"`, `pipeline "p"` for what judges. */
  readonly rules: readonly string[];
  readonly function: string;
  /** The arguments as they would be written, shortened. */
  readonly args: readonly string[];
  /** What happened, as it follows the name of the function: `failed: down`. */
  readonly how: string;
  /** The ids of the facts that were tested. */
  readonly facts: readonly string[];
  /** How often the same function failed in the same way for other facts. */
  readonly more: number;
  readonly message: string;
  readonly hint: string;
}

export type Problem = FlowProblem | GuardianProblem | LimitProblem | ListenerProblem | FunctionProblem;
