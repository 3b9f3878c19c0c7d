/** Tests that requests of `evaluate` share a pool, and nothing else: neither limits nor functions nor roles. */
import { expect, test } from "vitest";
import { compile, type EvaluationOptions } from "../../src/index.ts";

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
