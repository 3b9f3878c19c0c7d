/** What a session is made of, what can be wished for when it is opened, and what it tells. */
import type { Limits } from "../base/limits.ts";
import type { GateAnswer, Problem, VerdictAnswer } from "../base/answers.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Counters, FactLookup, MatchListener, NetworkPort } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import type { ActionHandler } from "./actions.ts";
import type { Strategy } from "./agenda/activation.ts";
import type { Role } from "./admission/admission.ts";
import type { Overflow } from "./errors.ts";
import type { PastFact } from "./history.ts";
import type { ListenerFailure } from "./listeners.ts";
import type { Decision, Effect, FactEvent, FactView, Fired } from "./results.ts";
import type { Schema } from "./admission/schema.ts";
import type { Shapes } from "./admission/shapes.ts";
import type { FailedRule, Snapshot } from "./snapshot.ts";
import type { XupleSpace } from "./xuples.ts";

/** What the compiler makes of a program for one session. */
export interface SessionSpec {
  readonly schema: Schema;
  /** Of each rule, one for each of its alternatives. */
  readonly productions: ReadonlyMap<string, readonly Production[]>;
  readonly limits: Limits;
  readonly xupleSpaces: readonly XupleSpace[];
  /** The facts of the program itself, in file order. */
  readonly initialFacts: readonly { readonly type: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** Makes a network without facts. */
  buildNetwork(site: NetworkContext): NetworkPort;
  /**
   * Turns the network of the program before into that of this one, and tells the listener of every match that goes or
   * comes. Without it `replaceProgram` builds anew.
   */
  rebuildNetwork?(network: NetworkPort, site: NetworkContext): NetworkPort;
  /** Keeps what gates and flows say of the network that was built last; asked for when the network is there. */
  atRest?(): AtRestOutcomes | undefined;
  /** What is wrong with the network now, besides what the keeper knows of. */
  problems?(): readonly Problem[];
  /** Rules that may have left out a fact for good: what they failed on is gone. */
  failedRules?(): readonly FailedRule[];
  /** Hears when rules begin to fire, and when they no longer do. */
  runBegan?(): void;
  runEnded?(): void;
}

/** A run that stopped early: at its limit of firings, or because an action failed. */
export interface Unfinished {
  /** The code of the error that it ended with. */
  readonly code: string;
  /** The rules that wait to fire. */
  readonly rules: ReadonlySet<string>;
}

/** What a network stands on. */
export interface NetworkContext {
  /** Is told of every match of a rule, also of those that need no fact, while the network is built. */
  readonly listener: MatchListener;
  readonly facts: FactLookup;
  /** The slots of fields, shared by facts and network. */
  readonly shapes: Shapes;
  /** To be called when a node had to be switched off: it becomes a problem of the session. */
  overflowed(overflow: Overflow): void;
  /** What the last run left undone; undefined when it came to its end, and while one is under way. */
  unfinished(): Unfinished | undefined;
}

export interface SessionOptions {
  readonly strategy?: Strategy;
  /** Firings per run. */
  readonly limit?: number;
  /** Whether to begin with the facts of the program. */
  readonly facts?: "program" | "none";
  readonly actions?: Readonly<Record<string, ActionHandler>>;
  /** The clock of tuple spaces, in milliseconds. */
  readonly now?: () => number;
  /** For tuple spaces with random selection: from 0 up to 1. Without it the choice is the same on every run. */
  readonly random?: () => number;
  /** Goes on where another session was; the program's own facts are then not asserted. */
  readonly from?: Snapshot;
  /** How many changes, and how many firings, are kept to answer why; 0 keeps none (10,000). */
  readonly history?: number;
}

export interface SessionEvents {
  fire: Fired;
  effect: Effect;
  fact: FactEvent;
  /** An outcome that was reached. */
  gate: GateAnswer;
  /** A verdict that was reached. */
  verdict: VerdictAnswer;
  decision: Decision;
  /** Rules were switched off at their match limit, or a listener failed and nobody listens to `error`. */
  problem: Problem;
  /** What a listener threw. It does not change what the session did. */
  error: ListenerFailure;
}

export interface SessionCounters extends Counters {
  /** Matches that wait to fire. */
  readonly waiting: number;
  /** Matches that wait for their group. */
  readonly parked: number;
  readonly logicalFacts: number;
  /** Work done so far to keep logical facts founded: the facts and supports that were looked at. */
  readonly supportSteps: number;
  /** Firings so far. */
  readonly fired: number;
}

/** A fact is meant by its handle, its view or its id. */
export type FactRef = string | { readonly id: string };

/** Who makes a change. Facts of protected types are written in the role `policy` alone. */
export interface ChangeBy {
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

/** The matches that a logical fact rests on. */
export interface FactSupport {
  readonly rule: string;
  readonly bindings: Fired["bindings"];
}

/** Facts as a firing saw them. */
export interface Past {
  readonly fired: Fired;
  /** The last change before the firing. */
  readonly change: number;
  /** False when the facts of that time are no longer known. */
  readonly known: boolean;
  /** In the order they were asserted. */
  all(): PastFact[];
  facts(type: string): FactView[];
  fact(id: string): FactView | undefined;
  /** The ids of facts that came later and have gone, or changed, again. */
  later(): readonly string[];
}
