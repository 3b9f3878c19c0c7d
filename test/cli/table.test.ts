/** `sluice table`: decision tables as CSV files, and back. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, format, importSheet, sheetCsv, tableSheet } from "../../src/tools.ts";
import { runs } from "../support/cases.ts";
import { runCli } from "../support/io.ts";

const HEAD = `type Order(#id: string, tier: "gold" | "none", total: number, note: string?)
const EU = ["FR", "DE"]
const HIGH = 1000
`;
const TABLE = `table discount(o: Order) first {
    | o.tier | o.total     | o.note  || rate: number | level: ("low" | "high") |
    | "gold" | >= HIGH     | -       || 0.15         | "high"                  |
    | -      | [500..1000) | in EU   || o.total / 10 | "low"                   |
    | -      | -           | not "x" || 0            | "low"                   |
    | -      | -           | -       || -1           | "low"                   |
}`;
const RULES = `${HEAD}
// before
${TABLE}

rule "r" { when o: Order where discount(o).rate > 0 then log(o.id) }
`;
const CSV = `o.tier,o.total,o.note,|| rate: number,"level: (""low"" | ""high"")"
"""gold""",>= HIGH,-,0.15,"""high"""
-,[500..1000),in EU,o.total / 10,"""low"""
-,-,"not ""x""",0,"""low"""
-,-,-,-1,"""low"""
`;

describe("export", () => {
  test("prints the table as CSV, and writes it to a file with CRLF", () => {
    expect(runCli(["table", "export", "rules.tsd", "discount"], { "rules.tsd": RULES })).toMatchObject({
      exit: 0,
      out: CSV,
      err: "",
    });
    const { exit, written } = runCli(["table", "export", "rules.tsd", "discount", "-o", "d.csv"], {
      "rules.tsd": RULES,
    });
    expect(exit).toBe(0);
    expect(written.get("d.csv")).toBe(CSV.replaceAll("\n", "\r\n"));
  });

  test("--json gives the rows", () => {
    const { out } = runCli(["table", "export", "rules.tsd", "discount", "--json"], { "rules.tsd": RULES });
    expect(JSON.parse(out)).toMatchObject({ event: "table", name: "discount", rows: { length: 5 } });
  });

  test("a table in a file is exported with its parameters", () => {
    const source = 'table vat from "v.csv" unique\nrule "r" { when exists P then log(vat("x")) }\ntype P(#id: string)';
    const csv = "code: string,|| number\nFR,1\nnot FR,2\n";
    const checked = check(source, { read: () => csv });
    expect(sheetCsv(tableSheet(checked, "vat") ?? [])).toBe(
      'code: string,|| number\r\n"""FR""",1\r\n"not ""FR""",2\r\n',
    );
  });

  test("wrong usage says what to write", () => {
    const ran = (...args: readonly string[]): string => {
      const { exit, err } = runCli(["table", ...args], { "rules.tsd": RULES });
      expect(exit).toBe(2);
      return err;
    };
    expect(ran("export", "rules.tsd", "discont")).toContain('no table "discont": this program defines "discount"');
    expect(ran("export", "rules.tsd")).toContain("name the rules and a table");
    expect(ran("export", "rules.tsd", "discount", "-o", "x.json")).toContain('"x.json" must end in .csv');
    expect(ran("exprt")).toContain("sluice table export, or sluice table import");
    expect(ran("import", "x.csv")).toContain("name the file and the rules");
    expect(ran("import", "x.txt", "rules.tsd")).toContain('"x.txt" must end in .csv');
  });

  test("errors in the rules are shown", () => {
    const { exit, err } = runCli(["table", "export", "rules.tsd", "t"], { "rules.tsd": "type P(x: nothing)" });
    expect(exit).toBe(1);
    expect(err).toContain("E201");
  });
});

describe("import", () => {
  const changed = CSV.replace("0.15", "0.25").replace('"""gold"""', "gold");

  test("prints the new table", () => {
    const { exit, out } = runCli(["table", "import", "discount.csv", "rules.tsd"], {
      "rules.tsd": RULES,
      "discount.csv": changed,
    });
    expect(exit).toBe(0);
    expect(out).toBe(`${TABLE.replace("0.15", "0.25")}\n`);
  });

  test("--write replaces the table in the rules, and nothing else", () => {
    const commented = RULES.replace(
      "    | -      | -           | -       || -1",
      "    // last\n    | -      | -           | -       || -1",
    );
    const files = { "rules.tsd": commented, "new.csv": changed };
    const { exit, out, written } = runCli(
      ["table", "import", "new.csv", "rules.tsd", "--table", "discount", "--write"],
      files,
    );
    expect(exit).toBe(0);
    expect(out).toBe('rules.tsd: table "discount" replaced; 1 comment inside the table removed\n');
    expect(written.get("rules.tsd")).toBe(RULES.replace("0.15", "0.25"));
  });

  test("all errors of the file are shown with their cells, and nothing is written", () => {
    const wrong = CSV.replace("0.15", "much").replace("in EU", "in UE").replace("[500..1000)", "[500..");
    const files = { "rules.tsd": RULES, "discount.csv": wrong };
    const { exit, err, written } = runCli(["table", "import", "discount.csv", "rules.tsd", "--write"], files);
    expect(exit).toBe(1);
    expect(err).toContain("discount.csv:2:22  error E205");
    expect(err).toContain("(cell D2)");
    expect(err).toContain("(cell B3)");
    expect(written.size).toBe(0);
  });

  test("errors that the sheet makes elsewhere are shown at their places", () => {
    const other = "o.total,|| amount: number\n-,1\n";
    const { exit, err } = runCli(["table", "import", "discount.csv", "rules.tsd"], {
      "rules.tsd": RULES,
      "discount.csv": other,
    });
    expect(exit).toBe(1);
    expect(err).toContain("rules.tsd:14:44");
  });

  test("a table that is not there, or is in a file, is wrong usage", () => {
    const files = { "rules.tsd": 'table x from "x.csv" first', "x.csv": CSV, "y.csv": CSV };
    for (const name of ["x.csv", "y.csv"]) {
      const { exit, err } = runCli(["table", "import", name, "rules.tsd"], files);
      expect(exit).toBe(2);
      expect(err).toContain("with rows of its own");
    }
    const { exit } = runCli(["table", "import", "none.csv", "rules.tsd"], files);
    expect(exit).toBe(2);
  });
});

// ---------------------------------------------------------------- there and back

const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", ",", "|", " ", "é", "-", "'", "{", "\r") });
const word = text.map((value) => JSON.stringify(value));
const number = fc.constantFrom("0", "-1", "0.25", "1000000", "HIGH", "1 / 3", "HIGH * 2");
const day = fc.constantFrom("@2026-01-01", "@2026-12-31");
const unary = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant("-") },
    value,
    fc.tuple(fc.constantFrom("<", ">=", "!=", "not"), value).map((parts) => parts.join(" ")),
    fc.tuple(value, value).map((parts) => parts.join(", ")),
    value.map((one) => `not in [${one}, ${one}]`),
  );
const plain = fc.constantFrom("0", "-1", "0.25", "1e21", "HIGH");
const row = fc
  .tuple(unary(plain), unary(word), unary(day), fc.constantFrom("-", "true", "not true"), number, word)
  .map(([n, s, d, b, rate, note]) => `| ${n} | ${s} | ${d} | ${b} || ${rate} | ${note} |`);
const tables = fc
  .tuple(fc.constantFrom("first", "unique", "any", "collect list"), fc.array(row, { minLength: 1, maxLength: 6 }))
  .map(
    ([policy, rows]) => `table t(o: Order, flag: bool?) ${policy} {
  | o.total * 2 | o.note | o.at | flag || rate: number | note: string |
  ${rows.join("\n  ")}
}`,
  );

test("exporting a table and importing it gives the same program", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const source = `type Order(#id: string, total: number, note: string, at: date)\nconst HIGH = 1000\n${table}\n`;
      const written = format(source);
      expect(written.diagnostics).toEqual([]);
      const checked = check(source);
      expect(checked.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const csv = sheetCsv(tableSheet(checked, "t") ?? []);
      const done = importSheet([{ file: "rules.tsd", source }], "t", { file: "t.csv", csv });
      expect(done?.diagnostics).toEqual([]);
      expect(format(done?.text ?? "").text).toBe(written.text);
    }),
    { numRuns: runs(1000) },
  );
});
