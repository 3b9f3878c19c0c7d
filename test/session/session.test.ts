/** Tests firing and the session API end to end, from source text to result. */
import { describe, expect, test } from "vitest";
import {
  ActionError,
  compile,
  FactError,
  type OpenOptions,
  RunLimitError,
  type RunResult,
  SessionError,
} from "../../src/index.ts";

type Opened = ReturnType<ReturnType<typeof compile>["session"]>;

const open = (source: string, options: OpenOptions = {}): Opened => compile(source).session(options);
const rules = (result: RunResult): string[] => result.fired.map((fired) => fired.rule);
const said = (result: RunResult): unknown[] => result.effects.map((effect) => effect.args[0]);
const ids = (session: Opened, type?: string): string[] => session.facts(type).map((fact) => fact.id);

const TYPES = `
type Person(#id: string, name: string, age: number, status: string = "Regular", email: string?)
type Order(#num: string, buyer: Person, total: number)
type Alert(who: string, level: number)
`;
const ann = { id: "p1", name: "Ann", age: 30 };
const bob = { id: "p2", name: "Bob", age: 17 };

/** Pairs of facts in the order of lex, after the first fact was updated. */
const pairs = (test: string): unknown[] => {
  const session = open(
    `type A(#id: number, x: number)
         rule pairs { when a: A(${test}) b: A(id != a.id, ${test}) then log(a.id + "" + b.id) }
         A(1, 0) A(2, 0) A(3, 0)`,
    { strategy: "lex" },
  );
  session.update("A~1", { x: 1 });
  return said(session.run());
};

describe("the order of firing", () => {
  const three = `
    type A(#id: number, x: number)
    rule low salience -1 { when a: A then log("low" + a.id) }
    rule first { when a: A then log("first" + a.id) }
    rule second { when a: A then log("second" + a.id) }
    rule high salience 10 { when a: A then log("high" + a.id) }
    A(1, 1) A(2, 1)
  `;

  test("is salience, then the oldest change, then rule order", () => {
    expect(said(open(three).run())).toEqual([
      "high1",
      "high2",
      "first1",
      "second1",
      "first2",
      "second2",
      "low1",
      "low2",
    ]);
  });

  test("is the newest change first with depth, from the session or from the file", () => {
    const newest = ["high2", "high1", "first2", "second2", "first1", "second1", "low2", "low1"];
    expect(said(open(three, { strategy: "depth" }).run())).toEqual(newest);
    expect(said(open(`option strategy depth ${three}`).run())).toEqual(newest);
  });

  test("is fact order in written order of the conditions when one change completes several matches", () => {
    const session = open(`
      type A(#id: number) type B(#id: number) type Go(#id: number)
      rule pairs { when b: B a: A Go() then log(b.id + "" + a.id) }
      A(1) A(2) B(1) B(2)
    `);
    session.assert("Go", { id: 1 });
    expect(said(session.run())).toEqual(["11", "12", "21", "22"]);
  });

  test("is the recency of all facts with lex; an update counts when a pattern reads the field", () => {
    expect(pairs("id > 0")).toEqual(["23", "32", "13", "31", "12", "21"]);
    expect(pairs("x >= 0")).toEqual(["13", "31", "12", "21", "23", "32"]);
  });

  test("does not depend on the order in which rules and facts meet", () => {
    const facts = "type A(#id: number) type B(#id: number, a: number) A(1) A(2) B(1, 1) B(2, 2) B(3, 1)";
    const pair = 'rule r { when a: A b: B(a == a.id) then log(a.id + "-" + b.id) }';
    expect(said(open(`${facts} ${pair}`).run())).toEqual(said(open(`${pair} ${facts}`).run()));
  });
});

