/** Tests that a session keeps its promises to a host that does everything at the wrong moment, or with the wrong thing. */
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type ActionContext, compile, type Session, SessionError } from "../../src/index.ts";

const SOURCE = `
  type Order(#num: string, total: number, tags: string[] = ["new"])
  type Paid(#num: string)
  action pay(num: string, tags: any)
  condition paid(o: Order) : true from p: Paid(p.num == o.num)
  gate "done" for o: Order { require paid(o) }
  query large(least: number) { o: Order(total >= least) }
  rule "pay" { when o: Order(total > 0) not Paid(num == o.num) then pay(o.num, o.tags) insert Paid(num: o.num) }`;
const program = compile(SOURCE);
const order = (num: string) => ({ op: "assert", type: "Order", fields: { num, total: 5 } }) as const;

/** A stream that takes nothing until it is released. */
function stalled(): { sink: Writable; release: () => void; lines: () => number } {
  let release = (): void => {};
  let lines = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  const sink = new Writable({
    write(_chunk, _encoding, done) {
      lines += 1;
      void released.then(() => done());
    },
  });
  return { sink, release, lines: () => lines };
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "done";
  } catch (error) {
    if (error instanceof SessionError) return error.code;
    throw error;
  }
}

describe("a submission", () => {
  test("waits for the run that a listener begins when its changes are made", async () => {
    let settle = (): void => {};
    const pay = async (): Promise<void> => new Promise((resolve) => (settle = resolve));
    const session = program.session({ actions: { pay } });
    let run: Promise<unknown> | undefined;
    session.on("fact", ({ type }) => {
      if (type === "Order") run ??= session.runAsync();
    });
    const submitted = session.submit(order("o1"));
    await new Promise(setImmediate);
    settle();
    expect((await submitted).count).toBe(0); // the run of the listener has fired
    await run;
    expect(session.facts("Paid")).toHaveLength(1);
  });

  test("waits for a snapshot that is being written, and changes nothing of it", async () => {
    const session = program.session();
    session.assert("Order", { num: "o1", total: 0 });
    const { sink, release } = stalled();
    const saved = session.snapshot({ stream: sink });
    const submitted = session.submit(order("o2"));
    await new Promise(setImmediate);
    expect(session.facts("Order")).toHaveLength(1);
    release();
    await saved;
    expect((await submitted).count).toBe(1);
    expect(session.facts("Order")).toHaveLength(2);
  });

  test("takes dates, Temporal objects and handles, as assert does, and copies what can change", async () => {
    const timed = compile("type Event(#id: string, at: instant, seen: instant[] = [], of: Event?)").session();
    class Instant {
      readonly [Symbol.toStringTag] = "Temporal.Instant";
      toString(): string {
        return "2026-01-01T00:00:00Z";
      }
    }
    const first = timed.assert("Event", { id: "e1", at: new Date(0) });
    const at = new Date(1000);
    const seen = [new Instant()];
    const submitted = timed.submit({ op: "assert", type: "Event", fields: { id: "e2", at, seen, of: first } });
    at.setTime(0);
    seen.length = 0;
    await submitted;
    expect(timed.fact("Event~e2")?.fields).toEqual({
      id: "e2",
      at: "1970-01-01T00:00:01Z",
      seen: ["2026-01-01T00:00:00Z"],
      of: "Event~e1",
    });
  });
});

