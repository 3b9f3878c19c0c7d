/** Tests of the functions that round, raise, format, search and fill: known results, failures, and a second computation of each. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Maybe } from "../../src/base/value.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";
import { check, compile } from "../../src/index.ts";
import { call as naiveCall, isRefused } from "../../src/prove/functions.ts";
import { runs } from "../support/cases.ts";

function computed(name: string, ...args: readonly Maybe[]): Maybe {
  return FUNCTIONS.get(name)?.compute(...args);
}

/** Expects the engine and the naive matcher to agree, on failures too; returns the value. */
function both(name: string, ...args: readonly Maybe[]): Maybe {
  const value = computed(name, ...args);
  expect(naiveCall(name, args), `${name}(${JSON.stringify(args)})`).toEqual(value);
  const refused = value === undefined && FUNCTIONS.get(name)?.refuses?.(args) !== undefined;
  expect(isRefused(name, args), `${name}(${JSON.stringify(args)})`).toBe(refused);
  return value;
}

test.each([
  [1.005, 2, 1.01],
  [2.675, 2, 2.68],
  [-1.005, 2, -1.01],
  [0.285, 2, 0.29],
  [1.45, 1, 1.5],
  [8.345, 2, 8.35],
  [-0.004, 2, 0],
  [1234.5, -2, 1200],
  [1250, -2, 1300],
  [-50, -2, -100],
  [49, -2, 0],
  [0.1 + 0.2, 10, 0.3],
  [1e21, 2, 1e21],
  [1.7976931348623157e308, -20, 1.7976931348623157e308],
  [5e-324, 20, 0],
  [2.5, 0, 3],
  [123, 20, 123],
])("round(%d, %d) is %d", (number, decimals, expected) => {
  expect(both("round", number, decimals)).toBe(expected);
});

test("round agrees with decimal digits for every number", () => {
  const typed = fc
    .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.nat(8))
    .map(([n, d]) => Number(`${n}e-${d}`));
  const number = fc.oneof(typed, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const holds = fc.property(number, fc.integer({ min: -20, max: 20 }), (value, decimals) => {
    const rounded = both("round", value, decimals);
    if (decimals >= 0) expect(rounded).toBe(Number(computed("fixed", value, decimals)) + 0);
  });
  fc.assert(holds, { numRuns: runs(3000), seed: 7 });
});

test.each([
  ["sqrt", [2], Math.SQRT2],
  ["sqrt", [-1], undefined],
  ["pow", [2, 10], 1024],
  ["pow", [2, -1074], 5e-324],
  ["pow", [10, 308], 1e308],
  ["pow", [10, 309], undefined],
  ["pow", [10, -5], 1e-5],
  ["pow", [-2, 3], -8],
  ["pow", [-8, 1 / 3], undefined],
  ["pow", [0, -1], undefined],
  ["pow", [0, 0], 1],
  ["pow", [9, 0.5], 3],
  ["pow", [1.05, 30], 4.321942375150668],
  ["pow", [1 + 2 ** -52, 2 ** 52], Math.E],
  ["log", [1], 0],
  ["log", [Math.E], 1],
  ["log", [1000, 10], 3],
  ["log", [8, 2], 3],
  ["log", [0.001, 10], -3],
  ["log", [5e-324, 2], -1074],
  ["log", [0], undefined],
  ["log", [-1], undefined],
  ["log", [2, 1], undefined],
  ["log", [2, 0], undefined],
] as const)("%s of %j is %d", (name, args, expected) => {
  expect(both(name, ...args)).toBe(expected);
});

test("powers and logarithms are the nearest numbers, computed with integers of 300 bits", () => {
  const positive = fc.oneof(
    fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
    fc.integer({ min: 1, max: 1000 }),
    fc.double({ min: 0.9, max: 1.1, noNaN: true }),
    fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }),
  );
  const power = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.double({ min: -30, max: 30, noNaN: true }));
  const holds = fc.property(positive, positive, power, (number, base, exponent) => {
    both("log", number);
    both("log", number, base);
    const raised = computed("pow", number, exponent);
    // Below the normal numbers the last bit may differ.
    if (typeof raised !== "number" || raised > 2 ** -1021) both("pow", number, exponent);
  });
  fc.assert(holds, { numRuns: runs(1000), seed: 7 });
});

