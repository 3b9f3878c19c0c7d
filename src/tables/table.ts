/**
 * A decision table as plain data: rows of cells, each cell a test of one input against constants, and what each row gives.
 *
 * Times are numbers here, as everywhere inside the engine.
 */
import type { Comparator } from "../base/comparator.ts";
import type { TimeKind } from "../base/time.ts";
import type { Value } from "../base/value.ts";

/** A constant in a cell. */
export type Plain = string | number | boolean;

/** A test of one input. `open` ranges leave their end out. */
export type CellTest =
  | { readonly op: Comparator; readonly value: Plain }
  | { readonly op: "among" | "not among"; readonly values: readonly Plain[] }
  | { readonly op: "within" | "outside"; readonly from: Plain; readonly to: Plain; readonly open: boolean };

/** Tests, one of which must be true; null for `-`, which every input passes, also a missing one. */
export type Cell = readonly CellTest[] | null;

/** What a row gives: a constant, or the value of an expression that is computed when the row is chosen. */
export type RowOutput = { readonly value: Value } | { readonly computed: number };

/** One row of a table. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly outputs: readonly RowOutput[];
}

/** What a table gives where several rows apply. */
export type HitPolicy = "first" | "unique" | "any" | "sum" | "min" | "max" | "list";

/** What a column looks at. */
export interface TableColumn {
  /** The expression as written. */
  readonly text: string;
  /** The kind of the times that it looks at; absent when it looks at none. */
  readonly time?: TimeKind;
}

/** A decision table. */
export interface TableData {
  readonly name: string;
  readonly policy: HitPolicy;
  readonly columns: readonly TableColumn[];
  /** The names of the outputs; null when the only output is the value of the table itself. */
  readonly outputs: readonly string[] | null;
  readonly rows: readonly TableRow[];
}
