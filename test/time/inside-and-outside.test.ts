/** Tests that times are numbers only inside the engine: facts of any type, reasons, snapshots and reloads have them as text. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const TYPES = "type Contract(#id: string, ends: date)\ntype Order(#id: string, of: any)\n";

const REFERENCES = `${TYPES}
rule same { when o: Order(of.ends == "2026-11-16") then log(o.of.ends) }
rule other { when o: Order(of.ends != "2026-11-16") then log("other") }
rule named { when o: Order let c = o.of where c.ends == "2026-11-16" then log(c.ends) }
rule typed { when c: Contract(ends == @2026-11-16) then log(c.ends) }
gate open for o: Order { require o.of.ends != "2026-11-16" }
query with_end(day: string) { o: Order(of.ends == day) }
`;

test("a time behind a reference of any type is text in rules, gates, queries and actions", () => {
  const session = compile(REFERENCES).session();
  const contract = session.assert("Contract", { id: "c", ends: "2026-11-16" });
  session.assert("Order", { id: "o", of: contract.id });
  const { fired, effects } = session.run();
  expect(fired.map(({ rule }) => rule).toSorted()).toEqual(["named", "same", "typed"]);
  expect(effects.map(({ args }) => args)).toEqual(Array.from({ length: 3 }, () => ["2026-11-16"]));
  expect(session.gate("open", "Order~o").status).toBe("false");
  expect(session.query("with_end", { day: "2026-11-16" })).toHaveLength(1);
  session.update(contract, { ends: "2026-11-17" });
  expect(session.gate("open", "Order~o").status).toBe("true");
  expect(session.query("with_end", { day: "2026-11-16" })).toHaveLength(0);
});

test("a typed reference that has a name is still a time", () => {
  const session = compile(
    `type Contract(#id: string, ends: date)
     type Order(#id: string, of: Contract)
     rule r { when o: Order let c = o.of where c.ends + 1 days == @2026-11-17 then log(c.ends + 2 days) }`,
  ).session();
  session.assert("Contract", { id: "c", ends: "2026-11-16" });
  session.assert("Order", { id: "o", of: "c" });
  expect(session.run().effects.map(({ args }) => args)).toEqual([["2026-11-18"]]);
});

test("the reasons of a gate have times as text", () => {
  const session = compile(
    "type Contract(#id: string, ends: date)\ngate open for c: Contract { require c.ends > @2026-12-01 }",
  ).session();
  session.assert("Contract", { id: "c", ends: "2026-11-16" });
  const answer = JSON.stringify(session.gate("open", "Contract~c"));
  expect(answer).toContain("2026-11-16");
  expect(answer).not.toContain("20773");
});

test("facts with times go through snapshots and reloads into a type with one more field", () => {
  const before = compile("type Contract(#id: string, ends: date, at: instant, stays: duration?)");
  const after = compile("type Contract(#id: string, ends: date, at: instant, stays: duration?, note: string?)");
  const session = before.session();
  session.assert("Contract", { id: "c", ends: "2026-11-16", at: "2026-11-16T10:00:00+01:00", stays: "P2D" });
  const restored = after.session({ from: session.snapshot() });
  session.reload(after);
  expect(session.facts()).toEqual(restored.facts());
  expect(session.facts()[0]?.fields).toEqual({
    id: "c",
    ends: "2026-11-16",
    at: "2026-11-16T09:00:00Z",
    stays: "P2D",
  });
});
