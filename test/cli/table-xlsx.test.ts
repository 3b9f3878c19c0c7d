/** `sluice table`: decision tables as XLSX files, and back. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as tables from "../../packages/tables/src/index.ts";
import type { Spreadsheets } from "../../src/cli/spreadsheet.ts";
import { check, format, tableSheet } from "../../src/tools.ts";
import { runs } from "../support/cases.ts";
import { type Ran, runCliAsync } from "../support/io.ts";
import { programOf, tableTexts } from "../support/table-texts.ts";
import { workbookOf } from "../support/workbook.ts";

tables satisfies Spreadsheets;

const RULES = `type Order(#id: string, tier: string, total: number, at: date)
table discount(o: Order) first {
    | o.tier           | o.total     || rate: number | reason: string |
    | "gold", "silver" | >= 1000     || 0.15         | "loyal"        |
    | -                | [500..1000) || 0.05         | "EU\\nmedium"   |
    | -                | -           || 0            | "=none"        |
}
rule "r" { when o: Order where discount(o).rate > 0 then log(o.id) }
`;
const ROWS = [
  ["o.tier", "o.total", "|| rate: number", "reason: string"],
  ["gold, silver", ">= 1000", "0.15", "loyal"],
  ["-", "[500..1000)", "0.05", '"EU\\nmedium"'],
  ["-", "-", "0", '"=none"'],
];

function ran(args: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<Ran> {
  return runCliAsync(["table", ...args.split(" ")], { "rules.tsd": RULES, ...files });
}

function xlsx(rows: readonly (readonly string[])[], name = "discount"): Uint8Array {
  return tables.writeSheet({ name, rows, firstOutput: 2 });
}

/** Returns rows with some cells replaced, by the names of spreadsheets. */
function changed(cells: Readonly<Record<string, string>>): string[][] {
  return ROWS.map((row, at) => row.map((text, column) => cells[`${"ABCD"[column]}${at + 1}`] ?? text));
}

test("export writes the table as a sheet of its name", async () => {
  const { exit, out, bytes } = await ran("export rules.tsd discount -o d.xlsx", {});
  expect({ exit, out }).toEqual({ exit: 0, out: "" });
  const file = bytes.get("d.xlsx") ?? new Uint8Array();
  expect(tables.sheetNames(file)).toEqual(["discount"]);
  expect(tables.readSheet(file, "discount")).toEqual({ rows: ROWS, faults: [] });
});

test("import --write replaces the table in the rules, and nothing else", async () => {
  const file = xlsx(changed({ C2: "0.25", A3: "silver" }));
  const { exit, out, written } = await ran("import discount.xlsx rules.tsd --write", { "discount.xlsx": file });
  expect({ exit, out }).toEqual({ exit: 0, out: 'rules.tsd: table "discount" replaced\n' });
  const wanted = RULES.replace("0.15", "0.25").replace("| -                | [5", '| "silver"         | [5');
  expect(written.get("rules.tsd")).toBe(wanted);
});

describe("a mistake in a cell is reported with sheet, row and column", () => {
  test("all at once, and nothing is written", async () => {
    const file = xlsx(changed({ C2: "much", B3: "[500..", A4: "5" }));
    const { exit, err, written } = await ran("import discount.xlsx rules.tsd --write", { "discount.xlsx": file });
    expect(exit).toBe(1);
    expect(written.size).toBe(0);
    expect(err).toContain('discount.xlsx:2:3  error E205  unknown variable "much" (sheet "discount", cell C2)');
    expect(err).toMatch(/discount\.xlsx:3:2 {2}error E1\d\d {2}.* \(sheet "discount", cell B3\)/u);
    expect(err).toMatch(/discount\.xlsx:4:1 {2}error E203 {2}.* \(sheet "discount", cell A4\)/u);
  });

  test("also below empty rows, below cells with several lines, and as JSON", async () => {
    const rows = [...ROWS.slice(0, 2), [], ["-", "-", "0", "\n\n- + (\n)"], ["-", "nope", "0", '"x"']];
    const { out } = await ran("import d.xlsx rules.tsd --table discount --json", { "d.xlsx": xlsx(rows, "Sheet1") });
    const found = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.map(({ file, line, column }) => [file, line, column])).toEqual([
      ["d.xlsx", 4, 4],
      ["d.xlsx", 5, 2],
      ["d.xlsx", 5, 2],
    ]);
    expect(String(found[1]?.["message"])).toContain('(sheet "Sheet1", cell B5)');
  });

  test("a cell that has no text is one, and is reported once, in the order of the sheet", async () => {
    const made = workbookOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>o.tier</t></is></c><c r="B1" t="inlineStr"><is><t>|| rate: number</t></is></c></row>' +
        '<row r="2"><c r="A2" t="e"><v>#N/A</v></c><c r="B2"><f>1+1</f></c></row>' +
        '<row r="3"><c r="A3" t="inlineStr"><is><t>&gt;</t></is></c><c r="B3"><f>1+1</f><v>2</v></c></row>',
      { names: ["discount"] },
    );
    const { exit, err } = await ran("import discount.xlsx rules.tsd", { "discount.xlsx": made });
    expect(exit).toBe(1);
    const heads = err.split("\n").filter((line) => line.startsWith("discount.xlsx"));
    expect(heads).toEqual([
      'discount.xlsx:2:1  error E100  this cell shows #N/A (sheet "discount", cell A2)',
      'discount.xlsx:2:2  error E100  this formula has no value yet (sheet "discount", cell B2)',
      expect.stringContaining('(sheet "discount", cell A3)'),
    ]);
  });
});

