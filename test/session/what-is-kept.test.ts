/** What a session no longer needs is collected: handlers of earlier requests, and the program before a reload. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { compile, type Program, type Session } from "../../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let round = 0; round < 10 && reference.deref() !== undefined; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  return reference.deref() === undefined;
}

const SOURCE = `
  type A(#n: number, ok: bool?)
  function f(n: number): bool
  action tell(n: number)
  condition good(a: A) : a.ok
  gate "g" for a: A { require good(a) }
  rule "direct" { when a: A(f(n)) then tell(a.n) }
  rule "join" { when a: A(n > 0) b: A(n == a.n) then tell(b.n) }`;
const functions = { f: () => true };

describe("evaluate", () => {
  test.each(["evaluate", "evaluateAsync"] as const)(
    "keeps nothing of its requests in its sessions: %s",
    async (how) => {
      const program = compile(SOURCE);
      const asked = async (): Promise<WeakRef<object>[]> => {
        const request = { body: "x".repeat(1000) };
        const f = (): boolean => request.body !== "";
        const tell = (): void => void request.body;
        await program[how]([{ type: "A", fields: { n: 1 } }], { actions: { tell }, functions: { f } });
        return [new WeakRef(request), new WeakRef(f), new WeakRef(tell)];
      };
      for (let round = 0; round < 2; round++)
        for (const kept of await asked()) expect(await isCollected(kept)).toBe(true);
      expect(
        program.evaluate([{ type: "A", fields: { n: 1 } }], { actions: { tell: () => {} }, functions }).count,
      ).toBe(2);
    },
  );
});

describe("a reload", () => {
  const WAYS: Readonly<Record<string, (session: Session) => Program>> = {
    "a rule more": () => compile(`${SOURCE} rule "more" { when a: A(n < 0) then tell(a.n) }`),
    "a rule less": () => compile(SOURCE.replace(/rule "direct".*/u, "")),
    "another condition": () => compile(SOURCE.replace(": a.ok", ": a.ok == false")),
    "another type of a field": () => compile(SOURCE.replace("ok: bool?", "ok: any?")),
  };
  test.each(Object.entries(WAYS))("keeps nothing of the program before: %s", async (_, next) => {
    const program = compile(SOURCE);
    const open = (): { session: Session; before: WeakRef<object> } => {
      const first = compile(SOURCE);
      const session = program.session({ functions });
      session.assert("A", { n: 1 });
      session.run();
      session.reload(first);
      session.assert("A", { n: 2 });
      session.gate("g", "A~1");
      return { session, before: new WeakRef(first.plan(true)) };
    };
    const { session, before } = open();
    session.reload(next(session));
    session.assert("A", { n: 3 });
    session.run();
    expect(await isCollected(before)).toBe(true);
    expect(session.facts("A")).toHaveLength(3);
  });
});
