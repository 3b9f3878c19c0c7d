/** What happens to a session while a handler is awaited: changes from outside, conflicts, time limits, aborts and closing. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ActionContext, compile, type Conflict, type RunResult, type Session } from "../../src/index.ts";

const SOURCE = `
  type Order(#num: string, total: number = 0, note: string?)
  type Sent(#num: string, total: number)
  type Log(text: string)
  action send(num: string)
  rule "send" { when o: Order(total >= 0) not Sent(num == o.num) then send(o.num) insert Sent(num: o.num, total: o.total) }`;

interface Call {
  readonly num: string;
  readonly context: ActionContext;
  readonly settle: () => void;
  readonly fail: (error: Error) => void;
}

/** A session whose handler waits until a test settles it. */
function rig(): { session: Session; calls: Call[] } {
  const calls: Call[] = [];
  const session = compile(SOURCE).session({
    actions: {
      send(this: ActionContext, num: string) {
        return new Promise<void>((settle, fail) => calls.push({ num, context: this, settle, fail }));
      },
    },
  });
  return { session, calls };
}

function first(calls: readonly Call[], at = 0): Call {
  const call = calls[at];
  if (call === undefined) throw new Error("no handler was called");
  return call;
}

async function failure(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  return promise.then(
    () => ({ code: "none" }),
    (error: unknown) => error as Record<string, unknown>,
  );
}

const ids = (session: Session): string[] => session.facts().map((fact) => fact.id);

describe("a change from outside", () => {
  test("is made at once, and stays when the handler rejects", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    session.assert("Log", { text: "outside" });
    expect(session.facts("Log")).toHaveLength(1);
    first(calls).fail(new Error("down"));
    expect(await failure(running)).toMatchObject({ code: "E520", rule: "send" });
    expect(ids(session)).toEqual(["Order~o1", "Log~@1"]);
  });

  test("that ends the match makes the firing a conflict", async () => {
    const { session, calls } = rig();
    const conflicts: Conflict[] = [];
    session.on("conflict", (conflict) => conflicts.push(conflict));
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    const { context, settle } = first(calls);
    context.assert("Log", { text: "own" });
    session.retract("Order~o1");
    settle();
    const result = await running;
    expect(result).toMatchObject({ fired: [], effects: [], count: 0 });
    expect(result.conflicts).toMatchObject([
      { rule: "send", bindings: { o: "Order~o1" }, effects: [{ args: ["o1"] }] },
    ]);
    expect(result.conflicts?.[0]?.effects[0]?.key).toBe(context.key);
    expect(conflicts).toEqual(result.conflicts);
    expect(ids(session)).toEqual([]);
  });

  test("that leaves the match is seen by the changes of the rule", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1", total: 5 });
    const running = session.runAsync();
    session.update("Order~o1", { note: "not read by the condition" });
    first(calls).settle();
    expect(await running).toMatchObject({ count: 1 });
    expect(session.fact("Order~o1")?.fields["note"]).toBe("not read by the condition");
    expect(session.fact("Sent~o1")?.fields).toEqual({ num: "o1", total: 5 });
  });

  test("and one of the handler that exclude each other fail the firing, and nothing else", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    first(calls).context.assert("Sent", { num: "o9", total: 1 });
    session.assert("Sent", { num: "o9", total: 2 });
    first(calls).settle();
    expect(await failure(running)).toMatchObject({ code: "E520", cause: { code: "E410" } });
    expect(session.fact("Sent~o9")?.fields["total"]).toBe(2);
    expect(ids(session)).toEqual(["Order~o1", "Sent~o9"]);
  });

  test("never gets the number of a fact that the handler made", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    const own = first(calls).context.assert("Log", { text: "own" });
    const outside = session.assert("Log", { text: "outside" });
    expect(own.id).not.toBe(outside.id);
    first(calls).settle();
    await running;
    expect(session.fact(own)?.fields["text"]).toBe("own");
    expect(session.fact(outside)?.fields["text"]).toBe("outside");
  });
});

