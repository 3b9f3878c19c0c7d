/** Tests that arguments of the wrong type are refused with a code, plain words and a fix, and that nothing changes. */
import { describe, expect, test } from "vitest";
import {
  type ActionContext,
  compile,
  type OpenOptions,
  type RuleSession,
  type Session,
  SessionError,
} from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const program = compile(`
type Person(#id: string, age: number)
query adults(min: number) { p: Person(age >= min) }
query everybody() { p: Person }
action greet(id: string)
rule greeting { when p: Person then greet(p.id) }`);

function refused(call: () => unknown): SessionError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(SessionError);
    return error as SessionError;
  }
  throw new Error("nothing was thrown");
}

/** Whatever a host may pass by mistake. */
const mistake = (value: unknown): never => value as never;

describe.each([
  ["a program", (): RuleSession => program.session()],
  ["a saved plan", () => loadPlan(program.save()).session() as unknown as RuleSession],
])("a session of %s refuses", (_, open) => {
  test.each([null, 5, "Ann"])("%j as the arguments of a query", (args) => {
    expect(refused(() => open().query("adults", mistake(args)))).toMatchObject({
      code: "E407",
      message: 'the arguments of query "adults" must be an object',
      hint: "its parameters: min",
    });
    expect(refused(() => open().query("everybody", mistake(args))).hint).toBe("this query has no parameters");
  });

  test.each([{}, null, undefined, "rule r { }"])("%j as a program to continue with", (next) => {
    const session = open();
    session.assert("Person", { id: "ann", age: 30 });
    expect(refused(() => session.reload(mistake(next)))).toMatchObject({
      code: "E407",
      message: "a session continues with a program",
      hint: "such as session.reload(compile(source))",
    });
    expect(session.run().fired).toHaveLength(1);
  });

  test.each([null, undefined, 5])("%j as the facts of a request", async (facts) => {
    const expected = { code: "E407", message: "the facts must be a list" };
    expect(refused(() => program.evaluate(mistake(facts)))).toMatchObject(expected);
    await expect(program.evaluateAsync(mistake(facts))).rejects.toMatchObject(expected);
    const ann = { type: "Person", fields: { id: "ann", age: 30 } };
    expect(program.evaluate([ann]).effects).toHaveLength(1); // the session in the pool is as it was
  });
});

test.each<[keyof OpenOptions, unknown[], string]>([
  ["history", ["10", -1, Number.NaN, null], "number, 0 or more"],
  ["id", [7, null, {}], "string"],
  ["now", [0, new Date(0), "now"], "function"],
  ["random", [0.5, null], "function"],
  ["realTime", [0], "function"],
  ["auditClock", [0], "function"],
])("option %s must have a value of its type", (name, values, type) => {
  for (const value of values) {
    const error = refused(() => program.session({ [name]: value }));
    expect(error).toMatchObject({ code: "E407", message: `option "${name}" must be a ${type}` });
    expect(error.hint).not.toBe("");
  }
});

describe("a submission", () => {
  const ann = { op: "assert", type: "Person", fields: { id: "ann", age: 30 } } as const;
  const bob = { op: "assert", type: "Person", fields: { id: "bob", age: 40 } } as const;

  test("whose signal is aborted while it waits changes nothing", async () => {
    let release = (): void => undefined;
    const greet = async (): Promise<void> => new Promise((resolve) => (release = resolve));
    const session = program.session({ actions: { greet } });
    const first = session.submit(ann);
    const controller = new AbortController();
    const second = session.submit(bob, { signal: controller.signal });
    while (session.size === 0) await Promise.resolve();
    controller.abort(new Error("the caller left"));
    await new Promise((resolve) => setTimeout(resolve));
    release();
    expect((await first).fired).toHaveLength(1);
    await expect(second).rejects.toMatchObject({
      code: "E524",
      message: "the submission was aborted by its signal before its turn: nothing was changed",
      hint: "submit the changes again",
      cause: new Error("the caller left"),
    });
    expect(session.size).toBe(1);
  });

  test("whose signal is aborted already changes nothing", async () => {
    const session = program.session();
    await expect(session.submit(ann, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "E524" });
    expect(session.size).toBe(0);
    expect((await session.submit(bob)).fired).toHaveLength(1); // the queue goes on
  });

  test.each([[{ signal: "no" }], [{ handlerTimeout: 0 }]])("with %j changes nothing", async (options) => {
    const session = program.session();
    await expect(session.submit(ann, mistake(options))).rejects.toMatchObject({ code: "E407" });
    expect(session.size).toBe(0);
  });
});

