/** Tests what functions of the host return in tests: `given risk("FR", 10) = 0.3`. */
import { describe, expect, test } from "vitest";
import { check, compile, type TestOptions, type TestOutcome } from "../../src/index.ts";

const RULES = `
  function risk(country: string, amount: number, factor: number = 2): number
  function rating(c: Customer, on: date?): number?
  function listed(words: string[]): bool
  type Customer(#id: string)
  type Order(#id: string, buyer: Customer, country: string, total: number, due: date?, words: string[])
  rule "risky" { when o: Order(risk(country, total) > 0.5) then log(o.id) }
  rule "good" { when o: Order(rating(buyer, due) >= 3) then log(o.id) }
  rule "listed" { when o: Order(listed(words)) then log(o.id) }
  gate ship for o: Order { require risk(o.country, o.total) < 0.5 }`;

function outcomes(items: string, options: TestOptions = {}): readonly TestOutcome[] {
  return compile(`${RULES} test "t" { ${items} }`).test(options).tests;
}

const passes = (items: string, options?: TestOptions): boolean => outcomes(items, options)[0]?.passed ?? false;

const ORDER = 'given o1 = Order("o1", "c1", "FR", 10, "2026-11-16", ["a", "b"])';
const RISK = 'given risk("FR", 10) = 0.3';
const OTHERS = 'given rating("c1", @2026-11-16) = 4 given listed(["a", "b"]) = false';

describe("a stated value", () => {
  test("is what the call returns, in rules and gates", () => {
    expect(passes(`${ORDER} ${RISK} ${OTHERS} expect rule risky fires 0 expect gate ship(o1) is pass`)).toBe(true);
    const high = 'given risk("FR", 10) = 0.9';
    expect(passes(`${ORDER} ${high} ${OTHERS} expect rule risky fires 1 expect gate ship(o1) is fail`)).toBe(true);
  });

  test("is found with the defaults of parameters, written or not", () => {
    expect(passes(`${ORDER} given risk("FR", 10, 2) = 0.9 ${OTHERS} expect rule risky fires`)).toBe(true);
    expect(passes(`${ORDER} given risk("FR", 10, 3) = 0.9 ${OTHERS} expect rule risky fires`)).toBe(false);
  });

  test("is found by the name, key or id of a fact, by a time in any form, and by a list", () => {
    for (const who of ["ann", '"c1"', '"Customer~c1"']) {
      const stated = `given ann = Customer("c1") given rating(${who}, "2026-11-16") = 3 given listed(["a", "b"]) = true`;
      const items = `${stated} ${ORDER} ${RISK} expect rule good fires 1 expect rule listed fires 1`;
      expect(outcomes(items), who).toMatchObject([{ passed: true, failures: [] }]);
    }
  });

  test("may be missing where the result may be", () => {
    const stated = 'given rating("c1", @2026-11-16) = null given listed(["a", "b"]) = false';
    expect(passes(`${ORDER} ${RISK} ${stated} expect rule good fires 0`)).toBe(true);
  });

  test("comes before the function of the host, which answers all other calls", () => {
    const functions = { risk: () => 0.9, rating: () => 5, listed: () => false };
    expect(passes(`${ORDER} expect rule risky fires 1`, { functions })).toBe(true);
    expect(passes(`${ORDER} ${RISK} expect rule risky fires 0 expect rule good fires 1`, { functions })).toBe(true);
  });

  test("counts for coverage", () => {
    const tests = [0.3, 0.9].map(
      (value, at) =>
        `test "t${at}" { ${ORDER} given risk("FR", 10) = ${value} ${OTHERS} expect rule risky fires ${at} }`,
    );
    const { coverage, failed } = compile(`${RULES} ${tests.join(" ")}`).test({ coverage: true });
    expect(failed).toBe(0);
    expect(coverage?.halfTested.filter(({ rules }) => rules.includes("risky"))).toEqual([]);
  });
});

test("a call without a stated value and without the host is unknown, with the reason", () => {
  const [outcome] = outcomes(`${ORDER} given risk("DE", 10) = 0.9 ${OTHERS} expect rule risky fires 0`);
  expect(outcome?.passed).toBe(false);
  expect(outcome?.problems?.map(({ message, hint }) => `${message} = ${hint}`)).toEqual([
    'rule "risky": risk("FR", 10, 2) has no value in this test, with Order o1 = state it: given risk("FR", 10, 2) = …',
    'gate "ship": risk("FR", 10, 2) has no value in this test, with Order o1 = state it: given risk("FR", 10, 2) = …',
  ]);
});

test.each([
  ['given risk("FR") = 1', "E209 risk takes 2 to 3 arguments, found 1"],
  ["given risk(1, 10) = 1", 'E407 risk: argument "country" must be string, found number'],
  ['given risk("FR", 10) = "high"', "E407 the value of risk must be number, found string"],
  ['given risk("FR", 10) = 1 given risk("FR", 10) = 2', 'E204 the value of risk("FR", 10) is given twice'],
  ["given length(1) = 1", 'E214 "length" is no function of the host'],
  ["given gross(1) = 1", 'E214 "gross" is no function of the host'],
  ['given riks("FR", 10) = 1', 'E212 unknown function "riks"'],
])("%s", (items, message) => {
  const { diagnostics } = check(
    `${RULES} function gross(x: number): number = x test "t" { ${items} expect rule risky fires 0 }`,
  );
  expect(diagnostics.map((one) => `${one.code} ${one.message}`)).toEqual([message]);
});
