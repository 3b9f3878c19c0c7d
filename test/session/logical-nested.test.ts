/** Tests logical facts that depend on facts inside nested groups: no cycle of facts may support itself. */
import { describe, expect, test } from "vitest";
import type { RuleSession } from "../../src/index.ts";
import { open } from "../support/session.ts";

const ids = (session: RuleSession, type: string): string[] => session.facts(type).map(({ id }) => id);

describe("exists with a not inside", () => {
  const RULES = `
    type P(#k: number)
    type X(#k: number)
    type Y(#k: number)
    rule r { when p: P exists (y: Y not X(k == y.k)) then insert logical Y(k: 2) }`;

  function withOutsideWitness(rules: string): RuleSession {
    const session = open(rules);
    session.assert("P", { k: 1 });
    session.assert("Y", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1", "Y~2"]);
    return session;
  }

  test("a new fact that excludes the only witness from outside takes the conclusion with it", () => {
    const session = withOutsideWitness(RULES);
    session.assert("X", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1"]);
    session.retract("X~1");
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1", "Y~2"]);
  });

  test("so does an update that excludes it", () => {
    const session = withOutsideWitness(RULES.replace("type X(#k: number)", "type X(#id: number, k: number)"));
    const x = session.assert("X", { id: 1, k: 7 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1", "Y~2"]);
    session.update(x, { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1"]);
  });

  test("so does a rule's conclusion that excludes it", () => {
    const session = withOutsideWitness(`${RULES}
      type Z(#k: number)
      rule x { when z: Z then insert logical X(k: z.k) }`);
    session.assert("Z", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1"]);
    session.retract("Z~1");
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1", "Y~2"]);
  });

  test("an excluding fact that is itself in doubt is decided first", () => {
    const session = withOutsideWitness(`${RULES}
      type Z(#k: number)
      type Seed(#k: number)
      rule x { when s: Seed exists Z(k == s.k) then insert logical X(k: s.k) }
      rule z { when x: X then insert logical Z(k: x.k) }`);
    session.assert("Seed", { k: 1 });
    const z = session.assert("Z", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1"]);
    session.retract(z);
    session.run();
    expect(ids(session, "X")).toEqual([]);
    expect(ids(session, "Y")).toEqual(["Y~1", "Y~2"]);
  });
});

describe("a double negation", () => {
  const RULES = `
    type P(#k: number)
    type X(#k: number)
    type Y(#k: number)
    rule r { when p: P not (x: X not Y(k == x.k)) then insert logical Y(k: p.k) }`;

  test("does not hold a fact up that it asks for itself", () => {
    const session = open(RULES);
    session.assert("P", { k: 1 });
    session.assert("X", { k: 1 });
    session.assert("Y", { k: 1 });
    session.run();
    session.retract("Y~1");
    session.run();
    expect(ids(session, "Y")).toEqual([]);
  });

  test("nor when what it asks for comes later", () => {
    const session = open(RULES);
    session.assert("P", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual(["Y~1"]);
    session.assert("X", { k: 1 });
    session.run();
    expect(ids(session, "Y")).toEqual([]);
  });
});

test("a circle through two rules that do not name each other's facts goes with its last root", () => {
  // F and W hold each other up; F is also its own witness. Only W looks at what goes.
  const session = open(`
    type One(#k: number)
    type Root(#k: number)
    type F(#k: number)
    type W(#k: number)
    rule root { when r: Root then insert logical W(k: 1) }
    rule back { when f: F then insert logical W(k: 1) }
    rule w { when one: One exists W() then insert logical F(k: 1) }
    rule f { when one: One exists F() then insert logical F(k: 1) }`);
  session.assert("One", { k: 1 });
  session.assert("Root", { k: 1 });
  session.run();
  expect(session.facts()).toHaveLength(4);
  session.retract("Root~1");
  expect(session.facts().map(({ id }) => id)).toEqual(["One~1"]);
});

test("a count over facts that a rule concludes does not count what it holds up", () => {
  const session = open(`
    type P(#k: number)
    type D(#k: number)
    rule r { when p: P where COUNT(d: D / d.k > 0) >= 2 then insert logical D(k: p.k) }`);
  session.assert("P", { k: 3 });
  session.assert("D", { k: 1 });
  session.assert("D", { k: 2 });
  session.run();
  expect(session.facts("D")).toHaveLength(3);
  session.retract("D~1");
  session.run();
  expect(ids(session, "D")).toEqual(["D~2"]);
});

test("an update of a named fact after which the rule looks for its own conclusion", () => {
  const session = open(`
    type P(#k: number, c: number)
    type D(#k: number)
    rule r { when p: P exists D(k == p.c) then insert logical D(k: p.k) }`);
  session.assert("D", { k: 0 });
  const p = session.assert("P", { k: 1, c: 0 });
  session.run();
  expect(ids(session, "D")).toEqual(["D~0", "D~1"]);
  session.update(p, { c: 1 });
  session.run();
  expect(ids(session, "D")).toEqual(["D~0"]);
});

test("an alternative does not keep what it asks for itself when the other alternative ends", () => {
  const session = open(`
    type P(#k: number)
    type X(#k: number)
    type E(#k: number)
    rule r { when p: P, (not X(k == p.k) or exists E(k == p.k)) then insert logical E(k: p.k) }`);
  session.assert("P", { k: 1 });
  session.run();
  expect(ids(session, "E")).toEqual(["E~1"]);
  session.assert("X", { k: 1 });
  session.run();
  expect(ids(session, "E")).toEqual([]);
});
