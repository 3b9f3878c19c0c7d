/**
 * Tests that facts that come and go leave nothing on the heap. The counters of D2 count what tables report; only this test sees
 * a key without entries, or a chain of removed matches.
 *
 * Every fact has a key that no other had, so leaks add up.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const TYPES = `type A(#id: number, key: string, other: number)
type B(#id: number, key: string, other: number)
type Stage(#id: number, on: bool)
`;

const RULES: Readonly<Record<string, string>> = {
  "a single pattern": "a: A(other >= 0)",
  "a join on one key": "a: A b: B(key == a.key)",
  "a join on two keys": "a: A b: B(key == a.key, other == a.other)",
  "a join without a key": "s: Stage a: A(other >= 0)",
  not: "a: A not B(key == a.key)",
  exists: "a: A exists B(key == a.key, other == a.other)",
  "a join with an interval": "a: A b: B(other >= a.other, other < a.other + 1)",
  "a not with a bound": "a: A not B(other > a.other)",
  "not over two": "a: A not (B(key == a.key) Stage(on == true))",
  "a sum": "a: A n: sum(b.other) from b: B(key == a.key) where n >= 0",
  or: "a: A, (B(key == a.key) or B(other == a.other))",
};

const ROUNDS = 10_000;
/** Bytes for each round; one entry of a Map that stays is more. */
const NOTHING = 16;

/** A fact of each type comes, and those that came `window` rounds ago go. */
function round(session: RuleSession, n: number, window: number): void {
  const fields = { id: n, key: `key ${n}`, other: n };
  session.assert("A", fields);
  session.assert("B", fields);
  if (n % 500 === 0) session.run({ collect: false });
  if (n < window) return;
  session.retract(`A~${n - window}`);
  session.retract(`B~${n - window}`);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

function growthOf(when: string, window: number): number {
  const actions = { log: () => undefined };
  const session = compile(`${TYPES}rule r { when ${when} then log(a.id) }`).session({ actions, history: 0 });
  session.assert("Stage", { id: 0, on: true });
  const live: number[] = [];
  for (let n = 0; n < 4 * ROUNDS; n++) {
    if (n % ROUNDS === 0 && n > 0) live.push(heap());
    round(session, n, window);
  }
  live.push(heap());
  expect(session.facts("A")).toHaveLength(window); // it is alive until here, with all that it has kept
  // What the engine keeps grows every time; what V8 compiles meanwhile does not.
  return Math.min(...live.slice(1).map((bytes, index) => bytes - (live[index] ?? 0))) / ROUNDS;
}

test("a fact that is updated again and again, and the pairs of a control fact", () => {
  const program = compile(`${TYPES}
    rule keyed { when a: A b: B(key == a.key, other == a.other) then log(a.id) }
    rule control { when s: Stage(on == true) a: A(other >= 0) then s.on = false log(a.id) }`);
  const session = program.session({ actions: { log: () => undefined }, history: 0, strategy: "depth" });
  session.assert("Stage", { id: 0, on: false });
  for (let id = -8; id < 0; id++) session.assert("B", { id, key: "", other: 0 });
  const turn = (n: number): void => {
    session.update("B~-1", { key: `key ${n}`, other: n });
    for (let id = 0; id < 5; id++) session.assert("A", { id, key: `key ${n}`, other: n });
    session.update("Stage~0", { on: true });
    session.run({ collect: false });
    for (let id = 0; id < 5; id++) session.retract(`A~${id}`);
  };
  for (let n = 0; n < ROUNDS; n++) turn(n);
  const before = heap();
  for (let n = ROUNDS; n < 2 * ROUNDS; n++) turn(n);
  expect((heap() - before) / ROUNDS).toBeLessThan(NOTHING);
  expect(session.facts("A")).toHaveLength(0);
});

/**
 * A few matches of a node stay, and one is gone: the node keeps it until as many are gone as are left. What comes and goes later must
 * not hang on it, through another list that both were in.
 */
test.each([
  ["facts of a type", "a: A b: B(key == a.key)"],
  ["matches of a node above", "s: Stage a: A(other >= 0) b: B(key == a.key)"],
])("%s, beside one match that is gone", (_, when) => {
  const session = compile(`${TYPES}rule r { when ${when} then log(a.id) }`).session({ history: 0 });
  session.assert("Stage", { id: 0, on: true });
  const pair = (id: number): void => {
    session.assert("A", { id, key: `pair ${id}`, other: 1 });
    session.assert("B", { id, key: `pair ${id}`, other: 1 });
  };
  const turns = (from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      session.assert("A", { id, key: "", other: 1 });
      session.retract(`A~${id - 100}`);
    }
  };
  for (let id = -1040; id < -1000; id++) pair(id);
  turns(0, 1000);
  pair(-1000);
  turns(1000, 1050);
  session.retract("A~-1000");
  turns(1050, ROUNDS);
  const before = heap();
  turns(ROUNDS, 3 * ROUNDS);
  expect((heap() - before) / (2 * ROUNDS)).toBeLessThan(NOTHING);
  expect(session.facts("A")).toHaveLength(140);
});

