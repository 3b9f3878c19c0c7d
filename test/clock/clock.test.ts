/** The clock of a session: setting and moving it, what turns when, and where it is kept. */
import { describe, expect, test } from "vitest";
import { compile, type Session, SessionError, verifyPack } from "../../src/index.ts";

const RULES = `
type Invoice(#id: string, due: instant, paid: bool = false)
type Overdue(#id: string)
rule "overdue" { when i: Invoice(not paid, now > due) then insert logical Overdue(id: i.id) }
gate "settled" for i: Invoice { require i.paid or now <= i.due }
`;
const DUE = "2026-11-16T10:00:00Z";
const AFTER = "2026-11-16T10:00:00.001Z";

function opened(clock?: string): ReturnType<ReturnType<typeof compile>["session"]> {
  const session = compile(RULES).session(clock === undefined ? {} : { clock });
  session.assert("Invoice", { id: "i1", due: DUE });
  return session;
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof SessionError ? error.code : String(error);
  }
  return undefined;
}

describe("the clock", () => {
  test("is unknown until it is set, and says so", () => {
    const session = opened();
    expect(session.clock).toBeUndefined();
    expect(session.nextTime).toBeUndefined();
    const result = session.run();
    expect(result.count).toBe(0);
    expect(result.problems?.map(({ code }) => code)).toEqual(["E536"]);
    expect(session.gate("settled", "Invoice~i1").outcome).toBe("hold");
    session.advance("2026-11-16T09:00:00Z");
    expect(session.run().problems).toBeUndefined();
    expect(session.gate("settled", "Invoice~i1").outcome).toBe("pass");
  });

  test("turns a test exactly at its time, and takes back what rested on it", () => {
    const session = opened("2026-11-16T09:00:00Z");
    session.run();
    expect(session.nextTime).toBe(AFTER);
    session.advance(DUE);
    expect(session.run().count).toBe(0);
    session.advance(AFTER);
    expect(session.run().fired).toEqual([{ n: 1, rule: "overdue", bindings: { i: "Invoice~i1" }, clock: AFTER }]);
    expect(session.facts("Overdue")).toHaveLength(1);
    expect(session.nextTime).toBeUndefined();
    session.update("Invoice~i1", { due: "2026-11-17T10:00:00Z" });
    expect(session.facts("Overdue")).toHaveLength(0);
    expect(session.nextTime).toBe("2026-11-17T10:00:00.001Z");
    session.retract("Invoice~i1");
    expect(session.nextTime).toBeUndefined();
  });

  test("never goes back, and takes instants only", () => {
    const session = opened("2026-11-16T09:00:00Z");
    expect(codeOf(() => session.advance("2026-11-16T08:59:59.999Z"))).toBe("E534");
    expect(codeOf(() => session.advance("2026-11-16"))).toBe("E534");
    expect(codeOf(() => session.advance("soon"))).toBe("E534");
    expect(codeOf(() => session.advance(1_800_000_000 as never))).toBe("E534");
    session.advance("2026-11-16T09:00:00Z");
    session.advance(new Date("2026-11-16T09:30:00Z"));
    expect(session.clock).toBe("2026-11-16T09:30:00Z");
    expect(codeOf(() => compile(RULES).session({ clock: "never" }))).toBe("E534");
  });

  test("cannot be moved by a rule that fires", () => {
    const program = compile(`${RULES} action tick() rule "t" { when i: Invoice then tick() }`);
    const session: Session = program.session({
      clock: "2026-11-16T09:00:00Z",
      actions: { tick: (): void => session.advance("2026-11-16T10:00:00Z") },
    });
    session.assert("Invoice", { id: "i1", due: DUE });
    expect(codeOf(() => session.run())).toBe("E520");
    expect(session.clock).toBe("2026-11-16T09:00:00Z");
  });

  test("stops at a halt, and goes on from there", () => {
    const program = compile(`type A(#id: string, at: instant) rule "r" { when a: A(now >= at) then log(a.id) halt() }`);
    const session = program.session({ clock: "2026-01-01T00:00:00Z" });
    for (const day of [2, 3, 4]) session.assert("A", { id: `a${day}`, at: `2026-01-0${day}T00:00:00Z` });
    const first = session.runUntil("2026-01-05T00:00:00Z");
    expect([first.halted, first.count, session.clock]).toEqual([true, 1, "2026-01-02T00:00:00Z"]);
    session.runUntil("2026-01-05T00:00:00Z");
    expect(session.runUntil("2026-01-05T00:00:00Z").fired[0]?.clock).toBe("2026-01-04T00:00:00Z");
    expect(session.runUntil("2026-01-05T00:00:00Z").count).toBe(0);
    expect(session.clock).toBe("2026-01-05T00:00:00Z");
  });

  test("is part of snapshots, of reset, and of evaluate", () => {
    const session = opened("2026-11-16T11:00:00Z");
    session.run();
    const copy = session.program.session({ from: JSON.parse(JSON.stringify(session.snapshot())) as never });
    expect(copy.clock).toBe("2026-11-16T11:00:00Z");
    expect(copy.facts("Overdue")).toHaveLength(1);
    expect(copy.run().count).toBe(0);
    session.reset();
    expect(session.clock).toBe("2026-11-16T11:00:00Z");
    const facts = [{ type: "Invoice", fields: { id: "i1", due: DUE } }];
    const program = compile(RULES);
    const outcomes = ["2026-11-16T09:00:00Z", "2026-11-16T11:00:00Z", undefined].map(
      (clock) => program.evaluate(facts, clock === undefined ? {} : { clock }).gates[0]?.outcome,
    );
    expect(outcomes).toEqual(["pass", "fail", "hold"]);
  });

  test("is part of a reload: new rules are tried at the clock of now", () => {
    const session = opened("2026-11-16T11:00:00Z");
    session.reload(compile(`${RULES} rule "late" { when i: Invoice(now - due >= 1 h) then log(i.id) }`));
    expect(session.clock).toBe("2026-11-16T11:00:00Z");
    expect(session.run().effects.map(({ args }) => args)).toEqual([["i1"]]);
  });

  test("is in packs: a run until a time is repeated, and another time is found", () => {
    const session = opened("2026-11-16T09:00:00Z");
    const pack = session.pack(session.runUntil("2026-11-16T12:00:00Z"));
    expect(verifyPack(pack)).toBeUndefined();
    expect(pack).toContain(AFTER);
    const answer = session.pack(session.gate("settled", "Invoice~i1"));
    expect(verifyPack(answer)).toBeUndefined();
  });

  test("fires again when a match holds again, also with no-loop", () => {
    const session = compile(`
      type A(#id: string, from: instant, to: instant)
      rule "on" no-loop { when a: A where not (now in [a.from..a.to)) then log(a.id) }`).session({
      clock: "2026-01-01T00:00:00Z",
    });
    session.assert("A", { id: "a", from: "2026-01-02T00:00:00Z", to: "2026-01-03T00:00:00Z" });
    expect(session.runUntil("2026-01-04T00:00:00Z").fired.map(({ clock }) => clock)).toEqual([
      "2026-01-01T00:00:00Z",
      "2026-01-03T00:00:00Z",
    ]);
  });
});

