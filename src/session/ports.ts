/** What a session uses of the program that it runs, and what explanations use of a session. */
import type { Problem } from "../base/answers.ts";
import type { NetworkPort } from "../rete/port.ts";
import type { Production } from "../rete/production.ts";
import type { Changes } from "./changes/changes.ts";
import type { Inspector } from "./inspector.ts";
import type { Listeners } from "./listeners.ts";
import type { SessionEvents } from "./options.ts";
import type { FailedRules } from "./snapshot.ts";

/** The program that a session runs now, on the network of that session. */
export interface ProgramPort {
  readonly network: NetworkPort;
  /** The productions of each rule, one for each of its alternatives. */
  readonly productions: ReadonlyMap<string, readonly Production[]>;
  /** The hash of the program. */
  readonly hash: string;
  /** Returns the calls of host functions that failed, as long as their tests are unknown. */
  problems(): readonly Problem[];
  /** Returns the rules that may have left out a fact for good: the facts that they failed on are gone. */
  failedRules(): FailedRules;
  /** Is called when rules begin to fire, and when they no longer do. */
  runBegan(): void;
  runEnded(): void;
  /** Is called when the facts of a snapshot are there: its rules have fired on them before. */
  restored(): void;
  /** Is called before the clock moves, and when it has moved. */
  clockMoves(): void;
  clockMoved(): void;
  /** Returns what gives the hash of each rule of the program of now. */
  ruleHashes(): (rule: string) => string;
  /**
   * Forgets what was reported, when all facts are gone. Returns false when the network cannot be used again: nodes were
   * switched off, functions failed, or doubts of a snapshot are gone with it. `restores` is true where it comes back.
   */
  reset(restores: boolean): boolean;
}

/** What explanations use of a session: they read the one that they explain, and make changes in copies of it. */
export type SessionPort = Pick<
  Inspector,
  "size" | "clock" | "facts" | "fact" | "matchStates" | "origin" | "past" | "firings" | "counters"
> &
  Pick<Changes, "assert" | "update" | "retract"> &
  Pick<Listeners<SessionEvents>, "on"> & {
    /** The next instant at which something turns; undefined when nothing will. */
    readonly nextTime: string | undefined;
    /** Moves the clock; fires nothing. */
    advance(to: string): void;
  };

/** What explanations read of the past of a session. */
export type HistoryPort = Pick<
  Inspector,
  "pastFacts" | "removed" | "isComplete" | "changeAt" | "firingBefore" | "beforeWrite" | "placed"
>;
