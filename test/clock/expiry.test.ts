/** Facts that expire: when they go, what never enters, and what is kept where. */
import { expect, test } from "vitest";
import { compile, type FactView, type Session } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const RULES = `
type Host(#id: string)
type Ping(#id: string, host: string, @at: instant?) expires 1 hour
type Note(text: string, @at: instant) expires 1 hour
type Up(#host: string)
rule "up" { when p: Ping then insert logical Up(host: p.host) }
rule "silent" { when h: Host not Ping(host == h.id) over last 1 hour then log(h.id) }
`;

const at = (minutes: number): string =>
  new Date(Date.parse("2026-11-16T12:00:00Z") + minutes * 60_000).toISOString().replace(".000Z", "Z");

function opened(rules = RULES, clock = 0): Session {
  return compile(rules).session({ clock: at(clock) });
}

const ids = (session: Session, type = "Ping"): string[] => session.facts(type).map(({ id }) => id);

test("a fact goes at the instant at which it leaves a window of the same length, and what rested on it goes along", () => {
  const session = opened();
  session.assert("Ping", { id: "p", host: "h", at: at(0) });
  session.run();
  expect(ids(session, "Up")).toEqual(["Up~h"]);
  expect(session.nextTime).toBe(at(60));
  session.advance("2026-11-16T12:59:59.999Z");
  expect(ids(session)).toEqual(["Ping~p"]);
  const seen: unknown[] = [];
  session.on("fact", ({ op, id, by }) => seen.push([op, id, by]));
  session.advance(at(60));
  expect(seen).toEqual([
    ["retract", "Ping~p", "clock"],
    ["retract", "Up~h", "support"],
  ]);
  expect(session.nextTime).toBeUndefined();
  expect(session.counters()).toMatchObject({ matches: 0, timers: 0 });
});

test("a fact that has expired never enters: the call succeeds, and says so", () => {
  const session = opened();
  expect(session.assert("Ping", { id: "p", host: "h", at: at(-60) }).expired).toBe(true);
  expect(session.assert("Ping", { id: "q", host: "h", at: at(-59) }).expired).toBeUndefined();
  expect(session.upsert("Ping", { id: "r", host: "h", at: at(-61) }).expired).toBe(true);
  const batched = session.batch(() => session.assert("Ping", { id: "s", host: "h", at: at(-90) }));
  expect(batched.expired).toBe(true);
  expect(ids(session)).toEqual(["Ping~q"]);
  expect(session.counters().expired).toBe(3);
  expect(session.fact("Ping~p")).toBeUndefined();
});

test("the number of a fact without a key that never entered is given to no other", () => {
  const session = opened();
  const gone = session.assert("Note", { text: "old", at: at(-90) });
  const note = session.assert("Note", { text: "new", at: at(0) });
  expect([gone.id, note.id]).toEqual(["Note~@1", "Note~@2"]);
});

test("a rule that inserts an expired fact goes on", () => {
  const session = opened(
    `${RULES} rule "late" { when h: Host then insert Ping(id: h.id, host: h.id, at: @2026-11-16T01:00:00Z) log(h.id) }`,
  );
  session.assert("Host", { id: "h" });
  expect(session.run().problems).toBeUndefined();
  expect(ids(session)).toEqual([]);
  expect(session.counters().expired).toBe(1);
});

test("a new time moves the expiry; one that is over retracts the fact, and a missing one keeps it", () => {
  const session = opened();
  session.assert("Ping", { id: "p", host: "h", at: at(0) });
  session.update("Ping~p", { at: at(30) });
  session.advance(at(60));
  expect(ids(session)).toEqual(["Ping~p"]);
  expect(session.nextTime).toBe(at(90));
  session.update("Ping~p", { at: null });
  expect(session.nextTime).toBeUndefined();
  session.update("Ping~p", { at: at(-10) });
  expect(ids(session)).toEqual([]);
  session.assert("Ping", { id: "p", host: "h", at: at(59) }); // the key is free again
  session.retract("Ping~p");
  expect(session.nextTime).toBeUndefined();
});

test("nothing expires while the clock is not set; setting it is one change", () => {
  const session = compile(RULES).session();
  session.assert("Ping", { id: "p", host: "h", at: at(-90) });
  session.assert("Ping", { id: "q", host: "h", at: at(0) });
  expect(ids(session)).toHaveLength(2);
  session.advance(at(0));
  expect(ids(session)).toEqual(["Ping~q"]);
  expect(session.nextTime).toBe(at(60));
});

test("windows do not see the expiry: rules find the same without it", () => {
  const effects = (rules: string): unknown => {
    const session = opened(rules);
    session.assert("Host", { id: "h" });
    for (const minute of [0, 10, 70, 75, 200]) session.assert("Ping", { id: `p${minute}`, host: "h", at: at(minute) });
    return session
      .runUntil(at(400))
      .fired.filter(({ rule }) => rule === "silent")
      .map(({ clock }) => clock);
  };
  expect(effects(RULES)).toEqual(effects(RULES.replaceAll(" expires 1 hour", "")));
  expect(effects(RULES)).toHaveLength(2);
});

