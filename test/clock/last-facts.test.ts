/** Windows of a number of facts, `over last 3`: which facts are in them, in which order, and what is said of those that are not. */
import { describe, expect, test } from "vitest";
import { compile, type Session } from "../../src/index.ts";
import { loadPlan } from "../../src/runtime.ts";
import { runCli, runCliAsync } from "../support/io.ts";

const TYPES = `
type Account(#id: string, keep: number?)
type Payment(#id: string, account: Account, amount: number, @at: instant?, seq: number?)
type Note(#id: string, account: Account, weight: number?)
`;

const START = Date.parse("2026-11-16T12:00:00Z");
const at = (minutes: number): Date => new Date(START + minutes * 60_000);

function opened(rules: string, keep?: number): Session {
  const session = compile(`${TYPES}${rules}`).session({ clock: at(0) });
  session.assert("Account", { id: "a", ...(keep !== undefined && { keep }) });
  return session;
}

function pay(session: Session, id: string, minutes: number | undefined, amount = 1, account = "a"): void {
  session.assert("Payment", { id, account, amount, ...(minutes !== undefined && { at: at(minutes) }) });
}

const ids = (session: Session, rule = "w"): unknown[] =>
  session
    .matches(rule)
    .map(({ bindings }) => (bindings["p"] as { id: string }).id.split("~")[1])
    .sort();

describe("the last 2 payments of an account", () => {
  const RULE = `rule "w" { when a: Account p: Payment(account == a) over last 2 then log(p.id) }`;

  test("are those with the latest times, whatever the order in which they came", () => {
    const session = opened(RULE);
    for (const [id, time] of [
      ["p5", -5],
      ["p1", -1],
      ["p9", -9],
      ["p3", -3],
    ] as const)
      pay(session, id, time);
    expect(ids(session)).toEqual(["p1", "p3"]);
  });

  test("are counted for each account", () => {
    const session = opened(RULE);
    session.assert("Account", { id: "b" });
    for (const id of ["1", "2", "3"]) for (const account of ["a", "b"]) pay(session, account + id, -1, 1, account);
    expect(ids(session)).toEqual(["a2", "a3", "b2", "b3"]);
  });

  test("have the one that fell out again when a newer one is retracted or moved", () => {
    const session = opened(RULE);
    for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
    expect(ids(session)).toEqual(["p1", "p2"]);
    session.retract("Payment~p1");
    expect(ids(session)).toEqual(["p2", "p3"]);
    session.update("Payment~p2", { at: at(-9) });
    pay(session, "p8", -8);
    expect(ids(session)).toEqual(["p3", "p8"]);
    session.update("Payment~p2", { at: at(0) });
    expect(ids(session)).toEqual(["p2", "p3"]);
  });

  test("are the newest by assertion where times are equal", () => {
    const session = opened(RULE);
    for (const id of ["x", "y", "z"]) pay(session, id, -1);
    expect(ids(session)).toEqual(["y", "z"]);
    session.update("Payment~x", { amount: 5 });
    expect(ids(session)).toEqual(["y", "z"]);
  });

  test("leave out facts of the future until the clock reaches them, and facts without a time", () => {
    const session = opened(RULE);
    pay(session, "timeless", undefined);
    for (const minute of [-2, -1, 5]) pay(session, `p${minute}`, minute);
    expect(ids(session)).toEqual(["p-1", "p-2"]);
    expect(session.nextTime).toBe("2026-11-16T12:05:00Z");
    session.advance(at(5));
    expect(ids(session)).toEqual(["p-1", "p5"]);
    expect(session.nextTime).toBeUndefined();
  });

  test("fire once each: what goes and comes back fires again, and nothing else", () => {
    const session = opened(RULE);
    const fired = (): unknown[] => session.run().effects.map(({ args }) => args[0]);
    for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
    expect(fired()).toEqual(["p2", "p1"]);
    session.retract("Payment~p1");
    expect(fired()).toEqual(["p3"]);
  });

  test("leave nothing behind", () => {
    const session = opened(RULE);
    for (let n = 0; n < 50; n++) pay(session, `p${n}`, -n);
    for (const { id } of session.facts()) session.retract(id);
    expect(session.counters()).toMatchObject({ matches: 0, timers: 0 });
  });
});

