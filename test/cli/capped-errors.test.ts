/** Tests long lists of errors: the first 100 in full, then counts by code and type, with bounded output and memory. */
import { describe, expect, test } from "vitest";
import { CompileError, compile, type Diagnostic } from "../../src/index.ts";
import { Mistakes } from "../../src/cli/facts/mistakes.ts";
import { SHOWN } from "../../src/cli/report.ts";
import { runCli } from "../support/io.ts";

const RULES = `type Person(#id: string, age: number)
type Order(#num: string, total: number)
rule "adult" { when p: Person(age >= 18) then log(p.id) }
`;

/** Three mistakes for every number: an age, a total, and a type that does not exist. */
function badFacts(count: number): string {
  const lines: string[] = [];
  for (let n = 1; n <= count; n++) {
    lines.push(`{"Person": {"id": "p${n}", "age": "x"}}`, `{"Order": {"num": "o${n}"}}`, `{"Type${n}": {}}`);
  }
  return `${lines.join("\n")}\n`;
}

const load = (facts: string, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["run", "a.tsd", "--facts", "f.ndjson", ...more], { "a.tsd": RULES, "f.ndjson": facts });

describe("facts", () => {
  test("the first 100 in full, then counts by code and type", () => {
    const { err, out, exit } = load(badFacts(1000));
    expect({ exit, out }).toEqual({ exit: 1, out: "" });
    const lines = err.split("\n");
    expect(lines.filter((line) => line.startsWith("f.ndjson:"))).toHaveLength(SHOWN);
    expect(lines.slice(0, 3)).toEqual([
      "f.ndjson:1:32  error E407  Person.age must be number, found string",
      '    1 | {"Person": {"id": "p1", "age": "x"}}',
      "      |                                ^^^",
    ]);
    expect(lines.slice(-6)).toEqual([
      "… and 2,900 more:",
      "  967 × error E402  fact without a required field (Order)",
      "  967 × error E201  unknown type",
      "  966 × error E407  field value of the wrong type (Person)",
      "3000 errors in the facts; nothing was run",
      "",
    ]);
  });

  test("twice as many take the same room", () => {
    const room = (count: number): number => load(badFacts(count)).err.split("\n").length;
    expect(room(2000)).toBe(room(1000));
    const memory = (count: number): number => {
      const mistakes = new Mistakes();
      for (const name of ["a", "b"]) {
        const file = mistakes.beginFile();
        for (let line = 1; line <= count; line++) file.add(mistake(name, line), "Person");
        file.end();
      }
      expect(mistakes.count).toBe(2 * count);
      return mistakes.shown.length + mistakes.omitted.length;
    };
    expect(memory(2000)).toBe(memory(1000));
    expect(memory(1000)).toBe(SHOWN + 1);
  });

  test("the limit is one for all files", () => {
    const files = { "a.tsd": RULES, "f.ndjson": badFacts(30), "g.ndjson": badFacts(30) };
    const { err } = runCli(["run", "a.tsd", "--facts", "f.ndjson", "--facts", "g.ndjson"], files);
    expect(err.match(/^[fg]\.ndjson:/gmu)).toHaveLength(SHOWN);
    expect(err).toContain("… and 80 more:");
    expect(err).toContain("180 errors in the facts");
  });

  test("100 mistakes are all shown, and nothing is counted", () => {
    const { err } = load(Array.from({ length: 100 }, (_, n) => `{"Order": {"num": "o${n}"}}`).join("\n"));
    expect(err.match(/E402/gu)).toHaveLength(100);
    expect(err).not.toContain("more:");
  });

  test("--json has a record with the counts", () => {
    const records = load(badFacts(1000), "--json")
      .out.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.filter(({ event }) => event === "diagnostic")).toHaveLength(SHOWN);
    expect(records.at(-1)).toEqual({
      event: "diagnostics",
      shown: SHOWN,
      omitted: 2900,
      counts: [
        { severity: "error", code: "E402", type: "Order", count: 967 },
        { severity: "error", code: "E201", count: 967 },
        { severity: "error", code: "E407", type: "Person", count: 966 },
      ],
    });
  });
});

describe("rules", () => {
  /** A warning and an error for each. */
  const source = (count: number): string =>
    [
      "type P(a: number)",
      ...Array.from({ length: count }, (_, n) => `rule r${n} { when p: P q: P then }`),
      ...Array.from({ length: count }, (_, n) => `rule s${n} { when p: P(b > 1) then }`),
    ].join("\n");
  const check = (count: number, ...more: string[]): ReturnType<typeof runCli> =>
    runCli(["check", "a.tsd", ...more], { "a.tsd": source(count) });

  test("errors come before warnings, and both are counted", () => {
    const { err, out, exit } = check(150);
    expect(exit).toBe(1);
    expect(err.match(/^a\.tsd:\d+:\d+ {2}error E202/gmu)).toHaveLength(SHOWN);
    expect(err).not.toMatch(/^a\.tsd:\d+:\d+ {2}warning/gmu);
    expect(err).toMatch(/… and 200 more:\n {2}150 × warning W301 {2}.*\n {3}50 × error E202 {2}unknown field\n$/u);
    expect(out).toBe("1 file, 301 statements: 150 errors, 150 warnings\n");
    expect(check(150, "--json").out).toContain('{"event":"diagnostics","shown":100,"omitted":200,"counts":[');
  });

  test("the library keeps them all, in an error with a short message", () => {
    try {
      compile(source(500), { file: "a.tsd" });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      expect(error.message).toBe('a.tsd:502:21 E202 P has no field "b", and there is no variable "b" (and 499 more)');
      expect(error.diagnostics).toHaveLength(1000);
    }
  });
});

function mistake(file: string, line: number): Diagnostic {
  const at = { line, column: 1, endLine: line, endColumn: 1 };
  return { file, ...at, severity: "error", code: "E407", message: "wrong" };
}
