/**
 * Tests that every example with an `expected.txt` prints exactly that when it is run, with its `facts.json` if it has one.
 * `SLUICE_UPDATE=1` rewrites the files; read the diff before you commit it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import * as sluice from "../../src/index.ts";
import { runCli } from "../support/io.ts";
import { userFolder } from "../support/user-folder.ts";

const examples = readdirSync("examples").filter((name) => existsSync(join("examples", name, "expected.txt")));

test.each(examples)("%s prints what it promises", (name) => {
  const folder = `examples/${name}`;
  const facts = existsSync(`${folder}/facts.json`) ? ["--facts", `${folder}/facts.json`] : [];
  const clock = /--clock (\S+)/u.exec(readFileSync(`${folder}/README.md`, "utf8"))?.[1];
  const ran = runCli(["run", `${folder}/rules.tsd`, ...facts, ...(clock === undefined ? [] : ["--clock", clock])]);
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(`${folder}/expected.txt`, ran.out);
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toBe(readFileSync(`${folder}/expected.txt`, "utf8"));
});

test("chat-guard talks as its transcript says", async () => {
  const folder = "examples/chat-guard";
  const { conversation } = (await import(pathToFileURL(`${folder}/chat.mjs`).href)) as {
    conversation: (library: typeof sluice, rules: string) => string;
  };
  const said = `${conversation(sluice, readFileSync(`${folder}/rules.tsd`, "utf8"))}\n`;
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(`${folder}/transcript.txt`, said);
  expect(said).toBe(readFileSync(`${folder}/transcript.txt`, "utf8"));
});

test("there are examples with an expected output", () => {
  expect(examples).toEqual(
    expect.arrayContaining(["fraud", "hello", "loan-approval", "miss-manners", "orders", "release-gate"]),
  );
});

const TESTED = [
  "fraud",
  "hello",
  "loan-approval",
  "insurance-quote",
  "fraud-windows",
  "alert-dedup",
  "order-promotions",
  "tool-guard",
];

test.each(TESTED)("the tests of %s pass", (name) => {
  expect(runCli(["test", `examples/${name}/rules.tsd`])).toMatchObject({ exit: 0, err: "" });
});

test("the rules of the tests of loan-approval and fraud all fire", () => {
  for (const name of ["fraud", "loan-approval"]) {
    const ran = runCli(["test", `examples/${name}/rules.tsd`, "--coverage", "--json"]);
    const coverage = ran.out.split("\n").find((line) => line.includes('"coverage"')) ?? "{}";
    expect(JSON.parse(coverage)).toMatchObject({ neverFired: [] });
  }
});

test("Miss Manners fires as often as CLIPS does", () => {
  const ran = runCli([
    "run",
    "examples/miss-manners/rules.tsd",
    "--facts",
    "examples/miss-manners/facts.json",
    "--json",
  ]);
  expect(JSON.parse(ran.out.trimEnd().split("\n").at(-1) ?? "{}")).toMatchObject({ fired: 183, halted: true });
});

describe("typed-embedding", () => {
  const folder = "examples/typed-embedding";
  const read = (name: string): string => readFileSync(`${folder}/${name}`, "utf8");

  test("has declarations that are current", () => {
    const file = `${folder}/rules.tsd`;
    expect(runCli(["types", file]).out).toBe(read("rules.d.ts"));
  });

  test("compiles, and does not with a misspelt field", () => {
    const user = userFolder();
    const misspelt = read("main.ts").replace("hours: 6", "huors: 6");
    user.write({ "rules.d.ts": read("rules.d.ts"), "main.ts": read("main.ts"), "misspelt.ts": misspelt });
    expect(user.refusals("main.ts")).toEqual([]);
    expect(user.refusals("misspelt.ts")).toEqual([expect.stringContaining("'huors'")]);
    user.remove();
  });

  test("prints what it promises", async () => {
    const out = join(mkdtempSync(join(tmpdir(), "sluice-embedding-")), "main.mjs");
    await build({
      entryPoints: [`${folder}/main.ts`],
      outfile: out,
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { sluice: "./src/index.ts" },
      logLevel: "error",
    });
    expect(execFileSync(process.execPath, [out], { encoding: "utf8" })).toBe(read("output.txt"));
  });
});