describe("a handler", () => {
  test("sees its own changes, which are made with its firing", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    const { context, settle } = first(calls);
    context.update("Order~o1", { note: "mine" });
    context.upsert("Log", { text: "a" });
    expect(context.fact("Order~o1")?.fields["note"]).toBe("mine");
    expect(context.facts("Log")).toHaveLength(1);
    expect(session.fact("Order~o1")?.fields["note"]).toBeUndefined();
    settle();
    await running;
    expect(session.fact("Order~o1")?.fields["note"]).toBe("mine");
  });

  test("cannot use its context when its firing has ended", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    first(calls).settle();
    await running;
    expect(() => first(calls).context.assert("Log", { text: "late" })).toThrow('this firing of rule "send" has ended');
    expect(session.facts("Log")).toEqual([]);
  });

  test("that changes the session before its first await changes it with its firing", async () => {
    const program = compile(SOURCE);
    const session: Session = program.session({
      actions: {
        send: async () => {
          session.assert("Log", { text: "before" });
          await Promise.resolve();
          throw new Error("down");
        },
      },
    });
    session.assert("Order", { num: "o1" });
    expect(await failure(session.runAsync())).toMatchObject({ code: "E520" });
    expect(session.facts("Log")).toEqual([]);
  });
});

describe("a run", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("gives a handler up after its time, and the session goes on", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = failure(session.runAsync({ handlerTimeout: 50 }));
    const { context } = first(calls);
    const { signal } = context;
    vi.advanceTimersByTime(50);
    expect(await running).toMatchObject({ code: "E523", rule: "send", action: "send" });
    expect(signal.aborted).toBe(true);
    expect(() => context.assert("Log", { text: "late" })).toThrow("has ended");
    const again = session.runAsync();
    expect(first(calls, 1).context.key).toBe(context.key);
    first(calls, 1).settle();
    expect((await again).count).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("aborts the signal of a handler that reads it too late, and of no other", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = failure(session.runAsync({ handlerTimeout: 50 }));
    vi.advanceTimersByTime(50);
    expect(await running).toMatchObject({ code: "E523" });
    const again = session.runAsync();
    expect(first(calls).context.signal.aborted).toBe(true);
    expect(first(calls, 1).context.signal.aborted).toBe(false);
    first(calls, 1).settle();
    await again;
    session.close();
    expect(first(calls, 1).context.signal.aborted).toBe(false);
  });

  test("refuses a time that is none", async () => {
    const { session } = rig();
    expect(await failure(session.runAsync({ handlerTimeout: 0 }))).toMatchObject({ code: "E407" });
    expect(session.run().count).toBe(0);
  });

  test("ends when its signal is aborted", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const controller = new AbortController();
    const running = failure(session.runAsync({ signal: controller.signal }));
    controller.abort(new Error("the client left"));
    expect(await running).toMatchObject({ code: "E524", cause: { message: "the client left" }, result: { count: 0 } });
    expect(await failure(session.runAsync({ signal: controller.signal }))).toMatchObject({ code: "E524" });
    expect(calls).toHaveLength(1);
    expect(ids(session)).toEqual(["Order~o1"]);
  });

  test.each<["runAsync" | "submit", "first" | "second"]>([
    ["runAsync", "first"],
    ["runAsync", "second"],
    ["submit", "first"],
    ["submit", "second"],
  ])("that its own handler aborts calls no further handler, and makes nothing: %s, the %s", async (how, which) => {
    const controller = new AbortController();
    const calls: string[] = [];
    const keys: string[] = [];
    const note = (name: string): ((this: ActionContext) => void) =>
      function () {
        calls.push(name);
        keys.push(this.key);
        if (name === which) controller.abort(new Error("enough"));
      };
    const session = compile(`
      type A(#n: number)
      type Done(#n: number)
      action first()
      action second()
      rule r { when a: A() not Done(n == a.n) then first() insert Done(n: a.n) second() }`).session({
      actions: { first: note("first"), second: note("second") },
    });
    const { signal } = controller;
    const change = { op: "assert", type: "A", fields: { n: 1 } } as const;
    if (how === "runAsync") session.assert("A", { n: 1 });
    const running = how === "runAsync" ? session.runAsync({ signal }) : session.submit(change, { signal });
    expect(await failure(running)).toMatchObject({ code: "E524", cause: { message: "enough" }, result: { count: 0 } });
    expect(calls).toEqual(which === "first" ? ["first"] : ["first", "second"]);
    expect(ids(session)).toEqual(["A~1"]);
    const before = [...keys];
    session.run();
    expect(calls.slice(before.length)).toEqual(["first", "second"]);
    expect(keys.slice(before.length, 2 * before.length)).toEqual(before);
    expect(ids(session)).toEqual(["A~1", "Done~1"]);
  });

  test("refuses a signal that is none, and ends when the signal fails", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const lame = { aborted: false, addEventListener: () => {} };
    expect(await failure(session.runAsync({ signal: lame as never }))).toMatchObject({ code: "E407" });
    const failing = {
      ...lame,
      removeEventListener: () => {
        throw new Error("no listener");
      },
    };
    const running = session.runAsync({ signal: failing as never });
    first(calls).settle();
    expect((await running).count).toBe(1);
    expect(session.run().count).toBe(0);
  });

  test("ends when the session is closed, and so does everything else", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = failure(session.runAsync());
    const queued = failure(session.submit({ op: "assert", type: "Log", fields: { text: "queued" } }));
    session.close();
    session.close();
    expect(await running).toMatchObject({ code: "E535" });
    expect(await queued).toMatchObject({ code: "E535" });
    expect(() => first(calls).context.assert("Log", { text: "late" })).toThrow("has ended");
    expect(() => session.facts()).toThrow("the session is closed");
    expect(() => session.assert("Log", { text: "late" })).toThrow("the session is closed");
    expect(await failure(session.runAsync())).toMatchObject({ code: "E535" });
  });
});

