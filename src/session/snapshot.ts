/**
 * A session as plain JSON-able data. A session restored from it with the same program continues exactly as the original
 * would: same facts and ids, same matches, same order of firing.
 */
import type { Value } from "../base/value.ts";
import { Fact } from "../rete/fact.ts";
import type { Activation } from "./agenda/activation.ts";
import type { Admission } from "./admission/admission.ts";
import { type Overflow, SessionError } from "./errors.ts";
import { type ActivationIndex, type Mark, markOf } from "./agenda/marks.ts";
import type { Memory, MemoryCounters } from "./memory.ts";
import type { Support } from "./changes/support.ts";
import type { FactView } from "./results.ts";
import { fieldsOf } from "./views.ts";
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

interface SupportSnapshot {
  readonly rule: string;
  readonly identity: string;
}

/** A session as plain data. Treat its content as opaque: only `version` is stable across releases. */
export interface Snapshot {
  /** The version of the form. A session refuses another one (E533). */
  readonly version: 1;
  /** The counters that ids, order and random selection continue from. */
  readonly counters: MemoryCounters & { readonly fired: number; readonly random: number };
  /** The facts, in the order in which they were asserted, with the supports of logical facts. */
  readonly facts: readonly FactSnapshot[];
  /** The matches with their place on the agenda. */
  readonly matches: readonly Mark[];
  /** The groups of rules that are active. */
  readonly groups: readonly string[];
  /** The entries of the tuple spaces. */
  readonly xuples: readonly XuplesSnapshot[];
  /** The rules that were switched off, failed or did not fire. Absent when there are none. */
  readonly doubts?: SnapshotDoubts;
  /** The id of the session. Absent when no key of an effect was computed and the host gave none. */
  readonly id?: string;
}

/** A rule that may have left out a fact, and why: `rule "flag" could not be tested for all facts (E521: …)`. */
export interface FailedRule {
  readonly rule: string;
  readonly reason: string;
}

/** The rules that were switched off at their match limit stay in doubt until a reload. */
export interface SnapshotDoubts {
  readonly limits: readonly Overflow[];
  /** The rules whose host functions failed on facts that are gone, and why. */
  readonly failed?: readonly FailedRule[];
  /** The actions that had a handler, which could change any fact. */
  readonly actions: readonly string[];
  /** The code of the error that ended the last run; left out when it came to its end. */
  readonly stopped?: string;
}

/** Returns the doubts that a snapshot holds; an empty object when there are none. */
export function doubtsOf(
  limits: readonly Overflow[],
  failed: readonly FailedRule[],
  actions: Iterable<string>,
  stopped: string | undefined,
): Pick<Snapshot, "doubts"> {
  if (limits.length + failed.length === 0 && stopped === undefined) return {};
  return {
    doubts: {
      limits: limits.map(({ rules, pattern, limit }) => ({ rules, pattern, limit })),
      actions: [...actions],
      ...(failed.length === 0 ? {} : { failed }),
      ...(stopped === undefined ? {} : { stopped }),
    },
  };
}

const NO_DOUBTS: SnapshotDoubts = { limits: [], actions: [] };

/** Returns the doubts of a snapshot; throws E533 when they are malformed: a snapshot is not trusted. */
export function doubtsIn(snapshot: Pick<Snapshot, "doubts"> | undefined): SnapshotDoubts {
  const doubts: unknown = snapshot?.doubts;
  if (doubts === undefined) return NO_DOUBTS;
  if (!isDoubts(doubts)) throw unreadable('its "doubts" are invalid');
  return doubts;
}

function isDoubts(doubts: unknown): doubts is SnapshotDoubts {
  if (typeof doubts !== "object" || doubts === null) return false;
  const { limits, failed = [], actions, stopped } = doubts as Partial<Record<keyof SnapshotDoubts, unknown>>;
  if (stopped !== undefined && !isText(stopped)) return false;
  return isList(actions, isText) && isList(limits, isOverflow) && isList(failed, isFailedRule);
}

