/** Tests explanations of functions of the program: the call as it is written, its value, what is missing, and what would help. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const RULES = `
const VAT = 0.2
function gross(net: number, rate: number = VAT): number = net * (1 + rate)
function tier(o: Order): string = if gross(o.total) >= 120 then o.buyer.tier else "none"
function large(o: Order): bool = gross(o.total) > 100 and o.open
type Customer(#id: string, tier: string?)
type Order(#id: string, buyer: Customer, total: number, open: bool = true)
Customer("c1") Customer("c2", "gold")
rule "large" { when o: Order(large(o)) then log(o.id) }
rule "gold" { when o: Order(tier(o) == "gold") then log(o.id) }
gate ship for o: Order { require large(o) and tier(o) == "gold" }`;

function sessionWith(fields: Readonly<Record<string, unknown>>): RuleSession {
  const session = compile(RULES).session();
  session.assert("Order", { id: "o1", buyer: "c1", total: 100, ...fields });
  session.run();
  return session;
}

const remedies = (session: RuleSession, rule: string): string[] =>
  session.whyNot(rule, { o: "Order~o1" }).remedies.map(({ words }) => words);

test("a firing shows the call and its value", () => {
  const session = compile(RULES).session();
  session.assert("Order", { id: "o1", buyer: "c2", total: 100 });
  const [fired] = session.run().fired;
  expect(fired?.rule).toBe("large");
  expect(JSON.stringify(fired === undefined ? "" : session.why(fired))).toContain("large(o) is true");
});

test("what a function lacks is named, with the call that is unknown", () => {
  const { upward_rationale: headline } = sessionWith({}).whyNot("gold", { o: "Order~o1" });
  expect(headline).toContain("o.buyer.tier is missing");
  expect(headline).toContain('tier(o) == "gold" is unknown');
});

test("suggestions reach the fields that functions read", () => {
  expect(remedies(sessionWith({}), "gold")).toContain('set tier of Customer c1 to "gold"');
  expect(remedies(sessionWith({ open: false }), "large")).toContain("change open of Order o1 from false to true");
  const [total] = remedies(sessionWith({ total: 50 }), "large");
  expect(total).toMatch(/change total of Order o1 from 50 to /u);
});

test("a gate names what is missing in a function, and what would open it", () => {
  const session = sessionWith({});
  const found = session.wouldOpen("ship", "Order~o1").map(({ words }) => words);
  expect(session.gate("ship", "Order~o1").outcome).toBe("hold");
  expect(found).toContain('set tier of Customer c1 to "gold"');
});
