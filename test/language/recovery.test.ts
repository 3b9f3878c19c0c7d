/**
 * Tests error recovery: one slip gives one error, the rest of the file is still read, and no name is wrongly reported as
 * unknown.
 */
import { describe, expect, test } from "vitest";
import { check, parse } from "../../src/index.ts";

/** `line code`, in the order they stand. */
const mistakes = (source: string): string[] =>
  check(source)
    .diagnostics.filter((one) => one.severity === "error")
    .map((one) => `${one.line} ${one.code}`);
const hints = (source: string): (string | undefined)[] => check(source).diagnostics.map((one) => one.hint);
const lines = (...all: string[]): string => all.join("\n");

describe("a declaration that cannot be read", () => {
  const R = "type R(#id: string, n: number)";

  test.each([
    ["type", "type P(#id: string,, n: number)", "rule r { when p: P(n > 1) then log(p.id) }\nP(1, 2)\ntype O(p: P)"],
    ["type, its word none", "xy P(#id: string)", "rule r { when p: P(n > 1) then log(p.id) }\nP(1)"],
    ["gate, its word none", "xy g for r: R { require true }", "rule r { when r: R then decide g(r) }"],
    ["type, its word mistyped", "tpye P(#id: string)", "rule r { when p: P(n > 1) then log(p.id) }\nP(1)"],
    ["type of a field", "type P(#id: string[, b: bool)", "type O(p: P)\nrule r { when o: O(p.id == 3) then log(o.p) }"],
    ["action", "action act(a: string,, b: string)", "action other()\nrule r { when r: R then act(r.id, 1) }"],
    ["condition", "condition c(r: R) : r.n > > 1", "gate g for r: R { require c(r) and c }"],
    ["list", 'list l = ["a" "b"]', "rule r { when r: R(id in l) then log(r.id) }"],
    ["gate", "gate g for r: R { require and r.n > 1 }", "rule r { when r: R then decide g(r) }"],
    ["guardian", "guardian g for r: R { check a { need } }", "rule r { when r: R then verify g(r) }"],
    ["named fact", 'alice = R("1" 2)', "type O(r: R)\nO(r: alice)"],
    ["rule", "rule y { when r: R(n > ) then log(1) }", 'remove rule y\ntest "t" { expect rule y fires 1 }'],
    ["pipeline", "pipeline p for r: R { step }", 'test "t" { given x = R("1", 2) expect pipeline p(x) is BLOCK }'],
    ["tuple space", "xuple-space s { selection fifo }", 'rule r { when r: R then Xuple("s", R("2", 2)) }'],
  ])("%s: its uses are not unknown", (_, broken, uses) => {
    expect(mistakes(lines(R, broken, uses))).toEqual(["2 E100"]);
    expect(mistakes(lines(R, uses)).length).toBeGreaterThan(0);
  });

  test("does not make a program open", () => {
    expect(check("type P(#id: string,, n: number)\nP(1, 2)").diagnostics.map((one) => one.code)).toEqual(["E100"]);
  });

  test("other names stay unknown, and other fields wrong", () => {
    expect(mistakes(lines(R, "type P(#id: string,)", "rule r { when p: Pp r: R(m == 1) then log(p.x) }"))).toEqual([
      "2 E100",
      "3 E201",
      "3 E202",
    ]);
  });
});

describe("where names may be declared that could not be read", () => {
  test.each([
    ["an import that cannot be found", 'import "nosuch.tsd"', "1 E701"],
    ["an import that cannot be read", "import nosuch.tsd", "1 E100"],
    ["a statement past a limit", `rule x : {p: P} / ${"(".repeat(300)}`, "1 E301"],
  ])("%s is the only mistake", (_, broken, expected) => {
    const uses =
      "type A(n: number)\nrule r { when p: P(x > 1) a: A(n in list_of_b) then act(p.x) }\nrule s { when a: A then decide gg(a) }";
    expect(mistakes(lines(broken, uses))).toEqual([expected]);
  });

  test("a comment that is not closed is the only mistake", () => {
    expect(mistakes("type A(n: number)\nrule r { when p: P(x > 1) then log(p.x) }\n/* \ntype P(x: number)")).toEqual([
      "3 E103",
    ]);
  });

  test("a mistyped field is still reported", () => {
    expect(mistakes('import "nosuch.tsd"\ntype A(number: number)\nrule r { when A(nummber > 1) then log(1) }')).toEqual(
      ["1 E701", "3 E202"],
    );
  });
});

