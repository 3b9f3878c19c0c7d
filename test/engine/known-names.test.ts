/** Tests that misspelt options, handlers and events are refused, with the nearest name. */
import { describe, expect, test } from "vitest";
import { compile, check, SessionError } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const program = compile(`
  type Order(#num: string, total: number)
  action hold(num: string)
  rule "large" { when o: Order(total > 1000) then hold(o.num) }`);

/** The code, message and hint of what is thrown. */
function refusal(work: () => unknown): readonly (string | undefined)[] {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionError) return [error.code, error.message, error.hint];
    throw error;
  }
  return [];
}

describe.each([
  ["a compiled program", program],
  ["a saved plan", loadPlan(program.save())],
])("a session of %s", (_, opened) => {
  test("refuses a misspelt option", () => {
    const options = { strateg: "depth" } as object;
    expect(refusal(() => opened.session(options))).toEqual([
      "E213",
      'unknown option "strateg"',
      'did you mean "strategy"?',
    ]);
  });

  test("refuses a handler of a misspelt action, and takes those of declared and built-in ones", () => {
    expect(refusal(() => opened.session({ actions: { hodl: () => {} } }))).toEqual([
      "E206",
      'unknown action "hodl"',
      'did you mean "hold"?',
    ]);
    expect(refusal(() => opened.session({ actions: { hold: () => {}, log: () => {}, print: () => {} } }))).toEqual([]);
  });

  test("names the known events where none is near", () => {
    const session = opened.session();
    expect(refusal(() => session.on("fires" as "fire", () => {}))).toEqual([
      "E213",
      'unknown event "fires"',
      'did you mean "fire"?',
    ]);
    expect(refusal(() => session.on("somethingElse" as "fire", () => {}))[2]).toMatch(/^known events: fire, effect, /u);
  });
});

test("a program that declares no actions takes handlers of any name", () => {
  const open = compile("type P(#id: string) rule r { when p: P then anything(p.id) }");
  const called: unknown[] = [];
  const session = open.session({ actions: { anything: (id: string) => called.push(id) } });
  session.assert("P", { id: "p" });
  session.run();
  expect(called).toEqual(["p"]);
});

test("compiling refuses misspelt options and limits", () => {
  expect(refusal(() => compile("", { functons: {} } as object))).toEqual([
    "E213",
    'unknown option "functons"',
    'did you mean "functions"?',
  ]);
  expect(refusal(() => check("", { limits: { liveMatch: 1 } as object }))).toEqual([
    "E213",
    'unknown limit "liveMatch"',
    'did you mean "liveMatches"?',
  ]);
});

describe("methods refuse what they do not know", () => {
  const unknown = (near: string): readonly unknown[] => ["E213", expect.stringMatching(/^unknown option "/u), near];
  const refused = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
    const error = await work().catch((thrown: unknown) => thrown);
    return error instanceof SessionError ? [error.code, error.message, error.hint] : [];
  };

  test("run, reload, snapshot and subscribe", () => {
    const session = program.session();
    expect(refusal(() => session.run({ limt: 5 } as object))).toEqual(unknown('did you mean "limit"?'));
    expect(refusal(() => session.reload(program, { migrat: {} } as object))).toEqual(
      unknown('did you mean "migrate"?'),
    );
    expect(refusal(() => session.snapshot({ strem: 1 } as never))).toEqual(unknown('did you mean "stream"?'));
    const buffr = (): unknown => session.subscribe({ type: "Order" }, {}, { buffr: 3 } as object);
    expect(refusal(buffr)).toEqual(unknown('did you mean "buffer"?'));
    expect(refusal(() => session.subscribe({ type: "Order" }, {}, 5 as never))[0]).toBe("E407");
    expect(refusal(() => session.run(null as never))[0]).toBe("E407");
  });

  test("runAsync, submit and enqueue", async () => {
    const session = program.session();
    const misspelt = { handlerTimout: 5 } as object;
    expect(await refused(() => session.runAsync(misspelt))).toEqual(unknown('did you mean "handlerTimeout"?'));
    expect(await refused(() => session.submit([], misspelt))).toEqual(unknown('did you mean "handlerTimeout"?'));
    expect(await refused(() => session.enqueue([], { rol: "policy" } as object))).toEqual(
      unknown('did you mean "role"?'),
    );
    expect((await refused(() => session.runAsync({ signal: {} as AbortSignal })))[0]).toBe("E407");
    expect((await refused(() => session.snapshot({ stream: {} as never })))[0]).toBe("E407");
  });

  test("evaluate", () => {
    expect(refusal(() => program.evaluate([], { limt: 5 } as object))).toEqual(unknown('did you mean "limit"?'));
    expect(refusal(() => program.evaluate([], { from: {} } as object))[0]).toBe("E213");
    expect(refusal(() => program.evaluate([null as never]))[0]).toBe("E407");
  });

  test("strategies and facts options", () => {
    const strategy = "dept" as "depth";
    const message = 'unknown strategy "dept"';
    expect(refusal(() => program.session({ strategy }))).toEqual(["E213", message, 'did you mean "depth"?']);
    expect(refusal(() => program.evaluate([], { strategy }))).toEqual(["E213", message, 'did you mean "depth"?']);
    expect(refusal(() => program.session({ strategy: "random" as "lex" }))[2]).toBe(
      "known strategies: breadth, depth, lex",
    );
    expect(refusal(() => program.session({ facts: "all" as "none" }))).toEqual([
      "E213",
      'unknown facts option "all"',
      "known facts options: program, none",
    ]);
  });

  test("targets of subscriptions, listeners and facts", () => {
    const session = program.session();
    expect(refusal(() => session.subscribe({ qery: "x" } as never))).toEqual([
      "E213",
      'unknown target "qery"',
      'did you mean "query"?',
    ]);
    const targets = [undefined, null, "Order", {}, { type: 5 }, { type: "Order", gate: "g" }];
    for (const target of targets) expect(refusal(() => session.subscribe(target as never))[0]).toBe("E407");
    expect(refusal(() => session.subscribe({ type: "Order" }, null as never))[0]).toBe("E407");
    expect(refusal(() => session.on("fire", 5 as never))[0]).toBe("E407");
    for (const fact of [undefined, null, 5, {}]) expect(refusal(() => session.retract(fact as never))[0]).toBe("E407");
  });
});
