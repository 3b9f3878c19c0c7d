/** Tests names for values: evaluated once per match, stable under updates that leave the value, unknown with a reason, everywhere. */
import { describe, expect, test } from "vitest";
import { must } from "../../src/base/invariant.ts";
import { compile, type RuleSession } from "../../src/index.ts";
import { declarations, textTree } from "../../src/tools.ts";

const TYPES = `type Order(#id: string, qty: number, price: number?, vip: bool?)
type Payment(#id: string, order: string, amount: number)
`;
const NUMBER = { kind: "number" } as const;
const F = { params: [{ name: "x", type: NUMBER, optional: false }], result: NUMBER };

function opened(source: string, f: (x: unknown) => unknown = () => 0): RuleSession {
  return compile(`${TYPES}${source}`, { functions: { f: F } }).session({ functions: { f: f as never } });
}

const logged = (session: RuleSession): unknown[] => session.run().effects.map(({ args }) => args);

describe("a let in the condition of a rule", () => {
  test("is computed once for each match, however often it is used", () => {
    const calls: unknown[] = [];
    const session = opened(
      `rule r { when o: Order let n = f(o.qty) where n > 1 where n < 9 p: Payment(amount == n) then log(n, p.id) }
       rule s { when x: Order let m = f(x.qty) where m > 1 then log(m) }`,
      (x) => {
        calls.push(x);
        return 5;
      },
    );
    session.assert("Order", { id: "a", qty: 3 });
    session.assert("Payment", { id: "p", order: "a", amount: 5 });
    expect(logged(session).toSorted((a, b) => String(a).length - String(b).length)).toEqual([[5], [5, "p"]]);
    expect(calls).toEqual([3]);
  });

  test("restarts nothing below it when an update leaves its value", () => {
    const session = opened("rule r { when o: Order let tens = floor(o.qty / 10) where tens > 0 then log(o.id, tens) }");
    const order = session.assert("Order", { id: "a", qty: 11 });
    expect(logged(session)).toEqual([["a", 1]]);
    session.update(order, { qty: 17 });
    expect(logged(session)).toEqual([]);
    session.update(order, { qty: 25 });
    expect(logged(session)).toEqual([["a", 2]]);
    session.update(order, { qty: 5 });
    expect(logged(session)).toEqual([]);
    expect(session.matches("r")).toEqual([]);
  });

  test("lets the match pass when it is unknown, and says which part is missing", () => {
    const session = opened(`rule all { when o: Order let net = o.qty * o.price then log(o.id, net) }
      rule large { when o: Order let net = o.qty * o.price where net > 10 then log(o.id) }`);
    session.assert("Order", { id: "a", qty: 3 });
    expect(logged(session)).toEqual([["a", undefined]]);
    const why = textTree(session.whyNot("large"));
    expect(why).toContain("o.price is missing");
    expect(why).toContain("net > 10 is unknown");
  });

  test("is explained with what it was computed from", () => {
    const session = opened("rule r { when o: Order let net = o.qty * o.price where net > 10 then log(o.id) }");
    session.assert("Order", { id: "a", qty: 3, price: 4 });
    const why = textTree(session.why(must(session.run().fired[0], "a firing")));
    expect(why).toContain("net is 12");
  });

  test("is looked through by remedies", () => {
    const session = opened("rule r { when o: Order let net = o.qty * o.price where net > 10 then log(o.id) }");
    session.assert("Order", { id: "a", qty: 3, price: 2 });
    expect(JSON.stringify(session.whyNot("r").remedies)).toContain("price");
  });

  test("that fails is unknown, not missing, and is reported", () => {
    const session = opened("rule r { when o: Order let n = f(o.qty) where n is missing then log(o.id) }", () => {
      throw new Error("down");
    });
    session.assert("Order", { id: "a", qty: 3 });
    const { fired, problems = [] } = session.run();
    expect(fired).toEqual([]);
    expect(problems.map(({ message }) => message).join()).toContain("down");
  });

  test("has its value or undefined in the declarations", () => {
    const program = compile(`${TYPES}query q { o: Order let net = o.qty * o.price }`);
    expect(declarations(program)).toMatch(/net: number \| undefined/u);
  });
});