test("a mistyped type of a field is one mistake, with the type that was meant", () => {
  const source = lines(
    "type P(#id: string, name: strng)",
    'rule r { when p: P(name == "x") then log(p.name + "!") }',
    'P("1", "Ann")',
  );
  expect(mistakes(source)).toEqual(["1 E201"]);
  expect(hints(source)).toEqual(['did you mean "string"?']);
});

describe("a missing bracket", () => {
  const P = "type P(#id: string)";
  const open = ["rule r {", "  when p: P", "  then log(p.id)", ""];

  test.each([
    ["facts at the end of the file", [...open, 'P("1")', 'P("2", 3)'], ["6 E100", "7 E401"]],
    [
      "facts before a rule",
      [...open, 'P("1", 2)', "rule s : {p: P} / p.no == 1 ==> log(1)"],
      ["6 E100", "6 E401", "7 E202"],
    ],
    ["a named fact", [...open, 'ann = P("1", 2)'], ["6 E100", "6 E401"]],
    ["a rule", [...open, "rule s {", "  when P(no == 1)", "  then log(1)", "}"], ["6 E100", "7 E202"]],
    ["a rule without a name", [...open, "{p: P} / p.no == 1 ==> log(1)"], ["6 E100", "6 E202"]],
    ["a fact behind a type", ["type Q(n: number", 'P("1", 2)'], ["3 E100", "3 E401"]],
    [
      "a rule behind a pattern",
      ["rule r { when p: P(id == 1", "  then log(1)", "}", 'P("1", 2)'],
      ["3 E100", "5 E401"],
    ],
    [
      "a statement called like a reserved word",
      ["type Q(n: number", "rule where { when P(no == 1) then }"],
      ["3 E100", "3 E202"],
    ],
  ])("before %s does not swallow it", (_, rest, expected) => {
    expect(mistakes(lines(P, ...rest))).toEqual(expected);
  });

  test("is named with the place where it was opened", () => {
    expect(check(lines(P, ...open, 'P("1")')).diagnostics[0]).toMatchObject({
      line: 6,
      column: 1,
      message: '"{" on line 2 is not closed before the next statement',
    });
  });

  test("one too many does not end the statement", () => {
    const source = lines(P, "rule r {", "  when p: P", "  then log(p.id))", "       log(1)", "}", 'P("1", 2)');
    expect(mistakes(source)).toEqual(["4 E100", "7 E401"]);
  });

  test("lines of a rule that are not indented are not taken for facts", () => {
    expect(mistakes(lines(P, "rule r {", "when", "p: P(id >> 3)", "then", "log(p.id)", "}", 'P("1", 2)'))).toEqual([
      "4 E100",
      "8 E401",
    ]);
  });
});

