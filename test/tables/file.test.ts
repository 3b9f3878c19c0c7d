/** Tables whose columns and rows are in a CSV file. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { csvText, readCsv } from "../../src/base/csv.ts";
import { Report } from "../../src/base/diagnostic.ts";
import { DEFAULT_LIMITS } from "../../src/base/limits.ts";
import { Source } from "../../src/base/source.ts";
import { compile, CompileError, verifyPack } from "../../src/index.ts";
import { parsePart } from "../../src/language/parse.ts";
import { plainCell, plainOutput } from "../../src/language/plain-cell.ts";
import { importReader } from "../../src/node/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { check, format } from "../../src/tools.ts";
import { runs } from "../support/cases.ts";

const HEAD = `type Country(#code: string, eu: bool)
const EU = ["FR", "DE"]
param LIMIT: number = 100
`;
const RULE = 'rule "r" { when c: Country then log(c.code, vat(c)) }';

/** Returns a program with a table in a file, and a reader of that file. */
function program(
  csv: string,
  table = 'table vat(c: Country) from "vat.csv" first',
): [string, (file: string) => string | undefined] {
  return [`${HEAD}${table}\n${RULE}`, (file) => (file === "rules/vat.csv" ? csv : undefined)];
}

/** Returns what the rule logs for each country. */
function logged(csv: string, ...codes: readonly string[]): unknown[] {
  const [source, read] = program(csv);
  const session = compile(source, { file: "rules/main.tsd", read }).session();
  for (const code of codes) session.assert("Country", { code, eu: true });
  return session.run().effects.map(({ args }) => args[1]);
}

/** Returns the errors of a file, each with its place. */
function errors(csv: string, table?: string): string[] {
  const [source, read] = program(csv, table);
  const { diagnostics } = check(source, { file: "rules/main.tsd", read });
  return diagnostics.flatMap(({ severity, file, line, column, code, message }) =>
    severity === "error" ? [`${file}:${line}:${column} ${code} ${message}`] : [],
  );
}

describe("cells", () => {
  test("are written as in a program; a word that is no constant is a string", () => {
    const csv = 'c.code,|| number\n"in EU",LIMIT * 2\n"""X"", Y",2\nNew York,3\n"not ""Z""",4\n';
    expect(logged(csv, "FR", "X", "Y", "New York", "Q")).toEqual([200, 2, 2, 3, 4]);
  });

  test("a constant comes before a string of its name", () => {
    const csv = "c.code,|| rate: string\nFR,LIMITED\n-,none\n";
    const [source] = program(csv);
    const withConst = `${source.replace("log(c.code, vat(c))", "log(c.code, vat(c).rate)")}\nconst LIMITED = "yes"`;
    const session = compile(withConst, { file: "rules/main.tsd", read: () => csv }).session();
    session.assert("Country", { code: "FR", eu: true });
    expect(session.run().effects[0]?.args).toEqual(["FR", "yes"]);
  });

  test("CRLF, a byte order mark, empty lines and lines of empty cells do not matter", () => {
    expect(logged("\ufeffc.code,|| number\r\n\r\nFR,1\r\n,\r\n-,2", "FR", "DE")).toEqual([1, 2]);
  });

  test("without parameters the first row declares them", () => {
    const csv = "code: string,eu: bool,|| number\nFR,true,1\n-,-,2\n";
    const source = `${HEAD}table vat from "vat.csv" first\nrule "r" { when c: Country then log(vat(c.code, c.eu)) }`;
    const session = compile(source, { file: "rules/main.tsd", read: () => csv }).session();
    session.assert("Country", { code: "FR", eu: true });
    expect(session.run().effects[0]?.args).toEqual([1]);
  });
});

