/** Tests functions that a program declares: checked without the host, and required when a session is opened. */
import { describe, expect, test } from "vitest";
import { check, compile, type Problem, SessionError } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const RULES = `
  function risk(country: string, amount: number, factor: number = 2): number
  function known(o: Order, on: date?): bool?
  type Order(#id: string, country: string, total: number)
  rule "risky" { when o: Order(risk(country, total) > 0.5) then log(o.id) }
  gate ship for o: Order { require known(o) and risk(o.country, o.total) < 0.5 }`;

const risk = (country: unknown, amount: unknown, factor: unknown): number =>
  country === "XX" ? 1 : (Number(amount) * Number(factor)) / 1000;
const known = (id: unknown): boolean => id !== "Order~o9";

function thrown(work: () => unknown): SessionError {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const messages = (problems: readonly Problem[] = []): string[] => problems.map(({ message }) => message);

describe("a declared function", () => {
  test("is typed without the host", () => {
    expect(check(RULES).diagnostics).toEqual([]);
    const wrong = check(`${RULES} rule "x" { when o: Order(risk(total, total) > "a") then log(o.id) }`);
    expect(wrong.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E203 number and string cannot be ordered with ">"',
      'E209 risk: argument "country" must be string, found number',
    ]);
  });

  test("is called with the defaults of its parameters", () => {
    const session = compile(RULES).session({ functions: { risk, known } });
    session.assert("Order", { id: "o1", country: "FR", total: 300 });
    session.assert("Order", { id: "o2", country: "FR", total: 200 });
    session.assert("Order", { id: "o9", country: "FR", total: 10 });
    const { fired, gates } = session.run();
    expect(fired.map(({ bindings }) => bindings["o"])).toEqual(["Order~o1"]);
    expect(gates.map(({ outcome }) => outcome)).toEqual(["fail", "pass", "fail"]);
  });

  test("comes before a function of the same name that compile is given, which must be the same", () => {
    const number = { kind: "number" } as const;
    const same = { params: [{ name: "x", type: number, optional: false }], result: number };
    const source = "function twice(x: number): number";
    expect(check(source, { functions: { twice: same } }).diagnostics).toEqual([]);
    const other = check(source, { functions: { twice: { ...same, result: { kind: "string" } } } });
    expect(other.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E203 function "twice" is declared as (number) number, and passed to compile as (number) string',
    ]);
  });
});

describe("a session without a declared function", () => {
  test("does not open, and the error lists all that are missing (E525)", () => {
    const program = compile(RULES);
    const error = thrown(() => program.session());
    expect(error.code).toBe("E525");
    expect(error.message).toBe(
      "the session lacks 2 functions that the program declares: risk(country: string, amount: number, factor: number?): number, known(o: Order, on: date?): bool?",
    );
    expect(error.hint).toContain("session({ functions: { risk, known } })");
    expect(error.hint).toContain("--functions FILE");
    expect(thrown(() => program.session({ functions: { risk } })).message).toContain("lacks a function");
    expect(thrown(() => program.evaluate([], { functions: { known } })).code).toBe("E525");
    expect(thrown(() => loadPlan(program.save()).session()).code).toBe("E525");
    expect(thrown(() => program.session({ functions: { risk, known: 3 as never } })).code).toBe("E525");
  });

  test("does not open asynchronously, either", async () => {
    await expect(compile(RULES).openAsync()).rejects.toMatchObject({ code: "E525" });
  });

  test("is not continued with a program that declares more", () => {
    const session = compile("type Order(#id: string)").session();
    session.assert("Order", { id: "o1" });
    const next = compile("function f(): number type Order(#id: string)");
    expect(thrown(() => session.reload(next)).code).toBe("E525");
    expect(session.size).toBe(1);
  });

  test('opens with missingFunctions: "unknown": every call is unknown, and each function is a problem', () => {
    const session = compile(`${RULES} function unused(): number`).session({
      functions: { risk },
      missingFunctions: "unknown",
    });
    expect(messages(session.problems)).toEqual([
      'gate "ship": known() was not passed to the session',
      "unused() was not passed to the session",
    ]);
    session.assert("Order", { id: "o1", country: "XX", total: 1 });
    session.assert("Order", { id: "o2", country: "FR", total: 1 });
    const { gates, problems } = session.run();
    expect(gates.map(({ outcome }) => outcome)).toEqual(["fail", "hold"]);
    expect(messages(problems)).toEqual([
      'gate "ship": known("Order~o1") was not passed to the session, with Order o1 (and 1 more)',
      "unused() was not passed to the session",
    ]);
  });

  test("refuses another word for missingFunctions (E213)", () => {
    expect(thrown(() => compile(RULES).session({ missingFunctions: "ignore" as never })).code).toBe("E213");
  });

  test("coalesce does not replace a call that cannot be made", () => {
    const source = `function f(x: number): number type T(#id: string, x: number)
      rule r { when t: T(coalesce(f(x), 0) == 0) then log(t.id) }`;
    const session = compile(source).session({ missingFunctions: "unknown" });
    session.assert("T", { id: "t", x: 1 });
    expect(session.run().fired).toEqual([]);
  });
});

describe("a declared function that fails", () => {
  test.each<readonly [string, () => unknown, string]>([
    ["throws", fail, "failed: down"],
    ["returns a promise", () => Promise.resolve(1), "returned a promise, expected a number"],
    ["returns another type", () => "high", 'returned the string "high", expected a number'],
  ])("%s: the test is unknown, and it is reported in rules as in gates", (_, broken, how) => {
    const program = compile(`${RULES}
      function double(x: number): number = 2 * x
      rule "doubled" { when o: Order where double(risk(o.country, o.total)) > 0 then log(o.id) }`);
    const session = program.session({ functions: { risk: broken as never, known } });
    session.assert("Order", { id: "o1", country: "FR", total: 10 });
    const { fired, gates, problems = [] } = session.run();
    expect(fired).toEqual([]);
    expect(gates.map(({ outcome }) => outcome)).toEqual(["hold"]);
    const reported = ['rule "risky"', 'rule "doubled"', 'gate "ship"'].map(
      (who) => `${who}: risk("FR", 10, 2) ${how}, with Order o1`,
    );
    expect(messages(problems).toSorted()).toEqual(reported.toSorted());
    expect(session.warnings.map(({ code, message }) => `${code} ${message}`)).toEqual(
      reported.map(() => `E521 risk("FR", 10, 2) ${how}, so the test that calls it is unknown`),
    );
    for (const rule of ["risky", "doubled"])
      expect(session.whyNot(rule, { o: "Order~o1" }).observation, rule).toContain(`risk("FR", 10, 2) ${how}`);
  });
});

function fail(): never {
  throw new Error("down");
}