describe('a single "="', () => {
  const R = "type R(#id: string, n: number)\n";

  test.each([
    ["a condition", "condition c(r: R) : r.n = 1"],
    ["a condition with evidence", "condition c(r: R) : t.n = 1 from t: R(t.id == r.id)"],
    ["the evidence of a condition", "condition c(r: R) : t.n == 1 from latest t: R(id = r.id) by t.n"],
    ["a gate", "gate g for r: R { require r.n = 1 }"],
    ["the subject of a gate", "gate g for r: R(n = 1) { require true }"],
    ["a quorum", "gate g for r: R { require at least 1 of (r.n = 1, r.n == 2) }"],
    ["the test of a quorum over facts", "gate g for r: R { require at least 1 of a: R(a.n == 1) : a.n = 2 }"],
    ["need", 'guardian g for r: R { check a { need r.n = 1 as "x" do ADD_EVIDENCE } }'],
    ["forbid", 'guardian g for r: R { check a { forbid r.n = 1 as "x" do ADD_EVIDENCE } }'],
    ["the when of a line", 'guardian g for r: R { check a { need true when r.n = 2 as "x" do ADD_EVIDENCE } }'],
    ["before", 'pipeline p for r: R { before r.n = 1 else BLOCK "x" otherwise ERROR }'],
    ["after", 'pipeline p for r: R { after r.n = 1 else BLOCK "x" otherwise ERROR }'],
    ["the when of a step", 'pipeline p for r: R { step a BLOCK "x" when r.n = 1 otherwise ERROR }'],
    ["the unless of a step", 'pipeline p for r: R { step a BLOCK "x" unless r.n = 1 otherwise ERROR }'],
    ["where", "rule r { when r: R where r.n = 1 then log(1) }"],
    ["a pattern", "rule r { when r: R(n = 1) then log(1) }"],
    ["forall", "rule r { when forall (r: R : r.n = 2) then log(1) }"],
    ["a query", "query q { r: R(n = 1) }"],
    ["a slash rule", "rule r : {r: R} / NOT(r.n = 1) ==> log(1)"],
    ["EXISTS", "rule r : {r: R} / EXISTS(s: R / s.n = 1) ==> log(1)"],
    ["an expectation", 'test "t" { expect no R(n = 1) }'],
  ])("in %s is E106 and nothing else", (_, source) => {
    expect(mistakes(R + source)).toEqual(["2 E106"]);
  });

  test("does not hide the next one, or another mistake of the statement", () => {
    expect(mistakes(`${R}rule r { when r: R(n = 1, id = "x", m > 1) then log(r.no) }`)).toEqual([
      "2 E106",
      "2 E106",
      "2 E202",
      "2 E202",
    ]);
  });

  test("is no comparison where a fact is given a name behind a bracket that is open", () => {
    expect(mistakes(`${R}rule r {\n  when r: R(\nalice = R("5", 3, 4)\n`)).toEqual(["4 E100", "4 E401"]);
  });

  test('is read as "==" only where that gives a statement', () => {
    expect(parse(`${R}rule r { when r: R(n = = 1) then }`).diagnostics.map((one) => one.code)).toEqual([
      "E106",
      "E100",
    ]);
  });
});

test("lines that begin no statement are reported each, also behind a bad one", () => {
  const source = lines(
    "type P(#id: string)",
    "rule r {",
    "    when p: P(id >> 1)",
    "    then log(1)",
    "}",
    'fact P("x")',
    'P{id: "y"}',
    "if p.age > 3 then log(1)",
    'P("2", 3)',
  );
  expect(mistakes(source)).toEqual(["3 E100", "6 E100", "7 E100", "8 E100", "9 E401"]);
});

test("a word that begins statements, in the middle of a line, is one mistake", () => {
  expect(mistakes("type A(n: number)\ntype import Note(x: number)\nA(n: 2, m: 3)")).toEqual(["2 E100", "3 E401"]);
});

test("a rule that goes on in the next line, not indented, is one bad statement", () => {
  const source = lines(
    "type P(a: number)",
    "rule r : {p: P} / p.a > > 1 and",
    "p.a < 3",
    "==> log(1),",
    "log(2)",
    "P(1, 2)",
  );
  expect(mistakes(source)).toEqual(["2 E100", "6 E401"]);
});

test("a quote that is missing is one mistake, and what is indented under it no fact", () => {
  const source = lines(
    "type P(#id: string)",
    'rule "r {',
    "    when p: P",
    "    then",
    "        log(p.id)",
    "        update(p, {n: 1})",
    "}",
    'P("1", 2)',
    'test "t" { expect rule "r" fires given P(id: "x, n: "y") }',
    'P("3", 4)',
  );
  expect(mistakes(source)).toEqual(["2 E102", "8 E401", "9 E102", "10 E401"]);
});

test("the keys of a type whose word is mistyped are no old comments", () => {
  expect(check("tq R(\n  #id: string\n)").diagnostics.map((one) => one.code)).toEqual(["E100"]);
});

test("a semicolon is reported wherever it stands, and hides nothing", () => {
  const source = lines("type R(n: number);", "R(1); R(2, 3)", "rule r { when R(m > 1); then log(1); log(x); }");
  expect(mistakes(source)).toEqual(["1 E100", "2 E100", "2 E401", "3 E202", "3 E100", "3 E100", "3 E205", "3 E100"]);
});

