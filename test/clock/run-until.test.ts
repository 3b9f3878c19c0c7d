/** `runUntil`: at every instant outcomes, reactions, flows and pipelines are those of a run there. */
import { describe, expect, test } from "vitest";
import { compile, RestlessError, RunLimitError, type Session } from "../../src/index.ts";
import { runs } from "../support/cases.ts";
import { randomFrom } from "../support/clock-history.ts";
import { instantText } from "../support/clock-model.ts";
import { below, pick } from "../support/gate-model.ts";

const HOSTS = `
type Ping(#id: string, host: string, @at: instant) expires 12 ms
type Host(#id: string, since: instant, attempt: number = 0)
type Told(#host: string, n: number)
`;

const JUDGES = `${HOSTS}
gate "up" for h: Host {
    require exists Ping(host == h.id) over last 4 ms
    on pass then log("up", h.id)
    on fail then log("down", h.id)
}
gate "ready" for h: Host {
    require wait until h.since + 3 ms and at least 2 of p: Ping(p.host == h.id) within 9 ms after h.since : p.id != "p0"
    on pass then log("ready", h.id)
    on fail then log("late", h.id)
}
guardian "calm" for h: Host {
    retry at most 0
    check pings { need COUNT(p: Ping / p.host == h.id over last 6 ms) < 3 as "many" do RETRIEVE_DB }
    on FAIL then log("busy", h.id)
}
flow "life" for h: Host {
    stage away { decide up(h) on pass goto here }
    stage here { decide up(h) on fail goto away }
}
pipeline "answer" for h: Host {
    step a BLOCK "away" unless gate up(h) passes
    otherwise FORWARD "here"
}
rule "told" { when g: GateResult(gate == "up", outcome == "pass") h: Host(g.subject == "Host~" + id) not Told(host == h.id) then insert Told(host: h.id, n: 1) }
rule "again" { when t: Told(n < 3) g: GateResult(gate == "ready", outcome == "fail") then t.n = t.n + 1 }
`;

function up(count: number): Session {
  const program = compile(`${HOSTS} gate "up" for h: Host { require exists Ping(host == h.id) over last 1 ms }`);
  const session = program.session({ clock: instantText(0) });
  session.assert("Host", { id: "h", since: instantText(0) });
  for (let at = 0; at < count; at++) session.assert("Ping", { id: `p${at}`, host: "h", at: instantText(2 * at + 1) });
  return session;
}

describe("runUntil", () => {
  test("is no circle of gates, however often a gate turns on the way", () => {
    const session = up(500);
    const turns: string[] = [];
    session.on("gate", ({ outcome }) => turns.push(outcome));
    const result = session.runUntil(instantText(2000));
    expect(result.gates.map(({ outcome }) => outcome)).toEqual(["fail"]);
    expect(turns).toHaveLength(1001);
  });

  test("is none either when the subject of a gate that has turned expires", () => {
    const program = compile(`
      type Ping(#id: string, @at: instant) expires 1 h
      gate "seen" for p: Ping { require wait until p.at + 5 min }`);
    const session = program.session({ clock: instantText(0) });
    session.assert("Ping", { id: "p", at: instantText(0) });
    expect(session.runUntil(instantText(7_200_000)).gates).toEqual([]);
    expect(session.facts("GateResult")).toEqual([]);
  });

  test("finds a circle of gates at an instant", () => {
    const program = compile(`${HOSTS}
      gate "a" for h: Host { require now >= h.since and not exists GateResult(gate == "a", subject == "Host~h", outcome == "pass") }`);
    const session = program.session({ clock: instantText(0) });
    session.assert("Host", { id: "h", since: instantText(5) });
    expect(() => session.runUntil(instantText(9))).toThrow(RestlessError);
    expect(session.clock).toBe(instantText(5));
  });

  test("names the instant at which the limit of firings is reached", () => {
    const program = compile(`${HOSTS} rule "tick" { when h: Host(now >= since) then h.since = h.since + 1 ms }`);
    const session = program.session({ clock: instantText(0) });
    session.assert("Host", { id: "h", since: instantText(1) });
    let thrown: unknown;
    try {
      session.runUntil(instantText(1000), { limit: 20 });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RunLimitError);
    expect((thrown as RunLimitError).message).toContain(
      `the run stopped at ${instantText(21)} at the limit of 20 firings`,
    );
    expect(session.clock).toBe(instantText(21));
  });

  test("does what a run at every instant does", () => {
    const random = randomFrom(17);
    const program = compile(JUDGES);
    for (let round = 0; round < Math.ceil(runs(2000) / 20); round++) {
      const hosts = [0, 1].map((id) => ({ id: `h${id}`, since: instantText(below(random, 12)) }));
      const pings = Array.from({ length: 8 }, (_, id) => {
        return { id: `p${id}`, host: pick(random, ["h0", "h1"]), at: instantText(below(random, 30)) };
      });
      const opened = (): Session => {
        const session = program.session({ clock: instantText(0), id: "s", now: () => 0 });
        for (const host of hosts) session.assert("Host", host);
        for (const ping of pings) session.assert("Ping", ping);
        return session;
      };
      const [slow, ran] = [opened(), opened()] as const;
      const effects: unknown[] = [...slow.run().effects];
      for (let ms = 1; ms <= 40; ms++) {
        slow.advance(instantText(ms));
        effects.push(...slow.run().effects);
      }
      const first = ran.runUntil(instantText(below(random, 40))).effects;
      expect([...first, ...ran.runUntil(instantText(40)).effects]).toEqual(effects);
      expect(ran.facts()).toEqual(slow.facts());
      expect(ran.decisions()).toEqual(slow.decisions());
    }
  });
});

describe("an error of runUntil says at which instant it happened", () => {
  const from = "2026-11-16T12:00:00Z";
  const until = "2026-11-16T13:00:00Z";
  const at = "2026-11-16T12:10:00Z";
  const messageOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return String(error);
    }
    return "no error";
  };
  const TYPES = `type P(#id: string, due: instant, n: number = 0)\nP("p", @2026-11-16T12:10:00Z)\n`;

  test.each([
    [
      "outcomes that never settle",
      `gate "g" for p: P { require now < p.due or not exists GateResult(gate == "g", outcome == "pass") }`,
      `the run does not settle at ${at}: gate "g" keeps changing`,
    ],
    [
      "the limit",
      `rule "r" { when p: P(now >= due, n >= 0) then p.n = p.n + 1 }`,
      `the run stopped at ${at} at the limit of 100 firings`,
    ],
    [
      "an action",
      `rule "r" { when p: P(now >= due) then insert P(id: "p", due: p.due) }`,
      `rule "r": insert P failed at ${at}: `,
    ],
    [
      "a handler",
      `action fail(id: string) rule "r" { when p: P(now >= due) then fail(p.id) }`,
      `rule "r": fail failed at ${at}: no`,
    ],
  ])("%s", (_, rule, message) => {
    const fail = (): never => {
      throw new Error("no");
    };
    const session = compile(`${TYPES}${rule}`).session({
      clock: from,
      limit: 100,
      actions: rule.includes("action") ? { fail } : {},
    });
    expect(messageOf(() => session.runUntil(until))).toContain(message);
    expect(session.clock).toBe(at);
  });

  test("and none that happened before the clock moved", () => {
    const rule = `rule "r" { when p: P(n >= 0) then p.n = p.n + 1 }`;
    const session = compile(`${TYPES}${rule}`).session({ clock: from, limit: 100 });
    expect(messageOf(() => session.runUntil(until))).toContain("the run stopped at the limit of 100 firings");
  });
});
