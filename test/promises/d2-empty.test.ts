/**
 * D2 by example: the counters that must be zero when all facts are gone are above zero before. Random cases:
 * d1-histories.property.test.ts.
 */
import { expect, test } from "vitest";
import { open } from "../support/session.ts";

test("the counters count", () => {
  const session = open("rule r { when a: A b: B(b.n == a.n) then log(a) }");
  session.assert("A", { n: 1 });
  session.assert("B", { n: 1 });
  const { facts, matches, indexEntries } = session.counters();
  expect(Math.min(facts, matches, indexEntries)).toBeGreaterThan(1);
});
