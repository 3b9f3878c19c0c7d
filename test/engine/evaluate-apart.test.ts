/** Tests that requests of `evaluate` share a pool, and nothing else: neither limits nor functions nor roles. */
import { describe, expect, test } from "vitest";
import { compile, type Evaluation, type EvaluationOptions, type RunResult } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const ASKED = compile(
  `type Order(#num: string, country: string)
   gate "ship" for o: Order { require coalesce(allowed(o.country), true) }`,
  {
    functions: {
      allowed: {
        params: [{ name: "country", type: { kind: "string" }, optional: false }],
        result: { kind: "bool", optional: true },
      },
    },
  },
);

const outcome = (functions: object): string | undefined => {
  const { gates } = ASKED.evaluate([{ type: "Order", fields: { num: "o1", country: "XX" } }], {
    functions: functions as NonNullable<EvaluationOptions["functions"]>,
  });
  return gates[0]?.outcome;
};

test("a function that is undefined has failed, as in a session: its absence is no missing value", () => {
  expect(outcome({ allowed: () => undefined })).toBe("pass"); // it says itself that it does not know
  expect(outcome({ allowed: () => false })).toBe("fail");
  for (const nothing of [undefined, null, 5]) expect(outcome({ allowed: nothing })).toBe("hold");
  expect(outcome({})).toBe("hold");
  expect(outcome({ allowed: () => true })).toBe("pass");
});

test("a request without a limit of firings does not get that of another request", () => {
  const program = compile('type N(#id: string, n: number) rule "up" { when x: N(n < 150000) then x.n = x.n + 1 }');
  const from = (n: number) => [{ type: "N", fields: { id: "x", n } }];
  expect(program.evaluate(from(149_999), { limit: Infinity }).count).toBe(1);
  expect(() => program.evaluate(from(0), { strategy: "breadth" })).toThrow("the limit of 100000 firings");
  expect(() => program.evaluate(from(0), {})).toThrow("the limit of 100000 firings");
  expect(() => program.evaluate(from(0), { limit: NaN })).toThrow("must be a number, 0 or more");
  expect(program.evaluate(from(149_990), {}).count).toBe(10);
});

test("the role of a request goes with every other option", () => {
  const program = compile("protected type Rate(#id: string, percent: number)");
  const facts = [{ type: "Rate", fields: { id: "r", percent: 3 } }];
  for (const options of [{}, { id: "s" }, { checkDeadline: 5 }]) {
    expect(program.evaluate(facts, { role: "policy", ...options }).facts).toHaveLength(1);
    expect(() => program.evaluate(facts, options)).toThrow("Rate");
  }
});

describe("what a function returned for facts of the program, or without any fact, is not that of another request", () => {
  const SOURCE = `
    function allowed(id: string): bool
    function level(n: number): number
    type C(#id: string)
    type A(#id: string)
    C("a")
    gate "ship" for c: C { require allowed(c.id) }
    gate "all" { require allowed("x") }
    rule "each" { when c: C(allowed(id)) then log("each", c.id) }
    rule "none" { when where level(1) > 0 then log("none") }
    rule "named" { when let x = level(2) then log("named", x) }
    rule "no A" { when not A() where level(3) > 0 then log("no A") }
    guardian "h" for c: C { check c { need allowed(c.id) as "no" do RETRIEVE_DB } } // sluice: allow W240
    pipeline "p" for c: C { step s BLOCK "no" unless allowed(c.id) otherwise ANSWER "yes" }`;
  const A = [{ type: "A", fields: { id: "x" } }];

  const shown = ({ gates, effects, verdicts, decisions }: RunResult): unknown => [
    gates.map(({ gate, outcome }) => `${gate} ${outcome}`),
    effects.map(({ args }) => args),
    verdicts.map(({ verdict }) => verdict),
    decisions.map((one) => ("decision" in one ? one.decision : one.n)),
  ];

  test.each([
    ["a compiled program", () => compile(SOURCE)],
    ["a saved plan", () => loadPlan(compile(SOURCE).save())],
  ])("%s", async (_, make) => {
    const program = make();
    const functionsOf = (may: boolean, n: number) => ({ allowed: () => may, level: () => n });
    const [yes, no] = [functionsOf(true, 1), functionsOf(false, -1)];
    const requests = [yes, no, yes, functionsOf(true, -2), { ...yes, level: no.level }, no, yes];
    for (const [at, functions] of requests.entries()) {
      for (const facts of [[], A, []]) {
        const session = program.session({ functions });
        for (const { type, fields } of facts) session.assert(type, fields);
        const expected = shown(session.run());
        expect(shown(program.evaluate(facts, { functions })), `request ${at}`).toEqual(expected);
        const decided: Evaluation = await program.evaluateAsync(facts, { functions });
        expect(shown(decided), `request ${at}`).toEqual(expected);
      }
    }
  });

  test("sessions are used again while the functions are the same", () => {
    const program = compile(SOURCE);
    let calls = 0;
    const functions = { allowed: () => true, level: () => (calls += 1) };
    program.evaluate([], { functions });
    const first = calls;
    program.evaluate([], { functions });
    expect(calls).toBe(first);
    for (let other = 0; other < 40; other++) program.evaluate([], { functions: { ...functions, level: () => -other } });
    expect(program.evaluate([], { functions }).gates.map(({ outcome }) => outcome)).toEqual(["pass", "pass"]);
  });
});