describe("errors name the file, the line and the cell, all at once", () => {
  test("of the text", () => {
    expect(errors('c.code,c.eu,|| number\n>,-,1\nFR,-\nFR,,1\nFR,-,1 +\n"a,-,1\n')).toEqual([
      'rules/vat.csv:2:1 E101 unexpected end of the cell: expected a value after ">" (cell A2)',
      "rules/vat.csv:3:1 E209 this row has 2 cells; the first row has 3 (cell A3)",
      "rules/vat.csv:4:4 E101 this cell is empty (cell B4)",
      'rules/vat.csv:5:8 E101 unexpected end of the cell: expected a value after "+" (cell C5)',
      "rules/vat.csv:6:1 E102 this quote is not closed (cell A6)",
    ]);
  });

  test("of types and names, beside those of the text", () => {
    expect(errors('c.code,c.eu,|| number\n"in EX",maybe,1\nFR,5,text\nFR,-,\n')).toEqual([
      'rules/vat.csv:2:5 E205 unknown variable "EX" (cell A2)',
      "rules/vat.csv:2:5 E214 a cell is compared with constants only (cell A2)",
      'rules/vat.csv:2:9 E205 unknown variable "maybe" (cell B2)',
      "rules/vat.csv:2:9 E214 a cell is compared with constants only (cell B2)",
      "rules/vat.csv:3:4 E203 the column is of type bool and cannot be compared with number (cell B3)",
      'rules/vat.csv:3:6 E205 unknown variable "text" (cell C3)',
      "rules/vat.csv:4:6 E101 this cell is empty (cell C4)",
    ]);
  });

  test("of the first row", () => {
    expect(errors("c.code,number\nFR,1\n")).toEqual([
      'rules/vat.csv:1:1 E100 no cell of the first row begins with "||": the first output does (cell A1)',
    ]);
    expect(errors("c.cod,|| number\nFR,1\n")).toEqual(['rules/vat.csv:1:3 E202 Country has no field "cod" (cell A1)']);
    expect(errors("")).toEqual(["rules/vat.csv:1:1 E101 the file is empty"]);
    expect(errors("c.code,|| number\n")).toEqual(['rules/main.tsd:4:28 E232 table "vat" has no rows']);
  });

  test("inside quotes with doubled quotes", () => {
    expect(errors('c.code,|| number\n"""FR"", > ""x"", in EX",1\n')[0]).toMatch(
      /^rules\/vat\.csv:2:22 E205 .*"EX" \(cell A2\)$/u,
    );
  });

  test("two tables of one file report its errors once", () => {
    const both = 'table vat(c: Country) from "vat.csv" first\ntable other(c: Country) from "vat.csv" first';
    expect(errors("c.cod,|| number\nFR,1\n", both)).toHaveLength(1);
  });
});