describe("a match", () => {
  const source = `${TYPES} rule adult { when p: Person(age >= 18) then log(p.name) }`;

  test("fires once, and again only after it stopped being true", () => {
    const session = open(source);
    const handle = session.assert("Person", ann);
    expect(said(session.run())).toEqual(["Ann"]);
    expect(said(session.run())).toEqual([]);
    session.update(handle, { age: 3 });
    expect(said(session.run())).toEqual([]);
    session.update(handle, { age: 33 });
    expect(said(session.run())).toEqual(["Ann"]);
  });

  test("does not fire again when a field changes that no pattern reads", () => {
    const session = open(source);
    session.assert("Person", ann);
    session.run();
    expect(session.update("Person~p1", { name: "Anna", status: "VIP" })).toBe(true);
    expect(said(session.run())).toEqual([]);
  });

  test("shows the values of now when it fires after such a change", () => {
    const session = open(source);
    session.assert("Person", ann);
    session.update("Person~p1", { name: "Anna" });
    expect(said(session.run())).toEqual(["Anna"]);
  });

  test("that is withdrawn before it fires does not fire", () => {
    const session = open(source);
    session.assert("Person", ann);
    session.retract("Person~p1");
    expect(session.run().fired).toEqual([]);
  });

  test("found by two alternatives fires once", () => {
    const session = open(`type A(#id: number, x: number, y: number)
      rule r { when (a: A(x == 1) or a: A(y == 1)) then log(a.id) } A(1, 1, 1)`);
    expect(said(session.run())).toEqual([1]);
    session.update("A~1", { x: 2 });
    expect(said(session.run())).toEqual([]);
  });

  test("can be asked for without firing, in the order of the agenda", () => {
    const session = open(source);
    session.assert("Person", { ...ann, id: "b" });
    session.assert("Person", { ...ann, id: "a" });
    session.run();
    const person = (id: string): object => ({
      id: `Person~${id}`,
      type: "Person",
      fields: { ...ann, id, status: "Regular" },
    });
    expect(session.matches("adult")).toEqual([{ bindings: { p: person("b") } }, { bindings: { p: person("a") } }]);
    expect(() => session.matches("adlt")).toThrow(
      expect.objectContaining({ code: "E207", hint: 'did you mean "adult"?' }),
    );
  });
});

const counter = (attribute: string): string => `
    type Counter(#id: number, n: number)
    rule count ${attribute} { when c: Counter(n < 5) then c.n = c.n + 1 }
    rule other { when c: Counter(n == 3) then c.n = 0 }
    Counter(1, 0)`;

describe("no-loop", () => {
  test("keeps a rule from being activated by its own effects, not by those of others", () => {
    const session = open(counter("no-loop"));
    expect(rules(session.run())).toEqual(["count"]);
    session.update("Counter~1", { n: 3 });
    expect(rules(session.run())).toEqual(["count"]);
    session.update("Counter~1", { n: 2 });
    expect(rules(session.run())).toEqual(["count", "other", "count"]);
  });

  test("without it the rule goes on", () => {
    const session = open(`type Counter(#id: number, n: number)
      rule count { when c: Counter(n < 5) then c.n = c.n + 1 } Counter(1, 0)`);
    expect(session.run().fired).toHaveLength(5);
  });
});

describe("groups", () => {
  const source = `${TYPES}
    rule bill group "billing" salience 5 { when p: Person then log("bill " + p.id) }
    rule start { when p: Person(status == "VIP") then focus("billing") }`;

  test("rules of a group count only while it is active, those without always", () => {
    const session = open(source);
    session.assert("Person", ann);
    expect(rules(session.run())).toEqual([]);
    session.assert("Person", { ...bob, status: "VIP" });
    expect(rules(session.run())).toEqual(["start", "bill", "bill"]);
  });

  test("can be activated by the host", () => {
    const session = open(source);
    session.assert("Person", ann);
    session.focus("billing");
    expect(said(session.run())).toEqual(["bill p1"]);
  });
});

