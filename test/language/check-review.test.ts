/** Tests programs that the checker must refuse, and similar ones that it must accept. */
import { describe, expect, test } from "vitest";
import { check } from "../../src/index.ts";

const codes = (source: string): string[] =>
  check(source)
    .diagnostics.filter((one) => one.severity === "error")
    .map((one) => one.code);

const A = "type A(#id: string, n: number, data: any, tags: string[], e: string?)\n";

describe("refused", () => {
  test.each([
    ["an unknown name inside an object", `${A}rule r { when a: A then a.data = {k: nosuch} }`, ["E205"]],
    ["a name twice in an object", `${A}rule r { when a: A then a.data = {k: 1, k: 2} }`, ["E404"]],
    ["a reserved name in an object", `${A}rule r { when a: A then a.data = {__proto__: 1} }`, ["E403"]],
    ["null in a list", `type L(l: string[]) L(l: [null])`, ["E407"]],
    ["null as a default", "type L(e: string? = null)", ["E407"]],
    ["clearing what cannot be missing", `${A}rule r { when a: A then a.n = null }`, ["E402"]],
    ["a key with a default", 'type K(#id: string = "x")', ["E214"]],
    ["a text for a fact whose key is a number", 'type P(#id: number) type O(#n: string, p: P) O("1", "abc")', ["E407"]],
    ["a reserved name for a variable", `${A}rule r { when __proto__: A then log("x") }`, ["E210"]],
    ["a condition without its arguments", `${A}condition c(a: A) : a.n > 1 gate g for a: A { require c }`, ["E209"]],
    ["a list joined to a text", `${A}rule r { when a: A then log("x" + a.tags) }`, ["E203"]],
    ["a list with an item of a wrong type", `${A}rule r { when a: A then a.tags = ["a", 1] }`, ["E407"]],
    [
      "a word that an action does not take",
      'action act(m: "a" | "b") type T(x: number) rule r { when t: T then act("c") }',
      ["E209"],
    ],
    ["the largest of values without order", `${A}rule r { when m: max(a.tags) from a: A then log(m) }`, ["E203"]],
    ["a number in a list of texts", `${A}list l = ["a", "b"] rule r { when a: A(n in l) then log(a.id) }`, ["E203"]],
    ["a variable bound twice in EXISTS", `${A}rule r : {a: A} / EXISTS(b: A, b: A / b.n > 1) ==> log(a.id)`, ["E204"]],
    ["a guardian that checks nothing", `${A}guardian g for a: A { }`, ["E232"]],
  ])("%s", (_, source, expected) => {
    expect(codes(source)).toEqual(expected);
  });
});

describe("refused in tests, pipelines and evidence", () => {
  const B = `${A}type B(#k: number)
gate g for a: A { require a.n > 1 }
gate k for b: B { require b.k > 1 }
guardian u for a: A { check c { need a.n > 1 as "x" do ADD_EVIDENCE } }
pipeline p for a: A { otherwise ERROR }
rule r { when a: A then log(a.id) }
one = A("1", 1, 2, [])
two = B(2)
`;

  test.each([
    ["a gate asked about another type", 'test "t" { expect gate g(two) is hold }', ["E209"]],
    ["a guardian asked about another type", 'test "t" { expect guardian u(two) is PASS }', ["E209"]],
    ["a pipeline asked about another type", 'test "t" { expect pipeline p(two) is BLOCK }', ["E209"]],
    ["a subject that is a number", 'test "t" { expect gate g(3) is hold }', ["E209"]],
    ["a subject that is a test", 'test "t" { expect gate g(true) is hold }', ["E209"]],
    ["a subject that is a list", 'test "t" { expect gate g([one]) is hold }', ["E209"]],
    ["a subject that is computed", 'test "t" { expect gate g("a" + "b") is hold }', ["E209"]],
    ["a text for a key that is a number", 'test "t" { expect gate k("2") is hold }', ["E209"]],
    ["a word for a key that is a number", 'test "t" { expect gate k(three) is hold }', ["E209"]],
    ["half a firing", 'test "t" { expect rule r fires 1.5 }', ["E209"]],
    ["half a fact", 'test "t" { expect 0.5 A(n > 1) }', ["E209"]],
    ["a decision that no pipeline ends in", 'test "t" { expect pipeline p(one) is NOTE }', ["E214"]],
    ["a number as an answer", "pipeline q for a: A { step s ANSWER a.n when a.n > 1 otherwise ERROR }", ["E203"]],
    ["a fact as a reason", "pipeline q for a: A { step s BLOCK a when a.n > 1 otherwise ERROR }", ["E203"]],
    ["a list as the end", "pipeline q for a: A { otherwise FORWARD a.tags }", ["E203"]],
    [
      "a number as the word of a border",
      "pipeline q for a: A { before a.n > 1 else BLOCK 3 otherwise ERROR }",
      ["E203"],
    ],
    ["evidence ordered by a list", "condition c : e.n > 1 from latest e: A(n > 0) by e.tags", ["E203"]],
    ["evidence ordered by itself", "condition c : e.n > 1 from latest e: A(n > 0) by e", ["E214"]],
    ["evidence ordered by something else", "condition c(a: A) : e.n > 1 from latest e: A(n > 0) by a.n", ["E214"]],
    ["evidence ordered by a bare field", "condition c : e.n > 1 from latest e: A(n > 0) by n", ["E214"]],
    ["a list that is not there", "rule s { when A(id in nosuch) then log(1) }", ["E213"]],
    ["a list that is not there for contains any", "rule s { when A(id contains any nosuch) then log(1) }", ["E213"]],
    ["missing() in a rule", "rule s { when a: A then log(missing()) }", ["E214"]],
    ["actions() in a gate", "gate h { require true on pass then log(actions()) }", ["E214"]],
    ["a quorum without its number", "gate h for a: A { require at_least(a.n > 1) }", ["E208"]],
    ["a trust field that no type has", "gate h for a: A { trust field lvl require a.n > 1 }", ["E202"]],
    ["a condition asked in a reaction", "condition c : true gate h { require c on pass then log(c()) }", ["E214"]],
    ["a condition as a value", "condition c(a: A) : a.n > 1 rule s { when a: A(c(a) == true) then log(1) }", ["E214"]],
    [
      "a condition in an operand",
      "condition c : true rule s { when a: A((c or a.n > 1) is missing) then log(1) }",
      ["E214"],
    ],
    ["a condition in an action", "condition c : true rule s { when a: A then log(not c) }", ["E214"]],
    ["a condition with wrong arguments", "condition c(a: A) : a.n > 1 rule s { when A(c(1)) then log(1) }", ["E209"]],
    ["a condition as a pattern", "condition c(a: A) : a.n > 1 rule s { when c(id) then log(1) }", ["E201"]],
  ])("%s", (_, source, expected) => {
    expect(codes(B + source)).toEqual(expected);
  });

  test.each([
    ["a fact of the program", 'test "t" { expect gate g(one) is hold expect gate k(two) is fail }'],
    ["a given fact", 'test "t" { given x = A("3", 1, 2, []) expect guardian u(x) is PASS }'],
    ["a key", 'test "t" { expect gate g("1") is hold expect gate g(p1) is hold expect gate k(2) is hold }'],
    ["an id", 'test "t" { expect gate g("A~1") is hold expect gate k("B~2") is hold }'],
    ["evidence ordered through a reference", "type C(a: A) condition c : e.a.n > 1 from latest e: C() by e.a.n"],
    ["an answer of any type", "pipeline q for a: A { step s ANSWER a.data when a.n > 1 otherwise ERROR }"],
  ])("but not %s", (_, source) => {
    expect(codes(B + source)).toEqual([]);
  });
});