function isFailedRule(one: unknown): one is FailedRule {
  if (typeof one !== "object" || one === null) return false;
  const { rule, reason } = one as Partial<Record<keyof FailedRule, unknown>>;
  return isText(rule) && isText(reason);
}

function isOverflow(one: unknown): one is Overflow {
  if (typeof one !== "object" || one === null) return false;
  const { rules, pattern, limit } = one as Partial<Record<keyof Overflow, unknown>>;
  return isList(rules, isText) && isText(pattern) && typeof limit === "number";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isList<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

/** Returns all facts with their supports. */
export function saveFacts(memory: Memory, support: Support): FactSnapshot[] {
  return [...memory.facts()].map((fact) => {
    const saved = {
      id: fact.id,
      type: fact.shape.type,
      fields: fieldsOf(fact.shape, fact.values),
      order: fact.order,
      tag: fact.tag,
    };
    if (!support.isLogical(fact)) return saved;
    const supports = [...support.supportsOf(fact)].map(saveSupport);
    return { ...saved, logical: { plain: support.isPlain(fact), supports } };
  });
}

function saveSupport(activation: Activation): SupportSnapshot {
  const { rule, identity } = markOf(activation);
  return { rule, identity };
}

/** Throws E533 for a snapshot of another version. */
export function refuseOtherVersions(snapshot: Snapshot): void {
  if (snapshot.version !== 1)
    throw unreadable(`its version is ${String(snapshot.version)}, and this engine reads version 1`);
}

/** Puts the facts back into working memory. They are admitted like those of a host: a snapshot is not trusted. */
export function restoreFacts(saved: readonly FactSnapshot[], memory: Memory, admission: Admission): void {
  for (const { id, type, fields, order, tag } of [...saved].sort((a, b) => a.order - b.order)) {
    const admitted = admission.admit(type, fields, { byEngine: true, withoutDefaults: true });
    const right = admitted.id === undefined ? isKeyless(id, type) : id === admitted.id;
    if (!right || memory.get(id) !== undefined) throw unreadable(`invalid fact id "${id}"`);
    memory.put(new Fact(id, admitted.shape, admitted.values, order, tag));
  }
}

/** Connects logical facts with the matches that support them. */
export function restoreSupports(
  saved: readonly FactSnapshot[],
  memory: Memory,
  support: Support,
  activations: ActivationIndex,
): void {
  const logicalFacts = saved.flatMap(({ id, type, logical }) => {
    const fact = memory.get(id);
    return logical === undefined || fact === undefined ? [] : [{ fact, logical, keyless: isKeyless(id, type) }];
  });
  // All facts before the first support: a fact without a record counts as plain.
  support.restore(() => {
    for (const { fact, logical, keyless } of logicalFacts) support.addLogical(fact, { plain: logical.plain, keyless });
    for (const { fact, logical } of logicalFacts) {
      for (const { rule, identity } of logical.supports) {
        const activation = activations.find(rule, identity);
        if (activation !== undefined) support.support(fact, activation);
      }
    }
  });
}

function isKeyless(id: string, type: string): boolean {
  return id.startsWith(`${type}~@`) && /^[1-9][0-9]*$/u.test(id.slice(type.length + 2));
}

function unreadable(reason: string): SessionError {
  return new SessionError(
    "E533",
    `cannot restore this snapshot: ${reason}`,
    "restore it with the program that made it",
  );
}

/** Returns a snapshot with these facts, under their ids; `keyless` are the last numbers of facts without keys. */
export function snapshotOf(
  facts: readonly FactView[],
  keyless: MemoryCounters["keyless"],
  doubts: Pick<Snapshot, "doubts"> = {},
): Snapshot {
  const { length } = facts;
  return {
    version: 1,
    counters: { order: length, change: length, keyless, fired: 0, random: 0 },
    facts: facts.map((fact, index) => ({ ...fact, order: index + 1, tag: index + 1 })),
    matches: [],
    groups: [],
    xuples: [],
    ...doubts,
  };
}
