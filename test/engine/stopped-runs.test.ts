/** Tests that what a run left undone stays in doubt when the session continues with another program or is restored. */
import { describe, expect, test } from "vitest";
import { compile, type Program, type Session } from "../../src/index.ts";

const rules = (k: string): Program =>
  compile(`
    type A(#n: string, k: ${k})
    type Bad(#n: string)
    rule "count" { when a: A(k < 50) then a.k = a.k + 1 }
    rule "bad" { when a: A(k >= 50) then insert Bad(n: a.n) }
    gate "good" for a: A { require not exists Bad(n == a.n) }`);

const PROGRAM = rules("number");

/** A session in which a run stopped before "count" and "bad" were done. */
function stopped(): Session {
  const session = PROGRAM.session();
  session.assert("A", { n: "x", k: 0 });
  expect(() => session.run({ limit: 5 })).toThrow("the limit of 5 firings");
  return session;
}

const outcome = (session: Session): string => session.gate("good", "A~x").outcome;

describe("a gate that depends on rules that still wait", () => {
  test.each([
    ["the same program", PROGRAM],
    ["one more rule", PROGRAM.extend('rule "large" { when a: A(k > 1000) then log(a.n) }')],
    ["one more field", rules("number, more: number = 1")],
    ["a field with another type", rules("any")],
  ])("holds after a reload with %s", (_, next) => {
    const session = stopped();
    expect(outcome(session)).toBe("hold");
    session.reload(next);
    expect(outcome(session)).toBe("hold");
    session.run();
    expect(outcome(session)).toBe("fail");
  });

  test("does not change for a subscription when the program is reloaded", () => {
    const session = stopped();
    const seen: string[] = [];
    session.subscribe({ gate: "good" }, {}, ({ added, changed }) => {
      for (const { row } of [...added, ...changed.map(({ after }) => after)]) seen.push(row.outcome);
    });
    session.reload(PROGRAM.extend('rule "large" { when a: A(k > 1000) then log(a.n) }'));
    expect(seen).toEqual(["hold"]);
    session.run();
    expect(seen.at(-1)).toBe("fail");
  });

  test("holds in a session that was restored, and after its reload", () => {
    const restored = PROGRAM.session({ from: stopped().snapshot() });
    expect(outcome(restored)).toBe("hold");
    restored.reload(rules("any"));
    expect(outcome(restored)).toBe("hold");
  });

  test("holds after a reload when an action failed", () => {
    const program = compile(`
      type A(#n: string) type Bad(#n: string) action ask(n: string)
      rule "bad" { when a: A then ask(a.n) insert Bad(n: a.n) }
      gate "good" for a: A { require not exists Bad(n == a.n) }`);
    const fails = (): never => {
      throw new Error("not reachable");
    };
    const session = program.session({ actions: { ask: fails } });
    session.assert("A", { n: "x" });
    expect(() => session.run()).toThrow("not reachable");
    session.reload(program);
    expect(outcome(session)).toBe("hold");
  });
});
