/** `wait until t`: a requirement that holds before its time, and passes from then on. */
import { describe, expect, test } from "vitest";
import { compile, type GateAnswer, type Session } from "../../src/index.ts";

const RULES = `
option zone "Europe/Paris"
type Release(#id: string, frozen: instant?, day: date?, ok: bool = true)
condition thawed(r: Release) : wait until r.frozen
gate "ship" for r: Release { require wait until r.frozen + 1.5 ms and r.ok on hold then log(missing()) }
gate "open" for r: Release { require wait until r.day }
gate "asked" for r: Release { require any(thawed(r), not r.ok) }
gate "never" for r: Release { require not thawed(r) } // sluice: allow W244
rule "thawed" { when r: Release where thawed(r) then log(r.id) }
`;
const AT = "2026-11-16T10:00:00Z";
const BEFORE = "2026-11-16T09:59:59.999Z";

function opened(clock?: string): Session {
  const session = compile(RULES).session(clock === undefined ? {} : { clock });
  session.assert("Release", { id: "r", frozen: AT, day: "2026-11-17" });
  session.assert("Release", { id: "bare" });
  return session;
}

const asked = (session: Session, gate: string, id = "r"): GateAnswer => session.gate(gate, `Release~${id}`);
const needs = (session: Session, gate: string, id = "r"): readonly string[] =>
  asked(session, gate, id).missing.map((one) => one.needs);

describe("wait until", () => {
  test("holds before its time, and passes exactly from then on", () => {
    const session = opened(BEFORE);
    expect(needs(session, "ship")).toEqual(["waits until 2026-11-16T10:00:00.001Z"]);
    expect(session.nextTime).toBe(AT);
    session.advance(AT);
    expect(asked(session, "asked").outcome).toBe("pass");
    expect(asked(session, "ship").outcome).toBe("hold");
    expect(session.nextTime).toBe("2026-11-16T10:00:00.001Z"); // a sum is rounded down to a millisecond
    session.advance("2026-11-16T10:00:00.001Z");
    expect(asked(session, "ship").outcome).toBe("pass");
  });

  test("waits for the first instant of a day in the zone", () => {
    const session = opened("2026-11-16T22:59:59.999Z");
    expect(needs(session, "open")).toEqual(["waits until 2026-11-17"]);
    session.advance("2026-11-16T23:00:00Z");
    expect(asked(session, "open").outcome).toBe("pass");
  });

  test("is unknown without a clock and without a time", () => {
    const session = opened();
    expect(needs(session, "ship")).toEqual(["the clock is not set"]);
    session.advance(AT);
    expect(needs(session, "ship", "bare")).toEqual(["Release bare has no frozen"]);
    expect(session.problems ?? []).toEqual([]);
  });

  test("is never false: not of it is unknown, then false", () => {
    const session = opened(BEFORE);
    expect(asked(session, "never").outcome).toBe("hold");
    expect(asked(session, "never").missing).toEqual([]);
    session.advance(AT);
    expect(asked(session, "never").outcome).toBe("fail");
  });

  test("lets a reaction speak of the time, and a rule wait", () => {
    const session = opened(BEFORE);
    const { fired, effects } = session.run();
    expect(fired.map(({ rule }) => rule)).toEqual(['gate "ship" on hold', 'gate "ship" on hold']);
    expect(effects.map(({ args }) => args)).toContainEqual([["wait until r.frozen + 1.5 ms"]]);
    expect(session.runUntil(AT).fired.map(({ rule }) => rule)).toContain("thawed");
  });

  test("follows the fact, and needs no timer once it is over", () => {
    const session = opened(AT);
    session.update("Release~r", { frozen: "2026-11-16T11:00:00Z" });
    expect(asked(session, "asked").outcome).toBe("hold");
    expect(session.nextTime).toBe("2026-11-16T11:00:00Z");
    session.advance("2026-11-18T00:00:00Z");
    expect(session.nextTime).toBeUndefined();
    expect(session.counters().timers).toBe(0);
  });

  test("is explained with its time", () => {
    const session = opened(BEFORE);
    const before = JSON.stringify(session.why(asked(session, "ship")));
    expect(before).toContain("waits until 2026-11-16T10:00:00.001Z");
    session.advance("2026-11-16T10:00:00.001Z");
    expect(JSON.stringify(session.why(asked(session, "ship")))).toContain("waited until 2026-11-16T10:00:00.001Z");
  });

  test("comes with a fix for a comparison that fails before its time", () => {
    const source = `type R(#id: string, t: instant)\ngate "g" for r: R { require now >= r.t }\n`;
    const [warning] = compile(source).checked.diagnostics;
    expect(warning?.code).toBe("W261");
    expect(warning?.fix?.edits.map(({ text }) => text)).toEqual(["wait until r.t"]);
  });
});