test("cells that spreadsheets leave out, or keep without a text, are empty", async () => {
  const rows = [...ROWS.map((row) => [...row, "", ""]), [""], ["-", "-", "1"]];
  const { err } = await ran("import discount.xlsx rules.tsd", { "discount.xlsx": xlsx(rows) });
  expect(err).toContain('discount.xlsx:6:4  error E101  this cell is empty (sheet "discount", cell D6)');
});

describe("the sheet", () => {
  const two = workbookOf("", { names: ["discount", "notes"] });

  test("is the one with the name of the table, or that of --sheet", async () => {
    const { err } = await ran("import discount.xlsx rules.tsd", { "discount.xlsx": two });
    expect(err).toContain("discount.xlsx:1:1  error E101  the file is empty");
    const { err: other } = await ran("import discount.xlsx rules.tsd --sheet notes", { "discount.xlsx": two });
    expect(other).toContain('(sheet "notes", cell A1)');
  });

  test("is asked for when it is not clear", async () => {
    const { exit, err } = await ran("import d.xlsx rules.tsd --table other", { "d.xlsx": two });
    expect(exit).toBe(2);
    expect(err).toContain('"d.xlsx" has no sheet "other"; name one of its sheets with --sheet: "discount", "notes"');
    const { err: none } = await ran("import d.xlsx rules.tsd --sheet x", { "d.xlsx": two });
    expect(none).toContain('"d.xlsx" has no sheet "x"; its sheets: "discount", "notes"');
  });
});

test("a file that is no workbook is wrong usage, and so is one that is not there", async () => {
  const { exit, err } = await ran("import discount.xlsx rules.tsd", { "discount.xlsx": "o.tier,|| number\n" });
  expect({ exit, err }).toMatchObject({ exit: 2 });
  expect(err).toContain('"discount.xlsx" is not an .xlsx file');
  expect((await ran("import none.xlsx rules.tsd", {})).exit).toBe(2);
});

test("a table that a spreadsheet cannot hold is not written", async () => {
  const rules = RULES.replace('"loyal"', `"${"x".repeat(32_768)}"`);
  const { exit, err, bytes } = await runCliAsync(["table", "export", "rules.tsd", "discount", "-o", "d.xlsx"], {
    "rules.tsd": rules,
  });
  expect(exit).toBe(2);
  expect(err).toContain("cell D2 has 32768 characters; a cell of a spreadsheet holds 32767; export the table as .csv");
  expect(bytes.size).toBe(0);
});

test("without the package the command says what to install; an error inside the package is one", async () => {
  const without = (error: Error): Promise<Ran> =>
    runCliAsync(
      ["table", "export", "rules.tsd", "discount", "-o", "d.xlsx"],
      { "rules.tsd": RULES },
      {
        package: () => Promise.reject(error),
      },
    );
  const { exit, err } = await without(Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" }));
  expect(exit).toBe(2);
  expect(err).toContain("install it beside sluice: npm install @sluice/tables");
  await expect(without(new Error("broken"))).rejects.toThrow("broken");
});

test("a table in a CSV file is written there", async () => {
  const rules = 'type Order(#id: string, tier: string, total: number)\ntable discount(o: Order) from "d.csv" first\n';
  const files = { "rules.tsd": rules, "d.csv": "o.tier,|| number\ngold,1\n" };
  const file = xlsx([
    ["o.tier", "|| number"],
    ["New York", "7"],
  ]);
  const { out, written } = await ran("import discount.xlsx rules.tsd --write", { ...files, "discount.xlsx": file });
  expect(out).toBe('d.csv: rows of table "discount" replaced\n');
  expect(written.get("d.csv")).toBe("o.tier,|| number\r\nNew York,7\r\n");
});

test("exporting a table and importing it gives the same program", async () => {
  await fc.assert(
    fc.asyncProperty(tableTexts, async (table) => {
      const source = programOf(table);
      const exported = await runCliAsync(["table", "export", "r.tsd", "t", "-o", "t.xlsx"], { "r.tsd": source });
      expect(exported.err).toBe("");
      const bytes = exported.bytes.get("t.xlsx") ?? new Uint8Array();
      expect(tables.readSheet(bytes, "t").rows).toEqual(tableSheet(check(source), "t"));
      const files = { "r.tsd": source, "t.xlsx": bytes };
      const { err, written } = await runCliAsync(["table", "import", "t.xlsx", "r.tsd", "--write"], files);
      expect(err).toBe("");
      expect(format(written.get("r.tsd") ?? "").text).toBe(format(source).text);
    }),
    { numRuns: runs(300) },
  );
});
