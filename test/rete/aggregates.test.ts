/** Tests aggregates over missing values and over lists that change: the same in every form that the language has. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Maybe, Value } from "../../src/base/value.ts";
import { compile, type RuleSession } from "../../src/index.ts";
import { aggregate } from "../../src/prove/aggregates.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { open } from "../support/session.ts";

const TYPES = "type S(#id: string)\ntype E(#id: string, s: string, v: number?)\naction said(x: any)\n";

/** The value of an aggregate as each form gives it; undefined when it is unknown. */
const FORMS: readonly (readonly [string, (fn: string, values: readonly Maybe[]) => unknown])[] = [
  ["element", (fn, values) => said(`rule r { when s: S x: ${fn}(e.v) from e: E(s == s.id) then said(x) }`, values)],
  [
    "braces",
    (fn, values) => said(`rule r : {s: S, x: ${fn.toUpperCase()}(e.v)} / {e: E} / e.s == s.id ==> said(x)`, values),
  ],
];

function said(rule: string, values: readonly Maybe[]): unknown {
  return filled(open(`${TYPES}${rule.replace("E(s == s.id)", "E(e.s == s.id)")}`), values).run().effects[0]?.args[0];
}

function filled(session: RuleSession, values: readonly Maybe[]): RuleSession {
  session.assert("S", { id: "s" });
  for (const [at, v] of values.entries())
    session.assert("E", { id: `e${at}`, s: "s", ...(v === undefined ? {} : { v }) });
  return session;
}

const CASES: readonly (readonly [string, readonly Maybe[], Value | undefined])[] = [
  ["count", [1, undefined, 2], 3],
  ["sum", [1, undefined, 2], undefined],
  ["avg", [1, undefined, 2], undefined],
  ["median", [1, undefined, 2], undefined],
  ["min", [1, undefined, 2], undefined],
  ["max", [1, undefined, 2], undefined],
  ["collect", [1, undefined, 2, 1], [1, 2, 1]],
  ["distinct", [1, undefined, 2, 1], [1, 2]],
];

describe.each(FORMS)("a missing value in an aggregate: %s", (_, value) => {
  test.each(CASES)("%s of %j is %j", (fn, values, expected) => {
    expect(value(fn, values)).toEqual(expected);
    expect(aggregate(fn, values)).toEqual(expected);
  });
});

const INLINE = CASES.filter(([fn]) => fn !== "collect" && fn !== "distinct");

describe("a missing value in an aggregate inside a test", () => {
  test.each(INLINE)("%s of %j is %j", (fn, values, expected) => {
    const value = fn === "count" ? "" : " ; e.v";
    const asked = `${fn.toUpperCase()}(e: E / e.s == s.id${value})`;
    const session = filled(open(`${TYPES}rule r { when s: S where ${asked} is missing then said(1) }`), values);
    expect(session.matches("r")).toHaveLength(expected === undefined ? 1 : 0);
  });

  test.each(INLINE)("%s of %j is %j in a gate", (fn, values, expected) => {
    const value = fn === "count" ? "" : " ; e.v";
    const asked = `${fn.toUpperCase()}(e: E / e.s == s.id${value}) > -1`;
    const session = filled(open(`${TYPES}gate g for s: S { require ${asked} }`), values);
    expect(session.gate("g", "S~s").outcome).toBe(expected === undefined ? "hold" : "pass");
  });

  test.each(CASES)("%s of %j is %j in a guardian", (fn, values, expected) => {
    const asked = fn === "collect" || fn === "distinct" ? `count(${fn}(e.v))` : `${fn}(e.v)`;
    const line = `need ${asked} > -1 as "no" do ADD_EVIDENCE`;
    const check = `check c risk low exit SAFE_REFUSAL using e: E(e.s == s.id) { ${line} }`;
    const session = filled(open(`${TYPES}guardian w for s: S { ${check} }`), values);
    expect(session.verdict("w", "S~s").verdict === "PASS").toBe(expected !== undefined);
  });
});

// ---------------------------------------------------------------- lists that change

const LISTS = compile(`type E(#id: string, v: any?, n: number)
rule all { when x: collect(e.v) from e: E then log(x) }
rule once { when x: distinct(e.v) from e: E then log(x) }
rule least { when x: min(e.v) from e: E then log(x) }
rule most { when x: max(e.v) from e: E then log(x) }
rule middle { when x: median(e.v) from e: E then log(x) }
rule pairs { when x: distinct([e.n, e.v]) from e: E then log(x) }`);

