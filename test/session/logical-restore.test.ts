/** Tests cycles of logical facts through snapshots, reloads, and facts that are plain for a while. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";
import { asVersion1 } from "../support/snapshots.ts";

const TYPES = `
  type Root(#k: number)
  type Link(#from: number, #to: number)
  type N(#k: number)
  rule start { when r: Root then insert logical N(k: r.k) }`;
const NAMED = "rule along { when n: N l: Link(from == n.k) then insert logical N(k: l.to) }";
const ASKED = "rule along { when l: Link exists N(k == l.from) then insert logical N(k: l.to) }";

const SIZE = 12;

function ring(rules: string): RuleSession {
  const session = compile(`${TYPES}\n${rules}`).session();
  for (let k = 0; k < SIZE; k++) session.assert("Link", { from: k, to: (k + 1) % SIZE });
  session.assert("Root", { k: 0 });
  return session;
}

function restored(session: RuleSession): RuleSession {
  const from = JSON.parse(JSON.stringify(session.snapshot())) as ReturnType<RuleSession["snapshot"]>;
  return session.program.session({ from });
}

const count = (session: RuleSession): number => session.facts("N").length;

describe.each([
  ["that names its facts", NAMED],
  ["that only asks for them", ASKED],
])("a rule %s", (_, rule) => {
  test("a ring is whole after a snapshot, and goes with its root", () => {
    const session = ring(rule);
    session.run();
    const copy = restored(session);
    expect(count(copy)).toBe(SIZE);
    copy.retract("Root~0");
    expect(count(copy)).toBe(0);
    expect(copy.counters().logicalFacts).toBe(0);
  });

  test("a snapshot in the middle of the derivation goes on, and keeps a second root", () => {
    const session = ring(rule);
    for (let k = SIZE / 2; k < SIZE; k++) session.retract(`Link~${k}_${(k + 1) % SIZE}`);
    session.run();
    const copy = restored(session);
    for (let k = SIZE / 2; k < SIZE; k++) copy.assert("Link", { from: k, to: (k + 1) % SIZE });
    copy.run();
    copy.assert("Root", { k: 5 });
    copy.run();
    copy.retract("Root~0");
    expect(count(copy)).toBe(SIZE);
    const again = restored(copy);
    again.retract("Root~5");
    expect(count(again)).toBe(0);
  });

  test("a snapshot whose root was taken out by hand loses the ring", () => {
    const session = ring(rule);
    session.run();
    const snapshot = asVersion1(session.snapshot());
    const facts = snapshot.facts.filter(({ type }) => type !== "Root");
    const copy = session.program.session({ from: { ...snapshot, facts } });
    expect(count(copy)).toBe(0);
  });

  test("a fact in the middle that is plain for a while holds the rest only as long", () => {
    const session = ring(rule);
    session.run();
    for (let round = 0; round < 3; round++) {
      session.assert("N", { k: 6 });
      session.retract("Root~0");
      session.run();
      expect(count(session)).toBe(SIZE);
      session.assert("Root", { k: 0 });
      session.run();
      session.retract("N~6");
      expect(count(session)).toBe(SIZE);
    }
    session.assert("N", { k: 6 });
    session.retract("Root~0");
    session.retract("N~6");
    expect(count(session)).toBe(0);
  });

  test("a fact that was plain first is held by its supports later", () => {
    const session = ring(rule);
    session.assert("N", { k: 6 });
    session.run();
    session.retract("N~6");
    expect(count(session)).toBe(SIZE);
    session.retract("Root~0");
    expect(count(session)).toBe(0);
  });

  test("a ring stays through a new program with the same rules, and goes with its root", () => {
    const session = ring(rule);
    session.run();
    session.reload(compile(`${TYPES}\n${rule}\nrule other { when r: Root(k > 5) then log(r.k) }`));
    expect(count(session)).toBe(SIZE);
    session.retract("Root~0");
    session.run();
    expect(count(session)).toBe(0);
  });
});

test("a new rule can make facts depend on themselves that did not before", () => {
  const one = `
    type P(#k: number)
    type D(#k: number)
    type E(#k: number)
    rule e { when p: P exists D(k == p.k) then insert logical E(k: p.k) }`;
  const session = compile(one).session();
  session.assert("P", { k: 1 });
  const d = session.assert("D", { k: 1 });
  session.run();
  session.reload(compile(`${one}\nrule d { when e: E then insert logical D(k: e.k) }`));
  session.run();
  session.retract(d);
  expect(session.facts().map(({ id }) => id)).toEqual(["P~1"]);
});

test("a rule that goes takes the circle along that it held up", () => {
  const circle = `
    type P(#k: number)
    type D(#k: number)
    type E(#k: number)
    rule e { when p: P exists D(k == p.k) then insert logical E(k: p.k) }
    rule d { when e: E then insert logical D(k: e.k) }`;
  const session = compile(`${circle}\nrule start { when p: P then insert logical D(k: p.k) }`).session();
  session.assert("P", { k: 1 });
  session.run();
  expect(session.facts()).toHaveLength(3);
  session.reload(compile(circle));
  expect(session.facts().map(({ id }) => id)).toEqual(["P~1"]);
});