test.each([
  ["replace", ["a-b-c", "-", "+"], "a+b+c"],
  ["replace", ["aaa", "aa", "b"], "ba"],
  ["replace", ["abc", "", "x"], "abc"],
  ["replace", ["a$b", "$", "$&$1"], "a$&$1b"],
  ["replace", ["x".repeat(50_001), "x", "yy"], undefined],
  ["replace", ["x".repeat(50_000), "x", "yy"], "y".repeat(100_000)],
  ["index_of", ["\u{1F600}ab", "b"], 2],
  ["index_of", ["ab", "c"], -1],
  ["index_of", ["ab", ""], 0],
  ["pad_left", ["7", 3], "  7"],
  ["pad_left", ["7", 4, "ab"], "aba7"],
  ["pad_left", ["\u{1F600}", 3, "é"], "éé\u{1F600}"],
  ["pad_left", ["1234", 2, "0"], "1234"],
  ["pad_left", ["1", 2, ""], "1"],
  ["pad_left", ["1", 1.5], undefined],
  ["pad_left", ["1", 100_001], undefined],
  ["pad_right", ["7", 3], "7  "],
  ["pad_right", ["7", 4, "ab"], "7aba"],
  ["pad_right", ["7", -4, "ab"], "7"],
  ["repeat", ["ab", 0], ""],
  ["repeat", ["", 1e9], ""],
  ["repeat", ["ab", -1], undefined],
  ["repeat", ["ab", 0.5], undefined],
  ["repeat", ["ab", 50_001], undefined],
  ["repeat", ["ab", 1e308], undefined],
  ["title", ["élan VITAL"], "Élan Vital"],
  ["title", ["o'neill’s 2nd ßeta"], "O'neill’s 2Nd Sseta"],
  ["title", ["ΟΔΟΣ"], "Οδος"],
  ["title", [""], ""],
] as const)("%s of %j", (name, args, expected) => {
  expect(both(name, ...args)).toBe(expected);
});

test("functions of strings agree with their second computation", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "A", " ", "'", "1", "ß", "\u{1F600}", "é", "-"),
    maxLength: 8,
  });
  const count = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constantFrom(0.5, 1e5 + 1));
  const holds = fc.property(text, text, text, count, (one, two, three, length) => {
    both("replace", one, two, three);
    both("index_of", one, two);
    both("pad_left", one, length, two);
    both("pad_right", one, length);
    both("repeat", one, length);
    both("title", one);
  });
  fc.assert(holds, { numRuns: runs(2000), seed: 7 });
});

