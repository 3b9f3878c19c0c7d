/** What `check` says of decision tables: inputs without a row, rows that apply together or never, columns that never matter. */
import { describe, expect, test } from "vitest";
import { check } from "../../src/tools.ts";
import { tableFindings } from "../../src/tables/check/questions.ts";
import type { Cell, TableData } from "../../src/tables/table.ts";

const TYPES = `type Order(#id: string, tier: "gold" | "silver", total: number, note: string, paid: bool, day: date, at: instant, wait: duration, x: any)
`;

/** Returns the warnings about a table. */
function warnings(policy: string, head: string, ...rows: readonly string[]): string[] {
  const table = `table t(o: Order) ${policy} {\n${[head, ...rows].join("\n")}\n}`;
  const source = `${TYPES}${table}\nrule "r" { when o: Order then log(t(o)) }`;
  return check(source).diagnostics.map(({ code, message, line }) => `${line} ${code} ${message}`);
}

describe("inputs without a row", () => {
  test.each([
    ["| o.tier || number |", ['| "gold" || 1 |'], 'o.tier "silver"'],
    ["| o.paid || number |", ["| true || 1 |"], "o.paid false"],
    ["| o.total || number |", ["| < 5 || 1 |", "| > 5 || 2 |"], "o.total 5"],
    ["| o.total || number |", ["| <= 5 || 1 |", "| >= 6 || 2 |"], "o.total 5.5"],
    ["| o.note || number |", ['| "a" || 1 |'], 'o.note "other"'],
    ["| o.note || number |", ['| < "b" || 1 |', '| > "b" || 2 |'], 'o.note "b"'],
    ["| o.day || number |", ["| < @2026-01-01 || 1 |", "| > @2026-01-02 || 2 |"], "o.day @2026-01-01"],
    ["| o.wait || number |", ["| > 5 min || 1 |"], "o.wait -PT55M"],
    ["| o.total | o.paid || number |", ["| < 5 | - || 1 |", "| >= 5 | true || 2 |"], "o.total 5, o.paid false"],
    ["| o.total | o.total || number |", ["| < 5 | - || 1 |", "| - | > 5 || 2 |"], "o.total 5"],
  ])("%s %j lacks %s", (head, rows, input) => {
    expect(warnings("unique", head, ...rows)).toEqual([`2 W270 no row of "t" applies to ${input}`]);
  });

  test.each([
    ["| o.tier || number |", ['| "gold" || 1 |', '| "silver" || 2 |']],
    ["| o.paid || number |", ["| true || 1 |", "| false || 2 |"]],
    ["| o.total || number |", ["| < 5 || 1 |", "| >= 5 || 2 |"]],
    ["| o.day || number |", ["| <= @2026-01-01 || 1 |", "| >= @2026-01-02 || 2 |"]],
    ["| o.note || number |", ['| >= "" || 1 |']],
    ["| o.x || number |", ['| "a" || 1 |', '| not "a" || 2 |']],
    ["| o.total | o.total || number |", ["| < 5 | - || 1 |", "| - | >= 5 || 2 |"]],
  ])("%s %j lacks nothing", (head, rows) => {
    const found = warnings("first", head, ...rows).filter((one) => one.includes("W270"));
    expect(found).toEqual([]);
  });

  test("a table that collects gives a value without any row", () => {
    expect(warnings("collect sum", "| o.total || number |", "| < 5 || 1 |")).toEqual([]);
    expect(warnings("collect list", "| o.total || number |", "| < 5 || 1 |")).toEqual([]);
    expect(warnings("collect min", "| o.total || number |", "| < 5 || 1 |")).toHaveLength(1);
  });
});

describe("rows that apply together", () => {
  test("unique: each pair with an input", () => {
    expect(warnings("unique", "| o.total || number |", "| <= 5 || 1 |", "| >= 5 || 2 |")).toEqual([
      '5 W271 rows 1 and 2 of "t" both apply to o.total 5',
    ]);
  });

  test("any: only rows that give different values", () => {
    const rows = ["| <= 5 || 1 |", "| >= 5 || 2 |", "| 5 || 1 |", "| 5 || o.total |"];
    expect(warnings("any", "| o.total || number |", ...rows)).toEqual([
      '5 W271 rows 1 and 2 of "t" both apply to o.total 5 and give different values',
      '6 W271 rows 2 and 3 of "t" both apply to o.total 5 and give different values',
    ]);
  });

  test("no more than five are reported", () => {
    const found = warnings(
      "unique",
      "| o.total || number |",
      ...Array.from({ length: 9 }, (_, at) => `| >= ${-at} || 1 |`),
    );
    expect(found.filter((one) => one.includes("both apply"))).toHaveLength(5);
    expect(found).toContain('2 W271 more rows of "t" apply together');
  });

  test("first and collect allow it", () => {
    expect(warnings("collect sum", "| o.total || number |", "| > 5 || 1 |", "| > 4 || 2 |")).toEqual([]);
  });
});

