/** What a session hands out: plain data, copies or frozen. */
import type { Maybe, Value } from "../base/value.ts";
import type { GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";

/** A fact as the host sees it. Missing fields are left out. */
export interface FactView {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
}

/** Stands for a fact that was asserted; can be used as a reference. */
export class FactHandle {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

/** One firing. A variable of a fact shows its id. */
export interface Fired {
  /** Counts firings over the whole session, from 1. */
  readonly n: number;
  readonly rule: string;
  readonly bindings: Readonly<Record<string, Maybe>>;
}

/** A call of an action, with the number of its firing. */
export interface Effect {
  readonly n: number;
  readonly action: string;
  readonly args: readonly Maybe[];
  readonly rule: string;
}

/** What a gate said to a rule that asked it with `decide`: as it was then, with its whole tree. */
export interface GateDecision extends GateAnswer {
  /** The firing that asked. */
  readonly n: number;
  readonly rule: string;
}

/** What a guardian said to a rule that asked it with `verify`: as it was then. */
export interface VerdictDecision extends VerdictAnswer {
  /** The firing that asked. */
  readonly n: number;
  readonly rule: string;
}

/** What was decided: by a gate or guardian that a rule asked, or by a pipeline. */
export type Decision = GateDecision | VerdictDecision | PipelineDecision;

export interface RunResult {
  readonly fired: readonly Fired[];
  readonly effects: readonly Effect[];
  /** The outcomes that stand, one for each gate and subject, in program order. */
  readonly gates: readonly GateAnswer[];
  /** The verdicts that stand, one for each guardian and subject, in program order. */
  readonly verdicts: readonly VerdictAnswer[];
  /** What was decided on the way, in order. */
  readonly decisions: readonly Decision[];
  /**
   * Rules that were switched off at their match limit, functions that failed and whose tests are still unknown, listeners that
   * failed, flows that cannot go on because no branch fits, and subjects that cannot be judged; left out when there are none.
   */
  readonly problems?: readonly Problem[];
  /** True when an action said `halt`. */
  readonly halted: boolean;
  /** How many firings there were, also when they were not kept. */
  readonly count: number;
}

/** A change of working memory that has been made. */
export interface FactEvent {
  readonly op: "assert" | "update" | "retract";
  readonly id: string;
  readonly type: string;
  /** All fields after an assert or update; the last known ones of a retracted fact. */
  readonly fields: Readonly<Record<string, Value>>;
  /** `host`, `engine`, `rule NAME`, or `support` when a logical fact went with its last support. */
  readonly by: string;
}

/** A match as the host sees it. */
export interface MatchView {
  readonly bindings: Readonly<Record<string, FactView | Maybe>>;
}
