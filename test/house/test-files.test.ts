/** Tests that every test file opens with a sentence that says what it tests. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));

test.each(files)("%s", (name) => {
  expect(readFileSync(`test/${name}`, "utf8")).toMatch(/^\/\*\*\s+(?:\* )?(?!\s|\*\/)[^]+?[.:](?:\s|\*\/)/u);
});
