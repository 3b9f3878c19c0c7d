/** Tests that what embedding.md and the pictures show is current. `SLUICE_UPDATE=1` draws the pictures again: look at them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, declarations } from "../../src/index.ts";
import { runCli, runCliAsync } from "../support/io.ts";
import { userFolder } from "../support/user-folder.ts";

const read = (file: string): string => readFileSync(file, "utf8");

/** The blocks of a language; that of plain output is "". */
function blocks(text: string, language: string): string[] {
  const all = [...text.matchAll(/^```(\w*)[^\n]*\n([^]*?)^```$/gmu)];
  return all.filter((found) => found[1] === language).map((found) => found[2] ?? "");
}

describe("the pictures of how-the-network-works.md", () => {
  const text = read("docs/how-the-network-works.md");
  const shown = [...text.matchAll(/```tsd\n([^]*?)```\n\n!\[[^\]]*\]\((pictures\/(\w+)\.svg)\)/gu)].map(
    ([, source = "", file = "", name = ""]) => [name, `docs/${file}`, source] as const,
  );

  test.each([...shown, ["orders", "docs/pictures/orders.svg", ""] as const])(
    "%s is current",
    async (name, file, source) => {
      const ran =
        source === ""
          ? await runCliAsync(["graph", "examples/orders/rules.tsd"])
          : await runCliAsync(["graph", `${name}.tsd`], { [`${name}.tsd`]: source });
      if (process.env["SLUICE_UPDATE"] === "1") writeFileSync(file, ran.out);
      expect(ran.out).toBe(read(file));
    },
  );

  test("are all that there are", () => {
    const files = [...shown.map(([, file]) => file), "docs/pictures/orders.svg", "docs/pictures/readme.svg"].map(
      (file) => file.split("/").at(-1),
    );
    expect(new Set(readdirSync("docs/pictures"))).toEqual(new Set(files));
  });
});

test("gates.md shows what a gate says when a rule reaches its match limit", () => {
  const text = read("docs/gates.md");
  const [, source = "?"] = /compile\(\n\s+`([^`]+)`,\n\s+\{ limits: \{ liveMatches: 100 \} \}/u.exec(text) ?? [];
  const session = compile(source, { limits: { liveMatches: 100 } }).session();
  for (let n = 0; n < 20; n++) {
    session.assert("Scan", { id: `s${n}`, release: "r-42", size: n });
    session.assert("Finding", { id: `f${n}`, size: n });
  }
  const [problem] = session.run().problems ?? [];
  expect(text).toContain(`session.run().problems; // ${problem?.code}: ${problem?.message}`);
  expect(session.gate("deploy", "Release~r-42").outcome).toBe("hold");
  session.reload(compile(source));
  expect(session.gate("deploy", "Release~r-42").outcome).toBe("pass");
});

test("every program of embedding.md compiles against the declarations of its rules", () => {
  const text = read("docs/embedding.md");
  const [rules = ""] = blocks(text, "tsd");
  const programs = blocks(text, "ts");
  expect(programs).toHaveLength(20);
  const user = userFolder();
  user.write({ "rules.d.ts": declarations(compile(rules)) });
  for (const [index, program] of programs.entries()) user.write({ [`program-${index}.ts`]: program });
  for (const index of programs.keys()) expect(user.refusals(`program-${index}.ts`)).toEqual([]);
  user.remove();
});

test("the tests of coming-from.md pass", () => {
  const programs = blocks(read("docs/coming-from.md"), "tsd").filter((block) => block.includes("\ntest "));
  expect(programs).toHaveLength(1);
  for (const source of programs) expect(runCli(["test", "a.tsd"], { "a.tsd": source })).toMatchObject({ exit: 0 });
});

test("the pages for users are written in everyday English", () => {
  const odd = /\b(anew|comes? to rest|(?:is|are) told|stands? behind|whole numbers?|small letters|a way out)\b/giu;
  const internal = /^docs\/(?:api|decisions)\/|^docs\/(?:architecture|errors|promises)\.md$/u;
  const pages = ["README.md", ...markdownBelow("docs"), ...markdownBelow("examples")].filter(
    (page) => !internal.test(page),
  );
  expect(pages.flatMap((page) => [...read(page).matchAll(odd)].map(([words]) => `${page}: ${words}`))).toEqual([]);
});

test("every command that a document or README shows exists", () => {
  const files = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const texts = [...files.map((name) => read(`docs/${name}`)), read("README.md")];
  const shown = new Set(
    texts.flatMap((text) => [...text.matchAll(/npx sluice ([a-z-]+)/gu)].map((found) => found[1] ?? "")),
  );
  for (const command of shown) expect(runCli([command, "--help"]).exit, command).toBe(0);
});

test.each(["README.md", ...markdownBelow("docs"), ...markdownBelow("examples")])(
  "every heading that %s links to is there",
  (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/gu)];
    const dead = links.filter(([, path = "", heading = ""]) => {
      const file = path === "" ? page : join(dirname(page), path);
      return existsSync(file) && !headingsOf(read(file)).has(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  },
);

function markdownBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

/** The names that GitHub gives to the headings of a page; the second of a name ends in -1. */
function headingsOf(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, title = ""] of text.matchAll(/^#+ (.+)$/gmu)) {
    const plain = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let name = plain;
    for (let count = 1; names.has(name); count++) name = `${plain}-${count}`;
    names.add(name);
  }
  return names;
}
