/** Tests cases that random programs rarely reach: each covers one line of a fast path in the network, and fails without it. */
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const names = (session: RuleSession, rule: string): string[] =>
  session.matches(rule).map(({ bindings }) => (bindings["p"] as { readonly id: string }).id);

test("a fact that blocks its own match can change both sides of the test at once, again and again", () => {
  const session = compile(`
    type P(#id: string, x: number, y: number)
    rule free { when p: P not P(x == p.y) then log(p.id) }
  `).session();
  session.assert("P", { id: "a", x: 1, y: 1 });
  session.assert("P", { id: "b", x: 7, y: 8 });
  expect(names(session, "free")).toEqual(["P~b"]);
  session.update("P~a", { x: 2, y: 2 });
  session.update("P~a", { x: 3, y: 3 });
  expect(names(session, "free")).toEqual(["P~b"]);
  session.update("P~a", { x: 4 });
  expect(names(session, "free").sort()).toEqual(["P~a", "P~b"]);
  session.update("P~a", { x: 8, y: 7 });
  expect(names(session, "free")).toEqual([]);
  session.retract("P~a");
  expect(names(session, "free")).toEqual(["P~b"]);
});

test("a fact that changes where two joins look for it is paired once, whichever of them is deeper", () => {
  for (const [one, two] of [
    ["", ", on == true"],
    [", on == true", ""],
  ]) {
    const session = compile(`
      type A(#id: string, k: number)
      type P(#id: string, k: number, on: bool)
      rule pairs { when a: A p: P(k == a.k${one}) q: P(k == p.k${two}) then log(p.id) }
    `).session();
    session.assert("A", { id: "a", k: 1 });
    session.assert("P", { id: "p", k: 0, on: true });
    session.assert("P", { id: "q", k: 1, on: true });
    session.update("P~p", { k: 1 });
    expect(names(session, "pairs").sort()).toEqual(["P~p", "P~p", "P~q", "P~q"]);
    session.update("P~p", { k: 2 });
    expect(names(session, "pairs")).toEqual(["P~q"]);
  }
});

test("matches that are gone are not picked for a control fact", () => {
  const session = compile(`
    type Stage(#id: string, v: string)
    type Item(#id: string)
    rule pick { when s: Stage(v == "pick") p: Item then s.v = "done" log(p.id) }
  `).session({ strategy: "depth" });
  for (const id of ["a", "b", "c", "d", "e", "f", "g", "h"]) session.assert("Item", { id });
  const picked = (): unknown => {
    session.upsert("Stage", { id: "s", v: "pick" });
    return session.run().fired.map(({ bindings }) => bindings["p"]);
  };
  expect(picked()).toEqual(["Item~h"]);
  for (const id of ["Item~h", "Item~g", "Item~f"]) session.retract(id);
  expect(picked()).toEqual(["Item~e"]);
  session.assert("Item", { id: "i" });
  expect(picked()).toEqual(["Item~i"]);
});

test("what a rule concluded and a batch changed is plain: nothing else with its key is one with it", () => {
  const session = compile(`
    type A(#id: string)
    type F(#id: string, x: number)
    rule conclude { when a: A then insert logical F(id: a.id, x: 1) }
  `).session();
  session.assert("A", { id: "a" });
  session.run();
  const twice = (): unknown =>
    session.batch(() => {
      session.update("F~a", { x: 2 });
      return session.assert("F", { id: "a", x: 2 });
    });
  expect(twice).toThrow("duplicate key: F a already exists");
});

test("a match that goes while it waits to be looked at again makes nothing", () => {
  const session = compile(`
    type A(#id: string, k: number, j: number)
    type B(#id: string, k: number, j: number)
    rule free { when p: A not B(k == p.k) not B(j == p.j) then log(p.id) }
  `).session();
  session.assert("A", { id: "a", k: 1, j: 2 });
  expect(names(session, "free")).toEqual(["A~a"]);
  session.assert("B", { id: "b", k: 1, j: 2 });
  expect(names(session, "free")).toEqual([]);
  expect(session.run().fired).toEqual([]);
  session.retract("B~b");
  expect(names(session, "free")).toEqual(["A~a"]);
  session.retract("A~a");
  expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0 });
});

test("a rule that came and went leaves nothing at the matches of the others", () => {
  const base = `
    type A(#id: string, k: number)
    type B(#id: string, k: number)
    rule one { when a: A b: B(k == a.k) then log(a.id) }
  `;
  const more = `${base} rule two { when a: A b: B(k == a.k) not B(k > b.k) A(k > b.k) then log(b.id) }`;
  const session = compile(base).session();
  for (const n of [1, 2, 3]) {
    session.assert("A", { id: `a${n}`, k: n });
    session.assert("B", { id: `b${n}`, k: n });
  }
  const before = session.counters();
  session.reload(compile(more));
  expect(session.counters().indexEntries).toBeGreaterThan(before.indexEntries);
  session.reload(compile(base));
  expect(session.counters()).toEqual(before);
});

test("a rule that comes while pairs with a control fact wait has all of them", () => {
  const rule = (name: string): string =>
    `rule ${name} { when s: Stage(v == "pick") p: Item then s.v = "done" log(p.id) }`;
  const types = `type Stage(#id: string, v: string) type Item(#id: string)`;
  const session = compile(`${types} ${rule("one")}`).session({ strategy: "depth" });
  for (const id of ["a", "b", "c", "d", "e"]) session.assert("Item", { id });
  session.assert("Stage", { id: "s", v: "pick" });
  session.reload(compile(`${types} ${rule("one")} ${rule("two")}`));
  expect(names(session, "two").sort()).toEqual(names(session, "one").sort());
  expect(names(session, "two")).toHaveLength(5);
});
