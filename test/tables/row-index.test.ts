/** Tests that the steps of a decision do not grow with the rows of its table. */
import { describe, expect, test } from "vitest";
import { DecisionTable } from "../../src/tables/decide.ts";
import type { Cell, HitPolicy, Plain, TableData } from "../../src/tables/table.ts";

const is = (value: Plain): Cell => [{ op: "==", value }];
const from = (value: Plain): Cell => [{ op: ">=", value }];
const between = (low: number, high: number): Cell => [{ op: "within", from: low, to: high, open: true }];

function tableOf(policy: HitPolicy, rows: readonly (readonly Cell[])[]): TableData {
  return {
    name: "t",
    policy,
    columns: (rows[0] ?? []).map((_, column) => ({ text: `c${column}` })),
    outputs: null,
    rows: rows.map((cells, row) => ({ cells, outputs: [{ value: row }] })),
  };
}

/** What the costliest of some decisions takes, after the index is made. */
interface Cost {
  readonly steps: number;
  /** Rows that are looked at. */
  readonly candidates: number;
}

function costOf(data: TableData, inputs: readonly (readonly (string | number)[])[]): Cost {
  const table = new DecisionTable(data);
  const taken = inputs.map((input) => {
    const { steps, candidates } = table;
    const { value } = table.decide(input, () => undefined);
    expect(value).toBeDefined();
    return { steps: table.steps - steps, candidates: table.candidates - candidates };
  });
  return {
    steps: Math.max(...taken.map(({ steps }) => steps)),
    candidates: Math.max(...taken.map(({ candidates }) => candidates)),
  };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("10,000 rows cost what ten cost: not more steps, and not more candidate rows", () => {
  test.each<[string, (rows: number) => TableData, (rows: number) => (string | number)[][]]>([
    [
      "ranges one above the other",
      (rows) =>
        tableOf(
          "unique",
          range(rows).map((row) => [between(row, row + 1)]),
        ),
      (rows) => [[0], [0.5], [rows / 2], [rows - 0.5]],
    ],
    [
      "a staircase, the highest step first",
      (rows) =>
        tableOf(
          "first",
          range(rows).map((row) => [from(rows - row)]),
        ),
      (rows) => [[1], [rows / 2 + 0.5], [rows + 5]],
    ],
    [
      "a grid of constants and ranges",
      (rows) => {
        const side = Math.ceil(Math.sqrt(rows));
        const cells = (row: number): Cell[] => [
          is(`a${row % side}`),
          between(Math.floor(row / side), Math.floor(row / side) + 1),
        ];
        return tableOf("unique", range(rows).map(cells));
      },
      () => [
        ["a0", 0.5],
        ["a1", 1],
      ],
    ],
    [
      "constants",
      (rows) =>
        tableOf(
          "unique",
          range(rows).map((row) => [is(`k${row}`), null]),
        ),
      (rows) => [
        [`k${rows - 1}`, 1],
        ["k0", 2],
      ],
    ],
    [
      "constants with a row for the rest",
      (rows) => tableOf("first", [...range(rows - 1).map((row) => [is(row), is("a")]), [null, null]]),
      (rows) => [
        [rows - 2, "a"],
        [1, "b"],
        [-1, "a"],
      ],
    ],
    [
      "a grid of constants",
      (rows) => {
        const side = Math.ceil(Math.sqrt(rows));
        return tableOf(
          "unique",
          range(rows).map((row) => [is(`a${row % side}`), is(Math.floor(row / side))]),
        );
      },
      () => [
        ["a0", 0],
        ["a1", 1],
      ],
    ],
    [
      "rows for single customers, and others for single products",
      (rows) =>
        tableOf(
          "first",
          range(rows).map((row) => (row % 2 === 0 ? [is(`c${row}`), null] : [null, is(row)])),
        ),
      (rows) => [
        ["c0", -1],
        ["none", rows - 1],
      ],
    ],
  ])("%s", (_name, table, inputs) => {
    const few = costOf(table(10), inputs(10));
    const many = costOf(table(10_000), inputs(10_000));
    // The ends of a range are in one slot or in two.
    expect(many.steps).toBeLessThanOrEqual(few.steps + 2);
    expect(many.candidates).toBeLessThanOrEqual(few.candidates);
    expect(many.candidates).toBeLessThanOrEqual(2);
  });
});

test("without an input every row is a candidate", () => {
  const table = new DecisionTable(
    tableOf(
      "list",
      range(100).map((row) => [is(row)]),
    ),
  );
  table.decide([undefined], () => undefined);
  expect(table.candidates).toBe(100);
});

test("bounds that are spread unevenly cost a binary search", () => {
  const bounds = range(10_000).map((row) => (row === 9999 ? 1e12 : row / 10_000));
  const data = tableOf(
    "unique",
    bounds.slice(1).map((bound, at) => [between(bounds[at] ?? 0, bound)]),
  );
  const { steps, candidates } = costOf(data, [[0.00005], [0.5], [0.99], [1e11]]);
  expect(steps).toBeLessThanOrEqual(Math.ceil(Math.log2(10_000)) + 4);
  expect(candidates).toBe(1);
});
