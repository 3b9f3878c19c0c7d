/** Tests what a firing does: arguments, handlers, changes, groups, halt, and what happens when it fails. */
import type { ActionContext } from "../../src/session/handler-context.ts";
import { describe, expect, test } from "vitest";
import { ActionError } from "../../src/session/errors.ts";
import {
  effect,
  type FakeRule,
  type FakeSession,
  fakeSession,
  focus,
  halt,
  insert,
  NUMBER,
  retract,
  schemaOf,
  STRING,
  update,
} from "../support/fake-network.ts";

const ids = (session: FakeSession, type?: string): string[] => session.facts(type).map((fact) => fact.id);
const rule = (type: string, actions: FakeRule["actions"], more: Partial<FakeRule> = {}): FakeRule => ({
  name: `on ${type}`,
  type,
  reads: ["x"],
  actions: actions ?? [],
  ...more,
});

const boom = (): never => {
  throw new Error("no network");
};

const later = async (work: () => void): Promise<void> => {
  await Promise.resolve();
  work();
};

function failure(work: () => unknown): ActionError {
  try {
    work();
  } catch (error) {
    if (error instanceof ActionError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe("a firing", () => {
  test("works out all arguments on the match as it fired, before its changes", () => {
    const session = fakeSession({ rules: [rule("A", [update({ y: 2 }), effect("say", "y"), retract])] });
    session.assert("A", { y: 1 });
    expect(session.run().effects).toEqual([{ n: 1, action: "say", args: [1], rule: "on A" }]);
    expect(ids(session)).toEqual([]);
  });

  test("hands effects to the registered handler, with the rule and its variables", () => {
    const calls: unknown[] = [];
    const actions = {
      say(this: ActionContext, ...args: unknown[]): void {
        const { rule: name, bindings, n } = this;
        calls.push([args, { rule: name, bindings, n }]);
      },
    };
    const session = fakeSession({ rules: [rule("A", [effect("say", "x"), effect("other")])] }, { actions });
    session.assert("A", { x: "hi" });
    expect(session.run().effects).toHaveLength(2);
    expect(calls).toEqual([[["hi"], { rule: "on A", bindings: { f: "A~@1" }, n: 1 }]]);
  });

  test("makes its changes together, in order", () => {
    const events: string[] = [];
    const session = fakeSession({ rules: [rule("A", [insert("B"), update({ y: 1 }), insert("C"), retract])] });
    session.assert("A", {});
    session.on("fact", (event) => events.push(`${event.op} ${event.id} by ${event.by}`));
    session.run();
    expect(events).toEqual([
      "assert B~@1 by rule on A",
      "update A~@1 by rule on A",
      "assert C~@1 by rule on A",
      "retract A~@1 by rule on A",
    ]);
  });

  test("neither updates nor retracts again what it has taken away", () => {
    const session = fakeSession({ rules: [rule("A", [retract, update({ y: 1 }), retract])] });
    session.assert("A", {});
    session.run();
    expect(ids(session)).toEqual([]);
  });

  test("can halt the run, which goes on when asked again", () => {
    const session = fakeSession({ rules: [rule("A", [insert("B"), halt])] });
    session.assert("A", {});
    session.assert("A", {});
    expect(session.run()).toMatchObject({ halted: true, fired: [{ n: 1 }] });
    expect(session.run()).toMatchObject({ halted: true, fired: [{ n: 2 }] });
    expect(session.run()).toMatchObject({ halted: false, fired: [] });
    expect(ids(session, "B")).toHaveLength(2);
  });

  test("can activate a group", () => {
    const session = fakeSession({ rules: [rule("A", [focus("late")]), rule("B", [], { group: "late" })] });
    session.assert("B", {});
    expect(session.run().fired).toEqual([]);
    session.assert("A", {});
    expect(session.run().fired.map((fired) => fired.rule)).toEqual(["on A", "on B"]);
  });
});

describe("a firing that fails", () => {
  test("because a handler throws changes nothing, and later firings do not run", () => {
    const session = fakeSession(
      { rules: [rule("A", [insert("B"), effect("ok"), effect("send", "x"), retract])] },
      { actions: { send: (x: unknown) => x === 2 && boom() } },
    );
    for (const x of [1, 2, 3]) session.assert("A", { x });
    const error = failure(() => session.run());
    expect(error).toMatchObject({ code: "E520", rule: "on A", action: "send" });
    expect(error.message).toBe('rule "on A": send failed: no network');
    expect(error.cause).toEqual(new Error("no network"));
    expect(error.result.fired).toEqual([{ n: 1, rule: "on A", bindings: { f: "A~@1" } }]);
    expect(error.firing).toEqual({
      rule: "on A",
      bindings: { f: "A~@2" },
      effects: [{ n: 2, action: "ok", args: [], rule: "on A" }],
    });
    expect(ids(session)).toEqual(["A~@2", "A~@3", "B~@1"]);
  });

  test("waits as before, so a later run tries again", () => {
    let works = false;
    const session = fakeSession({ rules: [rule("A", [effect("send")])] }, { actions: { send: () => works || boom() } });
    session.assert("A", {});
    expect(() => session.run()).toThrow("no network");
    works = true;
    expect(session.run().fired).toEqual([{ n: 1, rule: "on A", bindings: { f: "A~@1" } }]);
    expect(session.run().fired).toEqual([]);
  });

  test("because of a bad change is found before any handler is called", () => {
    const calls: unknown[] = [];
    const schema = schemaOf({ A: { x: NUMBER }, B: { "#id": STRING } });
    const session = fakeSession(
      { rules: [rule("A", [effect("send"), insert("B", { id: "b" }), insert("B", { id: "b" })])], schema },
      { actions: { send: () => calls.push("sent") } },
    );
    session.assert("A", { x: 1 });
    expect(failure(() => session.run())).toMatchObject({ action: "insert B", cause: { code: "E410" } });
    expect(calls).toEqual([]);
    expect(ids(session)).toEqual(["A~@1"]);
  });

  test("because an argument cannot be worked out names the action", () => {
    const bad = { kind: "effect", name: "send", args: boom } as const;
    const session = fakeSession({ rules: [rule("A", [insert("B"), bad])] });
    session.assert("A", {});
    expect(failure(() => session.run()).message).toBe('rule "on A": send failed: no network');
    expect(ids(session)).toEqual(["A~@1"]);
  });

  test("takes with it what its handlers changed", () => {
    const session: FakeSession = fakeSession(
      { rules: [rule("A", [effect("first"), effect("send")])] },
      { actions: { first: () => session.assert("B", {}), send: boom } },
    );
    session.assert("A", {});
    expect(() => session.run()).toThrow("no network");
    expect(ids(session)).toEqual(["A~@1"]);
  });

  test("does not use up ids", () => {
    let works = false;
    const session = fakeSession(
      { rules: [rule("A", [insert("B"), effect("send")])] },
      { actions: { send: () => works || boom() } },
    );
    session.assert("A", {});
    expect(() => session.run()).toThrow("no network");
    works = true;
    session.run();
    expect(ids(session, "B")).toEqual(["B~@1"]);
  });
});

describe("a handler that uses the session", () => {
  test("has its changes made behind those of the firing", () => {
    const events: string[] = [];
    const seen: unknown[] = [];
    const session: FakeSession = fakeSession(
      { rules: [rule("A", [effect("say"), insert("B")])] },
      {
        actions: {
          say: () => {
            seen.push(session.assert("B", { mine: true }).id, session.facts().length, session.retract("A~@1"));
            seen.push(session.retract("A~@1"), session.fact("A~@1"));
          },
        },
      },
    );
    session.assert("A", {});
    session.on("fact", (event) => events.push(`${event.op} ${event.id}`));
    session.run();
    expect(seen).toEqual(["B~@2", 3, true, false, undefined]);
    expect(events).toEqual(["assert B~@1", "assert B~@2", "retract A~@1"]);
  });

  test("is told at once when it asks for what cannot be", () => {
    const schema = schemaOf({ A: { x: NUMBER }, B: { "#id": STRING } });
    const session: FakeSession = fakeSession(
      { rules: [rule("A", [effect("say"), insert("B", { id: "b" })])], schema },
      { actions: { say: () => session.assert("B", { id: "b" }) } },
    );
    session.assert("A", { x: 1 });
    expect(failure(() => session.run())).toMatchObject({ action: "say", cause: { code: "E410" } });
    expect(ids(session)).toEqual(["A~@1"]);
  });

  test("cannot run it, nor take a snapshot of it", () => {
    const session: FakeSession = fakeSession(
      { rules: [rule("A", [effect("run"), effect("snap")])] },
      {
        actions: {
          run: () => expect(() => session.run()).toThrow("cannot start a run during a run"),
          snap: () => expect(() => session.snapshot()).toThrow("cannot take a snapshot during a run"),
        },
      },
    );
    session.assert("A", {});
    expect(session.run().fired).toHaveLength(1);
  });
});

describe("asynchronous handlers", () => {
  test("are awaited in firing order", async () => {
    const order: unknown[] = [];
    const session = fakeSession(
      { rules: [rule("A", [effect("slow", "x"), effect("fast", "x")])] },
      {
        actions: {
          slow: (x: unknown) => later(() => order.push(["slow", x])),
          fast: (x: unknown) => order.push(["fast", x]),
        },
      },
    );
    session.assert("A", { x: 1 });
    session.assert("A", { x: 2 });
    const result = await session.runAsync();
    expect(order).toEqual([
      ["slow", 1],
      ["fast", 1],
      ["slow", 2],
      ["fast", 2],
    ]);
    expect(result.effects.map((one) => one.action)).toEqual(["slow", "fast", "slow", "fast"]);
  });

  test("that fail leave memory as before", async () => {
    const session = fakeSession(
      { rules: [rule("A", [insert("B"), effect("send")])] },
      { actions: { send: async () => Promise.reject(new Error("late")) } },
    );
    session.assert("A", {});
    await expect(session.runAsync()).rejects.toMatchObject({ code: "E520", action: "send", message: /late/u });
    expect(ids(session)).toEqual(["A~@1"]);
  });

  test("need runAsync", () => {
    const session = fakeSession(
      { rules: [rule("A", [effect("send")])] },
      { actions: { send: async () => Promise.reject(new Error("late")) } },
    );
    session.assert("A", {});
    expect(failure(() => session.run())).toMatchObject({ hint: "use runAsync" });
  });

  test("keep other runs out until they are done", async () => {
    const session = fakeSession({ rules: [rule("A", [effect("send")])] }, { actions: { send: () => later(() => 0) } });
    session.assert("A", {});
    const running = session.runAsync();
    expect(() => session.run()).toThrow("cannot start a run during a run");
    await expect(session.runAsync()).rejects.toMatchObject({ code: "E530" });
    await running;
    expect(session.run().fired).toEqual([]);
  });
});