describe("files", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-table-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("are read below the folders of the program only, and are regular .csv files", () => {
    const rules = join(folder, "rules");
    mkdirSync(join(rules, "folder.csv"), { recursive: true });
    writeFileSync(join(rules, "vat.csv"), "c.code,|| number\nFR,1\n-,2\n");
    writeFileSync(join(rules, "secret.txt"), "password");
    writeFileSync(join(folder, "outside.csv"), "password");
    symlinkSync(join(rules, "secret.txt"), join(rules, "link.csv"));
    symlinkSync(join(folder, "outside.csv"), join(rules, "out.csv"));
    const codesOf = (path: string): string[] => {
      const source = `${HEAD}table vat(c: Country) from "${path}" first\n${RULE}`;
      const { diagnostics } = check(source, { file: join(rules, "main.tsd"), read: importReader([rules]) });
      expect(JSON.stringify(diagnostics)).not.toContain("password");
      return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    };
    expect(codesOf("vat.csv")).toEqual([]);
    expect(codesOf("none.csv")).toEqual(["E701"]);
    expect(codesOf("secret.txt")).toEqual(["E701"]);
    expect(codesOf("link.csv")).toEqual(["E701"]);
    expect(codesOf("../outside.csv")).toEqual(["E702"]);
    expect(codesOf("out.csv")).toEqual(["E702"]);
    expect(codesOf("folder.csv")).toEqual(["E703"]);
    const imported = check('import "vat.csv"', { file: join(rules, "main.tsd"), read: importReader([rules]) });
    expect(imported.diagnostics.map(({ code }) => code)).toEqual(["E701"]);
    expect(JSON.stringify(imported.diagnostics)).toContain("from");
  });

  test("bytes that are not UTF-8 and files that are too large are refused", () => {
    const source = `${HEAD}table vat(c: Country) from "vat.csv" first\n${RULE}`;
    const bytes = Uint8Array.from([0x63, 0xff, 0x0a]);
    expect(check(source, { read: () => bytes }).diagnostics.map(({ code }) => code)).toContain("E104");
    const long = `c.code,|| number\n${"FR,1\n".repeat(100)}`;
    const small = check(source, { read: () => long, limits: { sourceBytes: 400 } });
    expect(small.diagnostics.map(({ code }) => code)).toContain("E302");
  });

  test("without a reader the table is an error, and nothing else is", () => {
    expect(check(program("")[0]).diagnostics.map(({ code }) => code)).toEqual(["E701"]);
  });

  test("belong to the hash of the program, to packs and to saved plans", () => {
    const compiled = (csv: string): ReturnType<typeof compile> => {
      const [source, read] = program(csv);
      return compile(source, { file: "rules/main.tsd", read });
    };
    const one = compiled("c.code,|| number\nFR,1\n-,2\n");
    expect(one.hash).not.toBe(compiled("c.code,|| number\nFR,1\n-,3\n").hash);
    const session = one.session();
    session.assert("Country", { code: "FR", eu: true });
    const result = session.run();
    expect(result.effects[0]?.args).toEqual(["FR", 1]);
    const pack = session.pack(result);
    expect(verifyPack(pack)).toBeUndefined();
    expect(verifyPack(pack.replace("FR,1", "FR,9"))).toBeDefined();
    const saved = loadPlan(one.save()).session();
    saved.assert("Country", { code: "FR", eu: true });
    expect(saved.run().effects[0]?.args).toEqual(["FR", 1]);
  });

  test("format leaves the statement as it is written", () => {
    const text = 'table vat from "vat.csv" unique\ntable other(c: Country) from "a/b.csv" collect sum\n';
    expect(format(text)).toEqual({ text, diagnostics: [] });
  });
});

// ---------------------------------------------------------------- reading and writing

const texts = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é", "\ufeff", ";") });

test("what is written as CSV is read again", () => {
  const tables = fc.array(fc.array(texts, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(tables, (rows) => {
      const kept = rows.filter((cells) => cells.some((cell) => cell.trim() !== ""));
      const { rows: read, faults } = readCsv(csvText(kept));
      expect(faults).toEqual([]);
      expect(read.map(({ cells }) => cells.map(({ text }) => text))).toEqual(kept);
    }),
    { numRuns: runs(2000) },
  );
});

test("plain cells are read as the grammar reads them", () => {
  const words = fc.constantFrom(
    "-",
    "5",
    "0.25",
    '"a"',
    "'b'",
    "FR",
    "true",
    "False",
    "not",
    "log",
    "in",
    ">=",
    "<",
    "!=",
    "==",
    "[1..5)",
    "[0..2.5]",
    "1..5",
    "-5",
    "10 min",
    "@2026-01-01",
    "x.y",
    ",",
    "if",
    "first",
  );
  const spaces = fc.constantFrom("", " ");
  const cells = fc.tuple(spaces, fc.array(words, { minLength: 1, maxLength: 3 }), spaces, spaces);
  let plain = 0;
  fc.assert(
    fc.property(cells, ([before, parts, between, after]) => {
      const text = before + parts.join(between) + after;
      const cell = plainCell(text, 1000);
      const report = (): Report => new Report(new Source("x", text));
      if (cell !== undefined) expect(cell).toEqual(parsePart("table_cell", report(), DEFAULT_LIMITS));
      const output = plainOutput(text, 1000);
      if (output !== undefined) expect(output).toEqual(parsePart("expr", report(), DEFAULT_LIMITS));
      plain += cell === undefined ? 0 : 1;
    }),
    { numRuns: runs(3000) },
  );
  expect(plain).toBeGreaterThan(runs(3000) / 20);
});

test("a table of 10,000 rows in a file compiles, and its cells are found by line", () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => `c${row},${row}`);
  expect(logged(`c.code,|| number\n${rows.join("\n")}\n`, "c9999")).toEqual([9999]);
  const wrong = [...rows.slice(0, 9000), "c,x", ...rows.slice(9000)];
  expect(errors(`c.code,|| number\n${wrong.join("\n")}\n`)).toEqual([
    'rules/vat.csv:9002:3 E205 unknown variable "x" (cell B9002)',
  ]);
});

