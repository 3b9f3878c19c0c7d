/**
 * The value of a decision table for its inputs: which rows apply, and what its hit policy makes of them.
 *
 * Unknown never helps. A row of which it is unknown whether it applies, because an input is missing, makes an output unknown, unless the
 * output is the same whether it applies or not. Where no row surely applies the table is unknown.
 */
import { ExactSum } from "../base/exact-sum.ts";
import { type Maybe, order, same, type Value } from "../base/value.ts";
import { cellTruth } from "./cell.ts";
import { RowIndex } from "./row-index.ts";
import type { HitPolicy, TableData } from "./table.ts";

/** A row that applies, or of which that is unknown. */
export interface ApplicableRow {
  readonly row: number;
  readonly sure: boolean;
}

/** What a table gives. */
export interface Decision {
  readonly value: Maybe;
  /** The rows that apply or may apply, as far as they were read: `first` stops at one that surely applies. */
  readonly rows: readonly ApplicableRow[];
  /** Rows that apply at the same time although the hit policy does not allow it, counted from 0; undefined when there are none. */
  readonly clash: readonly number[] | undefined;
}

/** Returns the value of a computed output. */
export type Computed = (index: number) => Maybe;

/** A decision table with the index over its rows, which is made when it is first needed. */
export class DecisionTable {
  readonly data: TableData;
  #index: RowIndex | undefined = undefined;
  /** What rows give that have only constants, by row. */
  readonly #constants: (Value | undefined)[];
  #candidates = 0;

  constructor(data: TableData) {
    this.data = data;
    // Of its length from the beginning: rows come in any order, and an array with large holes is a hash table.
    this.#constants = Array.from({ length: data.rows.length });
  }

  /** The steps that finding rows has taken so far. */
  get steps(): number {
    return this.#index?.steps ?? 0;
  }

  /** The rows that were looked at so far. */
  get candidates(): number {
    return this.#candidates + (this.#index?.candidates ?? 0);
  }

