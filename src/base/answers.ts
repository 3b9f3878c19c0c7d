/** What gates, guardians and pipelines answer, and the problems that a session reports: plain data that hosts receive. */
import type { Maybe } from "./value.ts";

/** The outcome of a gate: `pass`, `hold` (something is not known yet) or `fail`. */
export type Outcome = "pass" | "hold" | "fail";
/** The truth value of a requirement: `true` gives the outcome pass, `unknown` hold, `false` fail. */
export type Status = "true" | "unknown" | "false";

/** A part of a requirement that is unknown and could still open the gate. */
export interface MissingLeaf {
  /** The part as written in the program. */
  readonly text: string;
  /** Why it is unknown: which fact or value is missing. */
  readonly needs: string;
}

/** A fact that a condition looked at as evidence. */
export interface SeenFact {
  /** The id of the fact. */
  readonly id: string;
  /** The fields that the test reads. */
  readonly values: Readonly<Record<string, Maybe>>;
  /** The value of the test for this fact alone. */
  readonly value: Status;
  /** Whether the fact counts. False when it is not trusted, or not the newest. */
  readonly counts: boolean;
  /** Why it does not count, or why its value is unknown. Absent otherwise. */
  readonly note?: string;
}

/** The requirement of a gate with the value of every part, in the author's order. */
export type GateTree =
  | {
      readonly kind: "all" | "any" | "not" | "at least";
      readonly text: string;
      readonly value: Status;
      /** The minimum of an `at least`; absent otherwise. */
      readonly min?: number;
      readonly items: readonly GateTree[];
    }
  | {
      readonly kind: "leaf";
      readonly text: string;
      /** The definition of a named condition. */
      readonly condition?: string;
      /** The id of the fact of a population that the condition is asked about. Absent for other parts. */
      readonly member?: string;
      readonly value: Status;
      /** Why the part has this value, in words. */
      readonly reason: string;
      readonly evidence: readonly SeenFact[];
    };

/** The answer of a gate about a subject. */
export interface GateAnswer {
  /** The name of the gate. */
  readonly gate: string;
  /** The id of the subject; null for a gate without `for`. */
  readonly subject: string | null;
  /** The outcome. */
  readonly outcome: Outcome;
  /** The truth value of the requirement. It says the same as `outcome`. */
  readonly status: Status;
  /**
   * The smallest set of unknown parts that could still open the gate. Computed when it is first read; throws E545 when that is
   * after the session has changed. `{ ...answer }` is a copy with everything computed; JSON leaves out what is no longer known.
   */
  readonly missing: readonly MissingLeaf[];
  /**
   * Every part of the requirement with its value and evidence. Computed when it is first read; throws E545 when that is after
   * the session has changed.
   */
  readonly tree: GateTree;
}

/** How a flow names the branch that it takes. */
export type FlowBranchName = "on pass" | "on hold" | "on fail" | "otherwise" | "always";

/** The stage of a subject in a flow, and the move that led there. A first stage has no move: `from` and what follows are absent. */
export interface FlowAnswer {
  /** The name of the flow. */
  readonly flow: string;
  /** The id of the subject; null for a flow without `for`. */
  readonly subject: string | null;
  /** The stage. */
  readonly stage: string;
  /** The id of the `FlowStage` fact that records it. */
  readonly fact: string;
  /** The stage before. */
  readonly from?: string;
  /** The branch that was taken there. */
  readonly branch?: FlowBranchName;
  /** The gate that decided there. Absent when the stage decides nothing. */
  readonly gate?: string;
  /** The id of the subject that the gate decided about. Absent for a gate without `for`. */
  readonly about?: string;
  /** What the gate said then. */
  readonly outcome?: Outcome;
}

/** The verdict of a guardian on a subject. */
export interface VerdictAnswer {
  /** The name of the guardian. */
  readonly guardian: string;
  /** The id of the subject. */
  readonly subject: string;
  /** `PASS`, `RETRY` (another draft may be better) or `FAIL`. */
  readonly verdict: "PASS" | "RETRY" | "FAIL";
  /** The reasons of the line that decided; with `report all`, of every line that did not pass. Empty for PASS. */
  readonly reasons: readonly string[];
  /**
   * What these lines say in words, of those that have a `says`; for PASS, what its flags and warnings say. For people:
   * programs switch on `reasons`.
   */
  readonly sentences: readonly string[];
  /** The actions that are required next, from the closed list of guardian actions. */
  readonly required_actions: readonly string[];
  /** The actions that would have helped, when no retry is left and something else is required instead. */
  readonly would_fix: readonly string[];
  /** The risk of the check that decided; with `report all`, the highest of those that did not pass. */
  readonly risk_level: "high" | "med" | "low";
  /** The number of retries so far, from the field `attempt` of the subject. */
  readonly attempt: number;
  /** Remarks of `flag` lines about a draft that passes. */
  readonly flags: readonly string[];
  /** Remarks of `warn` lines. */
  readonly warnings: readonly string[];
}

/** The action of a step of a pipeline. */
export type StepAction = "ALLOW" | "NOTE" | "BLOCK" | "ANSWER" | "FORWARD" | "ERROR";

