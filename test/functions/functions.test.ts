/**
 * Tests that every function in the table is known to the engine, to explanations, to the naive matcher, to completion and to
 * the generator.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HostType, isOfType } from "../../src/base/host-types.ts";
import type { Value } from "../../src/base/value.ts";
import { complete } from "../../src/cli/repl/complete.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";
import { check, compile } from "../../src/index.ts";
import { call as naiveCall } from "../../src/prove/functions.ts";
import { naiveMatches } from "../oracle/naive.ts";
import { namesIn } from "../support/built-ins.ts";
import { runs } from "../support/cases.ts";
import { expression } from "../support/expression-arbitrary.ts";
import { open } from "../support/session.ts";

/** Hands on the value of an expression without variables. */
const handsOn = (call: string): string => `rule r { when all_of: collect(${call}) from t: T then said(all_of) }`;

function engineValue(call: string): Value | undefined {
  const session = open(`type T(#id: string)\naction said(x: any)\n${handsOn(call)}`);
  session.assert("T", { id: "t" });
  const [values] = session.run().effects[0]?.args ?? [];
  return (values as readonly Value[])[0];
}

function naiveValue(call: string): Value | undefined {
  const program = check(`type T(#id: string)\naction said(x: any)\n${handsOn(call)}`);
  const [match] = naiveMatches(program, [{ id: "T~t", type: "T", fields: { id: "t" }, order: 0 }]).get("r") ?? [];
  const bound = match?.bindings["all_of"];
  return bound !== undefined && "value" in bound ? (bound.value as readonly Value[])[0] : undefined;
}

describe.each([...FUNCTIONS.values()])("$name", ({ name, signature, example }) => {
  test("is in lower case, under its own name", () => {
    expect(name).toMatch(/^[a-z_]+$/u);
    expect(FUNCTIONS.get(name)?.name).toBe(name);
    expect(example.call.startsWith(`${name}(`)).toBe(true);
  });

  test("gives what its example says: in the engine, in any case, and in the naive matcher", () => {
    expect(engineValue(example.call)).toEqual(example.gives);
    expect(engineValue(example.call.replace(name, name.toUpperCase()))).toEqual(example.gives);
    expect(naiveValue(example.call)).toEqual(example.gives);
    if (signature.result !== "argument") expect(isOfType(example.gives, signature.result)).toBe(true);
  });

  test("is told with its value in an explanation", () => {
    const session = compile(`rule r { when t: T where ${example.call} is missing then log(1) }`).session();
    session.assert("T", {});
    const shown = Array.isArray(example.gives)
      ? `[${example.gives.map((item) => JSON.stringify(item)).join(", ")}]`
      : JSON.stringify(example.gives);
    expect(session.whyNot("r").upward_rationale).toContain(`${example.call} is ${shown}`);
  });

  test("is completed", () => {
    const session = compile("").session();
    expect(complete(session, `rule r { when t: T(t.v == ${name.slice(0, 2)}`)[0]).toContain(`${name}(`);
  });
});

test("the generator of expressions calls every function", () => {
  const calls = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name } = node as { readonly kind?: string; readonly name?: { readonly name: string } };
    if (kind === "call" && name !== undefined) calls.add(name.name);
    Object.values(node).forEach(visit);
  };
  fc.sample(expression, { numRuns: 10_000, seed: 1 }).forEach(visit);
  expect([...calls].sort()).toEqual([...FUNCTIONS.keys()].sort());
});

/** Arguments that a function with a range or a fixed point may get: lints decide by these what is never its result. */
const ARGUMENTS: Readonly<Record<string, fc.Arbitrary<readonly Value[]>>> = {
  string: fc.tuple(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("İSS", "ΑΣ", "ŉ", "ß\u0345", " a\u00A0"))),
  number: fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true })),
  "any[]": fc.tuple(
    fc.oneof(fc.array(fc.string()), fc.array(fc.double({ noNaN: true })), fc.array(fc.array(fc.nat(2)))),
  ),
  date: fc.tuple(fc.integer({ min: -719_162, max: 2_932_896 })),
  "date, date": fc.tuple(fc.integer({ min: -719_162, max: 2_932_896 }), fc.integer({ min: -719_162, max: 2_932_896 })),
  "string, string": fc.tuple(fc.string(), fc.string({ maxLength: 2 })),
  "instant, string": fc.tuple(
    fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
    fc.constantFrom("UTC", "Asia/Kolkata", "America/St_Johns"),
  ),
};

const kindOf = (type: HostType): string => (type.kind === "list" ? `${kindOf(type.item)}[]` : type.kind);

const bounded = [...FUNCTIONS.values()].filter((one) => one.settles === true || one.results !== undefined);

