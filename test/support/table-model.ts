/** Random decision tables as data, inputs for them, and which rows apply, found by the meaning of each test. */
import * as fc from "fast-check";
import type { Maybe } from "../../src/base/value.ts";
import type { Cell, HitPolicy, Plain, TableData } from "../../src/tables/table.ts";

export const POLICIES: readonly HitPolicy[] = ["first", "unique", "any", "sum", "min", "max", "list"];

export const numbers: fc.Arbitrary<number> = fc.constantFrom(0, 1, 2, 3, 0.5, -1, 1e300);
export const texts: fc.Arbitrary<string> = fc.constantFrom("a", "b", "", "ab", "é", "\u{1F600}", "\uffff");

const plain = (kind: "number" | "text" | "bool"): fc.Arbitrary<Plain> =>
  kind === "number" ? numbers : kind === "text" ? texts : fc.boolean();

/** Returns cells of a column; "day" is small integers, as dates are inside, and "any" is values of every kind. */
export function cellOf(kind: "number" | "text" | "bool" | "day" | "any"): fc.Arbitrary<Cell> {
  const value =
    kind === "any"
      ? fc.oneof(plain("number"), plain("text"), plain("bool"))
      : kind === "day"
        ? fc.constantFrom<Plain>(0, 1, 3)
        : plain(kind);
  const same = fc.record({ op: fc.constantFrom("==" as const, "!=" as const), value });
  const list = fc.record({
    op: fc.constantFrom("among" as const, "not among" as const),
    values: fc.array(value, { maxLength: 3 }),
  });
  const ordered = fc.record({ op: fc.constantFrom(...(["<", "<=", ">", ">="] as const)), value });
  const range = fc.record({
    op: fc.constantFrom("within" as const, "outside" as const),
    from: value,
    to: value,
    open: fc.boolean(),
  });
  const tests = kind === "bool" ? fc.oneof(same, list) : fc.oneof(same, same, list, ordered, range);
  return fc.option(fc.array(tests, { minLength: 1, maxLength: 2 }), { nil: null, freq: 3 });
}

const KINDS = ["number", "text", "bool", "number"] as const;

export const tables: fc.Arbitrary<TableData> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...POLICIES), fc.boolean())
  .chain(([columns, policy, named]) => {
    const kinds = KINDS.slice(0, columns);
    const row = fc.record({
      cells: fc.tuple(...kinds.map(cellOf)),
      outputs: fc.tuple(
        fc.oneof(
          numbers.map((value) => ({ value })),
          fc.constant({ computed: 0 }),
        ),
      ),
    });
    return fc.array(row, { minLength: 1, maxLength: 40, size: "max" }).map((rows) => ({
      name: "t",
      policy,
      columns: kinds.map((kind) => ({ text: kind })),
      outputs: named ? ["out"] : null,
      rows,
    }));
  });

export const inputsFor = (columns: number): fc.Arbitrary<Maybe[]> =>
  fc.tuple(
    ...KINDS.slice(0, columns).map((kind) =>
      fc.oneof({ weight: 9, arbitrary: plain(kind) }, { weight: 1, arbitrary: fc.constantFrom(undefined, "a", 1) }),
    ),
  );

/** Returns whether a value passes a cell, by the meaning of each test. */
export function passes(cell: Cell, value: Maybe): boolean | undefined {
  if (cell === null) return true;
  const truths = cell.map((one): boolean | undefined => {
    if ("values" in one && one.values.length === 0) return one.op === "not among";
    if (value === undefined) return undefined;
    if ("values" in one) return one.values.includes(value as Plain) === (one.op === "among");
    if ("from" in one) {
      const [above, below] = [order(value, one.from), order(value, one.to)];
      const isOut = (above !== undefined && above < 0) || (below !== undefined && (one.open ? below >= 0 : below > 0));
      if (isOut) return one.op === "outside";
      return above === undefined || below === undefined ? undefined : one.op === "within";
    }
    if (one.op === "==" || one.op === "!=") return (value === one.value) === (one.op === "==");
    const difference = order(value, one.value);
    if (difference === undefined) return undefined;
    return { "<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0 }[one.op];
  });
  return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
}

function order(a: Maybe, b: Plain): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  const [left, right] = [a, b].map((text) => Array.from(text, (character) => character.codePointAt(0) ?? 0));
  for (let at = 0; ; at++) {
    const [x, y] = [left?.[at], right?.[at]];
    if (x === undefined || y === undefined) return (left?.length ?? 0) - (right?.length ?? 0);
    if (x !== y) return x - y;
  }
}

/** Returns the rows that apply or may apply; for `first` up to one that surely applies. */
export function rowsOf({ rows, policy }: TableData, inputs: readonly Maybe[]): { row: number; sure: boolean }[] {
  const found = rows.flatMap(({ cells }, row) => {
    const truths = cells.map((cell, column) => passes(cell, inputs[column]));
    return truths.includes(false) ? [] : [{ row, sure: !truths.includes(undefined) }];
  });
  const first = found.findIndex(({ sure }) => sure);
  return policy === "first" && first !== -1 ? found.slice(0, first + 1) : found;
}