describe("closing", () => {
  test("is refused inside a batch and inside a synchronous run", () => {
    const session: Session = compile(SOURCE).session({ actions: { send: () => session.close() } });
    expect(() => session.batch(() => session.close())).toThrow("cannot close the session");
    session.assert("Order", { num: "o1" });
    expect(() => session.run()).toThrow("cannot close the session");
    session[Symbol.dispose]();
    expect(() => session.size).toThrow("the session is closed");
  });

  test("at the end of an async block waits for what is queued", async () => {
    const { session, calls } = rig();
    const results: RunResult[] = [];
    const submitted = session
      .submit({ op: "assert", type: "Order", fields: { num: "o1" } })
      .then((result) => results.push(result));
    const disposed = session[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    first(calls).settle();
    await submitted;
    await disposed;
    expect(results).toMatchObject([{ count: 1 }]);
    expect(() => session.size).toThrow("the session is closed");
  });
});

describe("the queue", () => {
  test("keeps the order, and a bad change rejects alone", async () => {
    const session = compile("type P(#n: number) rule r { when p: P then log(p.n) }").session();
    const fields = (n: unknown): { op: "assert"; type: string; fields: Record<string, unknown> } => ({
      op: "assert",
      type: "P",
      fields: { n },
    });
    const data = fields(1);
    const a = session.submit(data);
    data.fields["n"] = 99;
    const b = failure(session.submit([fields(2), fields("no number")]));
    const c = session.enqueue(fields(3));
    const d = session.submit(fields(4));
    const e = failure(session.submit({ op: "nothing" } as never));
    expect((await a).effects.map((effect) => effect.args[0])).toEqual([1]);
    expect(await b).toMatchObject({ code: "E407" });
    await c;
    expect((await d).effects.map((effect) => effect.args[0])).toEqual([3, 4]);
    expect(await e).toMatchObject({ code: "E407" });
    expect(ids(session)).toEqual(["P~1", "P~3", "P~4"]);
  });

  test("waits for the run of the host, and reset waits for neither", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    const submitted = session.submit({ op: "upsert", type: "Order", fields: { num: "o2" } });
    expect(() => session.reset()).toThrow("cannot reset the session during a run");
    await Promise.resolve();
    expect(ids(session)).toEqual(["Order~o1"]);
    first(calls).settle();
    expect((await running).count).toBe(1);
    expect(() => session.reset()).toThrow("cannot reset the session");
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    first(calls, 1).settle();
    expect((await submitted).effects.map((effect) => effect.args[0])).toEqual(["o2"]);
  });
});

