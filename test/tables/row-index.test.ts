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

/** Returns the most steps that one of the decisions takes, after the index is made. */
function stepsOf(data: TableData, inputs: readonly (readonly (string | number)[])[]): number {
  const table = new DecisionTable(data);
  const taken = inputs.map((input) => {
    const before = table.steps;
    const { value } = table.decide(input, () => undefined);
    expect(value).toBeDefined();
    return table.steps - before;
  });
  return Math.max(...taken);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("10,000 rows cost no more than twice what ten cost", () => {
  test.each<[string, (rows: number) => TableData, (rows: number) => (string | number)[][]]>([
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
    const few = stepsOf(table(10), inputs(10));
    const many = stepsOf(table(10_000), inputs(10_000));
    expect(many).toBeLessThanOrEqual(2 * few);
  });
});

describe("bounds cost a binary search", () => {
  test.each<[string, (rows: number) => TableData, (rows: number) => number[][]]>([
    [
      "ranges one above the other",
      (rows) =>
        tableOf(
          "unique",
          range(rows).map((row) => [between(row, row + 1)]),
        ),
      (rows) => [[0.5], [rows / 2], [rows - 0.5]],
    ],
    [
      "a staircase, the highest step first",
      (rows) =>
        tableOf(
          "first",
          range(rows).map((row) => [from(rows - row)]),
        ),
      (rows) => [[1], [rows / 2], [rows + 5]],
    ],
  ])("%s", (_name, table, inputs) => {
    const steps = stepsOf(table(10_000), inputs(10_000));
    expect(steps).toBeLessThanOrEqual(Math.ceil(Math.log2(20_001)) + 8);
  });
});
