/**
 * The form of snapshots: a snapshot comes from a file or a database, and nothing in it is trusted. What is malformed or damaged
 * is refused (E533) before a session is made of it.
 */
import type { FunctionProblem } from "../base/answers.ts";
import { Checksum } from "../base/checksum.ts";
import { finish, type Steps } from "../base/slices.ts";
import { readTime } from "../base/time.ts";
import type { WaitingSubjects } from "../rete/at-rest.ts";
import type { Mark } from "./agenda/marks.ts";
import type { Overflow } from "./errors.ts";
import type { MemoryCounters } from "./memory.ts";
import {
  type FactSnapshot,
  type FailedRule,
  isOwnCopy,
  type SavedType,
  type Snapshot,
  type SnapshotCounters,
  type SnapshotDoubts,
  type SupportSnapshot,
  unreadable,
} from "./snapshot.ts";
import type { XuplesSnapshot } from "./xuples.ts";

/** A test of one part of a snapshot. */
type Is<Part> = (value: unknown) => value is Part;
type Fields<Part> = Partial<Record<keyof Part, unknown>>;

/** The version that is written now. */
export const VERSION = 2;

/** Adds up a snapshot part by part, in the order in which a stream writes the parts. */
export class SnapshotSum {
  readonly #sum = new Checksum();

  /** Adds what stands before the facts. */
  begin({ program, counters, types, groups, doubts, waiting, clock, id }: SnapshotHead): void {
    this.#add({ version: VERSION, program, counters, types, groups, doubts, waiting, clock, id });
  }

  /** Adds a fact, a match or a tuple space. */
  item(item: FactSnapshot | Mark | XuplesSnapshot): void {
    this.#add(item);
  }

  /** Adds the hashes of rules, and returns the checksum of everything. */
  end(rules: Snapshot["rules"]): string {
    this.#add(rules ?? {});
    return this.#sum.digest();
  }

  #add(part: object): void {
    if (!this.#sum.add(part)) throw unreadable("its values are nested too deeply");
  }
}

/** The parts of a snapshot that stand before its facts in a stream. */
export type SnapshotHead = Pick<
  Snapshot,
  "program" | "counters" | "types" | "groups" | "doubts" | "waiting" | "clock" | "id"
>;

/** Returns the snapshot with its checksum. */
export function withChecksum(snapshot: Omit<Snapshot, "checksum">): Snapshot {
  return { ...snapshot, checksum: checksumOf(snapshot) };
}

function checksumOf(snapshot: Omit<Snapshot, "checksum">): string {
  const sum = new SnapshotSum();
  sum.begin(snapshot);
  for (const list of [snapshot.facts, snapshot.matches, snapshot.xuples]) for (const item of list) sum.item(item);
  return sum.end(snapshot.rules);
}

/** Throws E533 unless the data is a snapshot that this engine reads, undamaged. */
export function refuseUnreadable(data: unknown): void {
  finish(readable(data));
}

/** Returns the data when it is a snapshot that this engine reads, undamaged; throws E533 otherwise. One step for each item. */
export function* readable(data: unknown): Steps<Snapshot> {
  if (!isObject(data)) throw unreadable("it is not an object");
  if (isOwnCopy(data)) return data as Snapshot;
  const snapshot = data as Fields<Snapshot>;
  refuseOtherVersions(snapshot.version);
  refuseHead(snapshot);
  const sum = new SnapshotSum();
  if (snapshot.version === VERSION) sum.begin(snapshot as Snapshot);
  for (const [part, isItem] of PARTS) {
    const items = snapshot[part];
    if (!Array.isArray(items)) throw invalid(part);
    for (const item of items as readonly unknown[]) {
      if (!isItem(item)) throw invalid(part);
      if (snapshot.version === VERSION) sum.item(item);
      yield;
    }
  }
  if (snapshot.version === VERSION) refuseDamaged(snapshot as Snapshot, sum);
  yield* wrongNumbers(snapshot as Snapshot);
  return data as Snapshot;
}

/** Throws E533 for a version that this engine does not read. */
export function refuseOtherVersions(version: unknown): void {
  if (version === 1 || version === VERSION) return;
  const found = typeof version === "number" ? `its version is ${version}` : "it has no version";
  throw unreadable(`${found}, and this engine reads versions 1 and ${VERSION}`);
}

