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
