/** Tests questions that stand where the program remembers no facts: their memories belong to one session and follow its facts. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

// A rule with a single pattern has a direct terminal: the program has the test, and no memory there.
const SOURCE = `
type Person(#id: string, age: number, city: string)
type Pet(#id: string, owner: string)
query inOslo(min: number) { p: Person(city == "Oslo", age >= min) }
query inRome(min: number) { p: Person(city == "Rome", age >= min) }
query petsOf(who: string) { p: Pet(owner == who) }
action greet(id: string)
rule "oslo" { when p: Person(city == "Oslo") then greet(p.id) }
`;
const PROGRAM = compile(SOURCE);

/** Returns the ids that a query finds. */
function ids(session: RuleSession, query: string, parameters: Record<string, string | number>): unknown[] {
  return session
    .query(query, parameters)
    .map((row) => (row["p"] as { id: string }).id)
    .sort();
}

describe("a question that stands", () => {
  test("follows facts that pass a test which only a direct terminal of the program hears", () => {
    const session = PROGRAM.session();
    session.assert("Person", { id: "a", age: 30, city: "Oslo" });
    expect(ids(session, "inOslo", { min: 18 })).toEqual(["Person~a"]);
    session.assert("Person", { id: "b", age: 40, city: "Rome" });
    session.update("Person~b", { city: "Oslo" });
    session.update("Person~a", { city: "Bonn" });
    expect(ids(session, "inOslo", { min: 18 })).toEqual(["Person~b"]);
    session.retract("Person~b");
    expect(ids(session, "inOslo", { min: 18 })).toEqual([]);
    expect(session.counters().indexEntries).toBe(0);
  });

  test("follows facts by a test that the program does not have, and by a type that no rule names", () => {
    const session = PROGRAM.session();
    expect(ids(session, "inRome", { min: 0 })).toEqual([]);
    expect(ids(session, "petsOf", { who: "a" })).toEqual([]);
    session.assert("Person", { id: "a", age: 30, city: "Oslo" });
    session.assert("Pet", { id: "x", owner: "b" });
    session.update("Person~a", { city: "Rome" });
    session.update("Pet~x", { owner: "a" });
    expect(ids(session, "inRome", { min: 0 })).toEqual(["Person~a"]);
    expect(ids(session, "inOslo", { min: 0 })).toEqual([]);
    expect(ids(session, "petsOf", { who: "a" })).toEqual(["Pet~x"]);
    expect(ids(session, "petsOf", { who: "b" })).toEqual([]);
  });

  test("is told to its own session alone", () => {
    const [asked, other] = [PROGRAM.session(), PROGRAM.session()];
    const told: number[] = [];
    asked.subscribe({ query: "inRome" }, { min: 0 }, ({ added, removed }) => told.push(added.length - removed.length));
    other.assert("Person", { id: "a", age: 30, city: "Rome" });
    expect([ids(asked, "inRome", { min: 0 }), ids(other, "inRome", { min: 0 })]).toEqual([[], ["Person~a"]]);
    asked.assert("Person", { id: "b", age: 30, city: "Rome" });
    asked.update("Person~b", { city: "Oslo" });
    expect(told.filter((count) => count !== 0)).toEqual([1, -1]);
  });

  test("keeps its indexes while others come and go", () => {
    const session = PROGRAM.session();
    for (let n = 0; n < 100; n++) {
      session.assert("Person", { id: `p${n}`, age: n, city: n % 2 === 0 ? "Oslo" : "Rome" });
    }
    session.run();
    const subscription = session.subscribe({ query: "inRome" }, { min: 90 }, () => undefined);
    expect(session.matches("oslo")).toHaveLength(50); // through an index that is kept
    const closed = session.subscribe({ query: "inOslo" }, { min: 90 });
    closed.close();
    session.assert("Person", { id: "new", age: 95, city: "Rome" });
    session.update("Person~p1", { city: "Oslo" });
    expect(subscription.rows()).toHaveLength(6);
    expect(session.matches("oslo")).toHaveLength(51);
    for (const { id } of session.facts("Person")) session.retract(id);
    expect(session.counters()).toMatchObject({ facts: 0, matches: 1, indexEntries: 1 }); // the match that asks
    subscription.close();
    expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0 });
  });

  test("goes on after another program is applied", () => {
    const session = PROGRAM.session();
    session.assert("Person", { id: "a", age: 30, city: "Rome" });
    const subscription = session.subscribe({ query: "inRome" }, { min: 18 }, () => undefined);
    expect(ids(session, "petsOf", { who: "a" })).toEqual([]);
    // Now the program has a memory where the question had one of its own, and none at the test for Oslo.
    session.reload(
      compile(SOURCE.replace(/rule .*/u, 'rule "two" { when p: Person(city == "Rome") q: Pet then greet(p.id) }')),
    );
    session.assert("Person", { id: "b", age: 40, city: "Rome" });
    expect(subscription.rows()).toHaveLength(2);
    session.reload(PROGRAM);
    session.update("Person~a", { city: "Oslo" });
    expect(subscription.rows()).toHaveLength(1);
    expect(ids(session, "inOslo", { min: 18 })).toEqual(["Person~a"]);
    subscription.close();
    expect(session.counters().matches).toBe(0);
  });
});
