/** Tests expressions over lists: their values in all three truths, what they may not ask, and how they are explained. */
import { describe, expect, test } from "vitest";
import { check, textTree } from "../../src/tools.ts";
import { compile, type Value } from "../../src/index.ts";

const TYPES =
  "type O(#id: string, tags: string[], sizes: number[], other: string[]?, data: any?, buyer: P?)\ntype P(#id: string, tags: string[])\n";

function logged(source: string, fields: Readonly<Record<string, Value>> = {}): unknown[] {
  const session = compile(`${TYPES}${source}`).session();
  session.assert("O", { id: "o", tags: ["steel", "raw"], sizes: [3, 1, 2], ...fields });
  return session.run().effects.map(({ args }) => args[0]);
}

const value = (expr: string, fields?: Readonly<Record<string, Value>>): unknown =>
  logged(`rule r { when o: O then log(${expr}) }`, fields)[0];

/** Returns the truth of a test in a condition: whether a rule fires for it, and for its opposite. */
function truth(test: string, fields?: Readonly<Record<string, Value>>): boolean | undefined {
  const found = logged(
    `rule yes { when o: O(${test}) then log(true) } rule no { when o: O(not (${test})) then log(false) }`,
    fields,
  );
  return found[0] as boolean | undefined;
}

describe("a test on the items of a list", () => {
  test.each<[string, boolean | undefined, Record<string, Value>?]>([
    ["any(s in sizes : s > 2)", true],
    ["any(s in sizes : s > 3)", false],
    ["all(s in sizes : s > 0)", true],
    ["all(s in sizes : s > 1)", false],
    ["any(s in [] : s == 1)", false],
    ["all(s in [] : s == 1)", true],
    ['any(t in other : t == "x" or true)', undefined],
    ["any(s in data : s > 2)", true, { data: ["x", 3] }],
    ["any(s in data : s > 2)", undefined, { data: ["x", 1] }],
    ["all(s in data : s > 2)", undefined, { data: ["x", 3] }],
    ["all(s in data : s > 2)", false, { data: ["x", 1] }],
    ["any(s in data : s.a.b == 1)", true, { data: [{ a: { b: 1 } }] }],
    ["any(s in data : s.a.b == 1)", undefined, { data: [{ a: 1 }, { a: { b: 2 } }] }],
    ["any(s in sizes : all(t in sizes : s >= t))", true],
    ["any(s in sizes : all(t in sizes : s > t))", false],
    ["any(tags in [1, 2] : tags == 2)", true],
    ['tags contains all ["raw", "steel"]', true],
    ['tags contains all ["raw", "wood"]', false],
    ["tags contains all other", undefined],
    ['id contains all ["o", ""]', true],
    ['tags == ["steel", "raw"]', true],
    ['tags != ["raw", "steel"]', true],
    ["tags == other", undefined],
    ["[s * 2 for s in sizes if s > 1] == [6, 4]", true],
    ["[s for s in sizes] in [[1], [3, 1, 2]]", true],
    ["sizes[0] == 3 and sizes[1 + 1] == 2", true],
    ["sizes[3] == 1", undefined],
    ["sizes[-1] == 1", undefined],
    ["sizes[0.5] == 1", undefined],
    ["sizes[3] is missing", true],
    ["data[0].x == 1", true, { data: [{ x: 1 }] }],
    ["data.a.b.c == 1", true, { data: { a: { b: { c: 1 } } } }],
    ["data.a.b.c == 1", undefined, { data: { a: 1 } }],
  ])("%s is %s", (written, wanted, fields) => {
    expect(truth(written, fields)).toBe(wanted);
  });

  test.each<[string, unknown, Record<string, Value>?]>([
    [
      "[{ id: o.id, size: s } for s in o.sizes if s < 3]",
      [
        { id: "o", size: 1 },
        { id: "o", size: 2 },
      ],
    ],
    ['[[t for t in o.tags if t contains "e"] for s in o.sizes if s == 1]', [["steel"]]],
    ["[s for s in o.data]", undefined],
    ["[s.a for s in o.data]", undefined, { data: [{ a: 1 }, {}] }],
    ["[s.a for s in o.data if s.a is present]", [1], { data: [{ a: 1 }, {}] }],
    ["[s for s in o.data if s > 1]", undefined, { data: ["x", 2] }],
    ["sum([s * 2 for s in o.sizes])", 12],
    ["first(sort(o.sizes)) + last(o.sizes)", 3],
    ['join(reverse(split("a b", " ")), "-")', "b-a"],
    ["min(o.sizes) + max(o.sizes) + median(o.sizes) + min(7, 8)", 13],
    ["slice(o.sizes, -2)", [1, 2]],
    ["distinct(flatten([[1], [[1]], 1, [1]]))", [1, [1]]],
    ["sort(o.data)", undefined, { data: [1, "a"] }],
    ["first([])", undefined],
    ["sum(o.data)", undefined, { data: [1, "a"] }],
    ["o.data[1][0]", 7, { data: [0, [7]] }],
    ["[1, 2][1]", 2],
  ])("%s is %j", (written, wanted, fields) => {
    expect(value(written, fields)).toEqual(wanted);
  });

  test("lists are equal by what is in them, also where facts are looked up by them", () => {
    const rules = "rule r { when o: O p: P(tags == o.tags) then log(p.id) }";
    const session = compile(`${TYPES}${rules}`).session();
    session.assert("O", { id: "o", tags: ["a", "b"], sizes: [] });
    session.assert("P", { id: "p1", tags: ["a", "b"] });
    session.assert("P", { id: "p2", tags: ["a,b"] });
    session.assert("P", { id: "p3", tags: ["b", "a"] });
    expect(session.run().effects.map(({ args }) => args[0])).toEqual(["p1"]);
  });

  test("a string is never found in place of a list with the same text", () => {
    const session = compile("rule r { when a: A b: B(x == a.x) then log(b.id) }").session();
    session.assert("A", { x: ["a"] });
    session.assert("B", { id: 1, x: '\0["a"]' });
    session.assert("B", { id: 2, x: ["a"] });
    expect(session.run().effects.map(({ args }) => args[0])).toEqual([2]);
  });

  test("names of items make no difference to sharing", () => {
    const rules =
      "rule a { when O(any(s in sizes : s > 2)) then log(1) } rule b { when O(any(x in sizes : x > 2)) then log(2) }";
    expect(
      compile(`${TYPES}${rules}`)
        .plan(true)
        .nodes.filter(({ kind }) => kind === "alpha"),
    ).toHaveLength(1);
  });

  test("a loop in a loop stops at a million items, is unknown, and is reported", () => {
    const session = compile(
      `${TYPES}rule r { when o: O(all(a in sizes : all(b in sizes : a != b or true))) then log(1) }`,
    ).session();
    session.assert("O", { id: "o", tags: [], sizes: Array.from({ length: 1001 }, (_, index) => index) });
    const { effects, problems } = session.run();
    expect(effects).toEqual([]);
    expect((problems ?? []).map(({ message }) => message).join()).toContain("visits more than 1,000,000 items");
  });

  test("functions of the program have them, also inside other loops", () => {
    const functions = `function longer(xs: number[], n: number): bool = any(x in xs : x > n)
      function total(xs: number[]): number = sum([x for x in xs if x > 0])
      `;
    const rule =
      "rule r { when o: O(all(s in sizes : longer([s + 1, 0], s) and not longer([s], total([s])))) then log(1) }";
    expect(logged(functions + rule)).toEqual([1]);
    const told = compile(
      `${TYPES}${functions}rule r { when o: O(any(s in sizes : longer([s], 5))) then log(1) }`,
    ).session();
    told.assert("O", { id: "o", tags: [], sizes: [3, 1] });
    expect(textTree(told.whyNot("r"))).toContain("longer([s], 5) holds for none of the 2 items of sizes");
  });

  test("conditions, gates and queries have them", () => {
    const program = compile(`${TYPES}condition large(o: O) : any(s in o.sizes : s > 2)
      gate g for o: O { require large(o) and all(t in o.tags : t != "x") }
      query q(n: number) { o: O(any(s in sizes : s > n)) }
      query inner(n: number) { r in q(n) where r.o.tags contains all ["raw"] }
      rule r { when o: O where large(o) let most = [s for s in o.sizes if s > 2] then log(most) }`);
    const session = program.session();
    session.assert("O", { id: "o", tags: ["raw"], sizes: [3, 1] });
    expect(session.run().effects[0]?.args).toEqual([[3]]);
    expect(session.gate("g", "O~o").outcome).toBe("pass");
    expect([...session.query("q", { n: 2 })]).toHaveLength(1);
    expect([...session.query("inner", { n: 3 })]).toHaveLength(0);
  });
});

