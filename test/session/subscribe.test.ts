/** Tests subscriptions: to queries, gates and types, with listeners and as async iterators, and what closing gives back. */
import { describe, expect, test } from "vitest";
import { compile, type RowDelta, type RuleSession } from "../../src/index.ts";

const PROGRAM = compile(`
type Person(#id: string, age: number, city: string?)
type Order(#num: string, buyer: Person, total: number)
query adults(min: number) { p: Person(age >= min) }
query spent(who: Person) { total: sum(o.total) from o: Order(o.buyer == who) }
query either { (p: Person(age < 18) or p: Person(city == "Oslo")) }
gate "rich" for p: Person { require exists Order(buyer == p, total > 100) }
rule "minor order" { when o: Order  p: Person(p == o.buyer, age < 18) then update(p, {city: "Home"}) }
`);

type Told = readonly [added: unknown[], removed: unknown[], changed: unknown[]];

/** Keeps what a listener is told, as ids of rows. */
function teller<Row>(show: (row: Row) => unknown): { told: Told[]; listener: (delta: RowDelta<Row>) => void } {
  const told: Told[] = [];
  return {
    told,
    listener: ({ added, removed, changed }) =>
      void told.push([
        added.map(({ row }) => show(row)),
        removed.map(({ row }) => show(row)),
        changed.map(({ after }) => show(after.row)),
      ]),
  };
}

const idOfP = (row: Readonly<Record<string, unknown>>): unknown => (row["p"] as { id: string }).id;

describe("a query", () => {
  test("is told at once, then after every change, without a run", () => {
    const session = PROGRAM.session();
    session.assert("Person", { id: "a", age: 30 });
    const { told, listener } = teller(idOfP);
    const subscription = session.subscribe({ query: "adults" }, { min: 18 }, listener);
    session.assert("Person", { id: "b", age: 40 });
    session.assert("Person", { id: "c", age: 4 });
    session.update("Person~b", { city: "Oslo" }); // a field that the query does not read
    session.update("Person~a", { age: 3 });
    session.update("Person~c", { city: "Oslo" });
    session.retract("Person~b");
    expect(told).toEqual([
      [["Person~a"], [], []],
      [["Person~b"], [], []],
      [[], [], ["Person~b"]],
      [[], ["Person~a"], []],
      [[], ["Person~b"], []],
    ]);
    expect(subscription.rows()).toEqual(session.query("adults", { min: 18 }));
  });

  test("tells a batch as one delta, and nothing when it changes nothing", () => {
    const session = PROGRAM.session();
    const { told, listener } = teller(idOfP);
    session.subscribe({ query: "adults" }, { min: 18 }, listener);
    session.batch(() => {
      session.assert("Person", { id: "a", age: 30 });
      session.assert("Person", { id: "b", age: 30 });
      session.update("Person~a", { age: 31 });
      session.retract("Person~b");
    });
    session.batch(() => {
      session.update("Person~a", { age: 5 });
      session.update("Person~a", { age: 31 });
    });
    expect(told).toEqual([
      [[], [], []],
      [["Person~a"], [], []],
    ]);
  });

  test("tells another value of an aggregate as a change of the row", () => {
    const session = PROGRAM.session();
    session.assert("Person", { id: "a", age: 30 });
    const { told, listener } = teller((row: Readonly<Record<string, unknown>>) => row["total"]);
    session.subscribe({ query: "spent" }, { who: "a" }, listener);
    session.assert("Order", { num: "1", buyer: "a", total: 10 });
    session.assert("Order", { num: "2", buyer: "a", total: 5 });
    session.retract("Order~1");
    expect(told).toEqual([
      [[0], [], []],
      [[], [], [10]],
      [[], [], [15]],
      [[], [], [5]],
    ]);
  });

  test("tells what rules change, after each firing", () => {
    const session = PROGRAM.session();
    session.assert("Person", { id: "a", age: 10 });
    session.assert("Order", { num: "1", buyer: "a", total: 10 });
    const { told, listener } = teller(idOfP);
    session.subscribe({ query: "either" }, {}, listener);
    session.run();
    expect(told).toEqual([
      [["Person~a"], [], []],
      [[], [], ["Person~a"]],
    ]);
  });

  test("that is unknown, or has other parameters, is refused", () => {
    const session = PROGRAM.session();
    expect(() => session.subscribe({ query: "adlts" })).toThrow('unknown query "adlts"');
    expect(() => session.subscribe({ query: "adults" }, { mim: 1 })).toThrow('has no parameter "mim"');
    expect(() => session.subscribe({ query: "adults" }, { min: "1" })).toThrow("must be number");
    expect(session.counters()).toEqual(PROGRAM.session().counters());
  });
});