/** Throws E533 when a part that stands before the facts is malformed. */
export function refuseHead(head: Fields<Snapshot>): void {
  if (!isCounters(head.counters)) throw invalid("counters");
  if (!isList(head.groups, isText)) throw invalid("groups");
  if (head.doubts !== undefined && !isDoubts(head.doubts)) throw invalid("doubts");
  if (head.waiting !== undefined && !isWaiting(head.waiting)) throw invalid("waiting");
  if (head.id !== undefined && !isText(head.id)) throw invalid("id");
  if (head.clock !== undefined && !isInstant(head.clock)) throw invalid("clock");
  if (head.version !== VERSION) return refuseRenumbered(head);
  if (!isText(head.program)) throw invalid("program");
  if (!isRecord(head.types, isSavedType)) throw invalid("types");
}

/**
 * Throws E533 for a snapshot that says that it is of version 1 and has what only later versions have: its version was changed, and
 * with it the checksum and the types would count no more.
 */
function refuseRenumbered(head: Fields<Snapshot>): void {
  const part = LATER_PARTS.find((name) => head[name] !== undefined);
  if (part !== undefined) throw unreadable(`its version is 1, and it has "${part}", which version 1 does not have`);
}

const LATER_PARTS = ["checksum", "program", "types", "rules", "waiting"] as const;

/** Throws E533 when the checksum is not that of the content. */
function refuseDamaged({ rules, checksum }: Snapshot, sum: SnapshotSum): void {
  refuseRules(rules);
  if (!isText(checksum)) throw invalid("checksum");
  if (checksum !== sum.end(rules)) throw damaged();
}

export function refuseRules(rules: unknown): void {
  if (!isRecord(rules, isText)) throw invalid("rules");
}

/** Reports a checksum that does not match. */
export function damaged(): Error {
  return unreadable("it is damaged: its checksum does not match its content", "restore an earlier snapshot");
}

/** Throws E533 when a fact is newer than the counters say: ids and order would be given twice. */
export function* wrongNumbers({ facts, counters }: Pick<Snapshot, "facts" | "counters">): Steps<void> {
  const { order, change, keyless } = counters;
  let last = 0;
  let isInOrder = true;
  for (const fact of facts) {
    if (fact.order <= last) isInOrder = false;
    last = fact.order;
    const number = keylessNumber(fact);
    const isNew = number !== undefined && number > (Object.hasOwn(keyless, fact.type) ? (keyless[fact.type] ?? 0) : 0);
    if (fact.order > order || fact.tag > change || isNew) {
      throw unreadable(`fact "${fact.id}" is newer than its counters`);
    }
    yield;
  }
  if (!isInOrder && new Set(facts.map((fact) => fact.order)).size < facts.length) {
    throw unreadable("two of its facts have the same order");
  }
}

/** Returns the number in the id of a fact without keys, `Alert~@3`; undefined for other ids. */
export function keylessNumber({ id, type }: Pick<FactSnapshot, "id" | "type">): number | undefined {
  if (!id.startsWith(`${type}~@`)) return undefined;
  const digits = id.slice(type.length + 2);
  return /^[1-9][0-9]{0,15}$/u.test(digits) ? Number(digits) : undefined;
}

const NO_DOUBTS: SnapshotDoubts = { limits: [], actions: [] };

/** Returns the doubts of a snapshot; throws E533 when they are malformed: a snapshot is not trusted. */
export function doubtsIn(snapshot: Pick<Snapshot, "doubts"> | undefined): SnapshotDoubts {
  const doubts: unknown = snapshot?.doubts;
  if (doubts === undefined) return NO_DOUBTS;
  if (!isDoubts(doubts)) throw invalid("doubts");
  return doubts;
}

// ---------------------------------------------------------------- parts

export function isFact(value: unknown): value is FactSnapshot {
  if (!isObject(value)) return false;
  const { id, type, fields, order, tag, logical } = value as Fields<FactSnapshot>;
  if (!isText(id) || !isText(type) || !isObject(fields) || !isCount(order) || !isCount(tag)) return false;
  return logical === undefined || isLogical(logical);
}

function isLogical(value: unknown): value is NonNullable<FactSnapshot["logical"]> {
  if (!isObject(value)) return false;
  const { plain, supports } = value as Fields<NonNullable<FactSnapshot["logical"]>>;
  return typeof plain === "boolean" && isList(supports, isSupport);
}

