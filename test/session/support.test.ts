/** Tests logical facts: a fact exists as long as a match supports it, through chains, keys, reloads and snapshots. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support/cases.ts";
import {
  type FakeRule,
  type FakeSession,
  fakeSession,
  insert,
  insertLogical,
  NUMBER,
  schemaOf,
  STRING,
} from "../support/fake-network.ts";

const ids = (session: FakeSession, type?: string): string[] => session.facts(type).map((fact) => fact.id);

/** A fact of one type concludes a fact of the other with the same x. */
const concludes = (from: string, to: string): FakeRule => ({
  name: `${from} to ${to}`,
  type: from,
  reads: ["x"],
  actions: [insertLogical(to, ({ x }) => ({ x }))],
});

describe("a logical fact", () => {
  test("goes when the match that inserted it goes", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    const a = session.assert("A", { x: 1 });
    session.run();
    expect(ids(session)).toEqual(["A~@1", "B~@1"]);
    session.retract(a);
    expect(ids(session)).toEqual([]);
  });

  test("goes with a whole chain of conclusions", () => {
    const session = fakeSession({ rules: [concludes("A", "B"), concludes("B", "C"), concludes("C", "D")] });
    const a = session.assert("A", { x: 1 });
    session.run();
    expect(ids(session)).toHaveLength(4);
    session.retract(a);
    expect(ids(session)).toEqual([]);
    expect(session.counters().logicalFacts).toBe(0);
  });

  test("is one fact with several supports, and stays until the last of them goes", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    const first = session.assert("A", { x: 1 });
    const second = session.assert("A", { x: 1 });
    session.assert("A", { x: 2 });
    session.run();
    expect(ids(session, "B")).toEqual(["B~@1", "B~@2"]);
    session.retract(first);
    expect(ids(session, "B")).toEqual(["B~@1", "B~@2"]);
    session.retract(second);
    expect(ids(session, "B")).toEqual(["B~@2"]);
  });

  test("twice in one firing is one fact", () => {
    const twice = { ...concludes("A", "B"), actions: [insertLogical("B", { x: 1 }), insertLogical("B", { x: 1 })] };
    const session = fakeSession({ rules: [twice] });
    session.assert("A", {});
    session.run();
    expect(ids(session, "B")).toEqual(["B~@1"]);
  });

  test("without a key is a fact of its own beside an equal plain one", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    session.assert("B", { x: 1 });
    const a = session.assert("A", { x: 1 });
    session.run();
    expect(ids(session, "B")).toEqual(["B~@1", "B~@2"]);
    session.retract(a);
    expect(ids(session, "B")).toEqual(["B~@1"]);
  });

  test("goes when its match changes, and comes again when that fires", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    const a = session.assert("A", { x: 1 });
    session.run();
    session.update(a, { x: 2 });
    expect(ids(session, "B")).toEqual([]);
    session.run();
    expect(session.facts("B")).toEqual([{ id: "B~@2", type: "B", fields: { x: 2 } }]);
  });

  test("is not inserted when the firing takes away its own match first", () => {
    const rule: FakeRule = {
      name: "r",
      type: "A",
      actions: [{ kind: "retract", target: (match) => match?.fact }, insertLogical("B")],
    };
    const session = fakeSession({ rules: [rule] });
    session.assert("A", {});
    session.run();
    expect(ids(session)).toEqual([]);
  });

  test("can be retracted by hand", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    const a = session.assert("A", { x: 1 });
    session.run();
    expect(session.retract("B~@1")).toBe(true);
    expect(ids(session)).toEqual(["A~@1"]);
    session.retract(a);
    expect(session.counters().logicalFacts).toBe(0);
  });

  test("is plain from the moment it is updated", () => {
    const session = fakeSession({ rules: [concludes("A", "B")] });
    const a = session.assert("A", { x: 1 });
    session.run();
    session.update("B~@1", { x: 9 });
    session.retract(a);
    expect(ids(session)).toEqual(["B~@1"]);
  });
});

