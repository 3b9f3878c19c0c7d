/**
 * D13 by example: a match fires once, and again only after it stopped being a match. Random cases:
 * d1-histories.property.test.ts.
 */
import { expect, test } from "vitest";
import { open } from "../support/session.ts";

const fires = (session: ReturnType<typeof open>): number => session.run().fired.length;

test("a second run fires nothing", () => {
  const session = open("rule r { when p: P(n > 0) then log(p) }");
  session.assert("P", { n: 1 });
  expect([fires(session), fires(session)]).toEqual([1, 0]);
});

test("a fact that goes and comes back fires again", () => {
  const session = open("type P(#k: string) rule r { when p: P then log(p) }");
  const p = session.assert("P", { k: "a" });
  expect(fires(session)).toBe(1);
  session.retract(p);
  session.assert("P", { k: "a" });
  expect(fires(session)).toBe(1);
});

test("a field that the rule does not read changes nothing", () => {
  const session = open("rule r { when p: P(n > 0) then log(p) }");
  const p = session.assert("P", { n: 1, m: 1 });
  expect(fires(session)).toBe(1);
  session.update(p, { m: 2 });
  session.update(p, { n: 1 });
  expect(fires(session)).toBe(0);
});

test("a not that is interrupted fires again", () => {
  const session = open("rule r { when p: P not Q(k == p.k) then log(p) }");
  session.assert("P", { k: 1 });
  expect(fires(session)).toBe(1);
  session.assert("Q", { k: 2 });
  expect(fires(session)).toBe(0);
  const q = session.assert("Q", { k: 1 });
  session.retract(q);
  expect(fires(session)).toBe(1);
});

test("a rule that counts up counts to the end", () => {
  const session = open("rule r { when p: P(n < 3) then p.n = p.n + 1 }");
  session.assert("P", { n: 0 });
  expect(fires(session)).toBe(3);
});
