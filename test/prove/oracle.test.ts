/** Tests the naive matcher on the parts of the language that are easy to get wrong. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Value } from "../../src/base/value.ts";
import { check } from "../../src/index.ts";
import { exactSum } from "../../src/prove/aggregates.ts";
import { naiveMatches, type NaiveMatch, type OracleFact } from "../oracle/naive.ts";

type Row = readonly [id: string, fields: Readonly<Record<string, Value>>];

/** `T~1` is a fact of type T. */
function facts(...rows: readonly Row[]): OracleFact[] {
  return rows.map(([id, fields], order) => ({ id, type: id.slice(0, id.indexOf("~")), fields, order }));
}

function matches(source: string, given: readonly OracleFact[], rule = "r"): readonly NaiveMatch[] {
  const program = check(source);
  expect(program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const found = naiveMatches(program, given).get(rule);
  if (found === undefined) throw new Error(`there is no rule ${rule}`);
  return found;
}

const factsFound = (source: string, given: readonly OracleFact[]): string[] =>
  matches(source, given).map((match) => match.facts.join(" "));

/** Whether a test is true of one fact; the program is open, so that every type of value can be tried. */
function isTrue(expression: string, fields: Readonly<Record<string, Value>> = {}): boolean {
  return matches(`rule r { when v: T(${expression}) then log(v) }`, facts(["T~1", fields])).length === 1;
}

/** The three values of a test. */
function truth(expression: string, fields: Readonly<Record<string, Value>> = {}): boolean | undefined {
  if (isTrue(expression, fields)) return true;
  return isTrue(`not (${expression})`, fields) ? false : undefined;
}

/** The value of an expression, seen through an aggregate that hands it on. */
function valueOf(expression: string, fields: Readonly<Record<string, Value>> = {}): Value | undefined {
  const source = `rule r { when all_of: collect(${expression}) from v: T then log(all_of) }`;
  const [match] = matches(source, facts(["T~1", fields]));
  const bound = match?.bindings["all_of"];
  return bound !== undefined && "value" in bound ? (bound.value as readonly Value[])[0] : undefined;
}

describe("tests have three values", () => {
  test.each([
    ["v.a == 1", undefined],
    ["v.a != 1", undefined],
    ["v.a == v.a", undefined],
    ["v.n == 1 or v.a == 1", true],
    ["v.n == 2 or v.a == 1", undefined],
    ["v.n == 2 and v.a == 1", false],
    ["v.n == 1 and v.a == 1", undefined],
    ["all(v.n == 1, v.n > 0)", true],
    ["any(v.n == 2, v.n > 1)", false],
    ["v.a is missing", true],
    ["v.a is present", false],
    ["(v.n / 0) is missing", true],
    ["v.n", undefined],
    ["v.yes", true],
    ["v.no", false],
    ["v.s", undefined],
    ["v.list == v.list", true],
    ["v.list == v.n", undefined],
  ])("%s is %s", (expression, expected) => {
    expect(truth(expression, { n: 1, s: "true", yes: true, no: false, list: [1] })).toBe(expected);
  });
});

describe("values are compared without conversion", () => {
  const fields = { n: 1, s: "1", yes: true, list: [1], high: "\u{1F600}", low: "\uFF5E" };
  test.each([
    ["v.n == v.s", false],
    ["v.n != v.s", true],
    ["v.n == v.yes", false],
    ["v.n < v.s", undefined],
    ["v.yes < v.yes", undefined],
    ["v.low < v.high", true], // by code point, not by UTF-16 unit
    ['v.s < "10"', true],
    ['"" < v.s', true],
    ["v.list == 1", undefined],
    ["v.list != 1", undefined],
  ])("%s is %s", (expression, expected) => {
    expect(truth(expression, fields)).toBe(expected);
  });
});

describe("lists and texts", () => {
  const fields = { n: 1, s: "a_b%c", list: [1, "x"], empty: [] };
  test.each([
    ["v.n in [1, 2]", true],
    ["v.n in [2, 3]", false],
    ["v.n in []", false],
    ["v.a in []", false],
    ["v.a in [1]", undefined],
    ["v.n in v.gone", undefined],
    ["v.n in [v.a, 1]", true],
    ["v.n in [v.a, 2]", undefined],
    ["v.n not in [2]", true],
    ["v.a not in [1]", undefined],
    ["v.n in v.s", undefined],
    ['v.s contains "_"', true],
    ['v.s contains ""', true],
    ["v.s contains 1", undefined],
    ['v.list contains "x"', true],
    ["v.list contains 2", false],
    ["v.empty contains 2", false],
    ["v.n contains 1", undefined],
    ['v.s contains any ["z", "b"]', true],
    ["v.s contains any []", false],
    ["v.s contains any [1]", undefined],
    ['v.s contains any [1, "b"]', true],
    ["v.list contains any [7, 1]", true],
    ['v.s like "a%c"', true],
    ['v.s like "a"', false],
    ['v.s like "a\\_b\\%c"', true],
    ['v.s like "a\\_b\\_c"', false],
    ['v.s like "_____"', true],
    ['v.s like "%%"', true],
    ["v.n like v.s", undefined],
    ['v.s matches "b.c"', true],
    ['v.s matches "^b"', false],
    ['v.a matches "^b"', undefined],
  ])("%s is %s", (expression, expected) => {
    expect(truth(expression, fields)).toBe(expected);
  });

  test("like counts characters, and a backslash stands for itself before other characters", () => {
    expect(isTrue('v.s like "_"', { s: "\u{1F600}" })).toBe(true);
    expect(isTrue('v.s like "\\\\d"', { s: "\\d" })).toBe(true);
  });
});

describe("computing", () => {
  const fields = { n: 7, z: 0, s: "7", t: " 1.5e1 ", yes: true, list: [1] };
  test.each([
    ["v.n + v.z", 7],
    ["v.n + v.s", "77"],
    ['v.yes + "!"', "true!"],
    ["v.list + v.s", undefined],
    ["v.n + v.yes", undefined],
    ["v.gone + v.s", undefined],
    ["v.n / v.z", undefined],
    ["v.n % v.z", undefined],
    ["-v.n % 4", -3],
    ["v.n - v.n * 2", -7],
    ["-v.z", 0],
    ["1e308 * 10", undefined],
    ["(number) v.s", 7],
    ["(number) v.t", 15],
    ["(number) v.yes", 1],
    ['(number) ""', undefined],
    ['(number) "0x10"', undefined],
    ["(string) v.n", "7"],
    ["(string) v.list", undefined],
    ['(bool) "TRUE"', true],
    ["(bool) v.z", false],
    ["(bool) v.n", undefined],
    ['length("a\u{1F600}")', 2],
    ['substring("a\u{1F600}b", 1, 1)', "\u{1F600}"],
    ['substring("abc", 1)', "bc"],
    ['substring("abc", 7)', ""],
    ['substring("abc", -1, 1.9)', "a"],
    ['substring("abc", 1, v.gone)', undefined],
    ['words("  one two ")', 2],
    ['words("")', 0],
    ["round(2.5)", 3],
    ["round(-2.5)", -3],
    ["round(-0.4)", 0],
    ["floor(-1.5)", -2],
    ["ceil(-0.5)", 0],
    ["min(v.n, 3, v.z)", 0],
    ["max(v.n, v.s)", undefined],
    ["count([1, 2])", 2],
    ["coalesce(v.gone, v.n)", 7],
    ["length(v.n)", undefined],
    ["upper(v.list)", undefined],
  ])("%s gives %s", (expression, expected) => {
    const value = valueOf(expression, fields);
    expect(value).toBe(expected);
    expect(Object.is(value, -0)).toBe(false);
  });
});

describe("patterns", () => {
  const typed = `type P(#id: string, n: number, o: number?, boss: P?)
    type Q(n: number, who: P?)
    `;
  const some = facts(
    ["P~a", { id: "a", n: 1, boss: "P~b" }],
    ["P~b", { id: "b", n: 2, o: 1, boss: "P~gone" }],
    ["Q~@1", { n: 1, who: "P~a" }],
    ["Q~@2", { n: 1, who: "P~b" }],
  );

  test("a bare name is a field of the pattern, also when a variable has the same name", () => {
    expect(factsFound(`${typed} rule r { when n: P Q(n == 1) then log("x") }`, some)).toHaveLength(4);
  });
  test("references are compared and followed; one that leads nowhere is unknown", () => {
    expect(factsFound(`${typed} rule r { when p: P q: Q(who == p) then log(p) }`, some)).toEqual([
      "P~a Q~@1",
      "P~b Q~@2",
    ]);
    expect(factsFound(`${typed} rule r { when q: Q(who.boss.n == 2) then log(q) }`, some)).toEqual(["Q~@1"]);
    expect(factsFound(`${typed} rule r { when q: Q(not (who.boss.n == 2)) then log(q) }`, some)).toEqual([]);
  });
  test("facts without a variable count, too", () => {
    expect(factsFound(`${typed} rule r { when Q() Q() then log("x") }`, some)).toHaveLength(4);
  });
  test("an unknown test neither matches nor stands in the way of not", () => {
    expect(factsFound(`${typed} rule r { when not P(o > 1) then log("x") }`, some)).toEqual([""]);
    expect(factsFound(`${typed} rule r { when p: P(o > 1 or o <= 1) then log(p) }`, some)).toEqual(["P~b"]);
  });
  test("exists matches once, however many there are", () => {
    expect(factsFound(`${typed} rule r { when exists Q(n == 1) then log("x") }`, some)).toEqual([""]);
    const nested = "not (p: P not (q: Q(who == p) where q.n == 1))";
    expect(factsFound(`${typed} rule r { when ${nested} then log("x") }`, some)).toEqual([""]);
  });
  test("forall counts a fact whose second test is unknown against it", () => {
    expect(factsFound(`${typed} rule r { when forall (p: P(n > 0) : p.o == 1) then log("x") }`, some)).toEqual([]);
    expect(factsFound(`${typed} rule r { when forall (p: P(n > 1) : p.o == 1) then log("x") }`, some)).toEqual([""]);
    expect(factsFound(`${typed} rule r { when forall (p: P(n > 5) : p.o == 1) then log("x") }`, some)).toEqual([""]);
  });
  test("a named fact of the program is its id", () => {
    const named = `${typed} x = P("a b", 1) Q(n: 7) y = Q(n: 8)`;
    const given = facts(["P~a%20b", { id: "a b", n: 1 }], ["Q~@2", { n: 8, who: "P~a%20b" }]);
    expect(factsFound(`${named} rule r { when q: Q(who == x) then log(q) }`, given)).toEqual(["Q~@2"]);
    expect(factsFound(`${named} rule r { when q: Q where q == y then log(q) }`, given)).toEqual(["Q~@2"]);
  });
  test("a disabled rule and a removed one have no matches", () => {
    const source = `${typed} rule r disabled { when P() then log("x") } rule gone { when P() then log("x") } remove rule gone`;
    expect([...naiveMatches(check(source), some)]).toEqual([["r", []]]);
  });
});

describe("aggregates", () => {
  const source = (fn: string, test = ""): string => `rule r { when value: ${fn} from v: T(${test}) then log(value) }`;
  const given = facts(
    ["T~1", { n: 3, s: "b", mixed: 1, part: 0.1 }],
    ["T~2", { n: 1, s: "a", mixed: "1", part: 0.7, o: 1 }],
    ["T~3", { n: 3, s: "b", mixed: true, part: -0.1, o: 2 }],
  );
  const result = (fn: string, over: readonly OracleFact[] = given): Value | undefined => {
    const bound = matches(source(fn), over)[0]?.bindings["value"];
    return bound !== undefined && "value" in bound ? bound.value : undefined;
  };
  test.each([
    ["count()", 3],
    ["count(v.o)", 3],
    ["sum(v.n)", 7],
    ["sum(v.part)", 0.7],
    ["sum(v.o)", undefined],
    ["sum(v.s)", undefined],
    ["avg(v.n)", 7 / 3],
    ["min(v.n)", 1],
    ["max(v.s)", "b"],
    ["max(v.mixed)", undefined],
    ["min(v.o)", undefined],
    ["collect(v.n)", [3, 1, 3]],
    ["collect(v.o)", [1, 2]],
    ["distinct(v.s)", ["b", "a"]],
    ["collect(v)", ["T~1", "T~2", "T~3"]],
  ])("%s", (fn, expected) => expect(result(fn)).toEqual(expected));
  test.each([
    ["count()", 0],
    ["sum(v.n)", 0],
    ["avg(v.n)", undefined],
    ["min(v.n)", undefined],
    ["max(v.n)", undefined],
    ["collect(v.n)", []],
    ["distinct(v.n)", []],
  ])("%s over nothing", (fn, expected) => expect(result(fn, [])).toEqual(expected));

  test("a sum is exact and rounded once, in any order", () => {
    expect(exactSum([1e16, 1, -1e16])).toBe(1);
    expect(exactSum([2 ** 53, 1, 2 ** -60])).toBe(2 ** 53 + 2);
    expect(exactSum([2 ** 53, 1])).toBe(2 ** 53);
    expect(exactSum([5e-324, 5e-324])).toBe(1e-323);
    expect(exactSum([1e308, 1e308, -1e308])).toBe(1e308);
    expect(exactSum([1e308, 1e308])).toBe(Infinity);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
        expect(exactSum(numbers.toReversed())).toBe(exactSum(numbers));
        expect(exactSum(numbers.slice(0, 2))).toBe((numbers[0] ?? 0) + (numbers[1] ?? 0) + 0);
      }),
    );
  });
});