test("a snapshot, a reload and a reset continue with what is to expire", () => {
  const session = opened();
  session.assert("Ping", { id: "p", host: "h", at: at(0) });
  session.assert("Ping", { id: "q", host: "h", at: at(-30) });
  const copy = session.program.session({ from: JSON.parse(JSON.stringify(session.snapshot())) as never });
  expect(copy.nextTime).toBe(at(30));
  copy.advance(at(30));
  expect(ids(copy)).toEqual(["Ping~p"]);
  copy.reload(compile(RULES.replace("instant?) expires 1 hour", "instant?)")));
  expect(copy.nextTime).toBeUndefined();
  copy.advance(at(90));
  expect(ids(copy)).toEqual(["Ping~p"]);
  copy.reload(compile(RULES));
  expect(ids(copy)).toEqual([]);
  copy.reset();
  expect(copy.counters()).toMatchObject({ timers: 0, expired: 0 });
});

test("dates expire with the first instant of a day in the zone of the program", () => {
  const session = opened(
    `option zone "Europe/Paris" type Visit(#id: string, @on: date) expires 2 days rule "r" { when v: Visit then log(v.id) }`,
  );
  session.assert("Visit", { id: "v", on: "2026-11-15" });
  expect(session.nextTime).toBe("2026-11-16T23:00:00Z");
  session.advance("2026-11-16T23:00:00Z");
  expect(ids(session, "Visit")).toEqual([]);
});

test("why says that a fact expired, and commands set the clock", () => {
  const session = opened();
  session.assert("Ping", { id: "p", host: "h", at: at(0) });
  session.advance(at(60));
  expect(JSON.stringify(session.why("Ping~p"))).toContain("it expired, as facts of type Ping do");
  const files = {
    "a.tsd": `type Ping(#id: string, @at: instant) expires 1 hour Ping("p", @2026-11-16T12:00:00Z) rule "r" { when p: Ping then log(p.id) }`,
  };
  expect(runCli(["run", "a.tsd", "--clock", "@2026-11-16T13:00:00Z"], files).out).toContain("no rule fired");
  expect(runCli(["run", "a.tsd", "--clock", "@2026-11-16T12:59:59Z"], files).out).toContain("1 firing");
});

/** Replays a log, the clock going along, and returns what the session holds at the end. */
function replay(facts: number): { readonly held: number; readonly steps: number; readonly live: readonly FactView[] } {
  const session = compile(`
    type Host(#id: number)
    type Ping(#id: number, host: number, @at: instant) expires 10 min
    rule "busy" { when h: Host where COUNT(p: Ping / p.host == h.id over last 5 min) > 3 then log(h.id) }
    rule "silent" { when h: Host not Ping(host == h.id) over last 10 min then log(h.id) }`).session({
    clock: at(0),
    history: 0,
  });
  const start = Date.parse(at(0));
  for (let id = 0; id < 20; id++) session.assert("Host", { id });
  for (let id = 0; id < facts; id++) {
    session.runUntil(new Date(start + id * 1000));
    session.assert("Ping", { id, host: (id * 7) % 20, at: new Date(start + id * 1000) });
  }
  const { facts: held, matches, indexEntries, timers, timerSteps } = session.counters();
  return { held: held + matches + indexEntries + timers, steps: timerSteps, live: session.facts("Ping") };
}

test("a long log costs memory for the facts of one expiry alone, and steps in proportion", () => {
  const [short, middle, long] = [replay(1200), replay(2400), replay(3600)];
  expect([short.live.length, long.live.length]).toEqual([600, 600]);
  expect(long.held).toBe(short.held);
  expect((long.steps - middle.steps) / (middle.steps - short.steps)).toBeLessThan(1.05);
});

test("a fact whose new time is replaced in the same change stays", () => {
  const session = compile(`
    type P(#id: string, n: number = 0, @at: instant) expires 10 s
    rule "twice" { when p: P(n == 1) then p.at = @2020-01-01T00:00:00Z p.at = @2026-01-01T00:00:05Z p.n = 2 }
  `).session();
  session.advance("2026-01-01T00:00:00Z");
  session.assert("P", { id: "a", at: "2026-01-01T00:00:00Z" });
  session.batch(() => {
    session.update("P~a", { at: "2020-01-01T00:00:00Z" });
    session.update("P~a", { at: "2026-01-01T00:00:05Z" });
  });
  expect(session.fact("P~a")?.fields).toEqual({ id: "a", n: 0, at: "2026-01-01T00:00:05Z" });
  session.update("P~a", { n: 1 });
  session.run();
  expect(session.fact("P~a")?.fields["n"]).toBe(2);
  session.runUntil("2026-01-01T00:00:15Z");
  expect(session.size).toBe(0);
});

test("what would expire after the year 9999 never does, and the clock is not asked to go there", () => {
  const session = compile("type Ping(#id: string, @at: instant) expires 7000000 days").session({
    clock: "2026-11-16T12:00:00Z",
  });
  session.assert("Ping", { id: "a", at: "2026-11-16T11:00:00Z" });
  expect(session.nextTime).toBeUndefined();
  session.advance("9999-12-31T23:59:59Z");
  expect(session.size).toBe(1);
});