describe("a comparison of another language gets the one that is meant", () => {
  test.each([
    ["===", 'write "=="'],
    ["!==", 'write "!="'],
    ["<>", 'write "!="'],
    ["=>", 'write ">="'],
    ["=<", 'write "<="'],
  ])("%s", (sign, hint) => {
    expect(hints(`type R(n: number)\nrule r { when R(n ${sign} 1) then log(1) }`)).toEqual([hint]);
  });
});

describe("the hint says what is missing", () => {
  test.each([
    ["a comma", "type R(a: number, b: number)\nR(1 2)", 'missing "," or ")" before it'],
    ["quotes", "import other.tsd", 'put the file name in quotes: import "other.tsd"'],
    ["a value before an operator", "rule r { when R(a and or b) then }", "expected a value"],
    [
      "a dot before a reserved word",
      "rule r { when R(where == 1) then }",
      '"where" is a reserved word: for a field of this name write p.where',
    ],
    ["a bracket before then", "rule r { when R(a > 1 then log(1) }", '"(" on line 1 is not closed'],
    ["a bracket too many", "type R(a: number))", "it closes no open bracket: remove it"],
    ["a sign of printed text", "rule r { when R(a ≥ 1) then }", 'write ">="'],
    ["a wide sign", "rule r { when R(a > １) then }", 'write "1"'],
    ["straight quotes", "rule r { when R(a == “x”) then }", 'write strings in straight quotes: "…"'],
    [
      "the characters of a name",
      "type R(\u00e9: number) rule r { when R(e\u0301 > 1) then }",
      '"\u00e9" looks the same but uses other characters: copy the name from its declaration',
    ],
    ["a then", "rule r { when R(a > 1) log(1) }", 'add "then" and the actions of the rule'],
    ["a then that is mistyped", "rule r { when R(a > 1) thne log(1) }", 'did you mean "then" before it?'],
    [
      "a when",
      'pipeline p for r: R { step s BLOCK "x" r.a otherwise ERROR }',
      'write "when" or "unless" before the test',
    ],
    ["a colon", 'type R(a: string)\nR(a "x")', 'missing ":", "," or ")" before it'],
    ["a bracket that opens", "gate g { require true on pass then log(1)) }", "it closes no open bracket: remove it"],
    [
      "a bracket before the next check",
      'guardian g for r: R { check a { need r.a as "x" do ADD_EVIDENCE\ncheck b { } }',
      '"{" on line 1 is not closed',
    ],
    [
      "a bracket before a reaction",
      'guardian g for r: R { check a { need r.a as "x" do ADD_EVIDENCE\non PASS then log(1) }',
      '"{" on line 1 is not closed',
    ],
    ["an equals sign of an arrow", "rule r : {r: R} / r.a => log(1)", 'write "==>"'],
    ["an arrow", "rule r : {r: R} / r.a -> log(1)", 'write "==>"'],
    ["the word of a statement", "tq R(a: number)", '"tq" does not start a statement: use type, rule, gate, …'],
    [
      "no word before a fact",
      "fact R(a: 1)",
      'a fact needs no keyword: write its type and its values, such as Person(id: "p1")',
    ],
    [
      "const for the whole program",
      "let limit = 5",
      '"let" stands inside a rule, a condition or a gate: write const for the whole program',
    ],
    [
      "the other side of a choice",
      "rule r { when r: R then log(if r.a then 1) }",
      "add the other side: if … then … else …",
    ],
    [
      "the other side of a choice in a list",
      "rule r { when R(a in [if b then 1, 2]) then }",
      "add the other side: if … then … else …",
    ],
    ["the type of a parameter", "param limit = 5", "a parameter needs a type: param limit: number = …"],
    [
      "nothing between elements",
      "rule r { when R(a > 1) && R(a < 3) then }",
      'patterns follow each other without "&&": remove it',
    ],
    [
      "a test for what is missing",
      "type R(a: string?) rule r { when R(a == null) then }",
      "to test whether a value is missing, write: x is missing",
    ],
    ["a bracket before another one", "rule r { when R(a > 1 }", '"(" on line 1 is not closed'],
  ])("%s", (_, source, hint) => {
    expect(hints(source)).toEqual([hint]);
  });
});
