/**
 * A session as plain JSON-able data. A session restored from it with the same program continues exactly as the original
 * would: same facts and ids, same matches, same order of firing.
 *
 * Version 2 says which program made it, how the types of its facts were declared, and which rules its matches belong to: with
 * another program, facts are migrated, and rules that changed start again. Version 1 has none of that and no checksum.
 */
import type { FunctionProblem } from "../base/answers.ts";
import type { Value } from "../base/value.ts";
import type { WaitingSubjects } from "../rete/at-rest.ts";
import type { Mark } from "./agenda/marks.ts";
import { type Overflow, SessionError } from "./errors.ts";
import type { MemoryCounters } from "./memory.ts";
import type { FactView } from "./results.ts";
import type { XuplesSnapshot } from "./xuples.ts";

export interface FactSnapshot {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, Value>>;
  readonly order: number;
  readonly tag: number;
  /** Present when rules inserted it logically: the matches that support it, and whether it was asserted plainly too. */
  readonly logical?: { readonly plain: boolean; readonly supports: readonly SupportSnapshot[] };
}

export interface SupportSnapshot {
  readonly rule: string;
  readonly identity: string;
}

/** The counters that ids, order and random selection continue from. */
export type SnapshotCounters = MemoryCounters & { readonly fired: number; readonly random: number };

/** The declared fields of a type, by name: `number?` for an optional field, `#1 string` for the first key. */
export type SavedType = Readonly<Record<string, string>>;

/** A session as plain data. Treat its content as opaque: only `version` is stable across releases. */
export interface Snapshot {
  /** The version of the form. Sessions read versions 1 and 2 and refuse others (E533). */
  readonly version: 1 | 2;
  /** The hash of the program that the session ran, as in {@link Program.hash}. Absent in version 1. */
  readonly program?: string;
  /** The counters that ids, order and random selection continue from. */
  readonly counters: SnapshotCounters;
  /** How the types of the facts were declared, by name. Absent in version 1. */
  readonly types?: Readonly<Record<string, SavedType>>;
  /** The facts, in the order in which they were asserted, with the supports of logical facts. */
  readonly facts: readonly FactSnapshot[];
  /** The matches with their place on the agenda. */
  readonly matches: readonly Mark[];
  /** The hash of each rule that has matches: a rule that changed starts again. Absent in version 1. */
  readonly rules?: Readonly<Record<string, string>>;
  /** The groups of rules that are active. */
  readonly groups: readonly string[];
  /** The entries of the tuple spaces. */
  readonly xuples: readonly XuplesSnapshot[];
  /** The rules that were switched off, failed or did not fire. Absent when there are none. */
  readonly doubts?: SnapshotDoubts;
  /**
   * The subjects that gates, flows and guardians have not looked at since they changed, and the requests that pipelines have not
   * decided. Absent while nothing was judged or decided, and in snapshots of earlier releases.
   */
  readonly waiting?: WaitingSubjects;
  /** The clock of the session, as text. Absent while it is not set. */
  readonly clock?: string;
  /** The id of the session. Absent when no key of an effect was computed and the host gave none. */
  readonly id?: string;
  /** A checksum of everything else: a damaged snapshot is refused (E533). Absent in version 1. */
  readonly checksum?: string;
}

/** A rule that may have left out a fact, and why: `rule "flag" could not be tested for all facts (E521: …)`. */
export interface FailedRule {
  readonly rule: string;
  readonly reason: string;
}

/** The rules that may have left out a fact, and what a session reports of them. */
export interface FailedRules {
  readonly failed: readonly FailedRule[];
  readonly problems: readonly FunctionProblem[];
}

/** The rules that were switched off at their match limit stay in doubt until a reload. */
export interface SnapshotDoubts {
  readonly limits: readonly Overflow[];
  /** The rules whose host functions failed on facts that are gone, and why. */
  readonly failed?: readonly FailedRule[];
  /** The problems of these rules, as the session reported them. Absent in snapshots of earlier releases. */
  readonly problems?: readonly FunctionProblem[];
  /** The actions that had a handler, which could change any fact. */
  readonly actions: readonly string[];
  /** The code of the error that ended the last run; left out when it came to its end. */
  readonly stopped?: string;
}

/** Returns the doubts that a snapshot holds; an empty object when there are none. */
export function doubtsOf(
  limits: readonly Overflow[],
  { failed, problems }: FailedRules,
  actions: Iterable<string>,
  stopped: string | undefined,
): Pick<Snapshot, "doubts"> {
  if (limits.length + failed.length === 0 && stopped === undefined) return {};
  return {
    doubts: {
      limits: limits.map(({ rules, pattern, limit }) => ({ rules, pattern, limit })),
      actions: [...actions],
      ...(failed.length === 0 ? {} : { failed, problems }),
      ...(stopped === undefined ? {} : { stopped }),
    },
  };
}

/** Reports a snapshot that cannot be restored. */
export function unreadable(reason: string, hint = "restore a snapshot as it was taken"): SessionError {
  return new SessionError("E533", `cannot restore this snapshot: ${reason}`, hint);
}

/** Snapshots that never left the engine: the copies of a session in which explanations try changes. */
const ownCopies = new WeakSet<object>();

/** Whether a snapshot was made by {@link ownCopy}: it needs no check and no migration. */
export function isOwnCopy(snapshot: object): boolean {
  return ownCopies.has(snapshot);
}

/** Marks a snapshot that is only used inside the engine, with the program that made it. */
export function ownCopy(snapshot: Snapshot): Snapshot {
  ownCopies.add(snapshot);
  return snapshot;
}

/** Returns a copy of a session with these facts, under their ids; `keyless` are the last numbers of facts without keys. */
export function snapshotOf(
  facts: readonly FactView[],
  keyless: MemoryCounters["keyless"],
  more: Pick<Snapshot, "doubts" | "clock"> = {},
): Snapshot {
  const { length } = facts;
  return ownCopy({
    version: 1,
    counters: { order: length, change: length, keyless, fired: 0, random: 0 },
    facts: facts.map((fact, index) => ({ ...fact, order: index + 1, tag: index + 1 })),
    matches: [],
    groups: [],
    xuples: [],
    ...more,
  });
}
