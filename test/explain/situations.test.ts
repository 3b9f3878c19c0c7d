/**
 * Tests thirty situations that people ask about, as they read the answers: `test/situations/NN-name.tsd` has the situation and
 * the question in its first two lines, `NN-name.txt` the answer. `docs/explain.md` lists all of them. `SLUICE_UPDATE=1`
 * rewrites the answers and the list; read the diff before you commit it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const FOLDER = "test/situations";
const PAGE = "docs/explain.md";
const isUpdate = process.env["SLUICE_UPDATE"] === "1";

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".tsd"))
  .map((file) => file.replace(/\.tsd$/u, ""));

interface Situation {
  readonly title: string;
  readonly args: readonly string[];
}

function situationOf(name: string): Situation {
  const [title = "", question = ""] = readFileSync(`${FOLDER}/${name}.tsd`, "utf8").split("\n");
  const [, , command = "", ...rest] = question.match(/"[^"]*"|\S+/gu) ?? [];
  const args = [command, `${FOLDER}/${name}.tsd`, ...rest.map((word) => word.replaceAll('"', ""))];
  return { title: title.replace(/^\/\/ (.*)\.$/u, "$1"), args };
}

function answerOf(name: string): string {
  const golden = `${FOLDER}/${name}.txt`;
  return existsSync(golden) ? readFileSync(golden, "utf8") : "(no golden file)";
}

test.each(names)("%s", (name) => {
  const ran = runCli(situationOf(name).args);
  if (isUpdate) writeFileSync(`${FOLDER}/${name}.txt`, ran.out);
  expect(ran).toMatchObject({ exit: 0, err: "" });
  expect(ran.out).toBe(answerOf(name));
});

test("every headline is short, and every line names facts as their author does", () => {
  expect(names).toHaveLength(30);
  for (const name of names) {
    const [headline = ""] = answerOf(name).split("\n");
    expect(headline.length, headline).toBeLessThan(200);
    expect(headline, name).toMatch(/\.$/u);
    const own = answerOf(name).replaceAll(/"(?:\\.|[^"\\])*"/gu, '""');
    expect(own, name).not.toMatch(/\b[A-Z]\w*~|@\d|\b(?:undefined|null|NaN|alpha|terminal|activation)\b|\[object/u);
  }
});

/** The rows of the list: number, situation, headline. */
function listed(): string {
  const rows = names.map((name) => {
    const [headline = ""] = answerOf(name).split("\n");
    return `${Number(name.slice(0, 2))}. [${situationOf(name).title}](../${FOLDER}/${name}.tsd): \`${headline}\``;
  });
  return rows.join("\n");
}

test("docs/explain.md lists them with their headlines", () => {
  const page = readFileSync(PAGE, "utf8");
  const [before = "", , after = ""] = page.split(/<!-- \/?situations -->\n/u);
  const wanted = `${before}<!-- situations -->\n\n${listed()}\n\n<!-- /situations -->\n${after}`;
  if (isUpdate) writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, "utf8")).toBe(wanted);
});