describe("a run", () => {
  const pingPong = `
    type Ball(#id: number, at: string)
    rule ping { when b: Ball(at == "left") then b.at = "right" }
    rule pong { when b: Ball(at == "right") then b.at = "left" }
    Ball(1, "left")`;

  test("gives firings with ids and values, effects with their arguments, and numbers over the session", () => {
    const session = open(`${TYPES}
      rule spent { when p: Person sum1: sum(o.total) from o: Order(o.buyer == p) then log(p.name, sum1, p.email) }`);
    session.assert("Person", ann);
    session.assert("Order", { num: "o1", buyer: "p1", total: 5 });
    expect(session.run()).toEqual({
      fired: [{ n: 1, rule: "spent", bindings: { p: "Person~p1", sum1: 5 } }],
      effects: [{ n: 1, action: "log", args: ["Ann", 5, undefined], rule: "spent" }],
      gates: [],
      verdicts: [],
      decisions: [],
      halted: false,
      count: 1,
    });
    session.assert("Person", bob);
    expect(session.run().fired.map((fired) => fired.n)).toEqual([2]);
  });

  test("stops after the firing that says halt", () => {
    const session = open(`type A(#id: number) rule r { when a: A then log(a.id) halt } A(1) A(2)`);
    expect(session.run()).toMatchObject({ halted: true, effects: [{ args: [1] }] });
    expect(session.run()).toMatchObject({ halted: true, effects: [{ args: [2] }] });
  });

  test("stops at the limit with an error that names the repeating rules", () => {
    const session = open(pingPong, { limit: 100 });
    try {
      session.run();
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof RunLimitError)) throw error;
      expect(error).toMatchObject({ code: "E510", limit: 100, cycle: ["ping", "pong"] });
      expect(error.message).toContain('rules "ping" → "pong" fire in a loop');
      expect(error.result.fired).toHaveLength(100);
      expect(error.last.at(-1)).toEqual({ n: 100, rule: "pong", bindings: { b: "Ball~1" } });
    }
    expect(session.facts()).toEqual([{ id: "Ball~1", type: "Ball", fields: { id: 1, at: "left" } }]);
    expect(session.matches("ping")).toHaveLength(1);
  });

  test.each([
    [{}, {}, 30],
    [{ limit: 20 }, {}, 20],
    [{ limit: 20 }, { limit: 10 }, 10],
  ])("takes its limit from the file, the session or the call (%#)", (options, call, limit) => {
    const session = open(`option limit 30 ${pingPong}`, options);
    expect(() => session.run(call)).toThrow(expect.objectContaining({ code: "E510", limit }));
  });

  test("that ends exactly at the limit is no error", () => {
    const session = open(`type A(#id: number) rule r { when a: A then log(a.id) } A(1) A(2)`, { limit: 2 });
    expect(session.run().fired).toHaveLength(2);
  });
});

describe("a call that fails changes nothing", () => {
  test.each([
    ["Persn", ann, "E201"],
    ["Person", { ...ann, agee: 1 }, "E401"],
    ["Person", { id: "p9" }, "E402"],
    ["Person", { ...ann, id: "p9", age: Number.NaN }, "E405"],
    ["Person", { ...ann, id: "p9", age: "30" }, "E407"],
    ["Person", ann, "E410"],
  ])("assert of a %s (%#)", (type, fields, code) => {
    const session = open(`${TYPES} rule r { when p: Person then log(p.id) }`);
    session.assert("Person", ann);
    const before = session.snapshot();
    expect(() => session.assert(type, fields)).toThrow(expect.objectContaining({ code }));
    expect(session.snapshot()).toEqual(before);
  });

  test("an update of a key, of an unknown field, of a fact that is not there", () => {
    const session = open(TYPES);
    session.assert("Person", ann);
    const before = session.snapshot();
    expect(() => session.update("Person~p1", { id: "p3", age: 3 })).toThrow(FactError);
    expect(() => session.update("Person~p1", { age: 3, agee: 3 })).toThrow(FactError);
    expect(() => session.update("Person~p7", { age: 3 })).toThrow('no fact with id "Person~p7"');
    expect(session.snapshot()).toEqual(before);
  });

  test("an action that throws: nothing of the firing is done, nothing after it runs", () => {
    const session = open(
      `${TYPES} action send(who: string)
       rule r { when p: Person then insert Alert(who: p.id, level: 1) send(p.id) retract p }`,
      {
        actions: {
          send: (who: unknown) => {
            if (who === "p2") throw new Error("offline");
          },
        },
      },
    );
    for (const one of [ann, bob, { ...bob, id: "p3" }]) session.assert("Person", one);
    expect(() => session.run()).toThrow(ActionError);
    expect(ids(session)).toEqual(["Person~p2", "Person~p3", "Alert~@1"]);
  });

  test("a rule that inserts a key twice", () => {
    const session = open(`${TYPES} rule r { when p: Person then retract p insert Order(num: "x", buyer: p, total: 1)
      insert Order(num: "x", buyer: p, total: 2) }`);
    session.assert("Person", ann);
    expect(() => session.run()).toThrow('rule "r": insert Order failed: duplicate key: Order x already exists');
    expect(ids(session)).toEqual(["Person~p1"]);
  });
});

