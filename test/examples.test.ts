/**
 * Every example with an `expected.txt` prints exactly that when it is run, with its `facts.json` if it has one.
 * `SLUICE_UPDATE=1` writes the files anew; read the difference before committing it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import * as sluice from "../src/index.ts";
import { runCli } from "./support/io.ts";

const examples = readdirSync("examples").filter((name) => existsSync(join("examples", name, "expected.txt")));

test.each(examples)("%s prints what it promises", (name) => {
  const folder = `examples/${name}`;
  const facts = existsSync(`${folder}/facts.json`) ? ["--facts", `${folder}/facts.json`] : [];
  const ran = runCli(["run", `${folder}/rules.tsd`, ...facts]);
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
  expect(examples).toEqual(expect.arrayContaining(["hello", "orders", "release-gate"]));
});
