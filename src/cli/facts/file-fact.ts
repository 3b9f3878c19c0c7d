/** Facts as the readers of all formats pass them on: values and their places in the file. */
import type { Range, Report } from "./mistake.ts";

/** A part of a fact: the name of a field, or its value. */
export interface Part {
  readonly field: string;
  readonly of: "name" | "value";
  /** Where inside the value of the field it is: names of fields, and places in lists. */
  readonly path?: readonly (string | number)[] | undefined;
}

/** A fact of a file. */
export interface FileFact {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether an error in it was already reported: it is still checked, but not loaded. */
  readonly faulty: boolean;
  /** Where the fact begins. */
  readonly line: number;
  readonly column: number;
  /** Returns the place of the fact or of a part of it; of the fact when it has no such part. */
  range(part?: Part): Range;
}

/** Takes the facts of a file, and the errors in it. */
export interface FactSink {
  readonly report: Report;
  /** The deepest nesting of a value. */
  readonly nesting: number;
  /** Returns whether facts of this type are allowed; reports it when not. */
  admits(type: string, range: Range): boolean;
  fact(fact: FileFact): void;
}
