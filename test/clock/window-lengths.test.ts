/** Windows whose length is computed: one that no window can have makes what is asked unknown, and never opens anything. */
import { describe, expect, test } from "vitest";
import { check, compile, type Session } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";

const TYPES = `
type Host(#id: string, quiet: duration?, started: instant = @2026-11-16T11:00:00Z)
type Ping(#id: string, host: Host, ok: bool = true, @at: instant)
type Silent(#host: string)
`;

const NOW = "2026-11-16T12:00:00Z";

/** Opens a session with one host and one ping of a minute ago. */
function opened(rules: string, quiet: string | undefined): Session {
  const session = compile(`${TYPES}${rules}`).session({ clock: NOW });
  session.assert("Host", { id: "h", ...(quiet !== undefined && { quiet }) });
  session.assert("Ping", { id: "p", host: "h", at: "2026-11-16T11:59:00Z" });
  return session;
}

const WRONG = [["PT0S"], ["-PT5M"]];
const NO_WINDOW = "is no window of time: its length must";

describe.each(WRONG)("over last %s", (quiet) => {
  test.each([
    ["not exists", "not exists Ping(host == h) over last h.quiet"],
    ["exists", "exists Ping(host == h) over last h.quiet"],
    ["the slash form", "not EXISTS(p: Ping / p.host == h over last h.quiet)"],
    ["COUNT", "COUNT(p: Ping / p.host == h over last h.quiet) < 1"],
    ["a computed length", "not exists Ping(host == h) over last h.quiet * 2"],
    ["a condition", "not pinged(h)"],
    ["evidence", "fine(h)"],
    ["a quorum", "at least 1 of p: Ping(host == h) over last h.quiet : p.ok"],
    ["every", "every_ok(h)"],
  ])("leaves a gate unknown: %s", (_name, requirement) => {
    const session = opened(
      `condition pinged(h: Host) : exists Ping(host == h) over last h.quiet
       condition fine(h: Host) : p.ok from any p: Ping(host == h) over last h.quiet
       condition every_ok(h: Host) : p.ok from every p: Ping(host == h) over last h.quiet
       gate "g" for h: Host { require ${requirement} }
       gate "not" for h: Host { require not (${requirement}) }`,
      quiet,
    );
    const answers = ["g", "not"].map((gate) => session.gate(gate, "Host~h"));
    expect(answers.map(({ outcome }) => outcome)).toEqual(["hold", "hold"]);
    expect(JSON.stringify(answers[0]?.missing)).toContain(NO_WINDOW);
    expect(session.run().problems?.map(({ code }) => code)).toContain("E521");
    session.update("Host~h", { quiet: "PT5M" });
    expect(["g", "not"].map((gate) => session.gate(gate, "Host~h").outcome).sort()).toEqual(["fail", "pass"]);
    expect(session.run().problems).toBeUndefined();
  });

  test("makes a rule uncertain, and the gates that read what it writes hold", () => {
    const session = opened(
      `rule "silent" { when h: Host not Ping(host == h) over last h.quiet then insert logical Silent(host: h.id) }
       gate "silent" for h: Host { require exists Silent(host == h.id) }
       gate "loud" for h: Host { require not exists Silent(host == h.id) }`,
      quiet,
    );
    const [problem] = session.run().problems ?? [];
    expect(problem).toMatchObject({ code: "E521", facts: ["Host~h", "Ping~p"] });
    expect(problem?.message).toContain(`over last …("${quiet}") ${NO_WINDOW} be above zero`);
    expect(["silent", "loud"].map((gate) => session.gate(gate, "Host~h").outcome)).toEqual(["hold", "hold"]);
  });

  test("leaves a rule without the matches that need the window", () => {
    const session = opened(
      `rule "exists" { when h: Host exists Ping(host == h) over last h.quiet then log(h.id) }
       rule "inside" { when h: Host where not (exists Ping(host == h) over last h.quiet) and not pinged(h) then log(h.id) }
       condition pinged(h: Host) : exists Ping(host == h) over last h.quiet`,
      quiet,
    );
    expect(session.run().fired).toEqual([]);
  });

  test("never passes a guardian, and blocks a pipeline", () => {
    const session = opened(
      `guardian "g" for h: Host { check c { need not exists Ping(host == h) over last h.quiet as "no" do RETRIEVE_DB } } // sluice: allow W240
       guardian "using" for h: Host { check c using p: Ping(host == h) over last h.quiet { need count(p) == 0 as "no" do RETRIEVE_DB } } // sluice: allow W240
       pipeline "p" for h: Host {
           step busy BLOCK "busy" when p: Ping(host == h) over last h.quiet
           otherwise ANSWER "silent"
       }`,
      quiet,
    );
    expect(["g", "using"].map((name) => session.verdict(name, "Host~h").verdict)).toEqual(["RETRY", "RETRY"]);
    expect(session.decide("p", "Host~h")).toMatchObject({ decision: "BLOCK" });
  });

  test("is told by why and whyNot", () => {
    const session = opened(
      `gate "silent" for h: Host { require not exists Ping(host == h) over last h.quiet }
       rule "pinged" { when h: Host p: Ping(host == h) over last h.quiet then log(p.id) }`,
      quiet,
    );
    const why = session.why(session.gate("silent", "Host~h"));
    expect(JSON.stringify(why)).toContain(NO_WINDOW);
    expect(JSON.stringify(why)).toContain("over last h.quiet");
    expect(JSON.stringify(session.whyNot("pinged"))).toContain(NO_WINDOW);
  });

  test("holds in a saved plan, too", () => {
    const source = `${TYPES}gate "silent" for h: Host { require not exists Ping(host == h) over last h.quiet }`;
    const session = loadPlan(compile(source).save()).session({ clock: NOW });
    session.assert("Host", { id: "h", quiet });
    session.assert("Ping", { id: "p", host: "h", at: "2026-11-16T11:59:00Z" });
    expect(session.gate("silent", "Host~h").outcome).toBe("hold");
  });
});

