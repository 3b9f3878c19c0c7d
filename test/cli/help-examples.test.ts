/** Tests that every example in the help of a command works as printed when it names files of examples/. */
import { expect, test } from "vitest";
import { runCli, runCliAsync } from "../support/io.ts";

const help = runCli(["--help"]).out;
const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gmu)].map(([, name = ""]) => name);
const helps = [help, ...commands.map((name) => runCli([name, "--help"]).out)];
const examples = helps.flatMap(examplesOf);

/** Returns the commands that a help shows with files of examples/; a line that ends in `\` continues. */
function examplesOf(text: string): string[] {
  const [, shown = ""] = text.split(/^Examples?:$/mu);
  const lines = shown.replaceAll(/\\\n\s*/gu, "").split("\n");
  return lines.filter((line) => /^ {2}sluice .*\bexamples\//u.test(line)).map((line) => line.trim());
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, word]) => quoted ?? word ?? "");
}

test("every command that takes rules shows an example", () => {
  const shown = new Set(examples.map((line) => wordsOf(line)[1]));
  expect(commands.filter((name) => !shown.has(name))).toEqual(["pack"]);
});

test.each([...new Set(examples)])("%s", async (line) => {
  const [, ...args] = wordsOf(line);
  const ran = await runCliAsync(
    args,
    {},
    {
      watch: (_, work) => Promise.resolve(work()),
      dialogue: () => Promise.resolve(),
    },
  );
  expect(ran.err).not.toMatch(/error|^sluice:/mu);
  expect([0, 3, 4]).toContain(ran.exit);
});