describe("a call in the queue", () => {
  test("is made when no run is under way, between what was handed in before and after", async () => {
    const { session, calls } = rig();
    session.assert("Order", { num: "o1" });
    const running = session.runAsync();
    const order = { op: "assert", type: "Order", fields: { num: "o2" } } as const;
    const submitted = session.submit(order);
    const saved = session.enqueue(() => session.snapshot());
    const reloaded = session.enqueue(() =>
      session.reload(session.program.extend('rule "log" { when l: Log then log(l.text) }')),
    );
    const logged = session.submit({ op: "assert", type: "Log", fields: { text: "later" } });
    expect(() => session.snapshot()).toThrow(
      expect.objectContaining({ code: "E530", hint: expect.stringContaining("session.enqueue(") }),
    );
    first(calls).settle();
    await running;
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(ids(session)).toEqual(["Order~o1", "Sent~o1", "Order~o2"]);
    first(calls, 1).settle();
    expect((await submitted).count).toBe(1);
    const copy = session.program.session({ from: await saved });
    expect(ids(copy)).toEqual(["Order~o1", "Sent~o1", "Order~o2", "Sent~o2"]);
    expect(await reloaded).toMatchObject({ filled: [], dropped: [] });
    expect((await logged).effects.map(({ args }) => args)).toEqual([["later"]]);
  });

  test("that throws rejects alone, and what a promise of it does is the caller's", async () => {
    const { session } = rig();
    const thrown = failure(
      session.enqueue(() => {
        throw new TypeError("a mistake");
      }),
    );
    let settle: (value: number) => void = () => undefined;
    const later = session.enqueue(async () => new Promise<number>((resolve) => (settle = resolve)));
    const inside = session.enqueue(async () =>
      session.submit({ op: "assert", type: "Log", fields: { text: "inside" } }),
    );
    expect(await thrown).toBeInstanceOf(TypeError);
    expect((await inside).count, "the queue does not wait for the promise").toBe(0);
    settle(7);
    expect(await later).toBe(7);
  });

  test("can begin what takes time: the queue waits for it", async () => {
    const { session, calls } = rig();
    const parts: string[] = [];
    session.assert("Order", { num: "o1" });
    const stream = { write: (part: string, done: () => void) => (parts.push(part), done()) };
    const saved = session.enqueue(() => session.snapshot({ stream }));
    const ran = session.enqueue(() => session.runAsync());
    const submitted = session.submit({ op: "assert", type: "Log", fields: { text: "after" } });
    await saved;
    expect((await session.program.openAsync({ from: new Blob(parts).stream() })).size).toBe(1);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    expect(session.facts("Log")).toEqual([]);
    first(calls).settle();
    expect((await ran).count).toBe(1);
    await submitted;
    expect(session.facts("Log")).toHaveLength(1);
  });

  test("can reset the session when nothing else waits, and close it", async () => {
    const { session } = rig();
    const order = { op: "assert", type: "Log", fields: { text: "a" } } as const;
    void session.enqueue(order);
    await session.enqueue(() => session.reset());
    expect(session.size).toBe(0);
    const refused = failure(session.enqueue(() => session.reset()));
    void session.enqueue(order);
    expect(await refused).toMatchObject({ code: "E530" });
    const closed = session.enqueue(() => session.close());
    const late = failure(session.enqueue(order));
    await closed;
    expect(await late).toMatchObject({ code: "E535" });
    expect(await failure(session.enqueue(() => 1))).toMatchObject({ code: "E535" });
  });

  test("takes no options, and is a function", async () => {
    const { session } = rig();
    const enqueue = session.enqueue.bind(session) as (...args: unknown[]) => Promise<unknown>;
    expect(await failure(enqueue(() => 1, { role: "policy" }))).toMatchObject({
      code: "E213",
      message: 'unknown option "role"',
    });
    expect(await failure(enqueue("snapshot"))).toMatchObject({ code: "E407" });
  });
});