describe("a variable of a part is hidden outside it, and the message says which part", () => {
  test.each([
    ['"exists"', "gate g for a: A { require exists b: A(n > 1) and b.n > 1 }"],
    ['"exists"', "rule r : {a: A} / EXISTS(b: A / b.n == a.n) AND b.n > 1 ==> log(a.id)"],
    ['"SUM"', "rule r : {a: A} / SUM(b: A / b.n == a.n ; b.n) > 1 AND b.n > 1 ==> log(a.id)"],
    ['"at least … of"', "gate g for a: A { require at least 1 of b: A(id == a.id) : b.n > 1 and b.n < 3 }"],
  ])("%s: %s", (part, source) => {
    const said = check(A + source).diagnostics.filter((one) => one.severity === "error");
    expect(said.map((one) => one.code)).toEqual(["E205"]);
    expect(said[0]?.message).toContain(`"b" is bound only inside ${part}`);
  });
});

describe("accepted", () => {
  test.each([
    ["a sum that is then joined to a text", `${A}rule r { when a: A then log(a.n - 1 + " years") }`],
    ["a quorum whose test is in parentheses", `${A}gate g { require at least 1 of b: A() : (b.n > 1 and b.n < 3) }`],
    [
      "a trust field of the evidence",
      `${A}type E(a: string, lvl: string) gate g { trust field lvl require exists E() }`,
    ],
    ["clearing an optional field", `${A}rule r { when a: A then a.e = null update(a, {e: null}) }`],
    ["a reference by the id of a fact", 'type P(#a: string, #b: string) type O(p: P) O(p: "P~1_2")'],
    ["comments that end in a carriage return", 'type P(#id: string)\r// note\rP("1")\rP("2")\r'],
  ])("%s", (_, source) => {
    expect(codes(source)).toEqual([]);
  });
});

test("one unknown type is one mistake", () => {
  expect(codes(`${A}type B(a: A) rule r { when x: Aa b: B(a == x) then log(x.n) }`)).toEqual(["E201"]);
});

test("a carriage return ends a line", () => {
  expect(check('type P(#id: string)\r// note\rP("1")\rP(idd: "2")\r').diagnostics[0]).toMatchObject({
    line: 4,
    code: "E401",
  });
});

test.each([
  [
    "long names",
    () => `type ${"a".repeat(50_000)}(x: number) rule r { when ${"a".repeat(49_999)}(x > 1) then log("x") }`,
  ],
  [
    "quorums inside each other",
    () => `type A(n: number) gate g { require ${"at least 1 of a: A() : ".repeat(3000)} true }`,
  ],
  ["a very long conjunction", () => `type A(n: number) gate g { require ${Array(20_000).fill("true").join(" and ")} }`],
])("%s end in a result", (_, source) => {
  expect(Array.isArray(check(source()).diagnostics)).toBe(true);
});