describe("format", () => {
  test.each([
    [1234567.891, "#,##0.00", "1,234,567.89"],
    [999.995, "#,##0.00", "1,000.00"],
    [1.005, "0.00", "1.01"],
    [0.5, "#,##0.00", "0.50"],
    [0, "#,##0", "0"],
    [12, "#,##0", "12"],
    [-1234, "#,##0", "-1,234"],
    [-0.001, "0.00", "0.00"],
    [7, "000", "007"],
    [7, "0,000", "0,007"],
    [1.5, "0.0##", "1.5"],
    [1.23456, "0.0##", "1.235"],
    [2, "0.##", "2"],
    [0.1234, "0.0%", "12.3%"],
    [0.125, "0%", "13%"],
    [1e21, "#,##0", "1,000,000,000,000,000,000,000"],
    [1, "#", undefined],
    [1, "", undefined],
    [1, "#,###", undefined],
    [1, "0.", undefined],
    [1, "0.#0", undefined],
    [1, "0,0", undefined],
    [1, "#,##,##0", undefined],
    [1, "0 EUR", undefined],
    [1, `0.${"0".repeat(21)}`, undefined],
    [1, "yyyy", undefined],
    ["2026-11-06", "yyyy-MM-dd", "2026-11-06"],
    ["2026-11-06", "d.M.yy", "6.11.26"],
    ["0007-01-02", "yyyy/yy", "0007/07"],
    ["2026-11-06", "yyyy'T'MM", "2026T11"],
    ["2026-11-06", "d' o''clock'", "6 o'clock"],
    ["2026-11-06", "''d''", "'6'"],
    ["2026-11-06", "HH", undefined],
    ["2026-11-06", "d'", undefined],
    ["2026-11-06", "'d'", undefined],
    ["2026-11-06", "YYYY", undefined],
    ["2026-11-06T09:05:07.030Z", "HH:mm:ss.SSS", "09:05:07.030"],
    ["2026-11-06T09:05:07Z", "H", "9"],
    ["PT1H", "H", undefined],
    ["soon", "yyyy", undefined],
    [true, "0", undefined],
  ] as const)("format(%j, %j)", (value, pattern, expected) => {
    expect(both("format", value, pattern)).toBe(expected);
  });

  test("an instant is written for a time zone", () => {
    expect(both("format", "2026-07-01T22:30:00Z", "dd HH:mm", "Europe/Paris")).toBe("02 00:30");
    expect(both("format", "2026-07-01T22:30:00Z", "dd HH:mm")).toBe("01 22:30");
    expect(both("format", "2026-07-01T22:30:00Z", "dd", "No/Where")).toBeUndefined();
    expect(both("format", "2026-07-01", "dd", "Europe/Paris")).toBeUndefined();
    expect(both("format", 1, "0", "Europe/Paris")).toBeUndefined();
    expect(both("format", "0001-01-01T00:00:00Z", "yyyy", "America/New_York")).toBeUndefined();
    expect(computed("format", 1, undefined)).toBeUndefined();
    expect(FUNCTIONS.get("format")?.refuses?.([1, "0", undefined])).toBeUndefined();
  });

  test("numbers agree with their second computation", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer().map((n) => n / 1000),
    );
    const places = fc.tuple(fc.nat(3), fc.nat(4), fc.boolean(), fc.nat(3), fc.nat(3), fc.boolean());
    const holds = fc.property(number, places, (value, [hashes, zeros, comma, fewest, more, percent]) => {
      const whole = "#".repeat(hashes) + "0".repeat(zeros);
      const grouped = comma ? `${whole.slice(0, -3)},${whole.slice(-3)}` : whole;
      const decimals = fewest + more === 0 ? "" : `.${"0".repeat(fewest)}${"#".repeat(more)}`;
      both("format", value, `${grouped}${decimals}${percent ? "%" : ""}`);
    });
    fc.assert(holds, { numRuns: runs(2000), seed: 7 });
  });

  test("works on times in a program, and a wrong pattern is found with the program", () => {
    const source = `type D(#id: string, day: date, at: instant, n: number)
      rule r { when d: D then log(format(d.day, "d.M.yyyy"), format(d.at, "HH:mm", "Europe/Paris"), format(d.n, "0.0")) }`;
    const session = compile(source).session();
    session.assert("D", { id: "d", day: "2026-11-06", at: "2026-11-06T09:05:00Z", n: 2.25 });
    expect(session.run().effects[0]?.args).toEqual(["6.11.2026", "10:05", "2.3"]);
    const codes = (pattern: string): readonly string[] =>
      check(source.replace('"d.M.yyyy"', pattern)).diagnostics.map(({ code }) => code);
    expect(codes('"DD.MM.YYYY"')).toEqual(["E221"]);
    expect(codes('"HH:mm"')).toEqual(["E221"]);
    expect(codes('"#,##0"')).toEqual(["E221"]);
    expect(codes("d.id")).toEqual([]);
  });

  test("a computed pattern that is wrong is a failure with a reason", () => {
    const session = compile('type D(#id: string) rule r { when d: D(format(1, id) == "1") then log(1) }').session();
    session.assert("D", { id: "MMM" });
    expect(session.problems.map(({ code, message }) => `${code} ${message}`).join()).toContain(
      'format(1, "MMM") has no result: "MMM" is no pattern of numbers',
    );
  });
});

test.each([
  "sqrt(-1)",
  "log(0)",
  "log(2, 1)",
  "pow(10, 400)",
  "round(1, 30)",
  'repeat("a", 1000000)',
  'pad_left("a", 1000000)',
])("%s is unknown, not missing, and says why", (call) => {
  const source = `type T(#id: string) rule r { when t: T(coalesce((string) ${call}, "none") == "none") then log(1) }`;
  const session = compile(source).session();
  session.assert("T", { id: "t" });
  expect(session.matches("r")).toHaveLength(0);
  expect(session.problems.map(({ code }) => code)).toEqual(["E521"]);
  expect(session.whyNot("r").upward_rationale).toContain(call.slice(0, call.indexOf("(")));
});

test("a host function with the name of a built-in one is called in its place", () => {
  const number = { kind: "number" } as const;
  const signature = { params: [{ name: "x", type: number, optional: false }], result: number };
  const program = compile("type T(#id: string) rule r { when t: T then log(sqrt(4)) }", {
    functions: { sqrt: signature },
  });
  const session = program.session({ functions: { sqrt: () => 42 } });
  session.assert("T", { id: "t" });
  expect(session.run().effects[0]?.args).toEqual([42]);
});