test("CompileError lists the errors of the file", () => {
  const [source, read] = program("c.cod,|| number\nFR,1\n");
  expect(() => compile(source, { file: "rules/main.tsd", read })).toThrow(CompileError);
});

describe("marks of comments in cells", () => {
  /** Returns what the table gives for a code; its outputs are strings. */
  const note = (csv: string, code: string): unknown => {
    const [source] = program(csv);
    const text = source.replace("log(c.code, vat(c))", "log(c.code, vat(c).note)");
    const session = compile(text, { file: "rules/main.tsd", read: () => csv }).session();
    session.assert("Country", { code, eu: true });
    return session.run().effects[0]?.args[1];
  };

  test.each(["http://a.de/b", "a // b", "a /* b */ c", "/* a", "// a", "# a", "5 // a", "it's // John's"])(
    "%s is a string, in inputs and outputs",
    (text) => {
      expect(note(`c.code,|| note: string\n${text},yes\n-,no\n`, text)).toBe("yes");
      expect(note(`c.code,|| note: string\n-,${text}\n`, "FR")).toBe(text);
    },
  );

  test.each(['"""a"" // b"', ">= 5 // a", '"""a"", ""b"" /* c */"', "not a // b", "[1..2] // a"])(
    "%s is refused, and nothing is cut off",
    (cell) => {
      expect(errors(`c.code,|| number\n${cell},1\n`)).toEqual([
        "rules/vat.csv:2:1 E100 a cell cannot have a comment (cell A2)".replace(
          ":2:1 ",
          cell.startsWith('"') ? ":2:2 " : ":2:1 ",
        ),
      ]);
    },
  );

  test("in strings in quotes they are as before", () => {
    expect(note('c.code,|| note: string\n-,"""a // b"""\n', "FR")).toBe("a // b");
  });

  test("a string in a column of numbers is an error", () => {
    expect(errors("c.code,|| number\n-,5 // a\n")).toEqual([
      "rules/vat.csv:2:3 E407 vat must be number, found string (cell B2)",
    ]);
  });
});

describe("unions in the first row", () => {
  const unions = (head: string): string[] =>
    errors(`${head}\nprivate,1,low\n-,-,high\n`, 'table vat from "vat.csv" first');
  const RULES_ERROR = /main\.tsd/u;
  const inFile = (head: string): string[] => unions(head).filter((one) => !RULES_ERROR.test(one));

  test.each([
    "use: private | at work,n: 1 | 2,|| level: low | high",
    '"use: ""private"" | ""at work""",n: (1|2),"|| level: (""low"" | ""high"")"',
    "use: (private|at work),n: 1 | -2,|| low | high",
  ])("%s", (head) => {
    expect(inFile(head)).toEqual([]);
    expect(inFile(head.replace("low", "lower")).join("\n")).toContain('found "low" (cell C2)');
    expect(inFile(head.replace("private", "public")).join("\n")).toContain(
      '"private" is not one of "public" | "at work" (cell A2)',
    );
  });

  test.each([
    "use: string | number,n: number,|| number",
    "use: private |,n: number,|| number",
    "use: |a,n: number,|| number",
  ])("%s is an error at the column", (head) =>
    expect(inFile(head)[0]).toMatch(/^rules\/vat\.csv:1:\d+ E10\d .*\(cell A1\)$/u),
  );
});

test("an empty output is an error that says how an empty string is written, and that is read", () => {
  const [source] = program("");
  const hints = (csv: string): unknown[] =>
    check(source.replace("vat(c))", "vat(c).note)"), { file: "rules/main.tsd", read: () => csv }).diagnostics.flatMap(
      ({ severity, hint }) => (severity === "error" ? [hint] : []),
    );
  expect(hints("c.code,|| note: string\nFR,\n-,x\n")).toEqual([
    'write a value; an empty string is "", in a CSV file """"""',
  ]);
  expect(hints('c.code,|| note: string\nFR,""""""\n-,x\n')).toEqual([]);
});
