/** Tests `evaluateAsync`, and that programs of saved plans evaluate, open in slices and have subscriptions as compiled ones do. */
import { describe, expect, test } from "vitest";
import {
  ActionError,
  compile,
  FactError,
  type FactInput,
  type FactView,
  RunAbortedError,
  type RowDelta,
} from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const compiled = compile(`
  type Order(#num: string, total: number)
  type Sent(#num: string, by: string)
  query sent(by: string) { s: Sent(s.by == by) }
  gate "done" for o: Order { require exists Sent(num == o.num) }
  action send(num: string)
  rule "send" { when o: Order(total > 0) then send(o.num) }`);
const saved = loadPlan(compiled.save());

function orders(...nums: readonly string[]): FactInput[] {
  return nums.map((num) => ({ type: "Order", fields: { num, total: 1 } }));
}

/** The facts of the request and of its handlers. */
function ids(facts: readonly FactView[]): string[] {
  return facts.filter(({ type }) => type !== "GateResult").map(({ id }) => id);
}

describe.each([
  ["a compiled program", compiled],
  ["a saved plan", saved],
])("%s", (_, program) => {
  test("awaits handlers one firing after the other, and requests at the same time stay apart", async () => {
    const requests = Array.from({ length: 40 }, async (__, index) => {
      const order: string[] = [];
      const { facts, gates, count } = await program.evaluateAsync(orders(`a${index}`, `b${index}`), {
        actions: {
          async send(num: string) {
            order.push(`begin ${num}`);
            await new Promise((resolve) => setTimeout(resolve, index % 3));
            order.push(`end ${num}`);
            this.assert("Sent", { num, by: String(index) });
          },
        },
      });
      return [order, ids(facts), gates.map(({ outcome }) => outcome), count];
    });
    const results = await Promise.all(requests);
    for (const [index, result] of results.entries()) {
      const [a, b] = [`a${index}`, `b${index}`];
      const order = [`begin ${a}`, `end ${a}`, `begin ${b}`, `end ${b}`];
      const facts = [`Order~${a}`, `Order~${b}`, `Sent~${a}`, `Sent~${b}`];
      expect(result).toEqual([order, facts, ["pass", "pass"], 2]);
    }
  });

  test("gives what `evaluate` gives when no handler is asynchronous, whatever failed before", async () => {
    const failing = {
      send(): Promise<void> {
        return Promise.reject(new Error("down"));
      },
    };
    const send = (num: string): string => num;
    for (let round = 0; round < 5; round++) {
      await expect(program.evaluateAsync(orders("x"), { actions: failing })).rejects.toBeInstanceOf(ActionError);
      await expect(program.evaluateAsync(orders("x", "x"), { actions: { send } })).rejects.toBeInstanceOf(FactError);
      const never = { send: () => new Promise(() => {}) };
      await expect(program.evaluateAsync(orders("x"), { actions: never, handlerTimeout: 1 })).rejects.toMatchObject({
        code: "E523",
      });
      const signal = AbortSignal.abort();
      await expect(program.evaluateAsync(orders("x"), { actions: never, signal })).rejects.toBeInstanceOf(
        RunAbortedError,
      );
      const result = await program.evaluateAsync(orders("a", "b"), { actions: { send } });
      expect(result).toEqual(program.evaluate(orders("a", "b"), { actions: { send } }));
      expect(result.count).toBe(2);
    }
  });

  test("a handler that comes back after its request changes no other request", async () => {
    let late: (() => unknown) | undefined;
    const actions = {
      send(num: string): void {
        late = () =>
          (this as unknown as { assert(type: string, fields: object): void }).assert("Sent", { num, by: "late" });
      },
    };
    await program.evaluateAsync(orders("a"), { actions });
    const pending = program.evaluateAsync(orders("b"), {
      actions: {
        async send() {
          await Promise.resolve();
          expect(() => late?.()).toThrow();
        },
      },
    });
    expect(ids((await pending).facts)).toEqual(["Order~b"]);
  });

  test("opens a session in slices, with the snapshot of another", async () => {
    const session = program.session();
    session.assert("Order", { num: "o1", total: 1 });
    const from = session.snapshot();
    const copy = await program.openAsync({ from });
    expect(copy.facts()).toEqual(session.facts());
    expect(copy.run().count).toBe(1);
    await expect(program.openAsync({ from: { ...from, checksum: "0" } as never })).rejects.toMatchObject({
      code: "E533",
    });
  });

  test("has subscriptions to queries, gates and types", () => {
    const session = program.session();
    const seen: unknown[] = [];
    const note =
      (name: string) =>
      ({ added, removed, changed }: RowDelta<unknown>): void => {
        seen.push([name, added.length, removed.length, changed.length]);
      };
    session.subscribe({ query: "sent" }, { by: "x" }, note("query"));
    session.subscribe({ type: "Sent" }, { by: "x" }, note("type"));
    session.subscribe({ gate: "done" }, {}, note("gate"));
    seen.length = 0;
    session.assert("Order", { num: "o1", total: 1 });
    session.assert("Sent", { num: "o1", by: "x" });
    session.assert("Sent", { num: "o2", by: "y" });
    session.retract("Sent~o1");
    expect(seen).toEqual([
      ["gate", 1, 0, 0],
      ["query", 1, 0, 0],
      ["type", 1, 0, 0],
      ["gate", 0, 0, 1],
      ["type", 0, 1, 0],
      ["query", 0, 1, 0],
      ["gate", 0, 0, 1],
    ]);
    expect(() => session.subscribe({ query: "snt" }, {}, () => {})).toThrow('unknown query "snt"');
  });
});

test("subscriptions of a saved plan continue with the plan that is reloaded", () => {
  const session = saved.session();
  const ids: string[][] = [];
  session.subscribe({ query: "sent" }, { by: "x" }, ({ added }) => ids.push(added.map(({ row }) => rowId(row))));
  const next = compile(`
    type Order(#num: string, total: number)
    type Sent(#num: string, by: string)
    query sent(by: string) { s: Sent(s.by == by) o: Order(num == s.num) }`);
  session.assert("Sent", { num: "o1", by: "x" });
  session.reload(loadPlan(next.save()));
  session.assert("Order", { num: "o1", total: 1 });
  expect(ids).toEqual([[], ["Sent~o1"], [], ["Sent~o1"]].slice(0, ids.length));
  expect(ids.at(-1)).toEqual(["Sent~o1"]);
});

function rowId(row: Readonly<Record<string, unknown>>): string {
  return (row["s"] as { readonly id: string }).id;
}
