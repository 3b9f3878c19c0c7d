/** A session that is used again remembers no instant of the request before: what an earlier clock opened is closed again. */
import { expect, test } from "vitest";
import { compile, type Program } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const SOURCE = `type R(#id: string)
gate "after" { require now >= @2026-01-01T00:00:00Z }
gate "waits" { require wait until @2026-01-01T00:00:00Z }
gate "before" { require now < @2026-01-01T00:00:00Z }
gate "empty" { require not exists r: R(now >= @2026-01-01T00:00:00Z) }
rule "late" { when where now >= @2026-01-01T00:00:00Z then log("late") }`;

/** A compiled program, or a saved plan. */
type Opens = Program | ReturnType<typeof loadPlan>;

const LATE = "2026-06-01T00:00:00Z";
const EARLY = "2025-06-01T00:00:00Z";

function answers(program: Opens, clock: string | undefined): unknown {
  const { gates, fired } = program.evaluate([], clock === undefined ? {} : { clock });
  return [gates.map(({ gate, outcome }) => `${gate} ${outcome}`), fired.length];
}

function opened(program: Opens, clock: string | undefined): unknown {
  const session = program.session(clock === undefined ? {} : { clock });
  const { fired } = session.run();
  return [["after", "waits", "before", "empty"].map((name) => `${name} ${session.gate(name).outcome}`), fired.length];
}

test.each([
  ["a compiled program", () => compile(SOURCE)],
  ["a saved plan", () => loadPlan(compile(SOURCE).save())],
])("evaluate of %s answers as a new session, whichever clock was before", (_, make) => {
  const program = make();
  for (const clock of [LATE, EARLY, undefined, EARLY, LATE, undefined, LATE]) {
    expect(answers(program, clock), clock).toEqual(opened(program, clock));
  }
});

test("a session that is reset forgets the instant", () => {
  const session = compile(SOURCE).session();
  session.advance(LATE);
  session.run();
  session.reset();
  expect(session.gate("after").outcome).toBe("hold");
  session.advance(EARLY);
  expect(session.gate("after").outcome).toBe("fail");
  expect(session.gate("waits").outcome).toBe("hold");
});