  /** Returns what the table gives for inputs. */
  decide(inputs: readonly Maybe[], computed: Computed): Decision {
    const rows = this.rowsFor(inputs);
    const { policy } = this.data;
    const [only] = rows;
    if (only?.sure === true && rows.length === 1 && !COLLECTED.has(policy)) {
      return { value: this.#rowValue(only.row, computed), rows, clash: undefined };
    }
    const surely = rows.filter(({ sure }) => sure).map(({ row }) => row);
    if (policy === "unique" && surely.length > 1) return { value: undefined, rows, clash: surely };
    if (surely.length === 0 && !GIVES_FOR_NONE.has(policy)) return { value: undefined, rows, clash: undefined };
    const columns = (this.data.outputs ?? [null]).map((_, output) =>
      rows.map(({ row, sure }) => ({ sure, value: this.#output(row, output, computed) })),
    );
    const values = columns.map((column) => combined(policy, column));
    const clash = policy === "any" && columns.some(differs) ? surely : undefined;
    return { value: this.#asValue(values), rows, clash };
  }

  /** Returns the rows that apply or may apply, in order; for `first` up to one that surely applies. */
  rowsFor(inputs: readonly Maybe[]): readonly ApplicableRow[] {
    const { rows, columns, policy } = this.data;
    const firstOnly = policy === "first";
    this.#index ??= new RowIndex(rows, columns.length, firstOnly);
    const found = this.#index.find(inputs);
    if (found !== undefined) return (firstOnly ? found.slice(0, 1) : found).map((row) => ({ row, sure: true }));
    const applicable: ApplicableRow[] = [];
    for (const [row, { cells }] of rows.entries()) {
      this.#candidates += 1;
      let sure = true;
      let possible = true;
      for (const [column, cell] of cells.entries()) {
        const truth = cellTruth(cell, inputs[column]);
        if (truth === undefined) sure = false;
        else possible &&= truth;
      }
      if (!possible) continue;
      applicable.push({ row, sure });
      if (sure && firstOnly) break;
    }
    return applicable;
  }

  #output(row: number, output: number, computed: Computed): Maybe {
    const given = this.data.rows[row]?.outputs[output];
    if (given === undefined) return undefined;
    return "value" in given ? given.value : computed(given.computed);
  }

  #rowValue(row: number, computed: Computed): Maybe {
    const kept = this.#constants[row];
    if (kept !== undefined) return kept;
    const outputs = this.data.rows[row]?.outputs ?? [];
    const value = this.#asValue(outputs.map((_, output) => this.#output(row, output, computed)));
    if (value !== undefined && outputs.every((one) => "value" in one)) this.#constants[row] = value;
    return value;
  }

  /** Returns the values of the outputs as one: an object without those that are unknown, or the only one itself. */
  #asValue(values: readonly Maybe[]): Maybe {
    const { outputs } = this.data;
    if (outputs === null) return values[0];
    const known: [string, Value][] = [];
    for (const [output, name] of outputs.entries()) {
      const value = values[output];
      if (value !== undefined) known.push([name, value]);
    }
    const row = Object.freeze(Object.fromEntries(known));
    if (known.length < outputs.length) INCOMPLETE.add(row);
    return row;
  }
}

/** The rows that lack an output. */
const INCOMPLETE = new WeakSet<object>();

/** Returns whether a value is missing, or a row of a table that lacks an output: what is read of it may be missing. */
export function isIncomplete(value: Maybe): boolean {
  return value === undefined || (typeof value === "object" && INCOMPLETE.has(value));
}

/** The policies that combine what all rows give. */
const COLLECTED: ReadonlySet<HitPolicy> = new Set<HitPolicy>(["sum", "min", "max", "list"]);

/** The policies with a value where no row applies: nothing collected is 0, or an empty list. */
const GIVES_FOR_NONE: ReadonlySet<HitPolicy> = new Set<HitPolicy>(["sum", "list"]);

/** What a row that applies, or may apply, gives for one output. */
export interface OutputOfRow {
  readonly sure: boolean;
  readonly value: Maybe;
}

/** Returns what a policy makes of one output of the rows that apply or may apply. */
export function combined(policy: HitPolicy, rows: readonly OutputOfRow[]): Maybe {
  switch (policy) {
    case "sum":
      return summed(rows);
    case "min":
    case "max":
      return extreme(rows, policy === "min" ? -1 : 1);
    case "list":
      return listed(rows);
    case "unique":
      return rows.length === 1 ? rows[0]?.value : undefined;
    case "first":
      return rows.at(-1)?.sure === true ? agreed(rows) : undefined;
    case "any":
      return agreed(rows);
  }
}

/** Returns the value that all rows give; unknown when one of them gives another. */
function agreed(rows: readonly OutputOfRow[]): Maybe {
  const [first] = rows;
  return rows.every(({ value }) => value !== undefined && same(value, first?.value)) ? first?.value : undefined;
}

/** Returns whether two rows that surely apply give different values. */
function differs(rows: readonly OutputOfRow[]): boolean {
  const known = rows.filter(({ sure, value }) => sure && value !== undefined);
  return known.some(({ value }) => !same(value, known[0]?.value));
}

/** Returns the sum; a row that may apply leaves it known only if it adds nothing. */
function summed(rows: readonly OutputOfRow[]): Maybe {
  const sum = new ExactSum();
  for (const { sure, value } of rows) {
    if (typeof value !== "number" || (!sure && value !== 0)) return undefined;
    sum.add(value);
  }
  const { total } = sum;
  return Number.isFinite(total) ? total : undefined;
}

/** Returns the smallest or largest value of the rows that surely apply; unknown when one that may apply would change it. */
function extreme(rows: readonly OutputOfRow[], sign: -1 | 1): Maybe {
  let best: Maybe;
  for (const { sure, value } of rows) {
    if (!sure) continue;
    const difference = best === undefined ? sign : order(value, best);
    if (value === undefined || difference === undefined) return undefined;
    if (difference * sign > 0) best = value;
  }
  for (const { sure, value } of rows) {
    const difference = sure ? 0 : order(value, best);
    if (difference === undefined || difference * sign > 0) return undefined;
  }
  return best;
}

function listed(rows: readonly OutputOfRow[]): Maybe {
  const values = rows.map(({ sure, value }) => (sure ? value : undefined));
  return values.includes(undefined) ? undefined : (values as readonly Value[]);
}