test("updates of ever other fields at once", () => {
  const fields = Array.from({ length: 16 }, (_, n) => `f${n}`);
  const program = compile(`type Wide(#id: number, ${fields.map((name) => `${name}: number = 0`).join(", ")})
    rule r { when a: Wide(f0 >= 0) then log(a.id) }`);
  const session = program.session({ actions: { log: () => undefined }, history: 0 });
  session.assert("Wide", { id: 0 });
  const turn = (n: number): void => {
    const some = fields.filter((_, bit) => (n >> bit) % 2 === 1);
    session.update("Wide~0", Object.fromEntries(some.map((name) => [name, n])));
    session.run({ collect: false });
  };
  for (let n = 1; n < ROUNDS; n++) turn(n);
  const before = heap();
  for (let n = ROUNDS; n < 2 * ROUNDS; n++) turn(n);
  expect((heap() - before) / ROUNDS).toBeLessThan(NOTHING);
  expect(session.facts("Wide")).toHaveLength(1);
});

test("many matches that waited for a control fact, once all are gone", () => {
  const program = compile(`${TYPES}
    rule control { when s: Stage(on == true) a: A(other >= 0) then s.on = false log(a.id) }`);
  const session = program.session({ actions: { log: () => undefined }, history: 0, strategy: "depth" });
  session.assert("Stage", { id: 0, on: false });
  const fill = (): void => {
    for (let id = 0; id < ROUNDS; id++) session.assert("A", { id, key: "", other: id });
    session.update("Stage~0", { on: true });
    session.run({ collect: false });
    for (let id = 0; id < ROUNDS; id++) session.retract(`A~${id}`);
  };
  session.assert("A", { id: -1, key: "", other: -1 });
  const before = heap();
  fill();
  expect((heap() - before) / ROUNDS).toBeLessThan(NOTHING);
  expect(session.facts("A")).toHaveLength(1);
});

test("subscriptions and questions that come and go", () => {
  const program = compile(`${TYPES}query of(key: string) { a: A(a.key == key) b: B(b.key == a.key) }`);
  const session = program.session({ history: 0 });
  session.subscribe({ query: "of" }, { key: "stays" }, () => undefined);
  const turn = (n: number): void => {
    const key = `key ${n}`;
    const subscription = session.subscribe({ query: "of" }, { key }, () => undefined);
    round(session, n, 0);
    session.query("of", { key });
    subscription.close();
  };
  for (let n = 0; n < ROUNDS; n++) turn(n);
  const before = heap();
  for (let n = ROUNDS; n < 2 * ROUNDS; n++) turn(n);
  expect((heap() - before) / ROUNDS).toBeLessThan(NOTHING);
  expect(session.facts("A")).toHaveLength(0);
});

test.each(Object.entries(RULES))("%s, with facts that stay for a while, and with none", (_, when) => {
  expect(growthOf(when, 50)).toBeLessThan(NOTHING);
  expect(growthOf(when, 0)).toBeLessThan(NOTHING);
});