const RULES: readonly (readonly [string, string])[] = [
  ["all", "collect"],
  ["once", "distinct"],
  ["least", "min"],
  ["most", "max"],
  ["middle", "median"],
];

const value = fc.constantFrom<Maybe>(1, 2, 3, 10, "1", "a", "b", true, [1, "a"], [1, "b"], undefined);
const change = fc.tuple(fc.nat(9), value, fc.constantFrom("upsert", "upsert", "upsert", "retract", "move"));

test(
  "lists and extremes are those of the facts that are there, and a rule fires exactly when the value is another one",
  () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const session = LISTS.session();
        let last = new Map<string, string>();
        for (const [which, v, how] of changes) {
          const id = `e${which}`;
          if (how !== "upsert") session.retract(`E~${id}`);
          if (how !== "retract") session.upsert("E", { id, v: v ?? null, n: which % 2 });
          const values = session.facts("E").map(({ fields }) => fields["v"]);
          const fired = new Set(session.run().fired.map(({ rule }) => rule));
          const now = new Map<string, string>();
          for (const [rule, fn] of RULES) {
            const expected = aggregate(fn, values);
            const found = session.matches(rule).map(({ bindings }) => bindings["x"]);
            expect(found).toEqual(expected === undefined ? [] : [expected]);
            if (expected !== undefined) now.set(rule, JSON.stringify(expected));
            if (how === "upsert") expect(fired.has(rule)).toBe(now.has(rule) && now.get(rule) !== last.get(rule));
          }
          last = now;
        }
      }),
      { numRuns: runs(3000) },
    );
  },
  PATIENT,
);

test("a value that was read stays what it was when the list changes", () => {
  const session = LISTS.session();
  session.assert("E", { id: "a", v: 1, n: 0 });
  const [before] = session.matches("all");
  session.assert("E", { id: "b", v: 2, n: 0 });
  expect(before?.bindings["x"]).toEqual([1]);
  expect(session.matches("all")[0]?.bindings["x"]).toEqual([1, 2]);
});

test("a handler cannot change the list that other rules read", () => {
  const source = `type P(#id: string, v: number)
    type Y(l: any)
    action see(l: any)
    rule first salience 5 { when l: collect(p.v) from p: P then see(l) }
    rule second { when l: collect(p.v) from p: P then insert Y(l: l) }
    rule third salience 5 { when l: distinct(pair(p.v)) from p: P then see(l) }`;
  const number = { kind: "number" } as const;
  const pair = {
    params: [{ name: "n", type: number, optional: false }],
    result: { kind: "list", item: number },
  } as const;
  const see = (list: unknown): void => {
    const [item] = list as unknown[];
    for (const one of [list, item]) if (Array.isArray(one)) expect(() => one.push(99)).toThrow(TypeError);
  };
  const session = compile(source, { functions: { pair } }).session({
    actions: { see },
    functions: { pair: (n) => [n as number, n as number] },
  });
  session.assert("P", { id: "p", v: 1 });
  expect(session.run().count).toBe(3);
  expect(session.facts("Y").map(({ fields }) => fields)).toEqual([{ l: [1] }]);
});

test("an explanation says why an aggregate has no value", () => {
  const why = (fn: string, values: readonly Maybe[]): string => {
    const source = `type E(#id: string, v: any?) rule r { when x: ${fn}(e.v) from e: E then log(x) }`;
    const session = compile(source).session();
    for (const [at, v] of values.entries()) session.assert("E", { id: `${at}`, ...(v === undefined ? {} : { v }) });
    return session.whyNot("r").upward_rationale;
  };
  expect(why("sum", [1, undefined, 3])).toContain("; 1 of 3 values is missing or unknown.");
  expect(why("min", [undefined, undefined])).toContain("; 2 of 2 values are missing or unknown.");
  expect(why("sum", [1.7e308, 1.7e308])).toContain("; the result is too large for a number.");
  expect(why("avg", [1, "many"])).toContain("; a value is not a number.");
  expect(why("median", [1, "many"])).toContain("; a value is not a number.");
  expect(why("max", [1, "many"])).toContain("; the values cannot be compared with each other.");
});