describe("a snapshot that is being written", () => {
  test("is given up when the session is closed, though its stream never answers", async () => {
    const session = program.session();
    const { sink, lines } = stalled();
    const saved = session.snapshot({ stream: sink });
    await new Promise(setImmediate);
    expect(lines()).toBe(1);
    session.close();
    await expect(saved).rejects.toMatchObject({ code: "E535" });
  });

  test("is awaited at the end of an async block", async () => {
    const session = program.session();
    session.assert("Order", { num: "o1", total: 0 });
    const { sink, release } = stalled();
    const saved = session.snapshot({ stream: sink });
    const ended = session[Symbol.asyncDispose]();
    release();
    await ended;
    await expect(saved).resolves.toBeUndefined();
    expect(() => session.size).toThrow(expect.objectContaining({ code: "E535" }));
  });

  test("lets subscriptions come and go: they change nothing that is saved", async () => {
    const session = program.session();
    session.assert("Order", { num: "o1", total: 5 });
    const { sink, release } = stalled();
    const saved = session.snapshot({ stream: sink });
    const rows: string[] = [];
    for await (const { added } of session.subscribe({ query: "large" }, { least: 1 })) {
      rows.push(...added.map(({ row }) => JSON.stringify(Object.keys(row))));
      break;
    }
    expect(rows).toEqual(['["o"]']);
    release();
    await saved;
  });
});

test("the clock can be moved while a handler is awaited, and ends the match that fires", async () => {
  const timed = compile(`
    type Offer(#id: string, until: instant)
    action send(id: string)
    rule "send" { when o: Offer(until > now) then send(o.id) }
    rule "late" { when o: Offer(until <= now) then log(o.id) }`);
  let settle = (): void => {};
  const send = async (): Promise<void> => new Promise((resolve) => (settle = resolve));
  const session = timed.session({ clock: "2026-01-01T00:00:00Z", actions: { send } });
  session.assert("Offer", { id: "a", until: "2026-01-02T00:00:00Z" });
  const run = session.runAsync();
  await new Promise(setImmediate);
  session.advance("2026-01-03T00:00:00Z");
  settle();
  const { fired, conflicts } = await run;
  expect(conflicts).toMatchObject([{ rule: "send" }]);
  expect(fired).toMatchObject([{ rule: "late" }]);
  const inHandler = compile("type A(#id: string) rule r { when a: A then log(a.id) }").session({
    clock: "2026-01-01T00:00:00Z",
    actions: { log: () => void codes.push(codeOf(() => inHandler.advance("2026-01-02T00:00:00Z"))) },
  });
  const codes: string[] = [];
  inHandler.assert("A", { id: "a" });
  await inHandler.runAsync();
  inHandler.assert("A", { id: "b" });
  inHandler.run();
  expect(codes).toEqual(["E530", "E530"]);
});

/** Changes and deletes everything that it can reach. */
function spoil(data: unknown, depth = 0): void {
  if (typeof data !== "object" || data === null || depth > 8) return;
  for (const key of Reflect.ownKeys(data)) {
    spoil(Reflect.get(data, key), depth + 1);
    Reflect.set(data, key, "spoilt");
    Reflect.deleteProperty(data, key);
  }
  Reflect.set(data, "spoilt", true);
}

test("listeners that spoil what they receive change nothing for anybody else", () => {
  const observed = (isSpoilt: boolean): unknown => {
    const session = program.session({ id: "one" });
    const heard: string[] = [];
    const events = ["fire", "effect", "fact", "gate"] as const;
    const targets = [{ query: "large" }, { gate: "done" }, { type: "Order" }] as const;
    const follow = (hear: (event: unknown) => void): void => {
      for (const name of events) session.on(name, hear);
      for (const target of targets) session.subscribe(target, "query" in target ? { least: 1 } : {}, hear);
    };
    follow(isSpoilt ? (event) => spoil(event) : () => {});
    follow((event) => heard.push(JSON.stringify(event)));
    session.assert("Order", { num: "o1", total: 5 });
    const result = session.run();
    session.update("Order~o1", { total: 7 });
    const { key } = result.effects[0] ?? {};
    return { heard, result, key, facts: session.facts(), firings: session.firings("pay"), why: session.why("Paid~o1") };
  };
  expect(JSON.stringify(observed(true))).toBe(JSON.stringify(observed(false)));
});

