/**
 * What the documents show is true: every `tsd` block is a program that checks, or gives the error it is marked with; every
 * code has its paragraph; every example checks. The README, the
 * tutorial and the cookbook are performed instead: readme.test.ts, tutorial.test.ts, cookbook.test.ts.
 *
 *     ```tsd                 no error and no warning, but the note that an open program gets
 *     ```tsd legacy          no error; older spellings are allowed
 *     ```tsd error=E202      the first error is E202
 *     ```tsd warning=W301    no error, and W301 alone is said
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, CODES, type Diagnostic } from "../../src/index.ts";

const ROOT = new URL("../../", import.meta.url);

interface Block {
  readonly file: string;
  readonly line: number;
  readonly info: readonly string[];
  readonly source: string;
}

const BLOCKS = documents().flatMap((file) => blocksOf(file, read(file)));

describe("a block of a document", () => {
  test.each(BLOCKS.map((block) => [`${block.file}:${block.line} ${block.info.join(" ")}`.trim(), block] as const))(
    "%s",
    (_name, block) => {
      const said = check(block.source, { file: block.file }).diagnostics;
      const errors = said.filter((one) => one.severity === "error");
      const wanted = option(block, "error");
      if (wanted !== undefined) {
        expect(errors.map(show)[0]).toMatch(new RegExp(`^${wanted} `));
        return;
      }
      expect(errors.map(show)).toEqual([]);
      const warning = option(block, "warning");
      if (warning !== undefined) expect(said.map((one) => one.code)).toContain(warning);
      const allowed = new Set([warning, "W201", block.info.includes("legacy") ? "W101" : undefined]);
      expect(said.filter((one) => !allowed.has(one.code)).map(show)).toEqual([]);
    },
  );

  test("says only what this test understands", () => {
    const words = BLOCKS.flatMap((block) => block.info).filter(
      (word) => !/^(legacy|(error|warning)=[EW]\d{3})$/.test(word),
    );
    expect(words).toEqual([]);
  });
});

describe("docs/errors.md", () => {
  const headings = [...read("docs/errors.md").matchAll(/^### (\S+) (.+)$/gm)];

  test("has a paragraph for every code, and for no other", () => {
    expect(headings.map((heading) => heading[1]).sort()).toEqual(Object.keys(CODES).sort());
  });

  test("has the title of each code as its heading", () => {
    const titles = Object.fromEntries(headings.map(([, code = "", title]) => [code, title]));
    expect(titles).toEqual(CODES);
  });

  test("shows in each paragraph only the code it is about", () => {
    const blocks = BLOCKS.filter((block) => block.file === "docs/errors.md");
    const misplaced = blocks.filter((block) => {
      const code = option(block, "error") ?? option(block, "warning");
      return code !== undefined && code !== sectionAt(read(block.file), block.line);
    });
    expect(misplaced.map((block) => block.line)).toEqual([]);
  });
});

describe("an example", () => {
  const names = readdirSync(new URL("examples", ROOT));

  test.each(names)("%s checks without a word, and its README says how", (name) => {
    const file = `examples/${name}/rules.tsd`;
    expect(check(read(file), { file, read }).diagnostics.map(show)).toEqual([]);
    expect(read(`examples/${name}/README.md`)).toContain(`npx sluice check ${file}\n`);
  });
});

function documents(): string[] {
  const docs = readdirSync(new URL("docs", ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && name !== "tutorial.md" && !name.startsWith("cookbook"))
    .map((name) => `docs/${name}`);
  return docs.sort();
}

function blocksOf(file: string, text: string): Block[] {
  const blocks: Block[] = [];
  for (const found of text.matchAll(/^```tsd\b(.*)\n([^]*?)^```$/gm)) {
    const [, info = "", source = ""] = found;
    const line = text.slice(0, found.index).split("\n").length;
    blocks.push({ file, line, info: info.split(" ").filter((word) => word !== ""), source });
  }
  return blocks;
}

/** The code of the last heading above a line. */
function sectionAt(text: string, line: number): string | undefined {
  const above = text.split("\n").slice(0, line);
  return above.findLast((one) => one.startsWith("### "))?.split(" ")[1];
}

function option(block: Block, name: string): string | undefined {
  return block.info.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

function show(diagnostic: Diagnostic): string {
  return `${diagnostic.code} in line ${diagnostic.line}: ${diagnostic.message}`;
}

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}
