/** What the program and the host say when a session is opened, and the data that a session gives. */
import type { Limits } from "../base/limits.ts";
import type { FlowAnswer, GateAnswer, Problem, VerdictAnswer } from "../base/answers.ts";
import type { Counters } from "../rete/port.ts";
import type { ActionHandler } from "./actions.ts";
import type { Strategy } from "../base/strategy.ts";
import type { Role } from "./admission/admission.ts";
import type { PastFact } from "./history.ts";
import type { ListenerFailure } from "./listeners.ts";
import type { Conflict, Decision, Effect, FactEvent, FactView, Fired } from "./results.ts";
import type { Schema } from "./admission/schema.ts";
import type { Migrations } from "./migration.ts";
import type { InstantInput } from "./session-clock.ts";
import type { Snapshot } from "./snapshot.ts";
import type { XupleSpace } from "./xuples.ts";

/** What a program says about its sessions, besides its rules. */
export interface SessionSpec {
  readonly schema: Schema;
  readonly limits: Limits;
  readonly xupleSpaces: readonly XupleSpace[];
  /** The facts of the program itself, in file order. */
  readonly initialFacts: readonly { readonly type: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

/** Options of a session that need no compiler. */
export interface SessionOptions {
  /** The order of firing. Default: `option strategy` of the program, or `breadth`. */
  readonly strategy?: Strategy;
  /** The number of firings after which a run stops with E510. Default: `option limit` of the program, or 100,000. */
  readonly limit?: number;
  /** Whether the session begins with the facts of the program. Default: `program`. */
  readonly facts?: "program" | "none";
  /** The handlers of actions, by name. An action without a handler only appears in the effects of the result. */
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  /** The clock of tuple spaces, deadlines and pipelines, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /**
   * What `now` in rules begins with: ISO 8601 text with a zone or `Z`, a `Date`, or a Temporal object. Default: the clock of the
   * snapshot in `from`; otherwise `now` is unknown until {@link Session.advance} sets it.
   */
  readonly clock?: InstantInput;
  /**
   * A source of numbers from 0 up to 1, for tuple spaces with random selection. Default: a seeded generator, the same
   * on every run.
   */
  readonly random?: () => number;
  /** A snapshot to continue from. The facts of the program are then not asserted. The session keeps it: `reset` begins with it again. */
  readonly from?: Snapshot;
  /**
   * Converts facts of `from` whose types have another declaration in this program, by type. Facts that fit without it, and
   * facts of types that did not change, need none.
   */
  readonly migrate?: Migrations;
  /** The number of changes and firings that are remembered for explanations. Default: 10,000; 0 remembers none. */
  readonly history?: number;
  /**
   * The id of the session, which is part of the keys of its effects. Default: 128 random bits, or the id that the snapshot
   * in `from` has. Two sessions with the same id must not both fire.
   */
  readonly id?: string;
}

/** The events of {@link Session.on}, and what a listener receives. */
export interface SessionEvents {
  /** A rule fired. */
  fire: Fired;
  /** A firing called an action. */
  effect: Effect;
  /** A fact was asserted, updated or retracted. */
  fact: FactEvent;
  /** A gate reached another outcome for a subject. */
  gate: GateAnswer;
  /** A subject reached a stage of a flow. */
  flow: FlowAnswer;
  /** A guardian reached another verdict on a subject. */
  verdict: VerdictAnswer;
  /** A gate or guardian answered a rule that asked it, or a pipeline decided. */
  decision: Decision;
  /** The match of a firing ended while its handlers were awaited; none of its changes was made. */
  conflict: Conflict;
  /** Rules were switched off at their match limit (E511), or a listener failed and nobody listens to `error` (E522). */
  problem: Problem;
  /** A listener threw, or something failed in the run of a submission. */
  error: ListenerFailure;
}

/** Counters of a session, for tests and measurements. */
export interface SessionCounters extends Counters {
  /** The number of matches that wait to fire. */
  readonly waiting: number;
  /** The number of matches that wait for their group. */
  readonly parked: number;
  /** The number of logical facts. */
  readonly logicalFacts: number;
  /** The facts and supports looked at so far to keep logical facts well-founded. */
  readonly supportSteps: number;
  /** The number of values that will turn when the clock moves on. */
  readonly timers: number;
  /** The steps taken so far to find what turns next. */
  readonly timerSteps: number;
  /** The number of facts so far that had expired when they were asserted, and never entered. */
  readonly expired: number;
  /** The number of firings so far. */
  readonly fired: number;
}

/** A reference to a fact: its id, its handle or its view. */
export type FactRef = string | { readonly id: string };

/** Who makes a change. */
export interface ChangeBy {
  /** `policy` to write facts of protected types. Without it such a change is refused (E411). */
  readonly role?: Role | undefined;
}

/** Whether a match waits to fire, waits for its group, or does neither: it has fired, or `no-loop` holds it back. */
export interface MatchState {
  readonly bindings: Fired["bindings"];
  /** Two matches of a rule are one when their identities are equal. */
  readonly identity: string;
  /** The change that completed it. */
  readonly stamp: number;
  readonly state: "waiting" | "parked" | "done";
}

/** A match that supports a logical fact. */
export interface FactSupport {
  /** The rule of the match. */
  readonly rule: string;
  /** The value of each variable. A fact is shown by its id. */
  readonly bindings: Fired["bindings"];
}

/** Facts as they were after a change. */
export interface PastFacts {
  /** The number of the change. */
  readonly change: number;
  /** What the clock showed then, as text; undefined while it was not set. */
  readonly clock: string | undefined;
  /** False when the facts of that time are no longer known. */
  readonly known: boolean;
  /** In the order they were asserted. */
  all(): PastFact[];
  facts(type: string): FactView[];
  fact(id: string): FactView | undefined;
}

/** Facts as a firing saw them. `change` is the last change before it. */
export interface Past extends PastFacts {
  readonly fired: Fired;
  /** The ids of facts that came later and have gone, or changed, again. */
  later(): readonly string[];
}
