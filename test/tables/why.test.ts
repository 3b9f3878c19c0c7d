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
