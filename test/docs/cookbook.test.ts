/**
 * Every page of the cookbook is performed from an empty folder, and the commands of pages that show pieces are run. `SLUICE_UPDATE=1` rewrites the outputs; read the difference
 * before committing it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installed, type Installed } from "../support/installed.ts";
import { blocksOf, Performer } from "../support/perform.ts";

const FOLDER = "docs/cookbook";
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");
const pages = readdirSync(FOLDER).filter((name) => name !== "README.md");
let reader: Installed;
let performer: Performer;

beforeAll(async () => {
  reader = await installed();
  performer = new Performer(reader);
});
afterAll(() => reader.remove());

test.each(pages)("%s does what it says, from an empty folder", async (name) => {
  const performed = await performer.perform(read(name));
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(`${FOLDER}/${name}`, performed.corrected);
  else expect(performed.failures).toEqual([]);
  expect(performed.commands.length).toBeGreaterThan(0);
});

test("the section on sharing of how-the-network-works.md does what it says, from an empty folder", async () => {
  const file = "docs/how-the-network-works.md";
  const page = readFileSync(file, "utf8");
  const [before = "", section = "", after = ""] = page.split(/(?=^## See the sharing)|(?<=api\/program\.md\)\.\n)/mu);
  const performed = await performer.perform(section);
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(file, before + performed.corrected + after);
  else expect(performed.failures).toEqual([]);
  expect(performed.commands).toHaveLength(3);
});

test("every page is in the index, and has the parts that a reader expects", () => {
  const listed = [...read("README.md").matchAll(/\]\(([\w-]+\.md)\)/gu)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(pages));
  for (const name of pages) {
    const text = read(name);
    for (const part of ["**Task.**", "## Variations", "## Pitfalls"]) expect(text, `${name}: ${part}`).toContain(part);
  }
});

test("a block that is not run is code of another system, or of one that is not here", () => {
  const marked = pages.flatMap((name) => blocksOf(read(name)).flatMap((block) => (block.info === "" ? [] : [name])));
  expect(marked).toEqual(["from-json-rules-engine.md", "guarding-an-llm.md"]);
});

test("the steps of the workflow are commands that the page performs", async () => {
  const { commands } = await performer.perform(read("gates-in-ci.md"));
  const workflow = blocksOf(read("gates-in-ci.md")).find(({ language }) => language === "yaml")?.text ?? "";
  const steps = [...workflow.matchAll(/- run: (.+)/gu)]
    .map(([, line = ""]) => line)
    .filter((line) => line !== "npm ci");
  expect(steps).toHaveLength(3);
  for (const step of steps) expect(commands).toContain(step);
});

const REFERENCE = ["docs/explain.md", "docs/gates.md"];
const EXAMPLES = readdirSync("examples").map((name) => `examples/${name}/README.md`);

test.each([...REFERENCE, ...EXAMPLES])("the commands of %s do what it says", async (file) => {
  const performed = await performer.performCommands(readFileSync(file, "utf8"));
  if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(file, performed.corrected);
  else expect(performed.failures).toEqual([]);
  expect(performed.commands.length).toBeGreaterThan(0);
});
