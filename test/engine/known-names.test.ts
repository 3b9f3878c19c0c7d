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
