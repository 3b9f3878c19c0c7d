/** Tests remedies that make a fact expire: what was tried cannot be undone there, and the next trial begins with a new copy. */
import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

test("a change of a time that makes its fact expire is tried as any other", () => {
  const session = compile(`
    type Host(#id: string, started: instant)
    type Ping(#id: string, host: Host, n: number, @at: instant) expires 20 ms
    gate "calm" for h: Host { require SUM(p: Ping / p.host == h within 5 ms after h.started ; p.n) == 0 }
  `).session();
  session.advance("2026-01-01T00:00:00.019Z");
  session.assert("Host", { id: "h", started: "2025-12-31T23:59:59.999Z" });
  session.assert("Ping", { id: "p", host: "Host~h", n: 2, at: "2026-01-01T00:00:00.004Z" });
  session.assert("Ping", { id: "q", host: "Host~h", n: 2, at: "2026-01-01T00:00:00.001Z" });
  session.run();
  for (const { edits } of session.wouldOpen("calm", "Host~h")) {
    const copy = session.program.session({ from: session.snapshot() });
    for (const edit of edits)
      if (edit.op === "update") copy.update(edit.fact, { [edit.field]: edit.to });
      else if (edit.op === "retract") copy.retract(edit.fact);
      else if (edit.op === "wait") copy.advance(edit.until);
      else copy.assert(edit.type, edit.fields);
    copy.run();
    expect(copy.gate("calm", "Host~h").outcome).toBe("pass");
  }
  expect(session.wouldOpen("calm", "Host~h")).not.toEqual([]);
});
