/** Tests that the program of "Live results" in embedding.md, as printed, does what its comments say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const TEXT = readFileSync("docs/embedding.md", "utf8");

function firstBlock(text: string, language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "u").exec(text)?.[1] ?? "";
}

interface Shown {
  watch(source: string): string[];
  follow(source: string): Promise<string[]>;
}

test("the program of live results returns what it says", async () => {
  const rules = firstBlock(TEXT, "tsd");
  const program = firstBlock(TEXT.slice(TEXT.indexOf("## Live results")), "ts");
  const folder = mkdtempSync(join(tmpdir(), "sluice-live-"));
  writeFileSync(join(folder, "live.ts"), program);
  await build({
    entryPoints: [join(folder, "live.ts")],
    outfile: join(folder, "live.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { sluice: join(process.cwd(), "src/index.ts") },
    logLevel: "error",
  });
  const shown = (await import(pathToFileURL(join(folder, "live.mjs")).href)) as Shown;
  rmSync(folder, { recursive: true });
  const [, promised = ""] = /return log; \/\/ => (.*)/u.exec(program) ?? [];
  expect(shown.watch(rules)).toEqual(JSON.parse(promised));
  expect(await shown.follow(rules)).toEqual(["Order~o1"]);
});
