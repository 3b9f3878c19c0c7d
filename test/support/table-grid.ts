/** What is true of a decision table for all inputs, found by trying every combination of a few values of each column. */
import * as fc from "fast-check";
import type { Value } from "../../src/base/value.ts";
import type { Domain } from "../../src/tables/check/samples.ts";
import { DecisionTable } from "../../src/tables/decide.ts";
import type { TableData } from "../../src/tables/table.ts";
import { cellOf, POLICIES, passes } from "./table-model.ts";

/** The constants of the random tables, and a value between each two of them. */
const NUMBERS = [-2, -1, -0.5, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 1e300, 1.5e300];
const TEXTS = ["", "A", "a", "aa", "ab", "abb", "b", "c", "é", "éa", "\uffff", "\uffffa", "\u{1F600}", "\u{1F600}a"];
const DATES = [-1, 0, 1, 2, 3, 4];
const ANY: readonly Value[] = [...NUMBERS, ...TEXTS, true, false];

/** A table with the values that its columns can have. */
export interface BoundedTable {
  readonly table: TableData;
  readonly domains: readonly Domain[];
}

/** Returns enough values of a domain to have one for each outcome of every cell. */
function valuesOf(domain: Domain): readonly Value[] {
  switch (domain.kind) {
    case "bool":
      return [false, true];
    case "options":
      return domain.options;
    case "number":
      return NUMBERS;
    case "string":
      return TEXTS;
    case "any":
      return ANY;
    default:
      return DATES;
  }
}

type Kind = "number" | "text" | "bool" | "any" | "day";

const domainOf = (kind: Kind): fc.Arbitrary<Domain> => {
  switch (kind) {
    case "number":
      return fc.oneof(
        fc.constant<Domain>({ kind: "number" }),
        fc.subarray([0, 1, 2, 5], { minLength: 1 }).map((options): Domain => ({ kind: "options", options })),
      );
    case "text":
      return fc.oneof(
        fc.constant<Domain>({ kind: "string" }),
        fc.subarray(["a", "b", "c", "aa"], { minLength: 1 }).map((options): Domain => ({ kind: "options", options })),
      );
    case "bool":
      return fc.constant<Domain>({ kind: "bool" });
    case "any":
      return fc.constant<Domain>({ kind: "any" });
    case "day":
      return fc.constant<Domain>({ kind: "date" });
  }
};

const kinds = fc.array(fc.constantFrom<Kind>("number", "text", "bool", "any", "day"), { minLength: 1, maxLength: 3 });

/** Random tables of up to twelve rows, of which some cover everything, overlap, hide each other or have columns without an effect. */
export const boundedTables: fc.Arbitrary<BoundedTable> = fc
  .tuple(kinds, fc.constantFrom(...POLICIES), fc.boolean(), fc.boolean())
  .chain(([columnKinds, policy, hasTwin, isSame]) => {
    const row = fc.record({
      cells: fc.tuple(...columnKinds.map(cellOf)),
      outputs: fc.tuple(
        isSame
          ? fc.constant({ value: 1 })
          : fc.oneof(fc.constantFrom({ value: 1 }, { value: 2 }), fc.constant({ computed: 0 })),
      ),
    });
    const rows = fc.array(row, { minLength: 1, maxLength: 12 });
    return fc.tuple(rows, fc.tuple(...columnKinds.map(domainOf)), fc.boolean()).map(([found, domains, isClosed]) => {
      const last = { cells: columnKinds.map(() => null), outputs: [{ value: 1 }] };
      return {
        domains,
        table: {
          name: "t",
          policy,
          columns: columnKinds.map((kind, column) => ({
            text: hasTwin && column > 0 && kind === columnKinds[0] ? "same" : `c${column}`,
          })),
          outputs: null,
          rows: isClosed ? [...found.slice(0, 11), last] : found,
        },
      };
    });
  })
  // Columns that look at the same expression have values of the same domain.
  .map(({ table, domains }) => {
    const texts = table.columns.map(({ text }) => (text === "same" ? "c0" : text));
    return {
      table: { ...table, columns: texts.map((text) => ({ text })) },
      domains: domains.map((domain, column) => (texts[column] === "c0" ? (domains[0] ?? domain) : domain)),
    };
  });

