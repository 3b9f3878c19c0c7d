/** Snapshots for tests. */
import type { Snapshot } from "../../src/session/snapshot.ts";

/** A snapshot as an engine of the first release wrote it: without a program, types, rules, a checksum and subjects that wait. */
export function asVersion1(snapshot: Snapshot): Snapshot {
  const { program: _, types: __, rules: ___, checksum: ____, waiting: _____, ...rest } = snapshot;
  return { ...rest, version: 1 };
}

/** A snapshot as JSON makes it. */
export function throughJson(snapshot: Snapshot): Snapshot {
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot;
}

/**
 * A snapshot without what makes it that of one session: its id, the checksum that covers it, and the order in which the network found
 * the matches that need no fact. They outlive a reset, and are in no particular order.
 */
export function withoutId(snapshot: Snapshot): Omit<Snapshot, "id" | "checksum"> {
  const { id: _, checksum: __, ...rest } = snapshot;
  return { ...rest, matches: rest.matches.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

function keyOf({ rule, identity }: Snapshot["matches"][number]): string {
  return JSON.stringify([rule, identity]);
}