/** The decision of a pipeline about a request. */
export interface PipelineDecision {
  /** The name of the pipeline. */
  readonly pipeline: string;
  /** The id of the request. */
  readonly subject: string;
  /** The decision. */
  readonly decision: "BLOCK" | "ANSWER" | "FORWARD" | "ERROR";
  /** The reason of BLOCK and ERROR, the answer of ANSWER, or the receiver of FORWARD. */
  readonly value: string;
  /** The texts that NOTE steps added. */
  readonly flags: readonly string[];
  /** The steps that were executed. */
  readonly trace: PipelineTrace;
  /** True when the request is blocked because a test is unknown; `value` begins with `unknown:`. Absent otherwise. */
  readonly unknown?: true;
  /** True when something failed in the line that decided; `value` begins with `rule_error:`. Absent otherwise. */
  readonly failed?: true;
  /** E544 when the decision could not be audited. Absent otherwise. */
  readonly code?: "E544";
}

/**
 * A name of the decision in the test of an `after`: what was decided, its text as in the trace, the answer of an ANSWER
 * and the receiver of a FORWARD.
 */
export type DecisionPart = "decision" | "reason" | "answer" | "receiver";

/** The decision as an `after` sees it; a part that the decision does not have is missing. */
export type Decided = Readonly<Partial<Record<DecisionPart, string>>>;

/** What stands in the place of an answer that an `after` blocked. */
export const WITHHELD = "(withheld)";

/** The steps that led to a decision, in the form that audits store. */
export interface PipelineTrace {
  /** The id of the request. */
  readonly request_id: string;
  /** The steps that were reached, in order. */
  readonly rules_executed: readonly ExecutedStep[];
  /** The decision. */
  readonly final_decision: PipelineDecision["decision"];
  /** The time that the decision took, in milliseconds of the session's clock. */
  readonly total_latency_ms: number;
}

/** A step of a pipeline that was reached. */
export interface ExecutedStep {
  /** The name of the step. */
  readonly rule: string;
  /** The action that was taken; ALLOW when its condition was not met. */
  readonly action: StepAction;
  /** The value of the action. For ALLOW, why the step did not apply: `does not hold:` and its test, as written. */
  readonly reason: string;
  /** True when it is unknown whether the step applies; `reason` begins with `unknown:`. Absent otherwise. */
  readonly unknown?: true;
  /** True when something failed in the step; `reason` begins with `rule_error:`. Absent otherwise. */
  readonly failed?: true;
  /** The time it took, in milliseconds. */
  readonly latency_ms: number;
}

/** A subject that a guardian cannot judge because of its track or attempt. The verdict is FAIL. */
export interface GuardianProblem {
  /** The stable code. */
  readonly code: "E543";
  /** The name of the guardian. */
  readonly guardian: string;
  /** The id of the subject. */
  readonly subject: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A flow that cannot continue because no branch matches the outcome of its gate, or that never ends. */
export interface FlowProblem {
  /** The stable code. */
  readonly code: "E540";
  /** The name of the flow. */
  readonly flow: string;
  /** The id of the subject; null for a flow without `for`. */
  readonly subject: string | null;
  /** The stage that the flow is in. */
  readonly stage: string;
  /** The outcome that no branch matches. */
  readonly outcome: Outcome;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/**
 * Rules that would make more partial matches than the limit allows, and were switched off. The change that led to it
 * was made, and other rules continue. What may depend on these rules is unknown.
 */
export interface LimitProblem {
  /** The stable code. */
  readonly code: "E511";
  /** The rules that were switched off. */
  readonly rules: readonly string[];
  /** The pattern that makes the matches, as written in the program. */
  readonly pattern: string;
  /** The limit, in partial matches. */
  readonly limit: number;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** Tests of `now` and `today` are unknown, because nobody has set the clock of the session. */
export interface ClockProblem {
  /** The stable code. */
  readonly code: "E536";
  /** The rules that read the clock; `gate "g"`, `guardian "d"` or `pipeline "p"` for those. */
  readonly rules: readonly string[];
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A listener that threw while no listener for `error` was registered. The changes of the session are kept. */
export interface ListenerProblem {
  /** The stable code. */
  readonly code: "E522";
  /** The event that the listener subscribed to. */
  readonly event: string;
  /** The message of the error. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/**
 * A host function that failed in a test: it threw, returned a value of another type, or could not be called. The test
 * is unknown, and what depends on its rules is in doubt.
 */
export interface FunctionProblem {
  /** The stable code. */
  readonly code: "E521";
  /** The rules that use the test; `gate "g"`, `guardian "d"` or `pipeline "p"` for those. */
  readonly rules: readonly string[];
  /** The name of the function. */
  readonly function: string;
  /** The arguments, as they would be written in the language, shortened. */
  readonly args: readonly string[];
  /** What happened, to follow the name of the function: `failed: down`. */
  readonly how: string;
  /** The ids of the facts that were tested. */
  readonly facts: readonly string[];
  /** How many more times the function failed in the same way for other facts. */
  readonly more: number;
  /** What is wrong, as one sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A problem that stopped nothing. Each kind has a `code`, a `message` and a `hint`. */
export type Problem = FlowProblem | GuardianProblem | LimitProblem | ListenerProblem | FunctionProblem | ClockProblem;