describe("a keyed fact that is logical and plain", () => {
  const schema = schemaOf({ A: { "#n": NUMBER, x: NUMBER }, B: { "#x": NUMBER, "note?": STRING } });
  const rules = [concludes("A", "B")];

  test("stays when its support goes, whichever came first", () => {
    for (const plainFirst of [true, false]) {
      const session = fakeSession({ rules, schema });
      if (plainFirst) session.assert("B", { x: 1 });
      const a = session.assert("A", { n: 1, x: 1 });
      session.run();
      if (!plainFirst) session.assert("B", { x: 1 });
      session.retract(a);
      expect(ids(session)).toEqual(["B~1"]);
      session.retract("B~1");
      expect(ids(session)).toEqual([]);
    }
  });

  test("stays when the plain assertion is taken back, as long as it is supported", () => {
    const session = fakeSession({ rules, schema });
    session.assert("B", { x: 1 });
    const a = session.assert("A", { n: 1, x: 1 });
    session.run();
    expect(session.retract("B~1")).toBe(true);
    expect(ids(session, "B")).toEqual(["B~1"]);
    session.retract(a);
    expect(ids(session)).toEqual([]);
  });

  test("cannot be asserted plainly twice, nor with other fields", () => {
    const session = fakeSession({ rules, schema });
    session.assert("A", { n: 1, x: 1 });
    session.run();
    expect(() => session.assert("B", { x: 1, note: "other" })).toThrow("duplicate key: B 1 already exists");
    session.assert("B", { x: 1 });
    expect(() => session.assert("B", { x: 1 })).toThrow("duplicate key: B 1 already exists");
  });

  test("makes a firing fail that concludes it with other fields", () => {
    const session = fakeSession({ rules, schema });
    session.assert("B", { x: 1, note: "mine" });
    session.assert("A", { n: 1, x: 1 });
    expect(() => session.run()).toThrow('rule "A to B": insert B failed: duplicate key: B 1 already exists');
  });

  test("is made plain by upsert", () => {
    const session = fakeSession({ rules, schema });
    const a = session.assert("A", { n: 1, x: 1 });
    session.run();
    session.upsert("B", { x: 1 });
    session.retract(a);
    expect(ids(session)).toEqual(["B~1"]);
  });
});

describe("facts that support each other in a circle", () => {
  test("go when their support from outside goes", () => {
    const session = fakeSession({ rules: [concludes("C", "A"), concludes("A", "B"), concludes("B", "A")] });
    const c = session.assert("C", { x: 1 });
    session.assert("C", { x: 2 });
    session.run();
    expect(ids(session)).toHaveLength(6);
    session.retract(c);
    expect(session.facts().map((fact) => fact.fields["x"])).toEqual([2, 2, 2]);
  });

  test("stay while one support from outside is left, wherever in the circle it enters", () => {
    const rules = [concludes("C", "A"), concludes("D", "B"), concludes("A", "B"), concludes("B", "A")];
    const session = fakeSession({ rules });
    const c = session.assert("C", { x: 1 });
    const d = session.assert("D", { x: 1 });
    session.run();
    session.retract(c);
    expect(ids(session)).toEqual(["D~@1", "A~@1", "B~@1"]);
    session.retract(d);
    expect(ids(session)).toEqual([]);
  });
});

/** What rules conclude from plain facts, by going round until nothing new comes. */
function leastFixpoint(
  plain: ReadonlySet<string>,
  edges: readonly (readonly [string, string, ...unknown[]])[],
): string[] {
  const all = new Set(plain);
  for (let before = -1; before < all.size;) {
    before = all.size;
    for (const [from, to] of edges) if (all.has(from)) all.add(to);
  }
  return [...all].sort();
}

test("logical facts are the least fixpoint of the rules over the plain facts, after every change", () => {
  const TYPES = ["A", "B", "C", "D", "E"];
  const type = fc.constantFrom(...TYPES);
  const edge = fc.tuple(type, type, fc.boolean());
  const schema = schemaOf(Object.fromEntries(TYPES.map((name) => [name, { "#x": NUMBER }])));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 8 }), fc.array(type, { maxLength: 12 }), (all, toggles) => {
      const edges = all.filter(([from, to]) => from !== to);
      const rules = edges.map(([from, to, namesAllFacts], index) => ({
        ...concludes(from, to),
        name: `r${index}`,
        namesAllFacts,
      }));
      const session = fakeSession({ rules, schema });
      const plain = new Set<string>();
      for (const one of toggles) {
        if (plain.delete(one)) session.retract(`${one}~1`);
        else {
          plain.add(one);
          session.assert(one, { x: 1 });
        }
        session.run();
        const types = ids(session).map((id) => id.slice(0, 1));
        expect(types.sort()).toEqual(leastFixpoint(plain, edges));
      }
    }),
    { numRuns: runs(4000) },
  );
});

test("a plain insert by a rule stays when the match goes", () => {
  const session = fakeSession({ rules: [{ name: "r", type: "A", actions: [insert("B")] }] });
  const a = session.assert("A", {});
  session.run();
  session.retract(a);
  expect(ids(session)).toEqual(["B~@1"]);
});
