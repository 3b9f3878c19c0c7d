/** Aggregates with a key or a number: what is refused, times as keys, ties, numbers from outside, and where they stand. */
import { describe, expect, test } from "vitest";
import { check, compile, type Value } from "../../src/index.ts";
import { open } from "../support/session.ts";

const TYPES = `type S(#id: string, n: any?)
type E(#id: string, s: string, v: any?, k: any?, at: instant?, took: duration?)
action said(x: any)
`;

/** What a rule says of x for some facts of one group. */
function said(x: string, facts: readonly Readonly<Record<string, Value>>[], n: Value = 2): unknown {
  const session = open(`${TYPES}rule r { when s: S x: ${x} from e: E(e.s == s.id) then said(x) }`);
  session.assert("S", { id: "s", n });
  for (const [at, fields] of facts.entries()) session.assert("E", { id: `e${at}`, s: "s", ...fields });
  return session.run().effects.at(-1)?.args[0];
}

describe("what an aggregate takes", () => {
  test.each([
    ["last(e.v)", 'E209 "last" needs a key to order the facts by'],
    ["last()", 'E209 "last" needs a value'],
    ["top(e.v by e.k)", 'E209 "top" needs a number (n) before the value'],
    ["top(2, e.v)", 'E209 "top" needs a key to order the facts by'],
    ["sum(e.v by e.k)", 'E209 "sum" takes no key: it does not order the facts'],
    ["sum(2, e.v)", 'E209 "sum" takes no number before the value'],
    ["percentile(e.v)", 'E209 "percentile" needs a number (percent) before the value'],
    ["percentile(101, e.v)", 'E209 percent of "percentile" must be from 0 to 100'],
    ["top(1.5, e.v by e.k)", 'E209 n of "top" must be 0 or a positive integer'],
    ['top("a", e.v by e.k)', 'E203 n of "top" must be a number, found string'],
    ["top(e.v, e.v by e.k)", 'E209 the number in "top" is the same for all facts, so it cannot read "e"'],
    ["last(e.v by e.id == e.s)", "E203 facts cannot be ordered by values of type bool"],
    ["percentile(50, e.id)", 'E203 "percentile" needs numbers, found string'],
  ])("%s is refused", (x, message) => {
    const { diagnostics } = check(`${TYPES}rule r { when s: S x: ${x} from e: E(e.s == s.id) then said(x) }`);
    expect(diagnostics.map((one) => `${one.code} ${one.message}`)).toContain(message);
  });

  test("a key outside an aggregate is refused", () => {
    const { diagnostics } = check(`${TYPES}rule r { when e: E where last(e.v by e.k) == 1 then said(1) }`);
    expect(diagnostics.map(({ code }) => code)).toContain("E214");
  });
});

describe("order", () => {
  const same = [
    { v: "a", k: 1 },
    { v: "b", k: 1 },
    { v: "c", k: 0 },
  ];
  test.each([
    ["first(e.v by e.k)", "c"],
    ["last(e.v by e.k)", "b"],
    ["top(2, e.v by e.k)", ["a", "b"]],
    ["top(9, e.v by e.k)", ["a", "b", "c"]],
    ["top(0, e.v by e.k)", []],
    ["top(s.n, e.v by e.k)", ["a", "b"]],
    ["last(e by e.k)", "E~e1"],
  ])("%s among equal keys", (x, value) => {
    expect(said(x, same)).toEqual(value);
  });

  test("an update leaves a fact in its place, and a change of the number makes another value", () => {
    const session = open(`${TYPES}rule r { when s: S x: top(s.n, e.v by e.k) from e: E(e.s == s.id) then said(x) }`);
    session.assert("S", { id: "s", n: 1 });
    for (const [at, fields] of same.entries()) session.assert("E", { id: `e${at}`, s: "s", ...fields });
    session.run();
    session.update("E~e0", { k: 0 });
    session.update("E~e0", { k: 1 });
    session.update("S~s", { n: 2 });
    expect(session.run().effects.map(({ args }) => args[0])).toEqual([["a", "b"]]);
    session.update("S~s", { n: -1 });
    session.run();
    expect(session.matches("r")).toEqual([]);
  });

  test("instants are in the order of time, not of their texts", () => {
    const facts = [
      { v: 1, at: "2026-11-16T09:30:00.5Z" },
      { v: 2, at: "2026-11-16T09:30:00Z" },
    ];
    expect(said("last(e.v by e.at)", facts)).toBe(1);
    expect(said("first(e.at by e.v)", facts)).toBe("2026-11-16T09:30:00.500Z");
    expect(said("top(2, e.at by e.at)", facts)).toEqual(["2026-11-16T09:30:00.500Z", "2026-11-16T09:30:00Z"]);
  });

  test.each([
    ["a missing value", [{ v: 1, k: 1 }, { k: 2 }]],
    ["a missing key", [{ v: 1, k: 1 }, { v: 2 }]],
    [
      "numbers among strings",
      [
        { v: 1, k: 1 },
        { v: 2, k: "b" },
      ],
    ],
    ["a key without an order", [{ v: 1, k: true }]],
  ])("%s makes the result unknown", (_, facts) => {
    for (const x of ["first(e.v by e.k)", "last(e.v by e.k)", "top(1, e.v by e.k)"])
      expect(said(x, facts)).toBe(undefined);
  });
});

describe("numbers", () => {
  test("percentiles of durations are durations, and 99.9 is the decimal", () => {
    expect(said("percentile(50, e.took)", [{ took: "PT1S" }, { took: "PT2S" }])).toBe("PT1.5S");
    const many = Array.from({ length: 1001 }, (_, v) => ({ v: v * 1.1 }));
    expect(said("percentile(99.9, e.v)", many)).toBe(999 * 1.1);
    expect(said("percentile(s.n, e.v)", many, 100)).toBe(1100);
  });

  test("a deviation does not depend on what was there before", () => {
    const session = open(`${TYPES}rule r { when s: S x: stddev(e.v) from e: E(e.s == s.id) then said(x) }`);
    session.assert("S", { id: "s" });
    const add = (id: string, v: number): unknown => session.assert("E", { id, s: "s", v });
    [1e300, 0.1, -1e-300, 1e15].forEach((v, at) => add(`gone${at}`, v));
    session.run();
    for (let at = 0; at < 4; at++) session.retract(`E~gone${at}`);
    [0.1, 0.2, 0.3].forEach((v, at) => add(`e${at}`, v));
    const alone = said("stddev(e.v)", [{ v: 0.1 }, { v: 0.2 }, { v: 0.3 }]);
    expect(session.run().effects.map(({ args }) => args[0])).toEqual([alone]);
    expect(alone).toBeCloseTo(0.1, 15);
  });
});

test("a query, a condition and an explanation have them", () => {
  const session = compile(`${TYPES}
    query newest(id: string) { x: last(e.v by e.k) from e: E(e.s == id) }
    condition high(s: S) : LAST(e: E / e.s == s.id ; e.v by e.k) > 4
    rule r { when s: S where high(s) then said(1) }
    S("s") E("a", "s", 3, 2) E("b", "s", 5, 1)`).session();
  expect(session.query("newest", { id: "s" }).map((row) => row["x"])).toEqual([3]);
  const { remedies } = session.whyNot("r");
  expect(remedies.map(({ words }) => words)).toContain("change v of E a from 3 to 5");
});
