/**
 * The examples of docs/api compile against the library and give the values that they show: in `expression; // => value` the
 * expression must equal the value. All of them are compiled once and run in one process. `scripts/api.mjs --check`, a step of
 * `npm test`, compares the pages with the comments in src.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as node from "../../src/node/index.ts";
import * as sluice from "../../src/index.ts";
import { anchorsOf } from "../support/anchors.ts";
import { userFolder } from "../support/user-folder.ts";

interface Example {
  /** The heading above it: `Session.assert`. */
  readonly name: string;
  readonly code: string;
}

type Compare = (actual: unknown, shown: unknown) => void;
type Module = Readonly<Record<string, (compare: Compare) => Promise<void>>>;

const FOLDER = "docs/api";
const VALUE = /^(.+); \/\/ => (.+)$/gmu;
const pages = readdirSync(FOLDER).map((file) => ({ file, text: readFileSync(join(FOLDER, file), "utf8") }));
const examples = pages.flatMap(({ text }) => examplesOf(text));

function examplesOf(text: string): Example[] {
  return text.split(/^### /mu).flatMap((section) => {
    const blocks = [...section.matchAll(/^Example:\n\n```ts\n([^]*?)^```$/gmu)];
    return blocks.map(([, code = ""]) => ({ name: section.slice(0, section.indexOf("\n")), code }));
  });
}

/** A module with a function for each example; the imports that an example writes down are left out, all names are there. */
function moduleOf(all: readonly Example[]): string {
  const functions = all.map(({ code }, index) => {
    const body = code.replace(/^import .*\n/gmu, "").replace(VALUE, "compare($1, $2);");
    return `export async function example${index}(compare: (actual: unknown, shown: unknown) => void): Promise<void> {\n${body}}`;
  });
  const names = (library: object): string => Object.keys(library).join(", ");
  const imports = `import { ${names(sluice)} } from "sluice";\nimport { ${names(node)} } from "sluice/node";
import { loadPlan } from "sluice/runtime";
import { regex } from "sluice/regex";`;
  return [imports, ...functions].join("\n\n");
}

test("the main calls have examples, and every value that is shown is compared", () => {
  const named = new Set(examples.map(({ name }) => name));
  const main = ["compile", "check", "Program.session", "guard", "verifyPack"];
  const calls = "assert update retract batch run on snapshot".split(" ").map((name) => `Session.${name}`);
  const questions = "query gate verdict decide why whyNot wouldOpen".split(" ").map((name) => `Session.${name}`);
  for (const name of [...main, ...calls, ...questions]) expect(named).toContain(name);
  for (const { name, code } of examples) {
    expect(code.match(VALUE) ?? [], name).toHaveLength(code.split("// =>").length - 1);
  }
});

test("every example compiles", () => {
  const user = userFolder();
  user.write({ "examples.ts": moduleOf(examples) });
  expect(user.refusals("examples.ts")).toEqual([]);
  user.remove();
});

describe("an example", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-api-"));
  let built: Module = {};

  beforeAll(async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const outfile = join(folder, "examples.mjs");
    await build({
      stdin: { contents: moduleOf(examples), loader: "ts", resolveDir: resolve(".") },
      alias: {
        sluice: resolve("src/index.ts"),
        "sluice/node": resolve("src/node/index.ts"),
        "sluice/runtime": resolve("src/runtime.ts"),
        "sluice/regex": resolve("src/regex.ts"),
      },
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
    });
    built = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Module;
  });

  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(examples.map(({ name }, index) => [name, index] as const))("%s gives what it shows", async (_, index) => {
    const run = built[`example${index}`];
    expect(run).toBeDefined();
    await run?.((actual, shown) => expect(actual).toEqual(shown));
  });
});

test("every link between the pages leads to a heading", () => {
  const headings = new Map(pages.map(({ file, text }) => [file, anchorsOf(text)]));
  for (const { file, text } of pages) {
    for (const [, target = "", anchor = ""] of text.matchAll(/\]\(([\w-]+\.md)?#([\w-]+)\)/gu)) {
      expect(headings.get(target === "" ? file : target), `${file} links to ${target}#${anchor}`).toContain(anchor);
    }
  }
});
