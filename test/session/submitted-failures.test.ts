/**
 * What fails in the run of a submission: the changes are made, the other rules fire, the result and `error` events tell it, and
 * nothing opens because of it.
 */
import { describe, expect, test } from "vitest";
import {
  ActionError,
  type ActionContext,
  compile,
  type FactChange,
  type OpenOptions,
  RestlessError,
  RunAbortedError,
  RunLimitError,
  type Session,
} from "../../src/index.ts";

const put = (type: string, fields: Record<string, unknown>): FactChange => ({ op: "upsert", type, fields });

async function failure(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  return promise.then(
    () => ({ code: "none" }),
    (error: unknown) => error as Record<string, unknown>,
  );
}

const SHOP = compile(`
  type Order(#num: string, buyer: string, total: number = 1)
  type Sent(#num: string)
  action send(num: string)
  rule "send" { when o: Order(total > 0) not Sent(num == o.num) then send(o.num) insert Sent(num: o.num) }`);

/** A shop in which orders of some buyers fail. */
function shop(failing: ReadonlySet<string>, options: OpenOptions = {}): { session: Session; calls: string[] } {
  const calls: string[] = [];
  const session = SHOP.session({
    ...options,
    actions: {
      async send(this: ActionContext, num: string) {
        calls.push(`${num} ${this.key}`);
        await Promise.resolve();
        if (failing.has(num)) throw new Error(`${num} cannot be sent`);
      },
    },
  });
  return { session, calls };
}

