/** docs/decisions/README.md lists every decision once, by its title. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "docs/decisions";
const index = readFileSync(`${FOLDER}/README.md`, "utf8");
const files = readdirSync(FOLDER).filter((name) => name !== "README.md");

test("every decision is listed once, with its title and one line", () => {
  const listed = [...index.matchAll(/^\| \[(.+)\]\(([\w-]+\.md)\) +\| (\S.*\S) +\|$/gmu)];
  expect(listed).toHaveLength(files.length);
  expect(new Set(listed.map(([, , file]) => file))).toEqual(new Set(files));
  for (const [, title = "", file = ""] of listed) {
    expect(readFileSync(`${FOLDER}/${file}`, "utf8").split("\n")[0]).toBe(`# ${title}`);
  }
});

test("every title begins with the number of its file", () => {
  for (const file of files) {
    expect(readFileSync(`${FOLDER}/${file}`, "utf8")).toMatch(new RegExp(`^# ${file.slice(0, 4)} \\S`, "u"));
  }
});

test("every link between decisions leads to a file", () => {
  for (const file of [...files, "README.md"]) {
    const text = readFileSync(`${FOLDER}/${file}`, "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((\d{4}-[\w-]+\.md)\)/gu)) expect(files).toContain(target);
  }
});