describe("changes by the host", () => {
  test("retract and update take a handle, a view or an id; retract says whether it was there", () => {
    const session = open(TYPES);
    const handle = session.assert("Person", ann);
    expect(handle.id).toBe("Person~p1");
    expect(session.update(handle, { age: 31 })).toBe(true);
    expect(session.update(session.facts()[0] ?? "", { age: 31 })).toBe(false);
    expect([session.retract(handle), session.retract("Person~p1")]).toEqual([true, false]);
  });

  test("upsert asserts, then updates the given fields", () => {
    const session = open(TYPES);
    session.upsert("Person", { ...ann, status: "VIP" });
    session.upsert("Person", { id: "p1", age: 31 });
    expect(session.facts()).toEqual([{ id: "Person~p1", type: "Person", fields: { ...ann, age: 31, status: "VIP" } }]);
  });

  test("facts come in the order they were asserted, all or of one type", () => {
    const session = open(TYPES);
    for (const one of [bob, ann]) session.assert("Person", one);
    session.assert("Alert", { who: "p1", level: 1 });
    session.assert("Alert", { who: "p1", level: 1 });
    expect(ids(session)).toEqual(["Person~p2", "Person~p1", "Alert~@1", "Alert~@2"]);
    expect(ids(session, "Alert")).toEqual(["Alert~@1", "Alert~@2"]);
    expect(session.fact("Person~p9")).toBeUndefined();
  });

  test("a reference may point to a fact that is not there yet", () => {
    const session = open(`${TYPES} rule r { when o: Order(o.buyer.name == "Ann") then log(o.num) }`);
    session.assert("Order", { num: "o1", buyer: "p1", total: 1 });
    expect(said(session.run())).toEqual([]);
    session.assert("Person", ann);
    expect(said(session.run())).toEqual(["o1"]);
  });

  test("the facts of the program can be left out", () => {
    const source = `${TYPES} Person("p1", "Ann", 30)`;
    expect(ids(open(source))).toEqual(["Person~p1"]);
    expect(ids(open(source, { facts: "none" }))).toEqual([]);
  });
});

