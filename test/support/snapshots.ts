/** Snapshots for tests. */
import type { Snapshot } from "../../src/session/snapshot.ts";

/** A snapshot as an engine of the first release wrote it: without a program, types, rules and a checksum. */
export function asVersion1(snapshot: Snapshot): Snapshot {
  const { program: _, types: __, rules: ___, checksum: ____, ...rest } = snapshot;
  return { ...rest, version: 1 };
}

/** A snapshot as JSON makes it. */
export function throughJson(snapshot: Snapshot): Snapshot {
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot;
}

/** A snapshot without what makes it that of one session: its id, and the checksum that covers it. */
export function withoutId(snapshot: Snapshot): Omit<Snapshot, "id" | "checksum"> {
  const { id: _, checksum: __, ...rest } = snapshot;
  return rest;
}