describe("a handler", () => {
  const fails = (): never => {
    throw new Error("no promise");
  };
  // oxlint-disable-next-line unicorn/no-thenable -- what a host can return
  const withThen = (property: PropertyDescriptor): object => Object.defineProperty({}, "then", property);
  const ways = {
    "has a then that cannot be read": () => withThen({ get: fails }),
    "has a then that throws": () => withThen({ value: fails }),
    "calls back twice": () =>
      withThen({
        value: (resolve: (() => void) | undefined) => {
          resolve?.();
          resolve?.();
        },
      }),
    "is a revoked proxy": () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  };
  test.each(Object.entries(ways))("whose result %s fails its action in a run, and the session goes on", (_, pay) => {
    const opened = (): Session => {
      const session = program.session({ actions: { pay } });
      session.assert("Order", { num: "o1", total: 5 });
      return session;
    };
    const session = opened();
    expect(codeOf(() => session.run())).toBe("E520");
    expect(session.facts("Paid")).toEqual([]);
    expect(codeOf(() => session.snapshot())).toBe("done");
    const quick = opened();
    expect(codeOf(() => quick.run({ collect: false }))).toBe("E520");
    expect(quick.facts("Paid")).toEqual([]);
  });

  test("keeps its key whatever listeners do to its effect", () => {
    const keys: string[] = [];
    const session = program.session({
      id: "one",
      actions: {
        pay(this: ActionContext) {
          keys.push(this.key);
        },
      },
    });
    session.on("effect", (effect) => spoil(effect));
    session.assert("Order", { num: "o1", total: 5 });
    expect(session.run().effects.map(({ key }) => key)).toEqual(keys);
  });
});

test("values of options that fit no option are refused", () => {
  const session = program.session();
  const wrong = (value: unknown): never => value as never;
  const refused: [string, () => unknown][] = [
    ["limit NaN", () => session.run({ limit: NaN })],
    ["limit below 0", () => session.run({ limit: -1 })],
    ["collect", () => session.run({ collect: wrong("no") })],
    ["limit of a session", () => program.session({ limit: wrong("5") })],
    ["actions", () => program.session({ actions: wrong(5) })],
    ["a handler", () => program.session({ actions: wrong({ pay: 5 }) })],
    ["functions", () => program.session({ functions: wrong(5) })],
    ["functions of a request", () => program.evaluate([], { functions: wrong(null) })],
    ["actions of a request", () => program.evaluate([], { actions: wrong({ pay: 5 }) })],
    ["audit", () => program.session({ audit: wrong(5) })],
    ["checkDeadline", () => program.session({ checkDeadline: NaN })],
    ["migrate", () => session.reload(program, { migrate: wrong(5) })],
    ["buffer NaN", () => session.subscribe({ type: "Order" }, {}, { buffer: NaN })],
    ["buffer 0", () => session.subscribe({ type: "Order" }, {}, { buffer: 0 })],
    ["batch", () => session.batch(wrong(5))],
    ["why", () => session.why(wrong(5))],
    ["pack", () => session.pack(wrong(undefined))],
    ["compile", () => compile(wrong(undefined))],
    ["extend", () => program.extend(wrong(undefined))],
    ["without", () => program.without(wrong(undefined))],
  ];
  expect(refused.filter(([, call]) => codeOf(call) !== "E407").map(([name]) => name)).toEqual([]);
  expect(codeOf(() => session.matches(wrong(undefined)))).toBe("E207");
  expect(codeOf(() => session.whyNot(wrong(undefined)))).toBe("E207");
});

describe("what names nothing is refused in words", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const things = { undefined, null: null, bigint: 5n, circle, symbol: Symbol("x"), function: () => undefined };

  test.each(Object.entries(things))("%s as a fact in whyNot", (_name, thing) => {
    const session = program.session();
    expect(() => session.whyNot("pay", { o: thing as never })).toThrow('the value of "o" must name a fact');
  });

  test.each(["on", "trace"] as const)("a symbol, or an object without a text, as a name in %s", (method) => {
    const session = program.session();
    for (const name of [Symbol("x"), Object.create(null)]) {
      expect(() => session[method](name as never, () => undefined)).toThrow("must be a string");
    }
  });
});