describe("what orders the facts", () => {
  const last = (by: string): unknown[] => {
    const session = opened(`rule "w" { when p: Payment over last 2${by} then log(p.id) }`);
    const rows = [
      ["p", 3, -2],
      ["q", 1, -1],
      ["r", 2, -3],
    ] as const;
    for (const [id, seq, minute] of rows)
      session.assert("Payment", { id, account: "a", amount: 1, seq, at: at(minute) });
    return ids(session);
  };

  test("is the time of the type, another field, or a number", () => {
    expect([last(""), last(" by p.at"), last(" by seq")]).toEqual([
      ["p", "q"],
      ["p", "q"],
      ["p", "r"],
    ]);
  });

  test("is the order of assertion where a type has no time; an update keeps the place", () => {
    const session = opened(`rule "w" { when p: Note over last 2 then log(p.id) }`);
    for (const id of ["x", "y", "z"]) session.assert("Note", { id, account: "a", weight: 1 });
    expect(ids(session)).toEqual(["y", "z"]);
    session.update("Note~x", { weight: 2 });
    session.retract("Note~z");
    expect(ids(session)).toEqual(["x", "y"]);
  });
});

describe("a number of facts can be written", () => {
  test.each([
    [
      "in the slash form",
      `where COUNT(p: Payment / p.account == a over last 2) > 2 or MAX(p: Payment / p.account == a over last 2 ; p.amount) > 1`,
    ],
    ["in the slash form with a value", `where SUM(p: Payment / p.account == a over last 2 ; p.amount) > 3`],
    ["in the slash form without a test", `where SUM(p: Payment over last 2 ; p.amount) > 3`],
    ["in an aggregate", `n: sum(p.amount) from p: Payment(account == a) over last 2  where n > 3`],
    ["after forall", `forall (p: Payment(account == a) over last 2 : p.amount > 1) // sluice: allow W256 tested`],
    ["inside a test", `where MIN(p: Payment / p.account == a over last 2 ; p.amount) > 1`],
    ["with a number of the match", `n: sum(p.amount) from p: Payment(account == a) over last a.keep  where n > 3`],
    [
      "with a name for a number",
      `let k = a.keep * 1  n: sum(p.amount) from p: Payment(account == a) over last k  where n > 3`,
    ],
    ["with a constant", `n: sum(p.amount) from p: Payment(account == a) over last KEEP  where n > 3`],
    ["with a parameter", `n: sum(p.amount) from p: Payment(account == a) over last kept  where n > 3`],
    [
      "with a number that is computed",
      `n: sum(p.amount) from p: Payment(account == a) over last (number) coalesce(a.keep, 2)  where n > 3`,
    ],
    ["in a query", `q in recent(a)`],
    ["in a condition", `where large(a)`],
    ["in the newest evidence", `where newest(a)`],
  ])("%s", (_place, when) => {
    const session = opened(
      `
      const KEEP = 2
      param kept: number = 2
      query recent(of: Account) { p: Payment(account == of) over last 2  where p.amount > 1 }
      condition large(a: Account) : p.amount > 1 from every p: Payment(account == a) over last 2
      condition newest(a: Account) : p.amount > 1 from latest p: Payment(account == a) over last 2 by p.at
      rule "r" { when a: Account ${when} 
        then log(a.id) }`,
      2,
    );
    const matches = (): boolean => session.matches("r").length > 0;
    pay(session, "old", -9, 2);
    pay(session, "older", -10, 2);
    expect(matches()).toBe(true);
    pay(session, "new", -2, 0);
    pay(session, "newer", -1, 0);
    expect(matches(), "two small ones are the last").toBe(false);
    session.retract("Payment~new");
    session.retract("Payment~newer");
    expect(matches()).toBe(true);
  });

  test("in gates, their subjects and quorums, a guardian and a pipeline", () => {
    const session = opened(`
      gate "seen" for a: Account { require exists Payment(account == a) over last 2 }
      gate "good" for a: Account { require SUM(p: Payment / p.account == a over last 2 ; p.amount) > 3 }
      gate "two" for a: Account { require at least 2 of all p: Payment(account == a) over last 2 : p.amount > 1 }
      gate "each" for p: Payment over last 2 { require p.amount > 1 }
      guardian "g" for a: Account { check c using p: Payment(account == a) over last 2 { need p.amount > 1 as "small" do SAFE_REFUSAL } }
      pipeline "p" for a: Account {
          step large BLOCK "large" when p: Payment(account == a, amount > 1) over last 2
          otherwise ANSWER "small"
      }`);
    pay(session, "p", -9, 2);
    pay(session, "q", -8, 2);
    const outcomes = (): string[] => ["seen", "good", "two"].map((gate) => session.gate(gate, "Account~a").outcome);
    expect(outcomes()).toEqual(["pass", "pass", "pass"]);
    expect(session.gate("each", "Payment~p").outcome).toBe("pass");
    expect(session.verdict("g", "Account~a").verdict).toBe("PASS");
    expect(session.decide("p", "Account~a").value).toBe("large");
    pay(session, "r", -1, 0);
    expect(outcomes()).toEqual(["pass", "fail", "fail"]);
    expect(() => session.gate("each", "Payment~p")).toThrow("is not a subject");
    expect(session.verdict("g", "Account~a").verdict).not.toBe("PASS");
  });
});