test("a type is told with the fields that must be equal", () => {
  const session = PROGRAM.session();
  const { told, listener } = teller((fact: { readonly id: string }) => fact.id);
  session.subscribe({ type: "Person" }, { city: "Oslo" }, listener);
  session.assert("Person", { id: "a", age: 30, city: "Oslo" });
  session.assert("Person", { id: "b", age: 30, city: "Ghent" });
  session.update("Person~b", { city: "Oslo" });
  session.update("Person~a", { city: null });
  expect(told).toEqual([
    [[], [], []],
    [["Person~a"], [], []],
    [["Person~b"], [], []],
    [[], ["Person~a"], []],
  ]);
  expect(() => session.subscribe({ type: "Persn" })).toThrow('unknown type "Persn"');
  expect(() => session.subscribe({ type: "Person" }, { cty: "Oslo" })).toThrow('no field "cty"');
});

test("a gate is told for all subjects or for one, and when a subject goes", () => {
  const session = PROGRAM.session();
  const show = ({ subject, outcome }: { readonly subject: string | null; readonly outcome: string }): string =>
    `${subject} ${outcome}`;
  const all = teller(show);
  const one = teller(show);
  session.subscribe({ gate: "rich" }, {}, all.listener);
  session.subscribe({ gate: "rich" }, { subject: "Person~b" }, one.listener);
  session.assert("Person", { id: "a", age: 30 });
  session.assert("Person", { id: "b", age: 30 });
  session.assert("Order", { num: "1", buyer: "a", total: 1000 });
  session.retract("Person~b");
  const before = session.gates("rich").map(show);
  expect(before).toEqual(["Person~a pass"]);
  expect(all.told.slice(1)).toEqual([
    [[expect.stringMatching(/^Person~a /u)], [], []],
    [[expect.stringMatching(/^Person~b /u)], [], []],
    [[], [], ["Person~a pass"]],
    [[], [expect.stringMatching(/^Person~b /u)], []],
  ]);
  expect(one.told.map(([added, removed]) => [added.length, removed.length])).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
  expect(() => session.subscribe({ gate: "rch" })).toThrow('unknown gate "rch"');
  expect(() => session.subscribe({ gate: "rich" }, { of: "a" })).toThrow('no parameter "of"');
});

describe("a listener", () => {
  test("that throws changes nothing, and the others are called", () => {
    const session = PROGRAM.session();
    const { told, listener } = teller(idOfP);
    const fails = (): void => {
      throw new Error("no");
    };
    session.subscribe({ query: "adults" }, { min: 18 }, fails);
    session.subscribe({ query: "adults" }, { min: 18 }, listener);
    session.assert("Person", { id: "a", age: 30 });
    expect(told).toHaveLength(2);
    expect(session.problems).toMatchObject([{ code: "E522" }]);
  });

  test("that makes a change is told of it after the current delivery", () => {
    const session = PROGRAM.session();
    const order: string[] = [];
    session.subscribe({ query: "adults" }, { min: 18 }, ({ added }) => {
      order.push(`first ${added.map(({ row }) => idOfP(row)).join()}`);
      if (added.some(({ row }) => idOfP(row) === "Person~a")) session.assert("Person", { id: "b", age: 50 });
      order.push("first ends");
    });
    session.subscribe({ query: "adults" }, { min: 18 }, ({ added }) => {
      order.push(`second ${added.map(({ row }) => idOfP(row)).join()}`);
    });
    order.length = 0;
    session.assert("Person", { id: "a", age: 30 });
    expect(order).toEqual([
      "first Person~a",
      "first ends",
      "second Person~a",
      "first Person~b",
      "first ends",
      "second Person~b",
    ]);
  });

  test("that closes its subscription is not called again, though more is queued", () => {
    const session = PROGRAM.session();
    const { told, listener } = teller(idOfP);
    const first = session.subscribe({ query: "adults" }, { min: 18 }, ({ added }) => {
      if (added.length === 0) return;
      second.close();
      first.close();
    });
    const second = session.subscribe({ query: "adults" }, { min: 18 }, listener);
    session.assert("Person", { id: "a", age: 30 });
    session.assert("Person", { id: "b", age: 30 });
    expect(told).toHaveLength(1);
    expect([first.closed, second.closed, second.rows()]).toEqual([true, true, []]);
  });
});

