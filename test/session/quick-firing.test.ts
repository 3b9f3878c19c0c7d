/** Tests runs that do not collect firings: a handler sees the same context, whatever kind of function it is. */
import { describe, expect, test } from "vitest";
import { type ActionContext, type ActionHandler, compile } from "../../src/index.ts";

const PROGRAM = compile(`
type A(#k: number, name: string)
type B(of: number)
action tell(k: number, name: string)
action pair(k: number)
action begun()
rule one { when a: A(k > 0) then tell(a.k, a.name) }
rule two { when a: A  b: B(of == a.k) then pair(a.k) }
rule three { when a: A(k > 1) then begun() }
`);

/** What a handler is called with, and what it sees of its firing. */
const SEEN = [{ args: [1, "x"], rule: "one", n: 1, bindings: { a: "A~1" } }];

type Note = (context: ActionContext | undefined, args: unknown[]) => void;
type Make = (note: Note) => Record<"tell", ActionHandler>;

function seen(make: Make): unknown[] {
  const calls: unknown[] = [];
  const note: Note = (context, args) => {
    calls.push({ args, rule: context?.rule, n: context?.n, bindings: context?.bindings });
  };
  const session = PROGRAM.session({ actions: make(note) });
  session.assert("A", { k: 1, name: "x" });
  session.run({ collect: false });
  return calls;
}

const KINDS: readonly (readonly [string, Make])[] = [
  [
    "is a function",
    (note) => ({
      tell: function (...args) {
        note(this, args);
      },
    }),
  ],
  [
    "is a method",
    (note) => ({
      tell(...args) {
        note(this, args);
      },
    }),
  ],
  [
    "is a method with a computed name",
    (note) => ({
      ["tell" as const](...args) {
        note(this, args);
      },
    }),
  ],
  [
    "is called through a proxy",
    (note) => {
      const handler: ActionHandler = () => undefined;
      return {
        tell: new Proxy(handler, { apply: (_, context: ActionContext, args: unknown[]) => note(context, args) }),
      };
    },
  ],
];

describe("a handler that looks at this", () => {
  test.each(KINDS)("%s", (_, make) => {
    expect(seen(make)).toEqual(SEEN);
  });

  test("and an arrow function gets its arguments", () => {
    expect(seen((note) => ({ tell: (...args) => note(undefined, args) }))).toEqual([{ args: [1, "x"] }]);
    expect(seen((note) => ({ tell: (k) => note(undefined, [k]) }))).toEqual([{ args: [1] }]);
  });

  test("rules behind joins and rules without arguments are called as well", () => {
    const calls: unknown[] = [];
    const session = PROGRAM.session({
      actions: { pair: (k: number) => void calls.push(k), begun: () => void calls.push("begun") },
    });
    session.assert("A", { k: 2, name: "y" });
    session.assert("B", { of: 2 });
    expect(session.run({ collect: false }).count).toBe(3);
    expect(calls).toEqual(["begun", 2]);
  });
});

test("what a handler sees of its firing is refused after it: the facts may have changed", () => {
  const program = compile("type A(#k: number, n: number) action tell() rule r { when a: A() let n = a.n then tell() }");
  const kept: ActionContext[] = [];
  const session = program.session({
    actions: {
      tell() {
        kept.push(this);
      },
    },
  });
  session.assert("A", { k: 1, n: 1 });
  session.run({ collect: false });
  session.update("A~1", { n: 2 });
  expect(() => kept[0]?.bindings).toThrow(expect.objectContaining({ code: "E535" }));
  expect([kept[0]?.rule, kept[0]?.n]).toEqual(["r", 1]);
});