describe("alternatives", () => {
  test("the same found twice is one match", () => {
    const given = facts(["T~1", { n: 1 }], ["T~2", { n: 2 }]);
    const source = "rule r { when (v: T(n == 1) or v: T(n > 0)) then log(v) }";
    expect(matches(source, given)).toEqual([
      { bindings: { v: { fact: "T~1" } }, facts: ["T~1"], items: [] },
      { bindings: { v: { fact: "T~2" } }, facts: ["T~2"], items: [] },
    ]);
  });
  test("a variable of one alternative is not known behind the group", () => {
    const source = "rule r { when (v: T or w: T) then log(1) }";
    expect(matches(source, facts(["T~1", {}]))).toEqual([{ bindings: {}, facts: ["T~1"], items: [] }]);
  });
  test("each alternative goes on by itself", () => {
    const source = "rule r { when (A() B() or C()) D() then log(1) }";
    const given = facts(["A~1", {}], ["B~1", {}], ["C~1", {}], ["D~1", {}]);
    expect(factsFound(source, given)).toEqual(["A~1 B~1 D~1", "C~1 D~1"]);
  });
});

describe("the slash form", () => {
  const given = facts(
    ["D~1", { id: 1 }],
    ["D~2", { id: 2 }],
    ["E~1", { dept: 1, pay: 10 }],
    ["E~2", { dept: 1, pay: 20 }],
  );
  test("EXISTS and aggregates stand anywhere; an unknown one is unknown", () => {
    expect(factsFound("rule r : {d: D} / NOT(EXISTS(e: E / e.dept == d.id)) ==> log(d)", given)).toEqual(["D~2"]);
    expect(factsFound("rule r : {d: D} / COUNT(e: E / e.dept == d.id) == 2 OR d.id == 2 ==> log(d)", given)).toEqual([
      "D~1",
      "D~2",
    ]);
    expect(factsFound("rule r : {d: D} / NOT(AVG(e: E / e.dept == d.id ; e.pay) > 1) ==> log(d)", given)).toEqual([]);
    expect(factsFound("rule r : {d: D} / AVG(e: E / e.dept == d.id ; e.pay) is missing ==> log(d)", given)).toEqual([
      "D~2",
    ]);
  });
  test("parts of the condition select what the aggregates of the braces run over", () => {
    const rule = (rest: string): string => `rule r : {d: D, m: AVG(e.pay), n: COUNT(e)} / {e: E} / ${rest} ==> log(d)`;
    expect(matches(rule("e.dept == d.id AND e.pay > 5 AND m > 1 AND d.id > 0"), given)).toEqual([
      { bindings: { d: { fact: "D~1" }, m: { value: 15 }, n: { value: 2 } }, facts: ["D~1"], items: [] },
    ]);
    expect(factsFound(rule("e.dept == d.id AND (m > 15 OR n > 2)"), given)).toEqual([]);
    expect(factsFound(rule("EXISTS(f: E / f.pay > 100)"), given)).toEqual([]);
    expect(factsFound(rule("EXISTS(f: E / f.pay > 10)"), given)).toEqual(["D~1", "D~2"]);
  });
});
