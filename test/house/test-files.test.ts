/** Tests that every test file opens with a sentence that says what it tests. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));

const OPENING = /^\/\*\*\s+(?:\* )?(?!\s|\*\/)(?:(?!\*\/)[^])+?[.:](?:\s|\*\/)/u;

test.each(files)("%s", (name) => {
  expect(readFileSync(`test/${name}`, "utf8")).toMatch(OPENING);
});

test("a sentence that ends after the comment does not count", () => {
  expect("/** Tests nothing */\n// The end. */").not.toMatch(OPENING);
});