/** What is true for all inputs. Rows are numbers; `pairs` are those that apply together. */
export interface GridTruth {
  readonly hasGap: boolean;
  readonly pairs: readonly string[];
  readonly live: ReadonlySet<number>;
  readonly useless: readonly number[];
}

/** Finds it by trying every combination of values; `outcome` is what rows that apply together give. */
export function gridTruth({ table, domains }: BoundedTable, outcome: (rows: readonly number[]) => string): GridTruth {
  const { columns, rows, policy } = table;
  const texts = [...new Set(columns.map(({ text }) => text))];
  const axes = texts.map((text) => columns.flatMap((column, index) => (column.text === text ? [index] : [])));
  const masks = axes.map((group) =>
    valuesOf(domains[group[0] ?? 0] ?? { kind: "any" }).map((value) =>
      rows.reduce(
        (mask, { cells }, row) =>
          group.every((column) => passes(cells[column] ?? null, value) === true) ? mask | (1 << row) : mask,
        0,
      ),
    ),
  );
  const rowsIn = new Map<number, readonly number[]>();
  const listOf = (mask: number): readonly number[] => {
    const known = rowsIn.get(mask) ?? rows.flatMap((_, row) => ((mask & (1 << row)) === 0 ? [] : [row]));
    rowsIn.set(mask, known);
    return known;
  };
  const outcomes = new Map<number, string>();
  const outcomeIn = (mask: number): string => {
    const known = outcomes.get(mask) ?? outcome(listOf(mask));
    outcomes.set(mask, known);
    return known;
  };
  const found = new Set<number>();
  const matters = new Set<number>();
  const visit = (axis: number, mask: number): void => {
    const values = masks[axis];
    if (values === undefined) found.add(mask);
    else for (const one of new Set(values)) visit(axis + 1, mask & one);
  };
  visit(0, -1 >>> 0);
  const mattersAt = (free: number, axis: number, mask: number): void => {
    const values = masks[axis];
    if (values === undefined) {
      const given = new Set((masks[free] ?? []).map((one) => outcomeIn(mask & one)));
      if (given.size > 1) matters.add(free);
    } else if (axis === free) mattersAt(free, axis + 1, mask);
    else for (const one of new Set(values)) mattersAt(free, axis + 1, mask & one);
  };
  for (const axis of axes.keys()) mattersAt(axis, 0, -1 >>> 0);
  const all = (1 << rows.length) - 1;
  const applied = [...found].map((mask) => listOf(mask & all));
  const pairs = new Set<string>();
  for (const one of applied) for (const a of one) for (const b of one) if (a < b) pairs.add(`${a} ${b}`);
  return {
    hasGap: applied.some((one) => one.length === 0),
    pairs: [...pairs].sort(),
    live: new Set(applied.flatMap((one) => (policy === "first" ? one.slice(0, 1) : one))),
    useless: columns.flatMap((_, column) => {
      const axis = axes.findIndex((group) => group.includes(column));
      return matters.has(axis) ? [] : [column];
    }),
  };
}

/** What rows that apply together give; the computed output is one number and then another. */
export function outcomeIn({ table }: BoundedTable): (rows: readonly number[]) => string {
  return (applied) => {
    const rows = applied.map((row) => ({ cells: [null], outputs: table.rows[row]?.outputs ?? [] }));
    const only = new DecisionTable({ ...table, columns: [{ text: "x" }], rows });
    const decided = [Math.PI, -Math.PI, 1, 2].map((computed) => only.decide([0], () => computed));
    return JSON.stringify(decided.map(({ value, clash }) => [value, clash !== undefined]));
  };
}
