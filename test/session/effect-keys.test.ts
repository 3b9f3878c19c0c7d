/** Tests keys of effects over snapshots: a session that continues has the keys of the one before, whenever they were read. */
import { expect, test } from "vitest";
import { type ActionContext, compile, type SessionOptions } from "../../src/index.ts";

const PROGRAM = compile(`
  type Order(#num: string)
  action hold(num: string)
  rule "large" { when o: Order then hold(o.num) }`);

/** Handlers that note the keys they are called with. */
function noting(keys: string[]): NonNullable<SessionOptions["actions"]> {
  return {
    hold(this: ActionContext) {
      keys.push(this.key);
    },
  };
}

test("a firing after a snapshot, and again in the restored session, has one key, although no key was read before", async () => {
  const keys: string[] = [];
  const session = PROGRAM.session({ actions: noting(keys) });
  session.assert("Order", { num: "o1" });
  const saved = session.snapshot();
  const lines: string[] = [];
  await session.snapshot({ stream: { write: (line, done) => (lines.push(line), done()) } });
  session.run();
  PROGRAM.session({ actions: noting(keys), from: saved }).run();
  (await PROGRAM.openAsync({ actions: noting(keys), from: new Blob(lines).stream() })).run();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("sessions that begin with one snapshot and have ids of their own have keys of their own", () => {
  const first = PROGRAM.session();
  first.assert("Order", { num: "o1" });
  const from = first.snapshot();
  const keys: string[] = [];
  for (const id of ["a", "b"]) PROGRAM.session({ id, actions: noting(keys), from }).run();
  expect(new Set(keys).size).toBe(2);
});
