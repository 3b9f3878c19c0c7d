/** Windows of time: what is in them at which instant, wherever they are written. */
import { describe, expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { runCli } from "../support/io.ts";

const TYPES = `
type Account(#id: string, grace: duration?)
type Payment(#id: string, account: Account, amount: number, @at: instant?, entered: instant?)
`;

const START = Date.parse("2026-11-16T12:00:00Z");
const at = (minutes: number): Date => new Date(START + minutes * 60_000);

function opened(rules: string, clock = 0): Session {
  const session = compile(`${TYPES}${rules}`).session({ clock: at(clock) });
  session.assert("Account", { id: "a", grace: "PT2M" });
  return session;
}

function pay(session: Session, id: string, minutes: number | undefined, amount = 1): void {
  session.assert("Payment", { id, account: "a", amount, ...(minutes !== undefined && { at: at(minutes) }) });
}

const ids = (session: Session, rule: string): unknown[] =>
  session.matches(rule).map(({ bindings }) => (bindings["p"] as { id: string }).id.split("~")[1]);

describe("a window over the last 10 minutes", () => {
  const RULE = `rule "w" { when a: Account p: Payment(account == a) over last 10 min then log(p.id) }`;

  test("is open at its old end and closed at its new one", () => {
    const session = opened(RULE);
    pay(session, "p", 0);
    expect(ids(session, "w")).toEqual(["p"]);
    session.advance(new Date(+at(10) - 1));
    expect(ids(session, "w")).toEqual(["p"]);
    expect(session.nextTime).toBe("2026-11-16T12:10:00Z");
    session.advance(at(10));
    expect(ids(session, "w")).toEqual([]);
    expect(session.nextTime).toBeUndefined();
  });

  test("takes a fact of the future when the clock reaches it, and a late one for the rest of its time", () => {
    const session = opened(RULE);
    pay(session, "future", 5);
    pay(session, "late", -9);
    pay(session, "old", -10);
    pay(session, "timeless", undefined);
    expect(ids(session, "w")).toEqual(["late"]);
    session.advance(at(1));
    expect(ids(session, "w")).toEqual([]);
    session.advance(at(5));
    expect(ids(session, "w")).toEqual(["future"]);
  });

  test("follows a time that is updated, also back and into the future", () => {
    const session = opened(RULE);
    pay(session, "p", -20);
    session.update("Payment~p", { at: at(-1) });
    expect(ids(session, "w")).toEqual(["p"]);
    session.update("Payment~p", { at: at(1) });
    expect(ids(session, "w")).toEqual([]);
    session.advance(at(11));
    expect(ids(session, "w")).toEqual([]);
    session.update("Payment~p", { at: null });
    expect(session.nextTime).toBeUndefined();
  });

  test("knows nothing while the clock is not set", () => {
    const session = compile(`${TYPES}${RULE}
      rule "quiet" { when a: Account not Payment(account == a) over last 10 min then log(a.id) }
      condition seen(a: Account) : exists Payment(account == a) over last 10 min
      gate "seen" for a: Account { require seen(a) }`).session();
    session.assert("Account", { id: "a" });
    pay(session, "p", 0);
    expect(ids(session, "w")).toEqual([]);
    expect(session.gate("seen", "Account~a").outcome).toBe("hold");
    expect(session.run().problems?.map(({ code }) => code)).toEqual(["E536"]);
    session.advance(at(0));
    expect(session.gate("seen", "Account~a").outcome).toBe("pass");
  });
});

describe("a window can be written", () => {
  test.each([
    ["in the slash form", `where COUNT(p: Payment / p.account == a over last 10 min) > 1`],
    ["in the slash form with a value", `where SUM(p: Payment / p.account == a over last 10 min ; p.amount) > 1`],
    ["in the slash form without a test", `where COUNT(p: Payment over last 10 min) > 1`],
    ["in the slash form of EXISTS", `where EXISTS(p: Payment / p.amount > 0 over last 10 min by p.at)`],
    ["in an aggregate", `n: count() from p: Payment(account == a) over last 10 min  where n > 1`],
    ["after exists", `exists Payment(account == a) over last 10 min`],
    ["inside a test", `where exists p: Payment(account == a) over last 10 min by p.at`],
    ["with a length of the match", `exists Payment(account == a) over last a.grace * 5`],
    ["in a query", `q in recent(a)`],
    ["in a condition", `where recently(a)`],
    ["in evidence", `where large(a)`],
    ["in the newest evidence", `where newest(a)`],
  ])("%s", (_place, when) => {
    const session = opened(`
      query recent(of: Account) { p: Payment(account == of) over last 10 min }
      condition recently(a: Account) : exists Payment(account == a) over last 10 min
      condition large(a: Account) : p.amount > 0 from any p: Payment(account == a) over last 10 min by p.at
      condition newest(a: Account) : p.amount > 0 from latest p: Payment(account == a) over last 10 min by p.at
      rule "r" { when a: Account ${when} then log(a.id) }`);
    const matches = (): number => session.matches("r").length;
    expect(matches()).toBe(0);
    pay(session, "p", 0, 2);
    pay(session, "q", 0, 2);
    expect(matches()).toBeGreaterThan(0);
    session.advance(new Date(+at(10) - 1));
    expect(matches()).toBeGreaterThan(0);
    session.advance(at(10));
    expect(matches()).toBe(0);
  });

  test("in gates, their subjects and quorums", () => {
    const session = opened(`
      gate "seen" for a: Account { require exists Payment(account == a) over last 10 min }
      gate "silent" for a: Account { require not exists Payment(account == a) over last 10 min }
      gate "two" for a: Account { require at least 2 of all p: Payment(account == a) over last 10 min : p.amount > 1 }
      gate "each" for p: Payment over last 10 min { require p.amount > 1 }`);
    pay(session, "p", 0, 2);
    pay(session, "q", 1, 2);
    const outcomes = (): string[] => ["seen", "silent", "two"].map((gate) => session.gate(gate, "Account~a").outcome);
    expect(outcomes()).toEqual(["pass", "fail", "fail"]);
    session.advance(at(1));
    expect(outcomes()).toEqual(["pass", "fail", "pass"]);
    expect(session.gate("each", "Payment~q").outcome).toBe("pass");
    session.advance(at(10));
    expect(outcomes()).toEqual(["pass", "fail", "fail"]);
    session.advance(at(11));
    expect(outcomes()).toEqual(["fail", "pass", "hold"]); // a quorum of nobody holds
    expect(() => session.gate("each", "Payment~q")).toThrow("is not a subject");
  });

  test("a fact without a time leaves a gate in doubt", () => {
    const session = opened(`
      gate "seen" for a: Account { require exists Payment(account == a) over last 10 min }
      gate "few" for a: Account { require COUNT(p: Payment / p.account == a over last 10 min) < 2 }`);
    pay(session, "p", undefined);
    expect(session.gate("seen", "Account~a").outcome).toBe("hold");
    expect(session.gate("few", "Account~a").outcome).toBe("hold");
    pay(session, "q", 0);
    expect(session.gate("seen", "Account~a").outcome).toBe("pass");
  });

  test("in the evidence of a guardian and in the patterns of a pipeline", () => {
    const session = opened(`
      guardian "g" for a: Account { check c using p: Payment(account == a) over last 10 min { need count(p) > 0 as "silent" do SAFE_REFUSAL } }
      pipeline "p" for a: Account {
          step recent BLOCK "busy" when p: Payment(account == a) over last 10 min
          otherwise ANSWER "silent"
      }`);
    pay(session, "p", 0);
    const answers = (): unknown[] => [
      session.verdict("g", "Account~a").verdict,
      session.decide("p", "Account~a").value,
    ];
    expect(answers()).toEqual(["PASS", "busy"]);
    session.advance(at(10));
    expect(answers()).toEqual(["RETRY", "silent"]);
  });
});

test("a window of dates counts the days of today", () => {
  const session = compile(`
    option zone "Europe/Paris"
    type Visit(#id: string, @on: date)
    rule "w" { when p: Visit over last 2 days then log(p.id) }`).session({ clock: "2026-11-16T12:00:00Z" });
  session.assert("Visit", { id: "today", on: "2026-11-16" });
  session.assert("Visit", { id: "yesterday", on: "2026-11-15" });
  session.assert("Visit", { id: "before", on: "2026-11-14" });
  expect(ids(session, "w")).toEqual(["today", "yesterday"]);
  expect(session.nextTime).toBe("2026-11-16T23:00:00Z");
  session.advance("2026-11-16T23:00:00Z");
  expect(ids(session, "w")).toEqual(["today"]);
});

test("by chooses another time than the one of the type", () => {
  const session = opened(`rule "w" { when p: Payment over last 10 min by p.entered then log(p.id) }`);
  session.assert("Payment", { id: "p", account: "a", amount: 1, at: at(-60), entered: at(-1) });
  expect(ids(session, "w")).toEqual(["p"]);
});

test("windows of one length are one timer, and windows of two lengths are two", () => {
  const timers = (...lasts: string[]): number =>
    compile(
      `${TYPES}${lasts.map((last, n) => `rule "r${n}" { when p: Payment over last ${last} then log(p.id) }`).join("\n")}`,
    )
      .network()
      .nodes.filter(({ kind }) => kind === "timer").length;
  expect([timers("10 min", "10 min"), timers("10 min", "600 s"), timers("10 min", "20 min")]).toEqual([1, 1, 2]);
});

test("events that are asserted ahead of their time are in a window as if they came in time, in any order", () => {
  const rules = `rule "w" { when a: Account where COUNT(p: Payment / p.account == a over last 10 min) > 1 then log(a.id) }`;
  const times = [3, 1, 25, 7, 12, 12, 40, 16];
  const ahead = opened(rules);
  const inTime = opened(rules);
  for (const [n, time] of times.entries()) pay(ahead, `p${n}`, time);
  for (let minute = 0; minute <= 60; minute++) {
    ahead.advance(at(minute));
    inTime.advance(at(minute));
    for (const [n, time] of times.entries()) if (time === minute) pay(inTime, `p${n}`, time);
    expect(ahead.matches("w").length, `minute ${minute}`).toBe(inTime.matches("w").length);
  }
});

test("a saved plan has the windows of its program", () => {
  const source = `${TYPES}rule "w" { when p: Payment over last 10 min then log(p.id) }`;
  const session = loadPlan(compile(source).save()).session({ clock: at(0) });
  session.assert("Account", { id: "a" });
  session.assert("Payment", { id: "p", account: "a", amount: 1, at: at(0) });
  expect(session.run().count).toBe(1);
  expect(session.nextTime).toBe("2026-11-16T12:10:00Z");
});

test("the command line sets the clock for a program with a window, and explains it in the words of its author", () => {
  const files = {
    "a.tsd": `${TYPES}
Account("a")
Payment("p", "a", 1, @2026-11-16T12:00:00Z)
rule "w" { when a: Account p: Payment(account == a) over last 10 min then log(p.id) }`,
  };
  const run = (time: string): string => runCli(["run", "a.tsd", "--clock", `@2026-11-16T${time}Z`], files).out;
  expect(run("12:09:59")).toContain("1 firing");
  expect(run("12:10:00")).toContain("no rule fired");
  const why = runCli(["why", "a.tsd", "w", "--clock", "@2026-11-16T12:03:00Z"], files).out;
  expect(why).toContain("over last 10 min");
});
