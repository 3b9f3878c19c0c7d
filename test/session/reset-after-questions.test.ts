/** Tests that `reset` uses the network again after queries and subscriptions: nothing is planned or assembled a second time. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { compile, type Session } from "../../src/index.ts";
import { loadPlan, type SavedProgram } from "../../src/runtime.ts";
import { SessionState } from "../../src/session/state.ts";

const program = compile(`
  type Person(#id: string, age: number)
  type Adult(#id: string)
  query adults(min: number) { p: Person(age >= min) }
  query named(id: string) { p: Person(id == id) }
  gate "open" for p: Person { require p.age >= 18 }
  rule "adult" { when p: Person(age >= 18) then insert Adult(id: p.id) }`);

type Opened = Session | Session<SavedProgram>;

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([
  ["a compiled program", (): Opened => program.session()],
  ["a saved plan", (): Opened => loadPlan(program.save()).session()],
])("in a session of %s", (_, open) => {
  test.each([
    ["a query", (session: Opened) => void session.query("adults", { min: 18 })],
    [
      "a subscription to a query",
      (session: Opened) => void session.subscribe({ query: "adults" }, { min: 18 }, () => {}),
    ],
    [
      "a subscription to a type",
      (session: Opened) => void session.subscribe({ type: "Person" }, { age: 30 }, () => {}),
    ],
    ["a subscription to a gate", (session: Opened) => void session.subscribe({ gate: "open" }, {}, () => {})],
  ])("reset after %s empties the session in place", (__, ask) => {
    const session = open();
    session.assert("Person", { id: "p1", age: 30 });
    ask(session);
    session.run();
    const cleared = vi.spyOn(SessionState.prototype, "clear");
    session.reset();
    expect(cleared).toHaveBeenCalledTimes(1); // a session that is opened again gets a new state instead
    session.assert("Person", { id: "p2", age: 40 });
    expect(session.run().fired.map(({ bindings }) => bindings)).toEqual([{ p: "Person~p2" }]);
    expect(session.query("adults", { min: 18 }).map(({ p }) => p)).toMatchObject([{ id: "Person~p2" }]);
  });
});