test.each(['"Europe/Paris"', "CET"])(
  "today begins with the first instant of the day in the zone %s of the program",
  (zone) => {
    const session = compile(`
    option zone ${zone}
    type Bill(#id: string, due: date)
    rule "late" { when b: Bill(today > due + 1 month) then log(b.id, today) }`).session({
      clock: "2026-01-31T12:00:00Z",
    });
    session.assert("Bill", { id: "b", due: "2026-02-28" });
    expect(session.nextTime).toBe("2026-03-28T23:00:00Z");
    const [effect] = session.runUntil("2026-04-01T00:00:00Z").effects;
    expect(effect?.args).toEqual(["b", "2026-03-29"]);
  },
);

test("a name in the rules wins over the clock, with a warning", () => {
  const program = compile(`type A(#id: string, now: number) rule "r" { when a: A(now > 3) then log(a.id) }`);
  expect(program.checked.diagnostics.map(({ code }) => code)).toEqual(["W260"]);
  expect(program.readsClock).toBe(false);
  const session = program.session();
  session.assert("A", { id: "a", now: 4 });
  expect(session.run().count).toBe(1);
});

test("tests in test blocks set the clock and move it on", () => {
  const source = `${RULES}
test "in time" {
    clock @2026-11-16T09:00:00Z
    given i1 = Invoice("i1", @2026-11-16T10:00:00Z)
    expect rule overdue fires 0
    expect gate settled(i1) is pass
    advance 1 h
    expect rule overdue fires 0
    advance 1 ms
    expect rule overdue fires 1
    expect gate settled(i1) is fail
    advance @2026-11-17T00:00:00Z
    given Invoice("i2", @2026-11-16T09:00:00Z)
    expect rule overdue fires 1
    expect 2 Overdue()
}
test "wrong" { clock @2026-11-16T09:00:00Z given Invoice("i1", @2026-11-16T10:00:00Z) advance 2 h expect rule overdue fires 0 }
`;
  const report = compile(source).test();
  expect(report.tests.map(({ name, passed }) => [name, passed])).toEqual([
    ["in time", true],
    ["wrong", false],
  ]);
});

/** The steps of the timers of a session that are counted, per match that turns. */
function stepsFor(matches: number): number {
  const session = compile(`type A(#id: number, at: instant) rule "r" { when a: A(now >= at) then log(a.id) }`).session({
    clock: "2026-01-01T00:00:00Z",
    history: 0,
  });
  const begin = Date.parse("2026-01-01T00:00:00Z");
  session.batch(() => {
    for (let id = 1; id <= matches; id++) session.assert("A", { id, at: new Date(begin + id) });
  });
  const before = session.counters().timerSteps;
  session.advance(new Date(begin + matches + 1));
  expect(session.matches("r")).toHaveLength(matches);
  return session.counters().timerSteps - before;
}

test("moving the clock over many instants takes steps in proportion to what turns", () => {
  const [small, large] = [stepsFor(1000), stepsFor(8000)] as const;
  // A heap of timers moves each a few levels: the logarithm grows by half from 1,000 to 8,000.
  expect(large / small).toBeLessThan(8 * 1.6);
});
