/** Explanations name the row of a table that applies, or the nearest one. */
import { expect, test } from "vitest";
import { must } from "../../src/base/invariant.ts";
import { compile, type RuleSession } from "../../src/index.ts";
import { textTree } from "../../src/tools.ts";

const PROGRAM = `
type Order(#id: string, total: number, country: string?)
const EU = ["FR", "DE"]
table rate(o: Order) unique {
    | o.total     | o.country || number |
    | >= 1000     | -         || 0.1    |
    | [500..1000) | in EU     || 0.05   |
    | < 600       | "US"      || 0.01   |
}
rule "reduced" { when o: Order let r = rate(o) where r > 0.02 then log(o.id, r) }
`;

function sessionOf(fields: Readonly<Record<string, unknown>>): RuleSession {
  const session = compile(PROGRAM).session();
  session.assert("Order", { id: "o", ...fields });
  return session;
}

const whyNot = (fields: Readonly<Record<string, unknown>>): string =>
  textTree(sessionOf(fields).whyNot("reduced", { o: "Order~o" }));

test("why names the row that applies", () => {
  const session = sessionOf({ total: 700, country: "FR" });
  const text = textTree(session.why(must(session.run().fired[0], "a firing")));
  expect(text).toContain("rate(o) is 0.05 (row 2 of rate: o.total [500..1000), o.country in EU)");
});

test("why not names the row that gives too little", () => {
  expect(whyNot({ total: 100, country: "US" })).toContain('row 3 of rate: o.total < 600, o.country "US"');
});

test("why not names the nearest row where none applies", () => {
  expect(whyNot({ total: 700, country: "CH" })).toContain(
    "no row of rate applies; the nearest is row 1, which needs o.total >= 1000",
  );
});

test("why not says which input leaves a row open", () => {
  expect(whyNot({ total: 700 })).toContain(
    "it is unknown whether row 2 of rate (o.country cannot be compared) applies",
  );
});

const TIERS = `
type Customer(#id: string, tier: "gold" | "none")
type Order(#id: string, buyer: Customer, total: number, due: date)
table discount(c: Customer, o: Order) first {
    | c.tier | o.total     | o.due         || rate: number | reason: string |
    | "gold" | >= 1000     | -             || 0.15         | "loyal"        |
    | -      | [500..1000) | < @2026-06-01 || 0.05         | "early"        |
    | -      | -           | -             || 0            | "none"         |
}
function reduced(o: Order, least: number): bool = discount(o.buyer, o).rate >= least
rule "fifteen" { when o: Order let d = discount(o.buyer, o) where d.rate >= 0.15 then log(o.id, d.reason) }
rule "five" { when o: Order where reduced(o, 0.05) then log(o.id) }
rule "none" { when o: Order(discount(o.buyer, o).reason == "none") then log(o.id) }
gate "g" for o: Order { require discount(o.buyer, o).rate > 0 and o.total > 1 }
`;

function asked(total: number, tier: string): RuleSession {
  const session = compile(TIERS).session();
  session.assert("Customer", { id: "c", tier });
  session.assert("Order", { id: "o", buyer: "c", total, due: "2026-07-01" });
  return session;
}

test("a remedy changes what the cells of another row ask for", () => {
  const remedies = (rule: string, session = asked(100, "none")): string[] =>
    session.whyNot(rule, { o: "Order~o" }).remedies.map(({ words }) => words);
  expect(remedies("fifteen")).toEqual([
    'change tier of Customer c from "none" to "gold", and change total of Order o from 100 to 1000',
  ]);
  expect(remedies("fifteen", asked(100, "gold"))).toEqual(["change total of Order o from 100 to 1000"]);
  expect(remedies("five", asked(700, "none"))).toContain('change due of Order o from "2026-07-01" to "2026-05-31"');
  expect(remedies("none", asked(2000, "gold"))).toContain('change tier of Customer c from "gold" to "none"');
  expect(
    asked(700, "none")
      .wouldOpen("g", "Order~o")
      .map(({ words }) => words),
  ).toContain('change due of Order o from "2026-07-01" to "2026-05-31"');
});

test("an output of a call names the row that gave it", () => {
  const text = textTree(asked(100, "gold").whyNot("five", { o: "Order~o" }));
  expect(text).toContain("reduced(o, 0.05)");
  expect(textTree(asked(700, "none").whyNot("none", { o: "Order~o" }))).toContain(
    'discount(o.buyer, o).reason is "none" (row 3 of discount: whatever the values are)',
  );
  expect(textTree(asked(2000, "gold").whyNot("none", { o: "Order~o" }))).toContain(
    'discount(o.buyer, o).reason is "loyal" (row 1 of discount: c.tier "gold", o.total >= 1000)',
  );
});

test("the headline names the row in short, and so do the parts of a gate", () => {
  const gates = `${PROGRAM}
gate "one" for o: Order { require rate(o) > 0.05 }
gate "two" for o: Order { let r = rate(o) require r > 0.05 and o.total > 5 }`;
  const session = compile(gates).session();
  session.assert("Order", { id: "a", total: 1200 });
  session.assert("Order", { id: "b", total: 700, country: "FR" });
  const why = (gate: string, id: string): string => textTree(session.why(session.gate(gate, `Order~${id}`)));
  expect(why("one", "a")).toContain("passes for Order a: rate(o) is 0.1 (row 1 of rate), which is over 0.05");
  expect(why("one", "b")).toContain("fails for Order b: rate(o) is 0.05 (row 2 of rate), which is not over 0.05");
  expect(why("two", "a")).toContain("rate(o) is 0.1 (row 1 of rate: o.total >= 1000), so r > 0.05 holds");
});
