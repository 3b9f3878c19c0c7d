/** Tests that updating a field that a rule reads restarts the rule's matches, wherever the rule reads it. */
import { describe, expect, test } from "vitest";
import { compile, type OpenOptions, type RuleSession } from "../../src/index.ts";
import { open } from "../support/session.ts";

const TYPES = `type P(#id: string, k: number, n: number, boss: P?)
type Q(#id: string, k: number)
type R(#id: string, k: number)
type C(id: string, k: number)
type Turn(#id: string, on: bool)
`;

const fires = (session: RuleSession): number => session.run().fired.length;

/** Matches before and after `k` changes, with facts that no value of `k` is about. */
const KINDS: readonly (readonly [string, string])[] = [
  ["not", "p: P not Q(k == p.k)"],
  ["exists", "p: P exists Q(k > p.k)"],
  ["forall", "p: P forall (q: Q : q.k > p.k)"],
  ["not over a group", "p: P not (q: Q(k == p.k) R(k == q.k))"],
  ["exists over a group", "p: P exists (q: Q(k > p.k) R(k > q.k))"],
  ["a nested not", "p: P not (q: Q(k > 0) not R(k > p.k))"],
  ["an aggregate", "p: P n: count() from Q(k > p.k)"],
  ["the value of an aggregate", "p: P n: max(q.k - q.k + p.k - p.k) from q: Q"],
  ["COUNT inside a test", "p: P where COUNT(q: Q / q.k > p.k) >= 1"],
  ["EXISTS inside a test", "p: P where EXISTS(q: Q / q.k > p.k)"],
  ["alternatives that all read it", "p: P() (not Q(k == p.k) or not R(k == p.k))"],
  ["a join behind it", "p: P not Q(k == p.k) r: R(k > 50)"],
  ["a control fact behind it", "t: Turn(on == true) p: P not Q(k == p.k)"],
];

function prepared(when: string, then = "log(p.id)", options: OpenOptions = {}): RuleSession {
  const program = compile(`${TYPES} rule r { when ${when} then ${then} }`);
  const session = program.session({ facts: "none", ...options });
  session.assert("P", { id: "boss", k: 70, n: 1 });
  session.assert("P", { id: "a", k: 1, n: 1, boss: "P~boss" });
  session.assert("Q", { id: "q", k: 99 });
  session.assert("R", { id: "r", k: 100 });
  session.assert("Turn", { id: "t", on: true });
  return session;
}

const OPENED: readonly OpenOptions[] = [{}, { shortcuts: false, sharing: false }, { indexing: false }];

describe.each(OPENED)("opened with %j, a field that is read only inside", (options) => {
  test.each(KINDS)("%s", (_, when) => {
    const session = prepared(when, "log(p.id)", options);
    expect(fires(session)).toBe(2);
    expect(fires(session)).toBe(0);
    session.update("P~a", { k: 2 });
    expect(fires(session)).toBe(1);
    session.update("P~a", { n: 2 });
    session.update("P~a", { k: 2 });
    session.update("Q~q", { k: 98 });
    expect(fires(session)).toBe(0);
  });
});

describe.each(OPENED)("opened with %j, a reference that is followed", (options) => {
  const FOLLOWING: readonly (readonly [string, string])[] = [
    ["outside", "p: P where p.boss.k > 0"],
    ["inside not", "p: P(boss is present) not Q(k == p.boss.k)"],
    ["inside a nested not", "p: P(boss is present) not (Q(k > 0) not R(k > p.boss.k))"],
    ["inside an aggregate", "p: P(boss is present) n: count() from Q(k > p.boss.k)"],
    ["inside a test", "p: P(boss is present) where COUNT(q: Q / q.k > p.boss.k) >= 1"],
    ["twice", "p: P(boss is present) not Q(k == p.boss.boss.n)"],
  ];

  test.each(FOLLOWING)("%s", (_, when) => {
    const session = prepared(when, "log(p.id)", options);
    session.update("P~boss", { boss: "P~boss" });
    session.run();
    session.update("P~a", { boss: "P~a" });
    expect(fires(session)).toBe(1);
    session.update("P~a", { boss: "P~boss" });
    expect(fires(session)).toBe(1);
    session.update("P~boss", when.includes(".n)") ? { n: 5 } : { k: 71 });
    expect(fires(session)).toBe(2); // the boss is its own boss
    session.update("P~boss", when.includes(".n)") ? { k: 5 } : { n: 71 });
    expect(fires(session)).toBe(0);
  });
});

test("what a conclusion says is the new value", () => {
  const session = prepared("p: P(n == 1) not Q(k == p.k)", "insert logical C(id: p.id, k: p.k)");
  session.run();
  session.update("P~a", { k: 7 });
  session.run();
  const said = session.facts("C").map(({ fields }) => JSON.stringify(fields));
  expect(said.sort()).toEqual(['{"id":"a","k":7}', '{"id":"boss","k":70}']);
});

test("two rules that share their beginning restart only where they read the field", () => {
  const session = open(`${TYPES}
rule reads { when p: P not Q(k == p.k) then log(p.id) }
rule pairs { when p: P q: Q(k == p.k) then log(p.id) }
rule blind { when p: P not Q(k == 1000) then log(p.id) }`);
  session.assert("P", { id: "a", k: 1, n: 1 });
  session.run();
  session.update("P~a", { k: 2 });
  expect(session.run().fired.map(({ rule }) => rule)).toEqual(["reads"]);
});

test("an update of the facts that are counted does not restart a match with the same count", () => {
  const session = prepared("p: P n: count() from Q(k > p.k)");
  session.run();
  session.update("Q~q", { k: 98 });
  expect(fires(session)).toBe(0);
});