describe("a firing that fails", () => {
  test("rejects nobody: every caller gets the result of its own run", async () => {
    const { session } = shop(new Set(["a1"]));
    const [a, b, bad] = await Promise.all([
      session.submit(put("Order", { num: "a1", buyer: "ann" })),
      session.submit(put("Order", { num: "b1", buyer: "bob" })),
      failure(session.submit(put("Order", { num: "c1", buyer: 7 }))),
    ]);
    const failed = { code: "E520", rule: "send", action: "send", bindings: { o: "Order~a1" }, effects: [] };
    expect(a).toMatchObject({ count: 0, fired: [], failed: [failed] });
    expect(b.fired.map(({ bindings }) => bindings["o"])).toEqual(["Order~b1"]);
    expect(b.failed, "it was tried again").toMatchObject([failed]);
    expect(bad).toMatchObject({ code: "E407" });
    expect(session.facts("Order").map(({ id }) => id)).toEqual(["Order~a1", "Order~b1"]);
    expect(session.facts("Sent").map(({ id }) => id)).toEqual(["Sent~b1"]);
  });

  test("is told by an event, with the error that runAsync throws", async () => {
    const { session } = shop(new Set(["a1", "a2"]));
    const heard: { readonly event: string; readonly error: unknown; readonly during: boolean }[] = [];
    let over = false;
    session.on("error", ({ event, error }) => heard.push({ event, error, during: !over }));
    const orders = ["a1", "a2", "b1"].map((num) => put("Order", { num, buyer: "x" }));
    const result = await session.submit(orders);
    over = true;
    const errors = result.failed?.map(({ error }) => error) ?? [];
    expect(heard).toEqual(errors.map((error) => ({ event: "submit", error, during: true })));
    expect(errors).toMatchObject([{ rule: "send" }, { rule: "send", cause: { message: "a2 cannot be sent" } }]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(ActionError);
      expect((error as ActionError).result).toBe(result);
    }
    expect(JSON.parse(JSON.stringify(result.failed))).toEqual(
      result.failed?.map(({ code, message, rule, action, bindings, effects }) => ({
        ...{ code, message, rule, action, bindings, effects },
      })),
    );
    expect(session.problems, "an error is no problem of a listener").toEqual([]);
  });

  test("is no problem when nobody listens, and a listener that throws changes nothing", async () => {
    const { session } = shop(new Set(["a1"]));
    expect((await session.submit(put("Order", { num: "a1", buyer: "x" }))).problems).toBeUndefined();
    session.on("error", () => {
      throw new Error("the log is full");
    });
    const { failed } = await session.submit([]);
    expect(failed).toHaveLength(1);
    expect(session.problems.map(({ code }) => code)).toEqual(["E522"]);
  });

  test.each(["breadth", "depth", "lex"] as const)("is tried once in each run, in its order (%s)", async (strategy) => {
    const failing = new Set(["o1", "o2"]);
    const { session, calls } = shop(failing, { strategy });
    const orders = ["o1", "o2", "o3"].map((num) => put("Order", { num, buyer: "x" }));
    const first = await session.submit(orders);
    expect(first.fired.map(({ bindings }) => bindings["o"])).toEqual(["Order~o3"]);
    const order = strategy === "breadth" ? ["o1", "o2"] : ["o2", "o1"];
    expect(first.failed?.map(({ bindings }) => bindings?.["o"])).toEqual(order.map((num) => `Order~${num}`));
    expect(session.counters().waiting).toBe(2);
    expect(session.agenda().map(({ bindings }) => bindings["o"])).toEqual(order.map((num) => `Order~${num}`));
    failing.clear();
    const second = await session.submit([]);
    expect(second.failed).toBeUndefined();
    expect(second.fired.map(({ bindings }) => bindings["o"])).toEqual(order.map((num) => `Order~${num}`));
    const keys = new Map(calls.map((call) => call.split(" ") as [string, string]));
    expect(calls, "the key of a repeated call is the same").toHaveLength(5);
    expect(new Set(calls).size).toBe(keys.size);
  });

  test("stops a run of the host, as before", async () => {
    const { session } = shop(new Set(["a1"]));
    await session.enqueue([put("Order", { num: "a1", buyer: "x" }), put("Order", { num: "b1", buyer: "x" })]);
    expect(await failure(session.runAsync())).toMatchObject({ code: "E520", rule: "send" });
    expect(session.facts("Sent")).toEqual([]);
  });

  test("waits in a snapshot, and fires in the session that continues from it", async () => {
    const { session } = shop(new Set(["a1"]), { id: "shop" });
    await session.submit([put("Order", { num: "a1", buyer: "x" }), put("Order", { num: "b1", buyer: "x" })]);
    const copy = SHOP.session({ from: session.snapshot() });
    expect(copy.run().fired.map(({ bindings }) => bindings["o"])).toEqual(["Order~a1"]);
  });

  test("cannot be packed: a pack has no handlers that fail", async () => {
    const { session } = shop(new Set(["a1"]));
    const result = await session.submit(put("Order", { num: "a1", buyer: "x" }));
    expect(() => session.pack(result)).toThrow("cannot be packed");
  });

  test("in an insert waits as well", async () => {
    const session = compile(`
      type Order(#num: string)
      type Bill(#num: string)
      type Note(#num: string)
      rule "bill" { when o: Order then insert Bill(num: o.num) }
      rule "note" { when o: Order then insert Note(num: o.num) }`).session();
    const { failed, fired } = await session.submit([put("Bill", { num: "1" }), put("Order", { num: "1" })]);
    expect(failed).toMatchObject([{ code: "E520", action: "insert Bill", rule: "bill", hint: expect.any(String) }]);
    expect(fired.map(({ rule }) => rule)).toEqual(["note"]);
    session.retract("Bill~1");
    expect((await session.submit([])).fired.map(({ rule }) => rule)).toEqual(["bill"]);
  });

  test("has a time limit of its own", async () => {
    const session = compile(`type P(#n: number) action wait(n: number) rule r { when p: P then wait(p.n) }`).session({
      actions: { wait: async (n: number) => (n === 1 ? new Promise(() => undefined) : undefined) },
    });
    const { failed, fired } = await session.submit([put("P", { n: 1 }), put("P", { n: 2 })], { handlerTimeout: 5 });
    expect(failed).toMatchObject([{ code: "E523", bindings: { p: "P~1" } }]);
    expect(fired).toHaveLength(1);
  });
});

