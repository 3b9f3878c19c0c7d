/** docs/promises.md is complete: every promise and workload that is named anywhere has its row, and every file is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BENCHMARKS } from "../../bench/lib/registry.ts";

const text = readFileSync("docs/promises.md", "utf8");
const inCode = [...text.matchAll(/`([^`\n]+)`/gu)].map(([, code = ""]) => code);
/** The first cells of table rows. */
const rows = new Set([...text.matchAll(/^\| (\S+) +\|/gmu)].map(([, name = ""]) => name));

test("every file that it names exists", () => {
  const files = inCode.filter((code) => /^(?:test|src|bench)\/[\w./-]+$/u.test(code));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) expect(existsSync(file), file).toBe(true);
});

test("it names every file of test/promises", () => {
  for (const file of readdirSync("test/promises")) expect(inCode).toContain(`test/promises/${file}`);
});

test("it has a row for every benchmark, and its command is one that exists", () => {
  const commands = inCode.flatMap((code) => /^npm run bench -- (\w+)$/u.exec(code)?.[1] ?? []);
  expect(new Set(commands)).toEqual(new Set(Object.keys(BENCHMARKS)));
});

test("it has a row for every short name that is used in code, tests and documents", () => {
  const folders = ["docs", "src", "test", "bench"];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|md)$/u.test(name) && !name.includes("node_modules"))
      .map((name) => `${folder}/${name}`),
  );
  const used = new Set<string>();
  for (const file of files) {
    for (const [name] of readFileSync(file, "utf8").matchAll(
      /(?<![\w#\\$-])(?:D(?:[1-9]|1\d)|W[1-9])(?![\w/.-]\w|\w)/gu,
    ))
      used.add(name);
  }
  expect([...used].filter((name) => !rows.has(name))).toEqual([]);
  for (let n = 1; n <= 14; n++) expect(rows).toContain(`D${n}`);
});

test("the commands of its first section are scripts and configurations that exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/^npm run ([\w:]+)/gmu)].map(([, script = ""]) => script);
  for (const script of named) expect(Object.keys(scripts)).toContain(script);
  const configs = [...text.matchAll(/--config (\S+)/gu)].map(([, file = ""]) => file);
  for (const file of configs) expect(existsSync(file), file).toBe(true);
});
