/** Tests listeners that throw: the session did what it would have done, and the error is reported. */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession } from "../../src/index.ts";

const SOURCE = `type A(n: number) type B(n: number)
rule copy { when a: A then insert B(n: a.n) log("copied") }`;

function failing(session: RuleSession, message: () => string = () => "down"): void {
  for (const event of ["fact", "fire", "effect"] as const) {
    session.on(event, () => {
      throw new Error(message());
    });
  }
}

describe("a listener that throws", () => {
  test("does not change what assert, batch, update, retract and run return", () => {
    const session = compile(SOURCE).session();
    failing(session);
    const { id } = session.assert("A", { n: 1 });
    expect(session.update(id, { n: 2 })).toBe(true);
    expect(session.batch(() => session.assert("A", { n: 3 })).id).toBe("A~@2");
    expect(session.run()).toMatchObject({ count: 2, halted: false });
    expect(session.retract(id)).toBe(true);
    expect(session.facts().map((fact) => fact.id)).toEqual(["A~@2", "B~@1", "B~@2"]);
  });

  test("is a problem, once for each listener and message (E522)", () => {
    const session = compile(SOURCE).session();
    const heard: unknown[] = [];
    failing(session);
    session.on("problem", (problem) => heard.push(problem));
    for (let n = 0; n < 5; n++) session.assert("A", { n });
    const { problems = [] } = session.run();
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E522 listener for "fact" failed: down',
      'E522 listener for "fire" failed: down',
      'E522 listener for "effect" failed: down',
    ]);
    expect(heard).toEqual(problems);
    expect(session.problems).toEqual(problems);
  });

  test("is kept a bounded number of times, whatever it throws", () => {
    const session = compile(SOURCE).session();
    let calls = 0;
    failing(session, () => `call ${(calls += 1)} ${"x".repeat(5000)}`);
    for (let n = 0; n < 300; n++) session.assert("A", { n });
    expect(calls).toBe(300);
    expect(session.problems).toHaveLength(100);
    expect(Math.max(...session.problems.map(({ message }) => message.length))).toBeLessThan(2000);
  });

  test("goes to those who listen to error, and is no problem then", () => {
    const session = compile(SOURCE).session();
    const heard: unknown[] = [];
    failing(session);
    session.on("error", ({ event, error }) => heard.push(`${event}: ${(error as Error).message}`));
    session.assert("A", { n: 1 });
    expect(session.run().problems).toBeUndefined();
    expect(heard).toEqual(["fact: down", "fire: down", "effect: down", "fact: down"]);
  });

  test("does not loop when it listens to error or problem", () => {
    const session = compile(SOURCE).session();
    let calls = 0;
    failing(session);
    for (const event of ["error", "problem"] as const) {
      session.on(event, () => {
        calls += 1;
        throw new Error(`${event} ${calls}`);
      });
    }
    session.assert("A", { n: 1 });
    expect(calls).toBeLessThan(250);
    expect(session.problems.every(({ code }) => code === "E522")).toBe(true);
    expect(session.facts("A")).toHaveLength(1);
  });

  test("is noticed when it throws later, too", async () => {
    const session = compile(SOURCE).session();
    session.on("fact", async () => {
      await Promise.resolve();
      throw new Error("late");
    });
    session.assert("A", { n: 1 });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(session.problems).toMatchObject([{ code: "E522", message: 'listener for "fact" failed: late' }]);
  });
});
