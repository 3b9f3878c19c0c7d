/** Tests constants, names of types and choices: in rules, gates, guardians and pipelines, with their reasons. */
import { describe, expect, test } from "vitest";
import { must } from "../../src/base/invariant.ts";
import { check, compile, type RuleSession } from "../../src/index.ts";
import { textTree } from "../../src/tools.ts";

const TYPES = `const VAT = 0.2
  const EU = ["FR", "DE"]
  const limits = { low: 1, high: [2, 3] }
  const HOME = "FR"
  type Severity = "low" | "high"
  type Level = 1 | 2 | 3
  type Order(#id: string, country: string = HOME, net: number, vip: bool?, severity: Severity = low, level: Level = 2)
`;

function opened(source: string): RuleSession {
  return compile(`${TYPES}${source}`).session();
}

const logged = (session: RuleSession): unknown[] => session.run().effects.map(({ args }) => args);

describe("a constant", () => {
  test("is suggested for a misspelt name in a pattern", () => {
    const [error] = check(
      "const LIMIT = 5 type A(#id: string, n: number) rule r { when a: A(n > LIMT) then log(a.id) }",
    ).diagnostics;
    expect(error).toMatchObject({ code: "E202", hint: 'did you mean "LIMIT"?' });
  });

  test("is its value in tests, actions, facts, defaults and other constants", () => {
    const session = opened(`const both = [HOME, VAT]
      Order(id: HOME, net: 10)
      rule r {
          when o: Order(country == HOME, country in EU, net * VAT > limits.low)
          then log(o.id, both, limits.high, limits.none is missing)
      }`);
    expect(logged(session)).toEqual([["FR", ["FR", 0.2], [2, 3], true]]);
  });

  test("gives way to a field and to a variable", () => {
    const session = opened(`const net = 1000
      rule r { when o: Order(net < 20) then log(o.id) }
      rule s { when net: Order(net.net < 20) then log(net.id) }`);
    session.assert("Order", { id: "a", net: 10 });
    expect(logged(session)).toEqual([["a"], ["a"]]);
  });

  test("is a word in a fact when it is declared with list", () => {
    const session = opened(`list home = ["x"]
      Order(id: home, net: 1)`);
    expect(session.fact("Order~home")?.fields["id"]).toBe("home");
  });
});

describe("a union of numbers", () => {
  test("accepts its numbers only", () => {
    const session = opened("");
    session.assert("Order", { id: "a", net: 1, level: 3 });
    expect(() => session.assert("Order", { id: "b", net: 1, level: 4 })).toThrow(
      "Order.level must be 1 | 2 | 3, found 4",
    );
    expect(() => session.assert("Order", { id: "c", net: 1, level: "1" })).toThrow(
      "Order.level must be 1 | 2 | 3, found string",
    );
  });

  test("is ordered and computed with like numbers", () => {
    const session = opened('rule r { when o: Order(level + 1 > 3, severity != "low") then log(o.level * 2) }');
    session.assert("Order", { id: "a", net: 1, level: 3, severity: "high" });
    expect(logged(session)).toEqual([[6]]);
  });
});

describe("a choice", () => {
  const RULE = "rule r { when o: Order(net * (if vip then 1 else 2) > 10) then log(if o.vip then 'vip' else 'other') }";

  test.each([
    [true, 11, [["vip"]]],
    [true, 6, []],
    [false, 6, [["other"]]],
    [undefined, 100, []],
  ])("with the test %s", (vip, net, wanted) => {
    const session = opened(RULE);
    session.assert("Order", { id: "a", net, ...(vip === undefined ? {} : { vip }) });
    expect(logged(session)).toEqual(wanted);
  });

  test("says what is missing while its test is unknown", () => {
    const session = opened(RULE);
    session.assert("Order", { id: "a", net: 100 });
    expect(textTree(session.whyNot("r"))).toContain("vip is missing");
  });

  test("names the side that was chosen in its explanation", () => {
    const session = opened(RULE);
    session.assert("Order", { id: "a", net: 11, vip: true });
    const [fired] = session.run().fired;
    const text = textTree(session.why(must(fired, "a firing")));
    expect(text).toContain("vip is true");
  });

  test("holds a gate while its test is unknown", () => {
    const session = opened("gate g for o: Order { require if o.vip then o.net > 1 else o.net > 1000 }");
    session.assert("Order", { id: "a", net: 100 });
    session.assert("Order", { id: "b", net: 100, vip: true });
    session.assert("Order", { id: "c", net: 100, vip: false });
    session.run();
    const of = (id: string): string => session.gate("g", `Order~${id}`).outcome;
    expect(["a", "b", "c"].map(of)).toEqual(["hold", "pass", "fail"]);
    expect(JSON.stringify(session.gate("g", "Order~a"))).toContain("vip");
  });

  test("calls no function of the side that is not chosen", () => {
    const calls: unknown[] = [];
    const number = { kind: "number" } as const;
    const signature = { params: [{ name: "x", type: number, optional: false }], result: number };
    const program = compile(`${TYPES}rule r { when o: Order((if vip then f(net) else 0) >= 0) then log(o.id) }`, {
      functions: { f: signature },
    });
    const f = (x: unknown): number => {
      calls.push(x);
      return 1;
    };
    const session = program.session({ functions: { f } });
    session.assert("Order", { id: "a", net: 7, vip: false });
    session.assert("Order", { id: "b", net: 8, vip: true });
    expect(logged(session)).toEqual([["a"], ["b"]]);
    expect(calls).toEqual([8]);
  });
});
