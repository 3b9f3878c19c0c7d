/**
 * Tests the message of every code: `test/errors/CODE….tsd` is checked (or run, for errors at run time), and the output and exit
 * code are compared with the `.txt` file beside it. `SLUICE_UPDATE=1` rewrites the `.txt` files; read the diff before you
 * commit it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CODES } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const FOLDER = "test/errors";

/** Inputs too large to keep as files. */
const GENERATED: Readonly<Record<string, () => string>> = {
  "E301-million-parentheses": () => "(".repeat(1_000_000),
  "E301-million-not": () => `type P(a: bool)\nrule r : {p: P} / ${"!".repeat(1_000_000)}p.a ==> log("x")\n`,
  "E301-functions": () =>
    Array.from(
      { length: 257 },
      (_, at) => `function f${at}(x: number): number = ${at === 0 ? "x" : `f${at - 1}(x)`}\n`,
    ).join(""),
  "E301-calls": () =>
    Array.from(
      { length: 12 },
      (_, at) => `function f${at}(x: number): number = ${at === 0 ? "x" : `f${at - 1}(f${at - 1}(x))`}\n`,
    ).join(""),
  E302: () => `// ${"x".repeat(4 * 1024 * 1024)}\n`,
  E307: () =>
    `list l = [${Array(60_000).fill('"a"').join(", ")}]\ntype P(x: number)\nrule r : {p: P} / p.y > 1 ==> log("x")\n`,
  E303: () => `Note(text: "${"x".repeat(1024 * 1024 + 1)}")\n`,
};

/** What only shows when a program runs. */
const RUN = /^[EW]5/u;

/** What only a program that uses the library, or another command, can meet; each has its test there. */
const LIBRARY: Readonly<Record<string, string>> = {
  W103: "test/language/older-spellings.test.ts",
  E411: "test/session/protected.test.ts",
  E511: "test/rete/limits.test.ts",
  E520: "test/engine/library-errors.test.ts",
  E521: "test/engine/function-failures.test.ts",
  E522: "test/session/listeners.test.ts",
  E523: "test/engine/awaited-handlers.test.ts",
  E524: "test/engine/awaited-handlers.test.ts",
  E525: "test/engine/declared-functions.test.ts",
  E530: "test/engine/library-errors.test.ts",
  E531: "test/engine/library-errors.test.ts",
  E532: "test/engine/library-errors.test.ts",
  E533: "test/engine/library-errors.test.ts",
  E534: "test/clock/clock.test.ts",
  E536: "test/clock/clock.test.ts",
  E535: "test/engine/awaited-handlers.test.ts",
  E537: "test/engine/library-errors.test.ts",
  E541: "test/gates/gates.test.ts",
  E542: "test/gates/gate-json.test.ts",
  E544: "test/cli/run.test.ts",
  E545: "test/gates/answers-in-time.test.ts",
  E550: "test/engine/library-errors.test.ts",
  E551: "test/engine/library-errors.test.ts",
  E552: "test/explain/pack.test.ts",
  E560: "test/engine/saved-plan.test.ts",
  E561: "test/engine/saved-plan.test.ts",
  E704: "test/node/imports.test.ts",
  W274: "test/tables/checks.test.ts",
};

const cases = [
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith(".tsd"))
    .map((name) => ({ name: name.replace(/\.tsd$/u, ""), files: {} })),
  ...Object.entries(GENERATED).map(([name, source]) => ({ name, files: { [`${FOLDER}/${name}.tsd`]: source() } })),
];

describe("each mistake gets the message that was agreed on", () => {
  test.each(cases)("$name", ({ name, files }) => {
    const ran = runCli([RUN.test(name) ? "run" : "check", `${FOLDER}/${name}.tsd`], files);
    const printed = `${ran.err}${ran.out}exit ${ran.exit}\n`;
    const golden = `${FOLDER}/${name}.txt`;
    if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(golden, printed);
    expect(printed).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "(no golden file)");
    expect(printed).toMatch(new RegExp(` (error|warning|note) ${name.slice(0, 4)} `, "u"));
  });
});

test("every code of the closed list has a golden file, or a test of the library", () => {
  const covered = new Set([...cases.map(({ name }) => name.slice(0, 4)), ...Object.keys(LIBRARY)]);
  expect(Object.keys(CODES).filter((code) => !covered.has(code))).toEqual([]);
});

test.each(Object.entries(LIBRARY))("%s is tested in %s", (code, file) => {
  expect(readFileSync(file, "utf8")).toContain(code);
});

test("no golden file is left without its case", () => {
  const names = new Set(cases.map(({ name }) => name));
  const golden = readdirSync(FOLDER).filter((file) => file.endsWith(".txt"));
  expect(golden.map((file) => file.replace(/\.txt$/u, "")).filter((name) => !names.has(name))).toEqual([]);
});
