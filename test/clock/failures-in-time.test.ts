/** Tests that time repairs nothing: what a rule left out because a function failed stays in doubt when the clock ends the match of the test. */
import { expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";

const NOW = "2026-01-01T00:00:00Z";
const LATER = "2026-01-01T00:05:00Z";

const source = (type: string, pattern: string): string => `
  type C(#id: string)
  type P(#id: string, c: C, @at: instant) ${type}
  type Blocked(#id: string)
  function risk(id: string): number
  rule "block" { when ${pattern} where risk(p.id) > 1 then insert Blocked(id: p.c.id) }
  gate "free" for c: C { require not exists Blocked(id == c.id) }
  gate "blocked" for c: C { require exists Blocked(id == c.id) }`;

const failing = (): never => {
  throw new Error("down");
};

function opened(text: string, risk: () => number): Session {
  const session = compile(text).session({ functions: { risk }, clock: NOW });
  session.assert("C", { id: "c" });
  session.assert("P", { id: "p", c: "c", at: NOW });
  return session;
}
const outcomes = (session: Session): string[] => ["free", "blocked"].map((gate) => session.gate(gate, "C~c").outcome);

const PROGRAMS: readonly (readonly [string, string])[] = [
  ["a window that has closed", source("", "p: P over last 1 min")],
  ["a fact that has expired", source("expires 1 min", "p: P")],
  ["a test of the clock", source("", "p: P where now < p.at + 1 min")],
];

test.each(PROGRAMS)("%s leaves the gates on hold, as runUntil does", (_, text) => {
  expect(outcomes(opened(text, () => 0))).toEqual(["pass", "fail"]);
  const stepped = opened(text, failing);
  stepped.run();
  expect(outcomes(stepped)).toEqual(["hold", "hold"]);
  const restored = compile(text).session({ functions: { risk: failing }, from: stepped.snapshot() });
  const untilThen = opened(text, failing);
  untilThen.runUntil(LATER);
  for (const session of [stepped, restored]) {
    session.advance(LATER);
    expect(outcomes(session)).toEqual(["hold", "hold"]);
    session.run();
    expect(outcomes(session)).toEqual(["hold", "hold"]);
    expect(session.problems).toEqual(untilThen.problems);
  }
  expect(outcomes(untilThen)).toEqual(["hold", "hold"]);
  const again = compile(text).session({ functions: { risk: () => 0 }, from: stepped.snapshot() });
  expect(outcomes(again)).toEqual(["hold", "hold"]);
});

test.each(PROGRAMS)("%s is certain where no rule has fired before, or the host repaired the test", (_, text) => {
  const unfired = opened(text, failing);
  unfired.advance(LATER);
  expect(outcomes(unfired)).toEqual(["pass", "fail"]);
  const changed = opened(text, failing);
  changed.run();
  changed.retract("P~p");
  changed.advance(LATER);
  expect(outcomes(changed)).toEqual(["pass", "fail"]);
  let isDown = true;
  const repaired = opened(text, () => (isDown ? failing() : 0));
  repaired.run();
  isDown = false;
  repaired.retract("P~p");
  repaired.assert("P", { id: "p", c: "c", at: NOW });
  repaired.run();
  repaired.advance(LATER);
  expect(outcomes(repaired)).toEqual(["pass", "fail"]);
  expect(repaired.problems).toEqual([]);
});
