/** Times in explanations and parameters: aggregates compute with times, and remedies find times, choices and ranges. */
import { describe, expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";

const WORK = `type Person(#id: string)
type Work(#id: string, who: string, took: duration)
rule "long" {
    when p: Person
    where SUM(w: Work / w.who == p.id ; w.took) > 2 hours
    then log(p.id)
}
`;

function worked(...durations: readonly string[]): Session {
  const session = compile(WORK).session();
  session.assert("Person", { id: "p1" });
  for (const [index, took] of durations.entries()) session.assert("Work", { id: `w${index}`, who: "p1", took });
  session.run();
  return session;
}

/** Returns everything that a suggestion would change. */
function edits(explained: { readonly remedies?: readonly { readonly edits: readonly unknown[] }[] }): string {
  return JSON.stringify(explained.remedies?.map((one) => one.edits) ?? []);
}

describe("aggregates of times", () => {
  test("are computed with times, not with their text", () => {
    const told = JSON.stringify(worked("PT90M", "PT2H").whyNot("long"));
    expect(told).not.toContain("is unknown");
    const few = JSON.stringify(worked("PT90M", "PT10M").whyNot("long"));
    expect(few).toContain("PT1H40M");
  });

  test("have remedies with times", () => {
    const session = worked("PT90M", "PT10M");
    const text = edits(session.whyNot("long"));
    expect(text).toMatch(/"took":"PT/u);
  });
});

describe("a parameter of a time", () => {
  const source = `param since: date
param days: date[] = ["2026-01-01"]
param most: duration = "PT90M"
type Invoice(#id: string, due: date, open: duration)
rule "late" { when i: Invoice(due > since, open <= most) then log(i.id) }
rule "listed" { when i: Invoice(due in days) then log("listed", i.id) }
`;
  const fired = (options: Parameters<typeof compile>[1]): string[] => {
    const session = compile(source, options).session();
    session.assert("Invoice", { id: "i1", due: "2026-02-02", open: "PT1H" });
    session.assert("Invoice", { id: "i2", due: "2026-01-01", open: "PT1H" });
    session.assert("Invoice", { id: "i3", due: "2026-03-01", open: "PT2H" });
    return session.run().effects.map(({ args }) => args.map(String).join(" "));
  };

  test("is a time, however it is given", () => {
    expect(fired({ params: { since: "2026-02-01" } }).sort()).toEqual(["i1", "listed i2"]);
    expect(fired({ paramTexts: { since: "2026-02-01", most: "PT3H" } }).sort()).toEqual(["i1", "i3", "listed i2"]);
    expect(fired({ params: { since: "2025-01-01", days: ["2026-03-01"] } }).sort()).toEqual(["i1", "i2", "listed i3"]);
  });

  test("is refused when it names none", () => {
    expect(() => compile(source, { params: { since: "2026-02-30" } })).toThrow("E216");
  });
});

describe("remedies", () => {
  const remedies = (condition: string, fields: Readonly<Record<string, unknown>>): string => {
    const session = compile(`type Order(#id: string, total: number, vip: bool)
rule "r" { when o: Order where ${condition} then log(o.id) }`).session();
    session.assert("Order", { id: "o1", ...fields });
    session.run();
    return edits(session.whyNot("r", { o: "o1" }));
  };

  test("find the values that the tests of a choice name", () => {
    const text = remedies("(if o.vip then o.total > 137 else o.total > 1723)", { total: 5, vip: false });
    expect(text).toMatch(/"to":1724\b/u);
    expect(remedies("(if o.total > 1723 then 2 else 1) == 2", { total: 5, vip: false })).toMatch(/"to":1724\b/u);
  });

  test("find the ends of ranges", () => {
    expect(remedies("o.total in 1723..1724", { total: 5, vip: false })).toMatch(/"to":172[34]\b/u);
    expect(remedies("o.total in [1723..1724)", { total: 9999, vip: false })).toMatch(/"to":1723\b/u);
  });

  test("make new facts with the values of ranges", () => {
    const session = compile(`type Order(#id: string, total: number)
rule "r" { when exists Order(total in 1723..1800) then log("x") }`).session();
    expect(edits(session.whyNot("r") as never)).toMatch(/"total":(?:17[2-9]\d|1800)\b/u);
  });
});
