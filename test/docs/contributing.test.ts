/** CONTRIBUTING.md answers where to add what, each with at most five files, and its commands exist. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const [, where = ""] = /^## Where do I add…$([^]*?)^## /mu.exec(text) ?? [];
const questions = where.split(/^### /mu).slice(1);

test("it answers the ten questions of a newcomer", () => {
  const titles = questions.map((question) => question.slice(0, question.indexOf("\n")));
  const asked =
    "aggregate, function, command, guardian, conditional element, `or`, output format, store, hover, strategy";
  for (const word of asked.split(", ")) expect(titles.filter((title) => title.includes(word))).toHaveLength(1);
});

test("each answer names at most five files, and what turns red", () => {
  for (const question of questions) {
    const files = [...question.matchAll(/^\| `([^`]+)`/gmu)].map(([, file]) => file);
    expect(files.length, question).toBeLessThanOrEqual(5);
    expect(question).toMatch(/^Turns red: |\bTurns red: /mu);
  }
});

test("every script that it names is in package.json", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/npm (?:run )?([a-z:]+)/gu)].map(([, script = ""]) => script);
  expect(new Set(named).size).toBeGreaterThan(5);
  for (const script of named.filter((one) => one !== "commands")) expect(Object.keys(scripts)).toContain(script);
});

test("every step of npm test that it names is one", () => {
  const steps = readFileSync("scripts/verify.mjs", "utf8");
  const named = [...text.matchAll(/the step "([^"]+)"/gu)].map(([, step = ""]) => step);
  expect(named.length).toBeGreaterThan(2);
  for (const step of named) expect(steps).toContain(`["${step}", `);
});
