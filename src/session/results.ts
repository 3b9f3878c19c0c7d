/** What a session hands out: plain data, copies or frozen. */
import type { SessionError } from "../base/session-error.ts";
import type { Maybe, Value } from "../base/value.ts";
import type { GateAnswer, PipelineDecision, Problem, VerdictAnswer } from "../base/answers.ts";

/** A fact as the host sees it: plain data. */
export interface FactView {
  /** The id: the type and the key fields (`Person~p1`), or for a type without key fields a number (`Alert~@1`). */
  readonly id: string;
  /** The name of its type. */
  readonly type: string;
  /** Its fields. Missing fields are absent. */
  readonly fields: Readonly<Record<string, Value>>;
}

/** A handle of an asserted fact. It can be used wherever a fact is referred to. */
export class FactHandle {
  /** The id of the fact, such as `Person~p1`. */
  readonly id: string;
  /** True when the fact had expired and never entered; absent otherwise. */
  readonly expired?: true;

  /**
   * Creates a handle for an id.
   *
   * @internal
   */
  constructor(id: string, expired = false) {
    this.id = id;
    if (expired) this.expired = true;
  }
}

/** One firing of a rule. */
export interface Fired {
  /** The number of the firing in the session, counted from 1. */
  readonly n: number;
  /** The rule that fired. */
  readonly rule: string;
  /** The value of each variable. A fact is shown by its id. */
  readonly bindings: Readonly<Record<string, Maybe>>;
  /** The clock of the session when the rule fired. Absent while it is not set. */
  readonly clock?: string;
}

/** A call of an action by a firing. */
export interface Effect {
  /** The number of the firing. */
  readonly n: number;
  /** The name of the action. */
  readonly action: string;
  /** Its arguments; undefined for a missing value. */
  readonly args: readonly Maybe[];
  /** The rule that fired. */
  readonly rule: string;
  /**
   * The key of the effect: the same when the firing is repeated, never that of another firing. It is computed when it is
   * read, and is not part of the JSON of an effect.
   */
  readonly key?: string;
}

/** A firing whose match was ended by a change from outside while its handlers were awaited. None of its changes was made. */
export interface Conflict {
  /** The rule that was firing. */
  readonly rule: string;
  /** The value of each variable. A fact is shown by its id. */
  readonly bindings: Fired["bindings"];
  /** The calls of actions that were handed to the host before; they keep their keys. */
  readonly effects: readonly Effect[];
}

/**
 * What failed in the run that follows a submission. The changes that were submitted are made. A firing that failed made no change; its
 * match waits for the next run.
 */
export interface RunFailure {
  /** E520 when a firing failed, E523 when its handler took too long; E510 or E512 when the run stopped there. */
  readonly code: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it; absent when nothing is known. */
  readonly hint?: string;
  /** The rule that was firing. Absent when the run stopped. */
  readonly rule?: string;
  /** The value of each variable of the firing. A fact is shown by its id. */
  readonly bindings?: Fired["bindings"];
  /** The action that failed: the name of the host's action, or `insert Alert`, `update` and so on. */
  readonly action?: string;
  /** The calls of actions that were handed to the host before the failure; they keep their keys. */
  readonly effects?: readonly Effect[];
  /** The error that {@link Session.runAsync} would have thrown. It is not part of the JSON of a result. */
  readonly error: SessionError;
}

/** The answer of a gate to a rule that asked it with `decide`, as it was then. */
export interface GateDecision extends GateAnswer {
  /** The number of the firing that asked. */
  readonly n: number;
  /** The rule that asked. */
  readonly rule: string;
}

/** The answer of a guardian to a rule that asked it with `verify`, as it was then. */
export interface VerdictDecision extends VerdictAnswer {
  /** The number of the firing that asked. */
  readonly n: number;
  /** The rule that asked. */
  readonly rule: string;
}

/** A decision of a run: by a gate or guardian that a rule asked, or by a pipeline. */
export type Decision = GateDecision | VerdictDecision | PipelineDecision;

/** The result of a run. */
export interface RunResult {
  /** The firings, in order. Empty with `collect: false`. */
  readonly fired: readonly Fired[];
  /** The calls of actions, in order. Empty with `collect: false`. */
  readonly effects: readonly Effect[];
  /** The outcomes after the run, one for each gate and subject, in program order. */
  readonly gates: readonly GateAnswer[];
  /** The verdicts after the run, one for each guardian and subject, in program order. */
  readonly verdicts: readonly VerdictAnswer[];
  /** The decisions made during the run, in order. */
  readonly decisions: readonly Decision[];
  /** The problems after the run, as {@link Session.problems}. Absent when there are none. */
  readonly problems?: readonly Problem[];
  /** The firings whose match ended while their handlers were awaited. Absent when there are none. */
  readonly conflicts?: readonly Conflict[];
  /**
   * What failed, in the result of {@link Session.submit}. Absent when nothing did; {@link Session.run} and {@link Session.runAsync} throw
   * instead. Gates and verdicts are then those of now, with everything unknown that rules which wait could change; pipelines have not
   * decided.
   */
  readonly failed?: readonly RunFailure[];
  /** Whether an action said `halt`. */
  readonly halted: boolean;
  /** The number of firings, also with `collect: false`. */
  readonly count: number;
}

/** A change of working memory that was made. */
export interface FactEvent {
  /** What was done to the fact. */
  readonly op: "assert" | "update" | "retract";
  /** The id of the fact. */
  readonly id: string;
  /** The name of its type. */
  readonly type: string;
  /** All fields after an assert or update; the last known fields of a retracted fact. */
  readonly fields: Readonly<Record<string, Value>>;
  /** Who made the change: `host`, `engine`, `rule NAME`, or `support` when a logical fact lost its last support. */
  readonly by: string;
}

/** A match as the host sees it. */
export interface MatchView {
  /** The value of each variable. Facts are views. */
  readonly bindings: Readonly<Record<string, FactView | Maybe>>;
}