test.each(bounded)("$name returns only what its entry says that it can", ({ signature, compute, settles, results }) => {
  const kinds = signature.params.filter(({ optional }) => !optional).map(({ type }) => kindOf(type));
  const args = ARGUMENTS[kinds.join(", ")];
  if (args === undefined) throw new Error(`no arguments of ${kinds.join(", ")}`);
  let given = 0;
  fc.assert(
    fc.property(args, (values) => {
      const result = compute(...values);
      if (result === undefined) return;
      given += 1;
      if (settles === true) expect(compute(result)).toEqual(result);
      if (results === undefined) return;
      expect(result).toBeGreaterThanOrEqual(results.least);
      expect(result).toBeLessThanOrEqual(results.most);
      expect(!results.whole || Number.isInteger(result)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
  expect(given).toBeGreaterThan(0);
});

test("every entry that is written is in the table", () => {
  expect(namesIn("scalar").sort()).toEqual([...FUNCTIONS.keys()].sort());
});

test("a function of the host is called as it is registered, also where a built-in differs only in case", () => {
  const text = { kind: "string" } as const;
  const Upper = { params: [{ name: "text", type: text, optional: false }], result: text };
  const source =
    'type T(#id: string)\naction said(a: string, b: string)\nrule r { when t: T where Upper(t.id) == "host" then said(Upper(t.id), upper(t.id)) }';
  const session = compile(source, { functions: { Upper } }).session({ functions: { Upper: () => "host" } });
  session.assert("T", { id: "t" });
  const { effects, fired } = session.run();
  expect(effects[0]?.args).toEqual(["host", "T"]);
  for (const one of fired) expect(JSON.stringify(session.why(one))).toContain('is \\"host\\"');
});

test("clamp keeps a number within its bounds; bounds the wrong way round are a failure, not a missing value", () => {
  const cases: readonly (readonly [string, Value | undefined])[] = [
    ["clamp(5, 0, 10)", 5],
    ["clamp(-5, 0, 10)", 0],
    ["clamp(15, 0, 10)", 10],
    ["clamp(15, 3, 3)", 3],
    ['coalesce(clamp((number) "none", 0, 10), -1)', -1],
    ["coalesce(clamp(5, 10, 0), -1)", undefined],
  ];
  for (const [call, expected] of cases) {
    expect(engineValue(call), call).toEqual(expected);
    expect(naiveValue(call), call).toEqual(expected);
  }
  const session = compile("rule r { when t: T where clamp(5, 10, 0) > 1 then log(1) }").session();
  session.assert("T", {});
  const why = session.whyNot("r");
  expect(JSON.stringify([why, session.problems])).toContain("clamp(5, 10, 0) has a lower bound above its upper bound");
  expect(session.problems.map(({ code }) => code)).toEqual(["E521"]);
});

test("fixed rounds the decimal number that people see; a half goes away from zero", () => {
  const cases: readonly (readonly [string, Value | undefined])[] = [
    ["fixed(0.125, 2)", "0.13"],
    ["fixed(1.005, 2)", "1.01"],
    ["fixed(-0.005, 2)", "-0.01"],
    ["fixed(-0.004, 2)", "0.00"],
    ["fixed(9.995, 2)", "10.00"],
    ["fixed(0.1 + 0.2, 2)", "0.30"],
    ["fixed(2.5, 0)", "3"],
    ["fixed(-2.5, 0)", "-3"],
    ["fixed(1e21, 2)", "1000000000000000000000.00"],
    ["fixed(1e-7, 7)", "0.0000001"],
    ["fixed(5e-324, 20)", "0.00000000000000000000"],
    ['coalesce(fixed((number) "none", 2), "-")', "-"],
    ['coalesce(fixed(1, -1), "-")', undefined],
    ['coalesce(fixed(1, 21), "-")', undefined],
    ['coalesce(fixed(1, 0.5), "-")', undefined],
  ];
  for (const [call, expected] of cases) {
    expect(engineValue(call), call).toEqual(expected);
    expect(naiveValue(call), call).toEqual(expected);
  }
  const session = compile('rule r { when t: T where fixed(1, 21) == "1" then log(1) }').session();
  session.assert("T", {});
  expect(session.problems.map(({ message }) => message).join()).toContain("fixed(1, 21) cannot write 21 decimals");
});

test("fixed agrees with its second computation for every number, and is near the number", () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -99999, max: 99999 }));
  fc.assert(
    fc.property(number, fc.nat(20), fc.constantFrom(1, 8, 1000), (value, decimals, parts) => {
      const args = [value / parts, decimals];
      const text = FUNCTIONS.get("fixed")?.compute(...args);
      expect(text).toBe(naiveCall("fixed", args));
      expect(text).toMatch(decimals === 0 ? /^-?\d+$/u : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`, "u"));
      expect(Math.abs(Number(text) - value / parts)).toBeLessThanOrEqual(
        0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(value) * 1e-15,
      );
    }),
    { numRuns: runs(3000), seed: 15 },
  );
});
