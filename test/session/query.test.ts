/** Tests queries: parameters, alternatives, and that a query leaves nothing behind. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

const SOURCE = `
type Person(#id: string, age: number, city: string?)
type Order(#num: string, buyer: Person, total: number)
query older(age: number) { p: Person(p.age > age) }
query buyers(least: number) { p: Person exists Order(buyer == p, total >= least) }
query spenders(city: string) { p: Person(p.city == city) spent: sum(o.total) from o: Order(o.buyer == p) where spent > 0 }
query orders_of(p: Person) { o: Order(buyer == p) }
query either { (p: Person(age < 18) or p: Person(city == "Oslo")) }
`;

function open(): ReturnType<ReturnType<typeof compile>["session"]> {
  const session = compile(SOURCE).session();
  session.assert("Person", { id: "a", age: 17, city: "Oslo" });
  session.assert("Person", { id: "b", age: 40, city: "Oslo" });
  session.assert("Person", { id: "c", age: 60 });
  session.assert("Order", { num: "1", buyer: "b", total: 10 });
  session.assert("Order", { num: "2", buyer: "b", total: 30 });
  session.assert("Order", { num: "3", buyer: "c", total: 5 });
  return session;
}

const ids = (rows: readonly Readonly<Record<string, unknown>>[], name: string): unknown[] =>
  rows.map((row) => (row[name] as { id: string }).id);

test("a parameter wins over a field of the same name", () => {
  expect(ids(open().query("older", { age: 18 }), "p")).toEqual(["Person~b", "Person~c"]);
});

test("a parameter can be used inside exists and aggregates", () => {
  expect(ids(open().query("buyers", { least: 20 }), "p")).toEqual(["Person~b"]);
  expect(open().query("spenders", { city: "Oslo" })).toMatchObject([{ p: { id: "Person~b" }, spent: 40 }]);
});

test("a parameter of a fact type takes a handle, a view or an id", () => {
  const session = open();
  expect(ids(session.query("orders_of", { p: "Person~b" }), "o")).toEqual(["Order~1", "Order~2"]);
  const [, , c] = session.facts("Person");
  expect(ids(session.query("orders_of", { p: c }), "o")).toEqual(["Order~3"]);
});

test("alternatives that find the same answer give it once", () => {
  expect(ids(open().query("either"), "p")).toEqual(["Person~a", "Person~b"]);
});

test("asking leaves no match behind and activates nothing; what it indexes stays, once", () => {
  const session = open();
  const before = session.counters();
  session.query("spenders", { city: "Oslo" });
  const after = session.counters();
  expect({ ...after, indexEntries: 0 }).toEqual({ ...before, indexEntries: 0 });
  session.query("spenders", { city: "Ghent" });
  expect(session.counters()).toEqual(after);
  expect(session.run().fired).toEqual([]);
});

test("a missing parameter is unknown, an unknown query is named", () => {
  expect(open().query("older")).toEqual([]);
  expect(() => open().query("oldr")).toThrow('unknown query "oldr"');
});
