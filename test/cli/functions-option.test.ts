/** Tests `--functions FILE`: every command that runs rules calls the functions that the module exports. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Ran, runCli, runCliAsync } from "../support/io.ts";

const RULES = `function risk(country: string): number
type Order(#id: string, country: string)
type Draft(#id: string, country: string, role: string?)
Order("o1", "XX") Draft("d1", "XX")
rule "risky" { when o: Order(risk(country) > 0.5) then log(o.id) }
gate ship for o: Order { require risk(o.country) < 0.5 }
guardian answer for d: Draft { retry at most 0 check c { need risk(d.country) < 0.5 as "risky" do SAFE_REFUSAL } }
test "risky" { given Order("o2", "XX") expect rule "risky" fires }
`;

const folder = mkdtempSync(join(tmpdir(), "sluice-functions-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const module = file("good.mjs", 'export const risk = (country) => (country === "XX" ? 1 : 0);\n');
const withFunctions = (args: readonly string[], functions = module): Promise<Ran> =>
  runCliAsync([...args, "--functions", functions], { "rules.tsd": RULES });

describe("the functions of a module are called", () => {
  test.each([
    [["run", "rules.tsd"], 0, "1  risky  o = Order o1"],
    [["test", "rules.tsd"], 0, "1 test: all passed"],
    [["why", "rules.tsd", "risky"], 0, "risk(country) is 1"],
    [["decide", "rules.tsd", "--gate", "ship"], 4, 'gate "ship" for Order o1: fail'],
    [["verify-answer", "rules.tsd"], 4, "risky"],
    [["prove", "rules.tsd", "--cases", "5"], 0, "no difference"],
  ] as const)("by %j", async (args, exit, text) => {
    const ran = await withFunctions(args);
    expect(ran.err).toBe("");
    expect(ran.out).toContain(text);
    expect(ran.exit).toBe(exit);
  });

  test("also those of an object that is the default export", async () => {
    const ran = await withFunctions(["run", "rules.tsd"], file("default.mjs", "export default { risk: () => 1 };\n"));
    expect(ran.out).toContain("1  risky  o = Order o1");
  });
});

describe("without the functions", () => {
  test("check, fmt, types and graph work", async () => {
    for (const args of [["check"], ["fmt"], ["types"], ["graph", "--format", "text"]])
      // oxlint-disable-next-line no-await-in-loop -- one command after the other
      expect((await runCliAsync([...args, "rules.tsd"], { "rules.tsd": RULES })).exit).toBe(0);
  });

  test("run, decide and verify-answer end with E525", () => {
    for (const command of ["run", "decide", "verify-answer"]) {
      const ran = runCli([command, "rules.tsd"], { "rules.tsd": RULES });
      expect(ran.err).toContain(
        "error E525  the session lacks a function that the program declares: risk(country: string): number",
      );
      expect(ran.err).toContain("--functions FILE");
      expect(ran.exit).toBe(1);
    }
  });

  test("why explains what is unknown, and reports the function on the error stream", () => {
    const ran = runCli(["why", "rules.tsd", "risky"], { "rules.tsd": RULES });
    expect(ran.err).toContain('error E521  rule "risky": risk("XX") was not passed to the session, with Order o1');
    expect(ran.out).toContain("is unknown");
    expect(ran.exit).toBe(0);
  });
});

describe("a module that cannot be used", () => {
  test.each([
    ["is not there", "nowhere.mjs", undefined, "there is no such file"],
    ["throws", "throws.mjs", "\n\nthrow new TypeError('not today');\n", ", line 3: TypeError: not today"],
    ["exports no function", "none.mjs", "export const risk = 1;\n", "exports no functions; write: export function"],
  ])("that %s", async (_, name, text, message) => {
    const path = text === undefined ? join(folder, name) : file(name, text);
    const ran = await withFunctions(["run", "rules.tsd"], path);
    expect(ran.err).toContain("--functions: ");
    expect(ran.err).toContain(name);
    expect(ran.err).toContain(message);
    expect(ran.exit).toBe(2);
  });

  test.each([
    [
      "has a syntax error",
      Object.assign(new SyntaxError("Unexpected token ';'"), {
        stack: "/somewhere/functions.mjs:2\nexport const x = ;",
      }),
      "\"functions.mjs\", line 2: SyntaxError: Unexpected token ';'",
    ],
    [
      "is no JavaScript",
      Object.assign(new TypeError("Unknown file extension"), { code: "ERR_UNKNOWN_FILE_EXTENSION" }),
      "it must be a JavaScript module: name it .mjs, .js or .cjs",
    ],
  ])("that %s", async (_, error, message) => {
    const args = ["run", "rules.tsd", "--functions", "functions.mjs"];
    const ran = await runCliAsync(args, { "rules.tsd": RULES }, { module: () => Promise.reject(error) });
    expect(ran.err).toContain(message);
    expect(ran.exit).toBe(2);
  });

  test("two modules with the same function", async () => {
    const other = file("other.mjs", "export const risk = () => 0;\n");
    const ran = await withFunctions(["run", "rules.tsd", "--functions", other]);
    expect(ran.err).toContain('"risk" is exported by');
    expect(ran.exit).toBe(2);
  });

  test("no file after the option", () => {
    const ran = runCli(["run", "rules.tsd", "--functions"], { "rules.tsd": RULES });
    expect(ran.err).toContain("--functions needs a JavaScript module: --functions FILE");
    expect(ran.exit).toBe(2);
  });
});

test("a function that fails is reported on the error stream, in rules as in gates", async () => {
  const bad = file("bad.mjs", "export function risk(country) { throw new Error(`no data for ${country}`); }\n");
  const ran = await withFunctions(["run", "rules.tsd"], bad);
  expect(ran.err).toContain('error E521  rule "risky": risk("XX") failed: no data for XX, with Order o1');
  expect(ran.err).toContain('error E521  gate "ship": risk("XX") failed: no data for XX, with Order o1');
});
