/**
 * The README is performed from an empty folder: its program and its library sample run together, as printed. `SLUICE_UPDATE=1`
 * rewrites its outputs and draws its picture again; read the difference, and look at the picture.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCliAsync } from "../support/io.ts";
import { installed, type Installed } from "../support/installed.ts";
import { blocksOf, Performer } from "../support/perform.ts";
import { userFolder } from "../support/user-folder.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const update = process.env["SLUICE_UPDATE"] === "1";
const blocks = blocksOf(read("README.md"));
const block = (language: string): string => blocks.find((one) => one.language === language)?.text ?? "";
let reader: Installed;

beforeAll(async () => {
  reader = await installed();
});
afterAll(() => reader.remove());

test("the README does what it says, from an empty folder", async () => {
  const performed = await new Performer(reader).perform(read("README.md"));
  if (update) writeFileSync("README.md", performed.corrected);
  else expect(performed.failures).toEqual([]);
  expect(performed.commands).toEqual([
    "npx sluice run rules.tsd",
    "npx sluice why rules.tsd welcome --fact p=Person~p1",
    "node main.mjs",
  ]);
});

test("its picture is the network of its rule", async () => {
  const ran = await runCliAsync(["graph", "rules.tsd"], { "rules.tsd": block("tsd") });
  if (update) writeFileSync("docs/pictures/readme.svg", ran.out);
  expect(ran.out).toBe(read("docs/pictures/readme.svg"));
  expect(read("README.md")).toContain("(docs/pictures/readme.svg)");
  expect(read("README.md")).toContain("`npx sluice graph rules.tsd -o rules.svg`");
});

test("its library sample compiles as TypeScript", () => {
  const user = userFolder();
  user.write({ "main.ts": block("js").replace("remedies[0].", "remedies[0]?.") });
  expect(user.refusals("main.ts")).toEqual([]);
  user.remove();
});

test("the commands that it names for a clone exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const shown = blocks
    .filter((one) => one.info === "not-run")
    .flatMap((one) => [...one.text.matchAll(/^npm (\w+)/gmu)]);
  expect(shown.map(([, name = ""]) => scripts[name] !== undefined)).toEqual([true, true]);
});