describe("what failed and changes while the run goes on", () => {
  const source = (pattern: string): string => `
    type Job(#id: string, v: number)
    type Mute(#id: string)
    action work(id: string, v: number)
    rule "job" { when ${pattern} then work(j.id, j.v) }`;

  /** Fails for "a", and lets the test do something while "b" is awaited. */
  async function during(pattern: string, act: (session: Session) => void): Promise<[string[], string[]]> {
    const calls: string[] = [];
    const session: Session = compile(source(pattern)).session({
      actions: {
        async work(id: string, v: number) {
          calls.push(`${id} ${v}`);
          await Promise.resolve();
          if (id === "a") throw new Error("down");
          if (id === "b") act(session);
        },
      },
    });
    const jobs = [put("Job", { id: "a", v: 1 }), put("Job", { id: "b", v: 1 })];
    const { failed } = await session.submit(jobs);
    expect(session.counters().waiting).toBe(session.agenda().length);
    const before = calls.length;
    await session.submit([]);
    void failed;
    return [calls.slice(0, before), calls.slice(before)];
  }

  describe.each(["j: Job(v > 0)", "j: Job(v > 0) not Mute(id == j.id)"])("with %s", (pattern) => {
    test("fires again for a new value", async () => {
      const calls = await during(pattern, (session) => void session.update("Job~a", { v: 2 }));
      expect(calls).toEqual([["a 1", "b 1", "a 2"], ["a 2"]]);
    });

    test("is gone when its fact is gone, or does not match", async () => {
      expect(await during(pattern, (session) => void session.retract("Job~a"))).toEqual([["a 1", "b 1"], []]);
      const calls = await during(pattern, (session) => void session.update("Job~a", { v: 0 }));
      expect(calls).toEqual([["a 1", "b 1"], []]);
    });

    test("fires when its fact went and came back", async () => {
      const calls = await during(pattern, (session) => {
        session.retract("Job~a");
        session.assert("Job", { id: "a", v: 3 });
      });
      expect(calls).toEqual([["a 1", "b 1", "a 3"], ["a 3"]]);
    });
  });

  test.each(["", " not Mute()"])("stays held back when its fact is only put back: `when l: L%s`", async (rest) => {
    const rung: number[] = [];
    const session: Session = compile(`
      type A(#n: number)
      type B(#n: number)
      type L(#n: number)
      type Mute(text: string)
      action ring(n: number)
      action last(n: number)
      rule "base" salience 9 { when a: A then insert logical L(n: a.n) }
      rule "through" salience 9 { when b: B exists L() then insert logical L(n: b.n) }
      rule "ring" { when l: L(n == 3)${rest} then ring(l.n) }
      rule "last" salience -1 { when a: A(n == 2) then last(a.n) }`).session({
      actions: {
        ring(n: number) {
          rung.push(n);
          throw new Error("down");
        },
        async last() {
          await Promise.resolve();
          session.retract("A~1"); // L 3 rests on `exists L()`, so it is taken out and put back
        },
      },
    });
    const facts = [put("A", { n: 1 }), put("A", { n: 2 }), put("B", { n: 3 })];
    const { failed } = await session.submit(facts);
    expect(session.facts("L").map(({ id }) => id)).toEqual(["L~2", "L~3"]);
    expect(rung).toEqual([3]);
    expect(failed).toHaveLength(1);
    await session.submit([]);
    expect(rung).toEqual([3, 3]);
  });
});

describe("nothing opens because of what failed", () => {
  const RULES = `
    type Order(#num: string)
    type Blocked(#num: string)
    type Asked(#num: string)
    action check(num: string)
    action ship(num: string)
    rule "block" salience 1 { when o: Order then check(o.num) insert Blocked(num: o.num) }
    rule "ask" { when o: Order then decide ship(o) insert Asked(num: o.num) }
    gate "ship" for o: Order { require not exists Blocked(num == o.num) on pass then ship(o.num) }
    guardian "watch" for o: Order { check blocked { forbid exists Blocked(num == o.num) as "blocked" do SAFE_REFUSAL } }
    pipeline "route" for o: Order {
      step blocked BLOCK "blocked" when exists Blocked(num == o.num)
      otherwise FORWARD "next"
    }`;

  test("not a gate, a guardian, a pipeline, a reaction, nor what a later rule asks", async () => {
    let down = false;
    const shipped: string[] = [];
    const session = compile(RULES).session({
      actions: {
        check: () => {
          if (down) throw new Error("down");
        },
        ship: (num: string) => shipped.push(num),
      },
    });
    down = true;
    const result = await session.submit(put("Order", { num: "o1" }));
    expect(result.fired.map(({ rule }) => rule)).toEqual(["ask"]);
    expect(result.failed).toMatchObject([{ rule: "block" }]);
    expect(result.gates).toMatchObject([{ gate: "ship", subject: "Order~o1", outcome: "hold", status: "unknown" }]);
    expect(result.verdicts).toMatchObject([
      { guardian: "watch", verdict: expect.not.stringMatching("PASS") as string },
    ]);
    expect(result.decisions, "the rule asked, and no pipeline decided").toMatchObject([
      { gate: "ship", outcome: "hold" },
    ]);
    expect(session.gate("ship", "Order~o1")).toMatchObject({ outcome: "hold" });
    down = false;
    const next = await session.submit([]);
    expect(next.gates).toMatchObject([{ outcome: "fail" }]);
    expect(next.decisions).toMatchObject([{ pipeline: "route", decision: "BLOCK" }]);
    expect(shipped).toEqual([]);
  });

  test("nor what a run of the host says in its error", () => {
    const program = compile(`
      type Order(#num: string)
      type Blocked(#num: string)
      action check(num: string)
      rule "block" { when o: Order then check(o.num) insert Blocked(num: o.num) }
      gate "ship" { require not exists Blocked() }`);
    let down = false;
    const session = program.session({
      actions: {
        check: () => {
          if (down) throw new Error("down");
        },
      },
    });
    expect(session.run().gates).toMatchObject([{ outcome: "pass" }]);
    down = true;
    session.assert("Order", { num: "o1" });
    expect(() => session.run()).toThrow(
      expect.objectContaining({
        result: expect.objectContaining({ gates: [expect.objectContaining({ outcome: "hold" })] }),
      }),
    );
  });
});