function isSupport(value: unknown): value is SupportSnapshot {
  if (!isObject(value)) return false;
  const { rule, identity } = value as Fields<SupportSnapshot>;
  return isText(rule) && isText(identity);
}

export function isMark(value: unknown): value is Mark {
  if (!isObject(value)) return false;
  const { rule, identity, stamp, waiting, recency } = value as Fields<Mark>;
  if (!isText(rule) || !isText(identity) || !isCount(stamp) || typeof waiting !== "boolean") return false;
  return recency === undefined || isList(recency, isCount);
}

export function isSpace(value: unknown): value is XuplesSnapshot {
  if (!isObject(value)) return false;
  const { space, last, entries } = value as Fields<XuplesSnapshot>;
  return isText(space) && isCount(last) && isList(entries, isEntry);
}

function isEntry(value: unknown): value is XuplesSnapshot["entries"][number] {
  if (!isObject(value)) return false;
  const { n, type, fields, at, takenBy, taken } = value as Fields<XuplesSnapshot["entries"][number]>;
  if (!isCount(n) || !isText(type) || !isObject(fields) || typeof at !== "number") return false;
  return isList(takenBy, isText) && (taken === undefined || isCount(taken));
}

function isCounters(value: unknown): value is SnapshotCounters {
  if (!isObject(value)) return false;
  const { order, change, keyless, fired, random } = value as Fields<MemoryCounters & SnapshotCounters>;
  if (!isCount(order) || !isCount(change) || !isCount(fired) || !Number.isInteger(random)) return false;
  return isRecord(keyless, isCount);
}

function isSavedType(value: unknown): value is SavedType {
  return isRecord(value, isText);
}

function isDoubts(doubts: unknown): doubts is SnapshotDoubts {
  if (!isObject(doubts)) return false;
  const { limits, failed = [], problems = [], actions, stopped } = doubts as Fields<SnapshotDoubts>;
  if (!isList(problems, isFailure)) return false;
  if (stopped !== undefined && !isText(stopped)) return false;
  return isList(actions, isText) && isList(limits, isOverflow) && isList(failed, isFailedRule);
}

function isWaiting(value: unknown): value is WaitingSubjects {
  if (!isObject(value)) return false;
  const { gates, flows, guardians, pipelines } = value as Fields<WaitingSubjects>;
  return [gates, flows, guardians, pipelines].every((subjects) => isRecord(subjects, isTexts));
}

function isTexts(value: unknown): value is readonly string[] {
  return isList(value, isText);
}

function isFailure(value: unknown): value is FunctionProblem {
  if (!isObject(value)) return false;
  const { code, rules, function: name, args, how, facts, more, message, hint } = value as Fields<FunctionProblem>;
  const texts = isText(name) && isText(how) && isText(message) && isText(hint);
  return (
    code === "E521" && texts && isCount(more) && isList(rules, isText) && isList(args, isText) && isList(facts, isText)
  );
}

function isFailedRule(value: unknown): value is FailedRule {
  if (!isObject(value)) return false;
  const { rule, reason } = value as Fields<FailedRule>;
  return isText(rule) && isText(reason);
}

function isOverflow(value: unknown): value is Overflow {
  if (!isObject(value)) return false;
  const { rules, pattern, limit } = value as Fields<Overflow>;
  return isList(rules, isText) && isText(pattern) && typeof limit === "number";
}

/** The lists of a snapshot, in the order in which they are added up. */
const PARTS = [
  ["facts", isFact],
  ["matches", isMark],
  ["xuples", isSpace],
] as const;

// ---------------------------------------------------------------- JSON

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInstant(value: unknown): value is string {
  return isText(value) && "value" in readTime("instant", value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Whether it is a number that counts something. */
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isList<Item>(value: unknown, isItem: Is<Item>): value is readonly Item[] {
  if (!Array.isArray(value)) return false;
  // Not every(): it skips holes.
  for (const item of value as readonly unknown[]) if (!isItem(item)) return false;
  return true;
}

function isRecord<Item>(value: unknown, isItem: Is<Item>): value is Readonly<Record<string, Item>> {
  return isObject(value) && Object.values(value).every(isItem);
}

/** The parts of a snapshot that are one thing. */
const SINGLE: ReadonlySet<keyof Snapshot> = new Set(["program", "checksum", "id", "clock"] as const);

function invalid(part: keyof Snapshot): Error {
  return unreadable(`its "${part}" ${SINGLE.has(part) ? "is" : "are"} invalid`);
}
