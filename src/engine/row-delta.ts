/** What a subscriber receives: rows with a key, and what a change did to them. */
import type { Code } from "../base/codes.ts";
import { compareLists } from "./rows.ts";

/** A row of a subscription. */
export interface LiveRow<Row> {
  /** What tells it from the other rows of the subscription. A row that changes keeps its key. */
  readonly key: string;
  /** Rows sorted by these numbers, the first difference first, are in the order in which {@link Session.query} returns them. */
  readonly order: readonly number[];
  /** The row itself. */
  readonly row: Row;
}

/** A row before and after a change. */
export interface ChangedRow<Row> {
  /** The row as it was delivered last. */
  readonly before: LiveRow<Row>;
  /** The row as it is now. */
  readonly after: LiveRow<Row>;
}

/** Why the session ended a subscription. */
export interface SubscriptionEnd {
  /** The code: E511 for too many partial matches; E201, E202, E205, E213 or E407 when a new program has no such question. */
  readonly code: Code;
  /** The reason in words. */
  readonly message: string;
}

/** What one change, or several, did to the rows of a subscription. A key is in one of the lists at most. */
export interface RowDelta<Row> {
  /** Rows that are new; in the first delta, all rows. */
  readonly added: readonly LiveRow<Row>[];
  /** Rows that are gone, as they were delivered last. */
  readonly removed: readonly LiveRow<Row>[];
  /** Rows that differ from what was delivered last. */
  readonly changed: readonly ChangedRow<Row>[];
  /** Why this is the last delta; absent otherwise. */
  readonly ended?: SubscriptionEnd;
}

/** A row of a source before and after; undefined when it was, or is, not there. */
export interface Transition<Row> {
  readonly before: LiveRow<Row> | undefined;
  readonly after: LiveRow<Row> | undefined;
}

/** Returns whether two rows with the same key show the same. */
export type SameRow<Row> = (a: LiveRow<Row>, b: LiveRow<Row>) => boolean;

/** Returns the delta of transitions, each list in the order of rows. Rows that show the same are left out. */
export function deltaOf<Row>(transitions: Iterable<Transition<Row>>, isSame: SameRow<Row>): RowDelta<Row> {
  const added: LiveRow<Row>[] = [];
  const removed: LiveRow<Row>[] = [];
  const changed: ChangedRow<Row>[] = [];
  for (const { before, after } of transitions) {
    if (before === undefined) {
      if (after !== undefined) added.push(after);
    } else if (after === undefined) removed.push(before);
    else if (!isSame(before, after)) changed.push({ before, after });
  }
  added.sort(byOrder);
  removed.sort(byOrder);
  changed.sort((a, b) => byOrder(a.after, b.after));
  return { added, removed, changed };
}

/** Returns one delta for two that follow each other: a row that came and went is in no list. */
export function mergedDelta<Row>(first: RowDelta<Row>, second: RowDelta<Row>, isSame: SameRow<Row>): RowDelta<Row> {
  const byKey = new Map<string, Transition<Row>>();
  for (const { key, before, after } of [...transitionsOf(first), ...transitionsOf(second)]) {
    const known = byKey.get(key);
    byKey.set(key, { before: known === undefined ? before : known.before, after });
  }
  const delta = deltaOf(byKey.values(), isSame);
  return second.ended === undefined ? delta : { ...delta, ended: second.ended };
}

/** Returns whether a delta says nothing. */
export function isEmptyDelta({ added, removed, changed, ended }: RowDelta<unknown>): boolean {
  return added.length + removed.length + changed.length === 0 && ended === undefined;
}

/** Compares two rows by their order. */
export function byOrder(a: LiveRow<unknown>, b: LiveRow<unknown>): number {
  return compareLists(a.order, b.order);
}

function transitionsOf<Row>({
  added,
  removed,
  changed,
}: RowDelta<Row>): (Transition<Row> & { readonly key: string })[] {
  return [
    ...removed.map((before) => ({ key: before.key, before, after: undefined })),
    ...added.map((after) => ({ key: after.key, before: undefined, after })),
    ...changed.map(({ before, after }) => ({ key: after.key, before, after })),
  ];
}