describe("what cannot be asked of items", () => {
  const codes = (rule: string): string[] =>
    check(`${TYPES}condition c(s: number) : s > 1\nfunction f(x: any): bool = x.y == 1\n${rule}`).diagnostics.map(
      ({ code, message }) => `${code} ${message}`,
    );

  test.each([
    ['any(s in sizes : exists P(id == "x"))', 'E214 "exists" cannot be asked about the items of a list'],
    ["any(s in sizes : c(s))", 'E214 condition "c" cannot be asked about the items of a list'],
    [
      'any(s in sizes : COUNT(p: P / p.id == "x") > s)',
      'E214 "COUNT" over facts cannot be asked about the items of a list',
    ],
    ["any(s in id : s == 1)", 'E203 "any s in" needs a list, found string'],
    ["any(s in sizes : s)", "E203 a test must be true or false, found number"],
    ['sizes["a"] == 1', "E203 the place of an item is a number, found string"],
    ['id[0] == "o"', 'E203 "[…]" needs a list, found string'],
    ["any(s in sizes : s > 1) and s == 2", 'E205 "s" is bound only inside "any"'],
    ["tags == sizes", 'E203 string[] and number[] cannot be compared with "=="'],
    ["first(sizes) == id", 'E203 number and string cannot be compared with "=="'],
    ["sum(tags) > 1", 'E209 sum: argument "list" must be number[], found string[]'],
    ["sort([@2026-11-16]) == [@2026-11-16]", "E203 sort takes numbers or strings, found date[]"],
    ["any(s in sizes : f(s))", "E214 an item of a list cannot be passed to f as any"],
    ["any(o in sizes : o > 1)", 'E204 variable "o" is already bound'],
  ])("%s", (written, message) => {
    expect(codes(`rule r { when o: O(${written}) then log(1) }`)).toEqual([message]);
  });
});

describe("explanations", () => {
  const told = (written: string): string => {
    const session = compile(`${TYPES}rule r { when o: O(${written}) then log(1) }`).session();
    session.assert("O", { id: "o", tags: ["steel"], sizes: [3, 1, 2], data: [{ a: 1 }, {}] });
    session.run();
    return textTree(session.whyNot("r"));
  };

  test.each([
    ["any(s in sizes : s > 5)", "s > 5 holds for none of the 3 items of sizes"],
    ["all(s in sizes : s > 1)", "sizes[1]: s is 1, which is not over 1"],
    ["all(d in data : d.a > 0)", "data[1]: d.a is missing"],
    ["sizes[7] > 1", "sizes[7] is unknown"],
    ['any(t in other : t == "x")', "other is missing"],
  ])("%s", (written, words) => {
    expect(told(written)).toContain(words);
  });
});