describe("a let elsewhere", () => {
  test("names a value for the actions after it", () => {
    const session = opened(`rule r {
        when o: Order
        then
            let gross = o.qty * 2
            let text = "gross " + gross
            log(gross, text)
            o.price = gross
      }`);
    session.assert("Order", { id: "a", qty: 3 });
    expect(logged(session)).toEqual([[6, "gross 6"]]);
    expect(session.fact("Order~a")?.fields["price"]).toBe(6);
  });

  test("holds a gate while it is unknown, with the part that is missing", () => {
    const session = opened(`condition big(o: Order) : let net = o.qty * o.price where net > 10
      gate g for o: Order { let net = o.qty * o.price let small = net < 100 require big(o) and small on pass then log(net) }`);
    session.assert("Order", { id: "a", qty: 3 });
    session.assert("Order", { id: "b", qty: 3, price: 5 });
    session.assert("Order", { id: "c", qty: 3, price: 50 });
    expect(logged(session)).toEqual([[15]]);
    const of = (id: string): string => session.gate("g", `Order~${id}`).outcome;
    expect(["a", "b", "c"].map(of)).toEqual(["hold", "pass", "fail"]);
    expect(textTree(session.why(session.gate("g", "Order~a")))).toContain("price");
  });

  test("names values of a guardian, of its checks and in its reasons", () => {
    const session = opened(`guardian d for o: Order {
        retry at most 0
        let net = o.qty * o.price
        check paid using p: Payment(p.order == o.id) {
            let paid = sum(p.amount)
            need paid >= net as "short({net - paid})" do SAFE_REFUSAL
        }
      }`);
    session.assert("Order", { id: "a", qty: 3, price: 5 });
    session.assert("Payment", { id: "p", order: "a", amount: 11 });
    const [verdict] = session.run().verdicts;
    expect(verdict).toMatchObject({ verdict: "FAIL", reasons: ["short(4)"] });
  });

  test("names values of a pipeline and of the patterns of a step", () => {
    const session = opened(`pipeline p for o: Order {
        let net = o.qty * o.price
        before net > 0 else BLOCK "nothing"
        step paid ANSWER x.id when x: Payment(x.order == o.id), let rest = x.amount - net, where rest >= 0
        otherwise FORWARD "unpaid"
      }`);
    const order = (id: string, price?: number) =>
      session.assert("Order", { id, qty: 3, ...(price === undefined ? {} : { price }) });
    order("a", 5);
    order("b", 7);
    order("c");
    session.assert("Payment", { id: "x", order: "a", amount: 15 });
    session.assert("Payment", { id: "y", order: "b", amount: 15 });
    session.run();
    const of = (id: string): unknown => {
      const { decision, value } = session.decide("p", `Order~${id}`);
      return [decision, value];
    };
    expect(of("a")).toEqual(["ANSWER", "x"]);
    expect(of("b")).toEqual(["FORWARD", "unpaid"]);
    expect(session.decide("p", "Order~c").decision).toBe("BLOCK");
  });

  test("follows a computed reference in a rule", () => {
    const session = compile(`type P(#id: string, name: string) type O(#id: string, p: P, q: P, first: bool)
      P(id: "p1", name: "Ann") P(id: "p2", name: "Bea") O("o", "p1", "p2", false)
      rule r { when o: O let one = if o.first then o.p else o.q where one.name == "Bea" then log(one.name) }`).session();
    const { fired, effects } = session.run();
    expect(effects.map(({ args }) => args)).toEqual([["Bea"]]);
    expect(textTree(session.why(must(fired[0], "a firing")))).toContain('one.name is "Bea"');
  });

  test("follows a reference that it names", () => {
    const session = compile(`type P(#id: string, name: string) type O(#id: string, p: P)
      P(id: "p1", name: "Ann") O(id: "o", p: "p1")
      rule r { when o: O let buyer = o.p where buyer.name == "Ann" then let again = o.p log(buyer.name, again.name) again.name = "Bea" }`).session();
    expect(logged(session)).toEqual([["Ann", "Ann"]]);
    expect(session.fact("P~p1")?.fields["name"]).toBe("Bea");
  });
});

test("a name inside not is not explained as a name that follows", () => {
  const session = opened(`type P(#id: number)\ntype X(#id: number, v: number)
    rule r { when p: P  not (x: X(id == p.id) let n = x.v where n > 100)  n: count() from y: X(v > 0)  where n > 1 then log(n) }`);
  session.assert("P", { id: 1 });
  session.assert("X", { id: 2, v: 5 });
  expect(JSON.stringify(session.whyNot("r"))).not.toContain("x.v > 1 ");
  session.assert("X", { id: 3, v: 5 });
  const [firing] = session.run().fired;
  const told = firing === undefined ? "" : JSON.stringify(session.why(firing));
  expect(told).toContain("n > 1");
  expect(told).not.toContain("x.v > 1");
});
