/** `sluice table`: decision tables as CSV files, and back. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, format, importSheet, sheetCsv, tableSheet } from "../../src/tools.ts";
import { runs } from "../support/cases.ts";
import { runCli } from "../support/io.ts";
import { programOf, tableTexts } from "../support/table-texts.ts";

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
const CSV = `o.tier,o.total,o.note,|| rate: number,level: low | high
gold,>= HIGH,-,0.15,high
-,[500..1000),in EU,o.total / 10,low
-,-,not x,0,low
-,-,-,-1,low
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

  test("strings are written as words where these are the same strings", () => {
    const source = `const FR = "France"
type Use = "private" | "at work"
table t(code: string, n: number, use: Use) first {
    | code           | n | use                  || note: string    | of: Use   | level: (1 | 2) |
    | "FR", "DE"     | 1 | "at work"            || "DE"            | "private" | 1              |
    | != "DE"        | - | "private", "at work" || "FR"            | "at work" | 2              |
    | "http://a.de/" | - | not "private"        || "see // below"  | "private" | 2              |
    | "New York"     | - | -                    || "code"          | "private" | 2              |
    | "5"            | - | -                    || "a \\"b\\""       | "private" | 2              |
    | -              | - | -                    || $"in {code}"    | "private" | 2              |
}
`.replaceAll("\\\\", "\\");
    const csv = sheetCsv(tableSheet(check(source), "t") ?? []);
    expect(csv.split("\r\n")).toEqual([
      "code,n,use,|| note: string,of: Use,level: 1 | 2",
      '"""FR"", DE",1,at work,DE,private,1',
      '!= DE,-,"""private"", ""at work""","""FR""",at work,2',
      "http://a.de/,-,not private,see // below,private,2",
      'New York,-,-,"""code""",private,2',
      '"""5""",-,-,"""a \\""b\\""""",private,2',
      '-,-,-,"$""in {code}""",private,2',
      "",
    ]);
  });

  test("a table in a file is exported with its parameters", () => {
    const source = 'table vat from "v.csv" unique\nrule "r" { when exists P then log(vat("x")) }\ntype P(#id: string)';
    const csv = "code: string,|| number\nFR,1\nnot FR,2\n";
    const checked = check(source, { read: () => csv });
    expect(sheetCsv(tableSheet(checked, "vat") ?? [])).toBe("code: string,|| number\r\nFR,1\r\nnot FR,2\r\n");
  });

  test("wrong usage says what to write", () => {
    const ran = (...args: readonly string[]): string => {
      const { exit, err } = runCli(["table", ...args], { "rules.tsd": RULES });
      expect(exit).toBe(2);
      return err;
    };
    expect(ran("export", "rules.tsd", "discont")).toContain('no table "discont": this program defines "discount"');
    expect(ran("export", "rules.tsd")).toContain("name the rules and a table");
    expect(ran("export", "rules.tsd", "discount", "-o", "x.json")).toContain('"x.json" must end in .csv or .xlsx');
    expect(ran("exprt")).toContain("sluice table export, or sluice table import");
    expect(ran("import", "x.csv")).toContain("name the file and the rules");
    expect(ran("import", "x.txt", "rules.tsd")).toContain('"x.txt" must end in .csv or .xlsx');
  });

  test("errors in the rules are shown", () => {
    const { exit, err } = runCli(["table", "export", "rules.tsd", "t"], { "rules.tsd": "type P(x: nothing)" });
    expect(exit).toBe(1);
    expect(err).toContain("E201");
  });
});

describe("import", () => {
  const changed = CSV.replace("0.15", "0.25").replace("gold", '"""gold"""');

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
    expect(err).toContain("discount.csv:2:16  error E205");
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

  test("a table that is not there is wrong usage", () => {
    const files = { "rules.tsd": RULES, "y.csv": CSV };
    const { exit, err } = runCli(["table", "import", "y.csv", "rules.tsd"], files);
    expect(exit).toBe(2);
    expect(err).toContain('"rules.tsd" has no table "y"; name another one with --table');
    expect(runCli(["table", "import", "none.csv", "rules.tsd"], files).exit).toBe(2);
    expect(runCli(["table", "import", "y.csv", "rules.tsd", "--sheet", "a"], files).err).toContain(
      '--sheet: "y.csv" has no sheets; leave it out',
    );
  });
});

describe("import into a table whose rows are in a CSV file", () => {
  const rules =
    'table vat from "rates/vat.csv" unique\nrule "r" { when p: P then log(vat(p.code)) }\ntype P(code: string)\n';
  const old = "code: string,|| number\nFR,1\nDE,2\n";
  const files = { "app/rules.tsd": rules, "app/rates/vat.csv": old };

  test("--write replaces that file, with the cells as they are in the sheet, and not the rules", () => {
    const csv = '\ufeffcode: string,|| number\n\n"FR",1\nNew York,"3"\n"""A"", ""B""",4\n';
    const { exit, out, written } = runCli(
      ["table", "import", "new.csv", "app/rules.tsd", "--table", "vat", "--write"],
      { ...files, "new.csv": csv },
    );
    expect(exit).toBe(0);
    expect(out).toBe('app/rates/vat.csv: rows of table "vat" replaced\n');
    expect([...written]).toEqual([
      ["app/rates/vat.csv", 'code: string,|| number\r\nFR,1\r\nNew York,3\r\n"""A"", ""B""",4\r\n'],
    ]);
  });

  test("without --write the rows are printed; --json names the file", () => {
    const given = { ...files, "vat.csv": "code: string,|| number\nFR,7\n" };
    const { out, written } = runCli(["table", "import", "vat.csv", "app/rules.tsd"], given);
    expect(out).toBe("code: string,|| number\nFR,7\n");
    expect(written.size).toBe(0);
    const { out: json } = runCli(["table", "import", "vat.csv", "app/rules.tsd", "--json"], given);
    expect(JSON.parse(json)).toMatchObject({ file: "app/rates/vat.csv", written: false });
  });

  test("errors of the sheet and of the program with it are shown, and nothing is written", () => {
    const wrong = "code: number,|| number\nFR,1\n5,\n";
    const { exit, err, written } = runCli(["table", "import", "vat.csv", "app/rules.tsd", "--write"], {
      ...files,
      "vat.csv": wrong,
    });
    expect(exit).toBe(1);
    expect(err).toContain("vat.csv:2:1");
    expect(err).toContain("(cell B3)");
    expect(err).toContain("app/rules.tsd:2:35");
    expect(written.size).toBe(0);
  });

  test("a file with errors can be replaced; one that the program may not read cannot", () => {
    const sheet = { "vat.csv": "code: string,|| number\nFR,7\n" };
    const args = ["table", "import", "vat.csv", "app/rules.tsd", "--write"];
    const broken = runCli(args, { ...files, ...sheet, "app/rates/vat.csv": "code" });
    expect([...broken.written.keys()]).toEqual(["app/rates/vat.csv"]);
    for (const path of ["../outside.csv", "none.csv"]) {
      const { exit, written } = runCli(args, { "app/rules.tsd": rules.replace("rates/vat.csv", path), ...sheet });
      expect(exit).toBe(2);
      expect(written.size).toBe(0);
    }
  });

  test("what is exported is imported again as the same program", () => {
    const { out } = runCli(["table", "export", "app/rules.tsd", "vat"], files);
    const { written } = runCli(["table", "import", "vat.csv", "app/rules.tsd", "--write"], {
      ...files,
      "vat.csv": out,
    });
    const again = { ...files, "app/rates/vat.csv": written.get("app/rates/vat.csv") ?? "" };
    expect(runCli(["table", "export", "app/rules.tsd", "vat"], again).out).toBe(out);
  });
});

// ---------------------------------------------------------------- there and back

test("exporting a table and importing it gives the same program", () => {
  fc.assert(
    fc.property(tableTexts, (table) => {
      const source = programOf(table);
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