describe("an async iterator", () => {
  const sizes = ({ added, removed, changed }: RowDelta<unknown>): number[] => [
    added.length,
    removed.length,
    changed.length,
  ];

  test("gives the rows, then each delta, and ends with the loop", async () => {
    const session = PROGRAM.session();
    const seen: number[][] = [];
    const before = session.counters();
    for await (const delta of session.subscribe({ query: "adults" }, { min: 18 })) {
      seen.push(sizes(delta));
      if (seen.length === 1) session.assert("Person", { id: "a", age: 30 });
      if (seen.length === 2) queueMicrotask(() => session.retract("Person~a"));
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(session.counters()).toEqual(before);
  });

  test("that is slow gets merged deltas: nothing is lost, what came and went is left out", async () => {
    const session = PROGRAM.session();
    const deltas = session.subscribe({ query: "adults" }, { min: 18 }, { buffer: 2 });
    session.assert("Person", { id: "a", age: 30 });
    for (let turn = 0; turn < 100; turn++) {
      session.assert("Person", { id: `x${turn}`, age: 30 });
      session.update("Person~a", { age: 31 + turn });
      session.retract(`Person~x${turn}`);
    }
    session.assert("Person", { id: "b", age: 30 });
    const first = await deltas.next();
    const second = await deltas.next();
    expect([first.value, second.value].map((delta) => sizes(delta as RowDelta<unknown>))).toEqual([
      [0, 0, 0],
      [2, 0, 0],
    ]);
    expect(second.value?.added.map(({ row }) => row)).toEqual(session.query("adults", { min: 18 }));
    const waiting = deltas.next();
    await deltas.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await deltas.next()).toEqual({ done: true, value: undefined });
  });
});

describe("reloading", () => {
  test("tells what differs with the new program", () => {
    const types = "type P(#id: string, n: number)\n";
    const session = compile(`${types}query big() { p: P(n > 10) }`).session();
    session.assert("P", { id: "a", n: 5 });
    session.assert("P", { id: "b", n: 15 });
    const { told, listener } = teller(idOfP);
    session.subscribe({ query: "big" }, {}, listener);
    session.reload(compile(`${types}query big() { p: P(n < 10) }`));
    session.update("P~a", { n: 6 });
    expect(told).toEqual([
      [["P~b"], [], []],
      [["P~a"], ["P~b"], []],
      [[], [], ["P~a"]],
    ]);
  });

  test("without the query ends the subscription with a reason", () => {
    const session = compile("type P(#id: string)\nquery each() { p: P }").session();
    session.assert("P", { id: "a" });
    const deltas: RowDelta<unknown>[] = [];
    const subscription = session.subscribe({ query: "each" }, {}, (delta) => void deltas.push(delta));
    session.reload(compile("type P(#id: string)"));
    session.assert("P", { id: "b" });
    expect(deltas).toHaveLength(2);
    expect(deltas[1]).toMatchObject({ removed: [{ row: { p: { id: "P~a" } } }], ended: { code: "E213" } });
    expect(subscription.closed).toBe(true);
  });
});

test("too many partial matches end the subscription, and the session goes on", () => {
  const program = compile("type A(#id: number)\nquery pairs() { a: A b: A }", { limits: { liveMatches: 60 } });
  const session = program.session();
  const deltas: RowDelta<unknown>[] = [];
  session.subscribe({ query: "pairs" }, {}, (delta) => void deltas.push(delta));
  for (let id = 0; id < 10; id++) session.assert("A", { id });
  expect(deltas.at(-1)?.ended).toMatchObject({ code: "E511" });
  expect(session.size).toBe(10);
  expect(session.problems).toEqual([]);
  expect(() => session.subscribe({ query: "pairs" })).toThrow("exceeds the limit of 60");
});

test("closing gives everything back", () => {
  const session: RuleSession = PROGRAM.session();
  session.assert("Person", { id: "a", age: 30 });
  session.assert("Order", { num: "1", buyer: "a", total: 1000 });
  const before = session.counters();
  const subscriptions = [
    session.subscribe({ query: "adults" }, { min: 18 }),
    session.subscribe({ query: "adults" }, { min: 20 }),
    session.subscribe({ query: "spent" }, { who: "a" }),
    session.subscribe({ query: "either" }),
    session.subscribe({ type: "Person" }),
    session.subscribe({ gate: "rich" }),
  ];
  expect(session.counters().matches).toBeGreaterThan(before.matches);
  for (const subscription of subscriptions) subscription.close();
  expect(session.counters()).toEqual(before);
});

test("closing or resetting the session closes its subscriptions", async () => {
  for (const end of ["close", "reset"] as const) {
    const session = PROGRAM.session();
    const deltas = session.subscribe({ query: "adults" }, { min: 18 });
    const { told, listener } = teller(idOfP);
    const subscription = session.subscribe({ query: "adults" }, { min: 18 }, listener);
    await deltas.next();
    const waiting = deltas.next();
    session[end]();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([deltas.closed, subscription.closed, told.length]).toEqual([true, true, 1]);
  }
});