describe("what is unknown opens nothing", () => {
  const GATES = `
    gate "small" for a: Account { require not exists Payment(account == a, amount > 1) over last a.keep }
    gate "few" for a: Account { require SUM(p: Payment / p.account == a over last 2 ; p.amount) < 3 }
    rule "w" { when a: Account p: Payment(account == a) over last a.keep then log(p.id) }`;

  test.each([undefined, 0, -1, 1.5])("a number of facts that is %s", (keep) => {
    const session = opened(GATES, keep);
    pay(session, "p", -1, 2);
    expect(session.gate("small", "Account~a").outcome).toBe("hold");
    expect(ids(session)).toEqual([]);
    session.update("Account~a", { keep: 1 });
    expect(session.gate("small", "Account~a").outcome).toBe("fail");
    expect(ids(session)).toEqual(["p"]);
  });

  test("a fact without its time, which may be the newest", () => {
    const session = opened(GATES, 1);
    for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
    expect(session.gate("few", "Account~a").outcome).toBe("pass");
    pay(session, "timeless", undefined);
    expect(session.gate("few", "Account~a").outcome).toBe("hold");
    session.update("Payment~timeless", { at: at(-9) });
    expect(session.gate("few", "Account~a").outcome).toBe("pass");
  });

  test("what is known anyway stays known: two that are newer leave no room for the one in doubt", () => {
    const session = opened(`gate "g" for a: Account { require not exists Payment(account == a, seq > 1) over last 2 }`);
    const note = (id: string, minute: number, seq?: number): unknown =>
      session.assert("Payment", { id, account: "a", amount: 1, at: at(minute), ...(seq !== undefined && { seq }) });
    note("unclear", -9);
    expect(session.gate("g", "Account~a").outcome).toBe("hold");
    note("p", -2, 5);
    note("q", -1, 5);
    expect(session.gate("g", "Account~a").outcome).toBe("fail");
  });

  test("a clock that is not set: no fact is known to have happened", () => {
    const session = compile(`${TYPES}${GATES}`).session();
    session.assert("Account", { id: "a", keep: 1 });
    pay(session, "p", -1, 2);
    expect(session.gate("small", "Account~a").outcome).toBe("hold");
    expect(ids(session)).toEqual([]);
    session.advance(at(0));
    expect(session.gate("small", "Account~a").outcome).toBe("fail");
  });
});