describe("functions that are not properties of the option itself", () => {
  const program = compile(
    "function f(n: number): number type A(#n: number) action tell(n: number) rule r { when a: A() then tell(f(a.n)) }",
  );
  const f = (n: unknown): number => Number(n);
  class Handlers {
    readonly db = new Set<unknown>();
    tell(n: unknown): void {
      this.db.add(n);
    }
  }
  class Functions {
    f(n: unknown): number {
      return Number(n);
    }
  }
  class Late {
    get tell(): () => void {
      return () => {};
    }
  }
  const hidden: object = Object.defineProperty({}, "tell", { value: f, enumerable: false });
  const open = (options: object): unknown => program.session({ functions: { f }, ...options });

  test.each<[string, string, object]>([
    ["actions", "tell", { actions: new Handlers() }],
    ["actions", "tell", { actions: new (class extends Handlers {})() }],
    ["actions", "tell", { actions: new Late() }],
    ["actions", "tell", { actions: hidden }],
    ["actions", "tell", { actions: Object.create({ tell: f }) as object }],
    ["actions", "get", { actions: new Map([["tell", f]]) }],
    ["functions", "f", { functions: new Functions() }],
    ["functions", "f", { functions: Object.create({ f }) as object }],
  ])("are refused: %s, naming %s", (option, name, options) => {
    const refused = expect.objectContaining({
      code: "E407",
      message: expect.stringContaining(
        `option "${option}" must be an object with functions of its own: "${name}"`,
      ) as string,
      hint: `write ${option}: { ${name}: (...args) => object.${name}(...args) }`,
    }) as unknown;
    expect(() => open(options)).toThrow(refused);
    expect(() => program.evaluate([], { functions: { f }, ...options })).toThrow(refused);
  });

  test("are refused in migrate", () => {
    const session = open({}) as Session;
    const migrate = new (class {
      A(old: object): object {
        return old;
      }
    })();
    expect(() => session.reload(program, { migrate: migrate as never })).toThrow('"A" is inherited');
  });

  test("fields of a class, objects without a prototype and modules are accepted", () => {
    const seen: unknown[] = [];
    const fields = new (class {
      tell = (n: unknown): unknown => seen.push(n);
    })();
    const bare = Object.assign(Object.create(null) as object, { tell: (n: unknown) => seen.push(n) });
    for (const actions of [fields, bare]) {
      const session = open({ actions }) as Session;
      session.assert("A", { n: 7 });
      session.run();
    }
    expect(seen).toEqual([7, 7]);
  });
});

describe("a name that nothing has", () => {
  const named = compile(`
    type Order(#num: string)
    xuple-space queue { selection: fifo  consumption: once }
    rule "hold" group "billing" { when o: Order then log(o.num) }`);
  const CALLS: Readonly<Record<string, readonly [code: string, words: string, call: (session: Session) => unknown]>> = {
    focus: ["E213", 'unknown group "biling"|did you mean "billing"?', (session) => session.focus("biling")],
    facts: ["E201", 'unknown type "Oder"|did you mean "Order"?', (session) => session.facts("Oder")],
    withdrawn: ["E201", 'unknown type "Oder"|did you mean "Order"?', (session) => session.withdrawn("Oder")],
    matches: ["E207", 'unknown rule "hald"|did you mean "hold"?', (session) => session.matches("hald")],
    firings: ["E207", 'unknown rule "hald"|did you mean "hold"?', (session) => session.firings("hald")],
    xuples: ["E213", 'unknown xuple-space "queu"|did you mean "queue"?', (session) => session.xuples("queu")],
    takeXuple: ["E213", 'unknown xuple-space "x"|this program defines "queue"', (session) => session.takeXuple("x")],
    trace: [
      "E213",
      'unknown trace level "al"|did you mean "all"?',
      (session) => session.trace(mistake("al"), () => {}),
    ],
    "a listener of trace": [
      "E407",
      'trace needs a function|such as trace("all", (line) => lines.push(line))',
      (session) => session.trace("all", mistake(5)),
    ],
    whyNot: [
      "E407",
      'the values to ask with must be an object|such as { p: "Person~p1" }',
      (session) => session.whyNot("hold", mistake(5)),
    ],
    pack: [
      "E407",
      "pack needs a result or an answer|such as pack(session.run())",
      (session) => session.pack(mistake("x")),
    ],
    "the role of a change": [
      "E213",
      'unknown role "polic"|did you mean "policy"?',
      (session) => session.assert("Order", { num: "o" }, { role: mistake("polic") }),
    ],
    "a group that is none": [
      "E407",
      "the name of a group must be a string|undefined",
      (session) => session.focus(mistake(5)),
    ],
    "a type that is none": [
      "E407",
      "the name of a type must be a string|undefined",
      (session) => session.facts(mistake(5)),
    ],
  };

  test.each(Object.entries(CALLS))("is refused: %s", (_, [code, words, call]) => {
    const session = named.session();
    const { code: found, message, hint } = refused(() => call(session));
    expect([found, `${message}|${String(hint)}`]).toEqual([code, words]);
    expect(session.size).toBe(0);
  });

  test.each<[string, object]>([
    ['unknown group "biling"', { op: "focus", group: "biling" }],
    ['unknown property "feilds"', { op: "assert", type: "Order", feilds: {} }],
    ['unknown property "type"', { op: "retract", fact: "Order~o", type: "Order" }],
    ["a change must be plain data with an op", { op: "toString" }],
  ])("is refused in the queue: %s", async (words, change) => {
    const session = named.session();
    await expect(session.submit(mistake(change))).rejects.toThrow(words);
    await expect(session.enqueue(mistake(change))).rejects.toThrow(words);
    await expect(session.submit([], { role: mistake("polic") })).rejects.toThrow('unknown role "polic"');
    expect((await session.submit({ op: "focus", group: "billing" })).count).toBe(0);
  });

  test("is refused in a handler", () => {
    const session = named.session({
      actions: {
        log(this: ActionContext) {
          expect(() => this.focus("biling")).toThrow('unknown group "biling"');
        },
      },
    });
    session.assert("Order", { num: "o" });
    session.focus("billing");
    expect(session.run().count).toBe(1);
  });

  test("of a type or rule that is gone is known as long as there is something of it", () => {
    const session = named.session();
    session.assert("Order", { num: "o" });
    session.focus("billing");
    session.run();
    session.retract("Order~o");
    session.reload(compile("type Other(#n: number)"));
    expect(session.firings("hold")).toHaveLength(1);
    expect(session.withdrawn("Order")).toHaveLength(1);
    expect(session.facts("GateResult")).toEqual([]);
  });
});
