/** Tests `sluice check` and what all commands share: files, imports, standard input, `--json`, help and exit codes. */
import { expect, test } from "vitest";
import { runCli } from "../support/io.ts";

const GOOD = "type Person(#id: string, age: number)\nrule adult : {p: Person} / p.age >= 18 ==> log(p.id)\n";
const BAD = "type Person(#id: string, age: number)\nrule adult : {p: Person} / p.agee >= 18 ==> log(p.id)\n";

test("a program without mistakes ends in 0 and one line", () => {
  const ran = runCli(["check", "a.tsd"], { "a.tsd": GOOD });
  expect(ran).toMatchObject({ exit: 0, out: "1 file, 2 statements: no errors\n", err: "" });
});

test("with --json every line on standard output is one JSON object and nothing goes elsewhere", () => {
  const ran = runCli(["check", "--json", "a.tsd"], { "a.tsd": BAD });
  const events = ran.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(ran.exit).toBe(1);
  expect(ran.err).toBe("");
  expect(events).toEqual([
    {
      event: "diagnostic",
      file: "a.tsd",
      line: 2,
      column: 30,
      endLine: 2,
      endColumn: 34,
      severity: "error",
      code: "E202",
      message: 'Person has no field "agee"',
      hint: 'did you mean "age"?',
    },
    { event: "summary", files: 1, statements: 2, errors: 1, warnings: 0 },
  ]);
});

test("several files are one program, whatever their order", () => {
  const types = "type Person(#id: string, age: number)\n";
  const rules = "rule adult : {p: Person} / p.age >= 18 ==> log(p.id)\n";
  expect(runCli(["check", "b.tsd", "a.tsd"], { "a.tsd": types, "b.tsd": rules }).exit).toBe(0);
});

test("imports are followed relative to the importing file, each once, also in a circle", () => {
  const files = {
    "rules/main.tsd": 'import "../types/person.tsd"\nrule adult : {p: Person} / p.age >= 18 ==> log(p.id)\n',
    "types/person.tsd": 'import "../rules/main.tsd"\ntype Person(#id: string, age: number)\n',
  };
  expect(runCli(["check", "rules/main.tsd", "--root", "."], files)).toMatchObject({
    exit: 0,
    out: "2 files, 4 statements: no errors\n",
  });
});

test("a mistake in an imported file is shown with its own line", () => {
  const ran = runCli(["check", "a.tsd"], { "a.tsd": 'import "b.tsd"\n', "b.tsd": BAD });
  expect(ran.err).toContain("b.tsd:2:30  error E202");
  expect(ran.err).toContain("    2 | rule adult");
});

test("standard input is read where a file is taken", () => {
  expect(runCli(["check", "-"], { "-": BAD }).err).toContain("<stdin>:2:30  error E202");
});

test("a file that cannot be read is E701 and ends in 2", () => {
  const ran = runCli(["check", "nowhere.tsd"]);
  expect(ran.exit).toBe(2);
  expect(ran.err).toContain("nowhere.tsd:1:1  error E701  cannot read the file: no such file");
});

test("with --strict a warning ends in 1", () => {
  const twice = "type A(x: number)\ntype A(x: number)\n";
  expect(runCli(["check", "a.tsd"], { "a.tsd": twice }).exit).toBe(0);
  expect(runCli(["check", "--strict", "a.tsd"], { "a.tsd": twice }).exit).toBe(1);
});

test.each([[["chek", "a.tsd"]], [["check"]], [["check", "--strct", "a.tsd"]], [[]]])(
  "wrong usage %j ends in 2 and says what was expected",
  (args) => {
    const ran = runCli(args, { "a.tsd": GOOD });
    expect(ran.exit).toBe(2);
    expect(`${ran.out}${ran.err}`).toMatch(/check/u);
  },
);

test.each(["check"])("%s has help with an example", (command) => {
  const ran = runCli([command, "--help"]);
  expect(ran.exit).toBe(0);
  expect(ran.out).toMatch(/Examples?:\n {2}sluice /u);
});