describe("explanations", () => {
  const RULE = `rule "w" { when a: Account p: Payment(account == a) over last 2 then log(p.id) }`;

  test("name the newer facts for one that fell out", () => {
    const session = opened(RULE);
    for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
    const text = JSON.stringify(session.whyNot("w", { p: "Payment~p3" }));
    expect(text).toContain("over last 2");
    expect(text).toContain("Payment p1, Payment p2 are newer");
  });

  test("say that none is newer for one that is in", () => {
    const session = opened(RULE);
    for (const minute of [-3, -1]) pay(session, `p${-minute}`, minute);
    const [first] = session.run().fired;
    if (first === undefined) throw new Error("nothing fired");
    const text = JSON.stringify(session.why(first));
    expect(text).toMatch(/nothing is newer|Payment p1 is newer/u);
  });

  test("say why a gate is in doubt", () => {
    const session = opened(`gate "g" for a: Account { require not exists Payment(account == a) over last a.keep }`);
    pay(session, "p", -1);
    expect(session.gate("g", "Account~a").outcome).toBe("hold");
    expect(JSON.stringify(session.why(session.gate("g", "Account~a")))).toContain("Account a has no keep");
  });

  test("name the fact that may be newer, once", () => {
    const session = opened(
      `gate "g" for a: Account { require SUM(p: Payment / p.account == a over last 2 ; p.amount) < 3 }`,
    );
    for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
    pay(session, "timeless", undefined);
    const why = session.why(session.gate("g", "Account~a"));
    expect(why.upward_rationale).toContain(
      "is unknown: unclear whether Payment timeless matches: Payment timeless has no at.",
    );
  });

  test("say which newer fact leaves an older one in doubt", () => {
    const session = opened(`gate "g" for a: Account { require not exists Payment(account == a, seq > 1) over last 1 }`);
    session.assert("Payment", { id: "old", account: "a", amount: 1, at: at(-9), seq: 5 });
    session.assert("Payment", { id: "unclear", account: "a", amount: 1, at: at(-1) });
    expect(JSON.stringify(session.why(session.gate("g", "Account~a")))).toContain("Payment unclear has no seq");
  });
});

test("a number of facts is one node for all rules that have it, and numbers that differ are two", () => {
  const nodes = (...counts: string[]): number =>
    compile(
      `${TYPES}${counts.map((count, n) => `rule "r${n}" { when p: Payment over last ${count} then log(p.id) }`).join("\n")}`,
    )
      .network()
      .nodes.filter(({ kind }) => kind === "last").length;
  expect([nodes("3", "3"), nodes("3", "(3)"), nodes("3", "4")]).toEqual([1, 1, 2]);
});

test("a saved plan, a snapshot and a reload have the same last facts", () => {
  const source = `${TYPES}rule "w" { when p: Payment over last 2 then log(p.id) }`;
  const saved = loadPlan(compile(source).save()).session({ clock: at(0) });
  saved.assert("Account", { id: "a" });
  for (const minute of [3, 2, 1]) {
    saved.assert("Payment", { id: `p${minute}`, account: "a", amount: 1, at: at(-minute) });
  }
  expect(saved.run().effects.map(({ args }) => args[0])).toEqual(["p2", "p1"]);
  const session = opened(`rule "w" { when p: Payment over last 2 then log(p.id) }`);
  for (const minute of [-3, -2, -1]) pay(session, `p${-minute}`, minute);
  const restored = compile(source).session({ from: session.snapshot() });
  expect(ids(restored)).toEqual(["p1", "p2"]);
  restored.reload(compile(source.replace("last 2", "last 1")));
  expect(ids(restored)).toEqual(["p1"]);
});

test("the command line formats, explains and draws a number of facts in the words of its author", async () => {
  const files = {
    "a.tsd": `${TYPES}
Account("a")
Payment("p", "a", 1, @2026-11-16T12:00:00Z)
rule "w" { when a: Account p: Payment(account == a) over last  3  by  p.at then log(p.id) }`,
  };
  expect(runCli(["fmt", "a.tsd"], files).out).toContain("p: Payment(account == a) over last 3 by p.at");
  expect(runCli(["why", "a.tsd", "w", "--clock", "@2026-11-16T12:03:00Z"], files).out).toContain("over last 3 by p.at");
  expect((await runCliAsync(["graph", "a.tsd"], files)).out).toContain("over last 3 by p.at");
});
