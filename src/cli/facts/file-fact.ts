/** What the readers of all formats hand on: facts as they were given, each with its places. */
import type { Range, Report } from "./mistake.ts";

/** The name of a field, or its value. */
export interface Part {
  readonly field: string;
  readonly of: "name" | "value";
}

export interface FileFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** A mistake in it was reported already: it is still to be checked, but not to be loaded. */
  readonly faulty: boolean;
  /** Where the fact begins. */
  readonly line: number;
  readonly column: number;
  /** Where the fact stands, or a part of it; for a part that is not there, where the fact stands. */
  range(part?: Part): Range;
}

export interface FactSink {
  readonly report: Report;
  /** How deep a value may be nested. */
  readonly nesting: number;
  /** Whether there can be facts of this type; when not, it is reported. */
  admits(type: string, range: Range): boolean;
  fact(given: FileFact): void;
}