describe("batch", () => {
  const source = `${TYPES} rule lonely { when p: Person not Order(buyer == p) then log(p.id) }`;

  test("makes its changes when the callback returns, and listeners hear of them then", () => {
    const session = open(source);
    const heard: string[] = [];
    session.on("fact", (event) => heard.push(event.id));
    const seen = session.batch(() => {
      session.assert("Person", ann);
      session.assert("Order", { num: "o1", buyer: "p1", total: 1 });
      session.update("Person~p1", { age: 31 });
      return [heard.length, ids(session), session.fact("Person~p1")?.fields["age"], session.matches("lonely")];
    });
    expect(seen).toEqual([0, ["Person~p1", "Order~o1"], 31, []]);
    expect(heard).toEqual(["Person~p1", "Order~o1", "Person~p1"]);
    expect(said(session.run())).toEqual([]);
  });

  test("undoes everything when the callback throws", () => {
    const session = open(source);
    session.assert("Person", ann);
    session.run();
    const before = session.snapshot();
    const heard: unknown[] = [];
    session.on("fact", (event) => heard.push(event));
    expect(() =>
      session.batch(() => {
        session.retract("Person~p1");
        session.assert("Person", { ...ann, name: "Other" });
        session.assert("Alert", { who: "x", level: 1 });
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(session.snapshot()).toEqual(before);
    expect(heard).toEqual([]);
    expect(session.run().fired).toEqual([]);
  });

  test("inside a batch is undone alone", () => {
    const session = open(source);
    session.batch(() => {
      session.assert("Person", ann);
      expect(() =>
        session.batch(() => {
          session.assert("Person", bob);
          session.retract("Person~p1");
          throw new Error("inner");
        }),
      ).toThrow("inner");
      session.batch(() => session.assert("Alert", { who: "p1", level: 1 }));
    });
    expect(ids(session)).toEqual(["Person~p1", "Alert~@1"]);
  });

  test("finds a key that is used twice at once", () => {
    const session = open(source);
    session.batch(() => {
      session.assert("Person", ann);
      expect(() => session.assert("Person", ann)).toThrow(expect.objectContaining({ code: "E410" }));
    });
    expect(ids(session)).toEqual(["Person~p1"]);
  });

  test("does not run rules, nor wait for promises", () => {
    const session = open(source);
    expect(() => session.batch(() => session.run())).toThrow("cannot start a run inside a batch");
    expect(() => session.batch(async () => session.assert("Person", ann))).toThrow(SessionError);
    expect(ids(session)).toEqual([]);
  });
});

describe("logical facts", () => {
  const source = `
    type Sensor(#id: string, temp: number)
    type Hot(#id: string)
    type Alarm(room: string)
    rule hot { when s: Sensor(temp > 30) then insert logical Hot(id: s.id) }
    rule alarm { when exists Hot() then insert logical Alarm(room: "all") }
    Sensor("a", 35) Sensor("b", 36)`;

  test("follow the facts they rest on", () => {
    const session = open(source);
    session.run();
    expect(ids(session)).toEqual(["Sensor~a", "Sensor~b", "Hot~a", "Hot~b", "Alarm~@1"]);
    session.update("Sensor~a", { temp: 20 });
    expect(ids(session)).toEqual(["Sensor~a", "Sensor~b", "Hot~b", "Alarm~@1"]);
    session.retract("Sensor~b");
    expect(ids(session)).toEqual(["Sensor~a"]);
  });

  test("that only support each other go", () => {
    const session = open(`
      type Edge(#id: string, from: string, to: string)
      type Reach(#node: string)
      rule begin { when e: Edge(from == "start") then insert logical Reach(node: e.to) }
      rule step { when r: Reach e: Edge(from == r.node) then insert logical Reach(node: e.to) }
      Edge("1", "start", "a") Edge("2", "a", "b") Edge("3", "b", "a") Edge("4", "b", "c")`);
    session.run();
    expect(ids(session, "Reach")).toEqual(["Reach~a", "Reach~b", "Reach~c"]);
    session.retract("Edge~1");
    expect(ids(session, "Reach")).toEqual([]);
    session.assert("Edge", { id: "5", from: "start", to: "b" });
    session.run();
    expect(ids(session, "Reach").sort()).toEqual(["Reach~a", "Reach~b", "Reach~c"]);
  });
});

describe("listeners", () => {
  const source = `${TYPES} rule r { when p: Person then log(p.id) insert Alert(who: p.id, level: 1) }`;

  test("hear of firings, effects and facts in the order they happen", () => {
    const session = open(source);
    const heard: unknown[] = [];
    session.on("fire", (event) => heard.push(["fire", event.n]));
    session.on("effect", (event) => heard.push(["effect", event.args]));
    const off = session.on("fact", (event) => heard.push([event.op, event.id, event.by]));
    session.assert("Person", ann);
    session.run();
    off();
    session.retract("Person~p1");
    expect(heard).toEqual([
      ["assert", "Person~p1", "host"],
      ["fire", 1],
      ["effect", ["p1"]],
      ["assert", "Alert~@1", "rule r"],
    ]);
  });

  test("may change facts: the change comes behind", () => {
    const session = open(source);
    session.on("fact", (event) => {
      if (event.type === "Alert") session.retract(event.id);
    });
    session.assert("Person", ann);
    expect(session.run().fired).toHaveLength(1);
    expect(ids(session)).toEqual(["Person~p1"]);
  });

  test("that throw do not disturb what was done", () => {
    const session = open(source);
    const heard: unknown[] = [];
    session.on("fact", () => {
      throw new Error("listener");
    });
    session.on("fact", (event) => heard.push(event.id));
    expect(session.assert("Person", ann).id).toBe("Person~p1");
    expect([ids(session), heard]).toEqual([["Person~p1"], ["Person~p1"]]);
    expect(session.problems).toMatchObject([{ code: "E522", event: "fact" }]);
  });
});

describe("a restored session", () => {
  const source = `${TYPES}
    rule adult { when p: Person(age >= 18) then insert logical Alert(who: p.id, level: 1) }
    rule pair salience 1 { when p: Person q: Person(age > p.age) then log(p.id + q.id) }
    rule none { when not Order() then log("no order") }
    rule late group "late" { when a: Alert then log("late " + a.who) }`;

  test("goes on where the original was", () => {
    for (const strategy of ["breadth", "depth", "lex"] as const) {
      const original = open(source, { strategy });
      for (const one of [ann, bob, { ...ann, id: "p3", age: 40 }]) original.assert("Person", one);
      expect(() => original.run({ limit: 4 })).toThrow(RunLimitError);
      original.focus("late");
      const snapshot = original.snapshot();
      const restored = open(source, { strategy, from: JSON.parse(JSON.stringify(snapshot)) as typeof snapshot });
      expect(restored.run()).toEqual(original.run());
      for (const session of [original, restored]) {
        session.update("Person~p1", { age: 3 });
        session.assert("Order", { num: "1", buyer: "p1", total: 3 });
        session.retract("Order~1");
      }
      expect(restored.run()).toEqual(original.run());
      expect(restored.facts()).toEqual(original.facts());
      expect(restored.counters()).toEqual(original.counters());
    }
  });
});

describe("runAsync", () => {
  test("awaits handlers in firing order, and makes changes after them", async () => {
    const order: unknown[] = [];
    const session: Opened = open(
      `${TYPES} action send(who: string) rule r { when p: Person then send(p.id) insert Alert(who: p.id, level: 1) }`,
      {
        actions: {
          send: async (who: unknown) => {
            order.push(["begin", who, ids(session, "Alert").length]);
            await new Promise((resolve) => setTimeout(resolve, who === "p1" ? 5 : 0));
            order.push(["end", who]);
          },
        },
      },
    );
    session.assert("Person", ann);
    session.assert("Person", bob);
    expect(rules(await session.runAsync())).toEqual(["r", "r"]);
    expect(order).toEqual([
      ["begin", "p1", 1],
      ["end", "p1"],
      ["begin", "p2", 2],
      ["end", "p2"],
    ]);
  });
});

test("after every fact is retracted nothing is remembered", () => {
  const session = open(`${TYPES} rule r { when p: Person o: Order(buyer == p) not Alert(who == p.id)
    then insert logical Alert(who: "x", level: 1) }`);
  session.assert("Person", ann);
  session.assert("Order", { num: "1", buyer: "p1", total: 1 });
  session.run();
  for (const fact of session.facts()) session.retract(fact);
  expect(session.counters()).toEqual({
    facts: 0,
    matches: 0,
    indexEntries: 0,
    waiting: 0,
    parked: 0,
    logicalFacts: 0,
    supportSteps: expect.any(Number) as number,
    timers: 0,
    timerSteps: 0,
    expired: 0,
    fired: 1,
  });
});

describe("too many partial matches", () => {
  const source = `
    type A(#id: number) type B(#id: number)
    rule "all pairs" { when a: A b: B then log("pair") }
    rule single { when a: A then log(a.id) }`;
  const facts = (type: string): string => Array.from({ length: 20 }, (_, index) => `${type}(${index})`).join(" ");

  test("are a problem of the session; the other rules still work", () => {
    const session = compile(source, { limits: { liveMatches: 200 } }).session();
    const assertAll = (type: string): void => {
      for (let id = 0; id < 20; id++) session.assert(type, { id });
    };
    assertAll("A");
    assertAll("B");
    expect(session.problems).toMatchObject([{ code: "E511", rules: ["all pairs"] }]);
    expect(session.run().fired.every((fired) => fired.rule === "single")).toBe(true);
  });

  test("from the program's own facts are a problem from the beginning", () => {
    const session = compile(`${source} ${facts("A")} ${facts("B")}`, { limits: { liveMatches: 200 } }).session();
    expect(session.problems).toMatchObject([{ code: "E511" }]);
    const { fired, problems } = session.run();
    expect(fired).toHaveLength(20);
    expect(problems).toMatchObject([{ code: "E511" }]);
  });
});