test("a fact of the future is in no window, whatever its length, and no fact is in none", () => {
  const session = opened(`gate "silent" for h: Host { require not exists Ping(host == h) over last h.quiet }`, "PT0S");
  session.update("Ping~p", { at: "2026-11-16T12:00:01Z" });
  expect(session.gate("silent", "Host~h").outcome).toBe("pass");
  session.advance("2026-11-16T12:00:01Z");
  expect(session.gate("silent", "Host~h").outcome).toBe("hold");
  session.retract("Ping~p");
  expect(session.gate("silent", "Host~h").outcome).toBe("pass");
});

describe("within", () => {
  test.each([["after"], ["before"]])("a length below zero is unknown: %s", (side) => {
    const session = opened(
      `gate "silent" for h: Host { require not exists Ping(host == h) within h.quiet ${side} h.started }
       gate "some" for h: Host { require exists Ping(host == h) within h.quiet ${side} h.started }
       gate "count" for h: Host { require COUNT(p: Ping / p.host == h within h.quiet ${side} h.started) < 1 }
       rule "silent" { when h: Host not Ping(host == h) within h.quiet after h.started then log(h.id) }`,
      "-PT5M",
    );
    session.update("Ping~p", { at: side === "after" ? "2026-11-16T11:00:01Z" : "2026-11-16T10:59:59Z" });
    const gates = ["silent", "some", "count"].map((gate) => session.gate(gate, "Host~h"));
    expect(gates.map(({ outcome }) => outcome)).toEqual(["hold", "hold", "hold"]);
    expect(JSON.stringify(gates[0]?.missing)).toContain(`within … ${NO_WINDOW} not be negative`);
    const { fired, problems } = session.run();
    expect(fired).toEqual([]);
    expect(problems?.[0]?.message).toContain(`within …("-PT5M") ${NO_WINDOW} not be negative`);
    expect(JSON.stringify(session.why(session.gate("silent", "Host~h")))).toContain(NO_WINDOW);
  });

  test("a length of zero is one instant", () => {
    const session = opened(
      `gate "some" for h: Host { require exists Ping(host == h) within h.quiet after h.started }`,
      "PT0S",
    );
    expect(session.gate("some", "Host~h").outcome).toBe("fail");
    session.update("Ping~p", { at: "2026-11-16T11:00:00Z" });
    expect(session.gate("some", "Host~h").outcome).toBe("pass");
    expect(session.run().problems).toBeUndefined();
  });

  test("a number of months below zero is unknown", () => {
    const session = compile(`
      type Order(#id: string, months: number, on: date)
      type Return(#id: string, order: Order, @day: date)
      gate "kept" for o: Order { require not exists Return(order == o) within o.months * 1 month after o.on }`).session(
      {
        clock: NOW,
      },
    );
    session.assert("Order", { id: "o", months: -1, on: "2026-01-31" });
    expect(session.gate("kept", "Order~o").outcome).toBe("hold");
    session.update("Order~o", { months: 1 });
    expect(session.gate("kept", "Order~o").outcome).toBe("pass");
  });
});

describe("a length that the program decides alone", () => {
  test.each([
    ["const D = -5 min", "over last D"],
    ["const D = 0 min", "over last D"],
    ["const D = 5 min", "over last D - 10 min"],
    ["const D = 5 min", "over last D * 0"],
    ["const D = 5 min", "over last -D"],
    ["const D = 5 min\nconst E = D", "over last E - D"],
    [`param D: duration = -5 min`, "over last D"],
    ["const D = -5 min", "within D after h.started"],
    ["const D = 5 min", "within D * -1 before h.started"],
  ])("%s is refused: %s", (constant, window) => {
    const { diagnostics } = check(
      `${TYPES}${constant}\nrule "r" { when h: Host p: Ping(host == h) ${window} then log(p.id) }`,
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "E218", message: "nothing is in this window" },
    ]);
  });

  test.each([
    ["const D = 5 min", "over last D"],
    ["const D = 5 min", "over last D * 2 - 5 min"],
    ["const D = 0 min", "within D after h.started"],
  ])("%s may stand: %s", (constant, window) => {
    const source = `${TYPES}${constant}\nrule "r" { when h: Host p: Ping(host == h) ${window} then log(p.id) }`;
    expect(check(source).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("the value of a parameter is refused when the program is compiled with it", () => {
    const source = `${TYPES}param D: duration = 5 min
      rule "r" { when h: Host p: Ping(host == h) over last D then log(p.id) }`;
    expect(() => compile(source)).not.toThrow();
    expect(() => compile(source, { params: { D: "-PT5M" } })).toThrow("E218");
  });

  test("windows of one constant are one timer", () => {
    const timers = compile(`${TYPES}const D = 10 min
      rule "a" { when p: Ping over last D then log(p.id) }
      rule "b" { when p: Ping over last 10 min then log(p.id) }`)
      .network()
      .nodes.filter(({ kind }) => kind === "timer");
    expect(timers).toHaveLength(1);
  });
});
