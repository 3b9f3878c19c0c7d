/** Tests that judges look again when the clock is set: what stays unknown has another reason, and a window that has failed closes. */
import { expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";

const program = compile(
  `
  type C(#id: string, d: duration, t: instant)
  type E(#id: string, c: C, @at: instant)
  guardian "h" for c: C { check c { need exists E(c == c.id) within c.d after c.t as "none" do RETRIEVE_DB } } // sluice: allow W240
  pipeline "p" for c: C {
    step several NOTE "several" when COUNT(e: E / e.c == c within c.d after c.t) > 1
    otherwise FORWARD "end"
  }`.replace("E(c == c.id)", "e: E(e.c == c)"),
);
const NOW = "2026-01-01T00:00:00Z";

function answers(session: Session, d: string): unknown {
  session.assert("C", { id: "c", d, t: NOW });
  if (session.clock === undefined) {
    session.verdict("h", "C~c"); // looks at it before the clock is set
    session.decide("p", "C~c");
    session.advance(NOW);
  }
  return [session.verdict("h", "C~c").reasons, session.decide("p", "C~c").decision];
}

test.each([
  ["a window that is open", "PT1M", "FORWARD"],
  ["a length that no window has", "-PT1M", "BLOCK"],
])("%s is judged as in a session that had the clock before", (_, d, decision) => {
  const expected = answers(program.session({ clock: NOW }), d);
  expect(answers(program.session(), d)).toEqual(expected);
  expect(expected).toEqual([expect.anything(), decision]);
});
