/**
 * The tutorial is performed from an empty folder, block by block. `SLUICE_UPDATE=1` rewrites its outputs; read the difference
 * before committing it. The second half breaks the tutorial on purpose, and expects that performing it notices.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installed, type Installed } from "../support/installed.ts";
import { type Block, blocksOf, Performer } from "../support/perform.ts";

const FILE = "docs/tutorial.md";
let reader: Installed;
let performer: Performer;

beforeAll(async () => {
  reader = await installed();
  performer = new Performer(reader);
});
afterAll(() => reader.remove());

const page = (): string => readFileSync(FILE, "utf8");

test("the tutorial does what it says, from an empty folder", async () => {
  const performed = await performer.perform(page());
  if (process.env["SLUICE_UPDATE"] === "1") {
    writeFileSync(FILE, performed.corrected);
    expect((await performer.perform(page())).failures).toEqual([]);
    return;
  }
  expect(performed.failures).toEqual([]);
});

test("the folder that the tutorial makes in the clone is ignored by git, and so by lint and format", () => {
  const [, folder] = /^mkdir (\S+)$/mu.exec(page()) ?? [];
  expect(readFileSync(".gitignore", "utf8").split("\n")).toContain(`/${folder}/`);
});

test("the tutorial has every kind of step", () => {
  const languages = blocksOf(page()).map((block) => block.language);
  expect(new Set(languages)).toEqual(new Set(["sh", "", "tsd", "diff", "json", "js"]));
  expect(languages.filter((language) => language === "sh").length).toBeGreaterThan(12);
});

describe("a change that makes the tutorial untrue is noticed", () => {
  const text = page();
  const blocks = blocksOf(text);
  const changed = (block: Block, from: number, to: number, by: string): string =>
    text.slice(0, block.from + from) + by + text.slice(block.from + to);
  const notices = async (changedPage: string): Promise<boolean> =>
    (await performer.perform(changedPage, { stop: true })).failures.length > 0;

  test.each(blocks.filter(({ language }) => language === "").map((block) => [block.line, block] as const))(
    "in any line of the output in line %i",
    async (_line, block) => {
      for (const { index, 0: found } of block.text.matchAll(/\w(?=\W*\w*\W*$)/gmu)) {
        expect(await notices(changed(block, index, index + found.length, found === "x" ? "y" : "x"))).toBe(true);
      }
    },
  );

  test.each(
    blocks.filter(({ language }) => language !== "").map((block) => [block.language, block.line, block] as const),
  )("in any line of the %s block in line %i", async (_language, _line, block) => {
    for (const { index: start, 0: line } of block.text.matchAll(/^.*\w.*$/gmu)) {
      const trials = changesOf(line).map(({ index, length, by }) =>
        changed(block, start + index, start + index + length, by),
      );
      const noticed = await Promise.all(trials.map(notices));
      const survived = noticed.filter((one) => !one).length;
      // A value that nothing depends on, such as the age of a VIP, may be another one; never most of a line.
      expect(survived, line).toBeLessThanOrEqual(noticed.length / 2);
    }
  });

  test("when a command loses its output, or a block its file", async () => {
    for (const block of blocks) {
      const fence = text.lastIndexOf("```", block.from);
      const label = text.lastIndexOf(":", fence);
      if (block.language === "") expect(await notices(text.slice(0, fence) + text.slice(block.to + 4))).toBe(true);
      else if (block.language !== "sh")
        expect(await notices(`${text.slice(0, label)}.${text.slice(label + 1)}`)).toBe(true);
    }
  });
});

/** One change for each number, each string and the first word of a line. */
function changesOf(line: string): { index: number; length: number; by: string }[] {
  const numbers = [...line.matchAll(/\b\d+\b/gu)].map(({ index, 0: number }) => ({
    index,
    length: number.length,
    by: `${Number(number) + 90}`,
  }));
  const words = [...line.matchAll(/(?<=^\W*)\w+|(?<=")[^"\n]+(?=")/gu)];
  return [...numbers, ...words.map(({ index, 0: word }) => ({ index: index + word.length, length: 0, by: "x" }))];
}