describe("rows that never apply", () => {
  test("first: rows that others take, with an input", () => {
    expect(warnings("first", "| o.total || number |", "| >= 500 || 1 |", "| >= 900 || 2 |", "| - || 3 |")).toEqual([
      '5 W272 row 2 of "t" never applies: rows above it take all inputs; row 1 takes o.total 900',
    ]);
  });

  test("first: a row that several others take together", () => {
    const rows = ["| < 5 | - || 1 |", "| - | true || 2 |", "| >= 5 | - || 3 |", "| - | false || 4 |"];
    expect(warnings("first", "| o.total | o.paid || number |", ...rows)).toEqual([
      '7 W272 row 4 of "t" never applies: rows above it take all inputs; row 1 takes o.total 2.5, o.paid false',
    ]);
  });

  test("every policy: a cell that no value passes", () => {
    expect(warnings("collect sum", "| o.paid || number |", "| not in [true, false] || 1 |", "| true || 2 |")).toEqual([
      '4 W272 row 1 of "t" never applies: no value of o.paid passes its cell',
    ]);
    expect(
      warnings("collect sum", "| o.total | o.total || number |", "| > 5 | < 5 || 1 |", "| 1 | - || 2 |"),
    ).toContain('4 W272 row 1 of "t" never applies: no value of o.total passes its cell');
  });
});

describe("columns that never matter", () => {
  test("a column of dashes, and one whose rows give the same", () => {
    const rows = ["| < 5 | true | - || 1 |", "| < 5 | false | - || 1 |", "| >= 5 | - | - || 2 |"];
    expect(warnings("unique", "| o.total | o.paid | o.note || number |", ...rows)).toEqual([
      '3 W273 column o.paid of "t" never matters: the table gives the same whatever it is',
      '3 W273 column o.note of "t" never matters: the table gives the same whatever it is',
    ]);
  });

  test("computed outputs are the same when they are written the same", () => {
    const same = ["| true || o.total * 2 |", "| false || o.total * 2 |"];
    expect(warnings("unique", "| o.paid || number |", ...same)).toHaveLength(1);
    const other = ["| true || o.total * 2 |", "| false || o.total * 3 |"];
    expect(warnings("unique", "| o.paid || number |", ...other)).toEqual([]);
  });
});

test("each warning can be silenced in place", () => {
  const source = `${TYPES}
// sluice: allow W270
table t(o: Order) first {
  | o.total || number |
  | > 5 || 1 |
  | > 6 || 2 | // sluice: allow W272 it comes back in May
}
rule "r" { when o: Order then log(t(o)) }`;
  expect(check(source).diagnostics).toEqual([]);
});

// ---------------------------------------------------------------- large tables

const number = (value: number): Cell => [{ op: "==", value }];
const under = (value: number): Cell => [{ op: "<", value }];

function large(policy: TableData["policy"], cells: (row: number) => readonly Cell[]): TableData {
  const rows = Array.from({ length: 10_000 }, (_, row) => ({ cells: cells(row), outputs: [{ value: row }] }));
  const columns = (rows[0]?.cells ?? []).map((_, column) => ({ text: `c${column}` }));
  return { name: "t", policy, columns, outputs: null, rows };
}

const NUMBER = { kind: "number" } as const;

test.each([
  ["a key", large("unique", (row) => [number(row), null]), { gap: true, idle: 0, useless: [1] }],
  [
    "two keys",
    large("unique", (row) => [number(row % 100), number(Math.floor(row / 100))]),
    { gap: true, idle: 0, useless: [] },
  ],
  ["a staircase", large("first", (row) => [under(row), null]), { gap: true, idle: 0, useless: [1] }],
  [
    "one of two keys",
    large("first", (row) => (row % 2 === 0 ? [number(row), null] : [null, number(row)])),
    { gap: true, idle: 0, useless: [] },
  ],
  [
    "a staircase downwards",
    large("first", (row) => [under(10_000 - row), null]),
    { gap: true, idle: 9999, useless: [1] },
  ],
])("10,000 rows with %s are checked completely", (_, table, wanted) => {
  const found = tableFindings(table, [NUMBER, NUMBER], { steps: 2_000_000, overlaps: 5, computed: String });
  expect(found.overlaps).toEqual([]);
  expect(found.gap !== null && found.gap !== undefined).toBe(wanted.gap);
  expect(found.idle).toHaveLength(wanted.idle);
  expect(found.useless).toEqual(wanted.useless);
});

test("a question that takes too many steps is not answered, and a note says so (W274)", () => {
  const rows = Array.from({ length: 120 }, (_, row) => {
    const cells = Array.from({ length: 12 }, (__, column) =>
      (row * 7 + column * 3) % 5 < 2
        ? "-"
        : (row * 5 + column) % 2 === 0
          ? `> ${(row * 37 + column * 11) % 97}`
          : `< ${(row * 53 + column * 29) % 89}`,
    );
    return `| ${cells.join(" | ")} || ${row} |`;
  });
  const head = `| ${Array.from({ length: 12 }, (_, column) => `o.total * ${column + 2}`).join(" | ")} || number |`;
  const found = warnings("first", head, ...rows);
  expect(found.filter((one) => one.includes("W274")).join("\n")).toMatch(
    /^2 W274 "t" is not checked completely: looking for .* stopped after 2,000,000 steps$/u,
  );
});