describe("a run of a submission", () => {
  const LOOP = `type N(#n: number, v: number) rule "up" { when n: N(v >= 0) then n.v = n.v + 1 }`;

  test("that reaches its limit is told in the result: other callers made no mistake", async () => {
    const session = compile(LOOP).session();
    const errors: unknown[] = [];
    session.on("error", ({ event, error }) => errors.push([event, error]));
    const { failed, count } = await session.submit(put("N", { n: 1, v: 0 }), { limit: 5 });
    expect(count).toBe(5);
    expect(failed).toMatchObject([{ code: "E510" }]);
    expect(failed?.[0]).not.toHaveProperty("rule");
    expect(failed?.[0]?.error).toBeInstanceOf(RunLimitError);
    expect(errors).toEqual([["submit", failed?.[0]?.error]]);
    expect(session.fact("N~1")?.fields["v"]).toBe(5);
  });

  test("counts what fails for the limit", async () => {
    const session = compile(
      `type P(#n: number) type Q(#n: number) rule r { when p: P then insert Q(n: p.n) }`,
    ).session();
    const numbers = [1, 2, 3];
    const facts = ["P", "Q"].flatMap((type) => numbers.map((n) => put(type, { n })));
    const { failed } = await session.submit(facts, { limit: 2 });
    expect(failed?.map(({ code }) => code)).toEqual(["E520", "E520", "E510"]);
  });

  test("that never comes to rest is told in the result", async () => {
    const session = compile(`
      gate "a" { require not exists GateResult(gate == "a", outcome == "pass") }
      type P(#n: number)`).session();
    const { failed } = await session.submit(put("P", { n: 1 }));
    expect(failed).toMatchObject([{ code: "E512" }]);
    expect(failed?.[0]?.error).toBeInstanceOf(RestlessError);
  });

  test("that is aborted rejects its own caller, and its result says what failed", async () => {
    const { session } = shop(new Set(["a1"]));
    const errors: string[] = [];
    session.on("error", ({ event }) => errors.push(event));
    const controller = new AbortController();
    session.on("fire", () => controller.abort());
    const orders = ["a1", "b1", "c1"].map((num) => put("Order", { num, buyer: "x" }));
    const error = await failure(session.submit(orders, { signal: controller.signal }));
    expect(error).toBeInstanceOf(RunAbortedError);
    expect(error).toMatchObject({ code: "E524", result: { count: 1, failed: [{ code: "E520" }] } });
    expect(errors).toEqual(["submit"]);
    expect(session.facts("Order")).toHaveLength(3);
    expect((await session.submit([])).fired.map(({ bindings }) => bindings["o"])).toEqual(["Order~c1"]);
  });

  test("that is given up because the session is closed rejects", async () => {
    const { session } = shop(new Set(["a1"]));
    session.on("fire", () => session.close());
    const orders = ["a1", "b1", "c1"].map((num) => put("Order", { num, buyer: "x" }));
    expect(await failure(session.submit(orders))).toMatchObject({ code: "E535" });
  });
});
