/** Programs that must be refused, and programs that must not, found by reading the checker with fresh eyes. */
import { describe, expect, test } from "vitest";
import { check } from "../src/index.ts";

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
    ["a variable bound twice in EXISTS", `${A}rule r : {a: A} / EXISTS(a: A / a.n > 1) ==> log(a.id)`, ["E204"]],
    ["a guardian that checks nothing", `${A}guardian g for a: A { }`, ["E232"]],
  ])("%s", (_, source, expected) => {
    expect(codes(source)).toEqual(expected);
  });
});

describe("accepted", () => {
  test.each([
    ["a sum that is then joined to a text", `${A}rule r { when a: A then log(a.n - 1 + " years") }`],
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
