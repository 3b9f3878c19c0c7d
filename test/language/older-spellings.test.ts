/** Tests older spellings that were once misread: comments with `#` inside brackets, unnamed rules in several files. */
import { describe, expect, test } from "vitest";
import { checkFiles, check, formatFiles, parse } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const errors = (source: string): string[] =>
  check(source)
    .diagnostics.filter((one) => one.severity === "error")
    .map((one) => `${one.line} ${one.code} ${one.message}`);
const comments = (source: string): string[] => parse(source).comments.map((one) => one.text);
const fields = (source: string): string[] => {
  const [type] = parse(source).declarations;
  return type?.kind === "type" ? type.fields.map((field) => `${field.key ? "#" : ""}${field.name.name}`) : [];
};

describe("a # at the start of a line", () => {
  test.each([
    ["a fact", "type P(a: number, b: number)\nP(\n  # one\n  a: 1,\n  # two\n  b: 2)", ["# one", "# two"]],
    ["a fact by position", "type P(a: number, b: number)\nP(1,\n# two\n2)", ["# two"]],
    ["a list", 'list l = [\n# one\n"a",\n# two\n"b"]', ["# one", "# two"]],
    ["parameters", "action act(\n# one\na: string,\n# two: really\nb: string)", ["# one", "# two: really"]],
    ["a pattern", "type P(a: number)\nrule r { when P(a > 1,\n# more\na < 3) then log(1) }", ["# more"]],
    ["a call", 'type P(a: number)\nrule r { when P() then log("a",\n# b\n"b") }', ["# b"]],
    [
      "a type",
      "type P(\n# one\n#a: string,\n# two, and: three\nb: number\n# end\n)",
      ["# one", "# two, and: three", "# end"],
    ],
  ])("inside %s is a comment", (_, source, expected) => {
    expect(errors(source)).toEqual([]);
    expect(comments(source)).toEqual(expected);
  });

  test.each([
    ["the first field", "type P(\n#a: string,\nb: number)", ["#a", "b"]],
    ["a later field", "type P(b: number,\n  #a: string)", ["b", "#a"]],
    ["a field of the older spelling", "type P : <b: number,\n#a: string>", ["b", "#a"]],
    ["a field behind a blank", "type P(\n# a: string,\nb: number)", ["#a", "b"]],
    ["the last field behind a blank", "type P(b: number,\n# a: string\n)", ["b", "#a"]],
  ])("before %s marks a key", (_, source, expected) => {
    expect(fields(source)).toEqual(expected);
    expect(comments(source)).toEqual([]);
  });

  test("elsewhere is a mistake, and the hint says how comments are written", () => {
    expect(check("type P(#a: string) # no").diagnostics[0]).toMatchObject({
      code: "E100",
      column: 20,
      hint: 'start a comment with "//"',
    });
  });
});

describe("rules without a name", () => {
  const files = [
    { file: "a.tsd", source: 'import "b.tsd"\ntype P(n: number)\n{p: P} / p.n == 1 ==> log("a")\n' },
    { file: "./b.tsd", source: '{p: P} / p.n == 2 ==> log("b")\n{p: P} / p.n == 3 ==> log("c")\n' },
  ];
  const read = (file: string): string | undefined => files.find((one) => one.file.endsWith(file))?.source;
  const rules = (checked: ReturnType<typeof checkFiles>): string[] => [...checked.symbols.rules.names()];

  test("are numbered over the program, in the order in which the files count", () => {
    const checked = checkFiles(files, { read });
    expect(checked.diagnostics.filter((one) => one.severity === "error")).toEqual([]);
    expect(rules(checked)).toEqual(["rule_1", "rule_2", "rule_3"]);
    expect(checked.symbols.rules.get("rule_3")?.source.file).toBe("a.tsd");
  });

  test("pass over names that are taken", () => {
    const checked = check('{p: P} / p.n == 1 ==> log("a")\nrule rule_1 : {p: P} / p.n == 2 ==> log("b")');
    expect(checked.diagnostics.filter((one) => one.severity === "error")).toEqual([]);
    expect(rules(checked)).toEqual(["rule_2", "rule_1"]);
  });

  test("get the same names when they are migrated", () => {
    const texts = formatFiles(files, { migrate: true }).map((one) => one.text);
    expect(texts[0]).toContain("rule rule_3 :");
    expect(texts[1]).toContain("rule rule_1 :");
    const again = checkFiles(
      files.map(({ file }, index) => ({ file, source: texts[index] ?? "" })),
      { read },
    );
    expect(rules(again)).toEqual(["rule_1", "rule_2", "rule_3"]);
  });

  test("are migrated by the command line as one program", () => {
    const given = Object.fromEntries(files.map(({ file, source }) => [file, source]));
    const ran = runCli(["fmt", "--migrate", "--write", "a.tsd", "./b.tsd"], given);
    expect(ran.exit).toBe(0);
    expect(ran.written.get("a.tsd")).toContain("rule rule_3 :");
    expect(ran.written.get("./b.tsd")).toContain("rule rule_2 :");
  });
});

test("a file is read once, however its path is written", () => {
  const sources: Record<string, string> = {
    "a.tsd": 'import "x/../b.tsd"\ntype A(n: number)',
    "b.tsd": "type B(n: number)",
  };
  const ran = runCli(["check", "./a.tsd", "b.tsd", "x/../a.tsd"], {
    ...sources,
    "./a.tsd": sources["a.tsd"] ?? "",
    "x/../a.tsd": sources["a.tsd"] ?? "",
  });
  expect(ran.out).toBe("2 files, 3 statements: no errors\n");
});

describe("a quorum over facts", () => {
  const old = 'type A(#id: string, ok: bool)\n\ngate "g" {\n    require at least 2 of a: A : a.ok // votes\n}\n';
  const closed = old.replace("of a: A", "of all a: A");

  test("is closed when it is migrated, which keeps the meaning that it had, and a note says so", () => {
    const [migrated] = formatFiles([{ file: "a.tsd", source: old }], { migrate: true });
    expect(migrated?.text).toBe(closed);
    expect(migrated?.diagnostics).toMatchObject([{ severity: "note", code: "W103", line: 4, column: 22 }]);
    expect(formatFiles([{ file: "a.tsd", source: closed }], { migrate: true })).toEqual([
      { text: closed, diagnostics: [] },
    ]);
  });

  test("stays as it is otherwise", () => {
    expect(formatFiles([{ file: "a.tsd", source: old }])).toEqual([{ text: old, diagnostics: [] }]);
  });

  test("is noted on the command line, and nothing fails", () => {
    const ran = runCli(["fmt", "--migrate", "a.tsd"], { "a.tsd": old });
    expect(ran).toMatchObject({ exit: 0, out: closed });
    expect(ran.err).toContain('a.tsd:4:22  note W103  "of all" was added');
  });
});
