/**
 * Tests functions that fail in a rule. The rule does not match, so the failure is reported elsewhere: in the result of a run,
 * in the warnings of the session and in `whyNot`. The rule is in doubt as long as the failure applies.
 */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Assembly } from "../../src/assemble/assembly.ts";
import {
  ActionError,
  compile,
  type CompileOptions,
  type FunctionProblem,
  type OpenOptions,
  type RuleSession,
} from "../../src/index.ts";
import { asVersion1 } from "../support/snapshots.ts";
import { runCli } from "../support/io.ts";

const takes = (kind: "bool" | "number" | "string"): NonNullable<CompileOptions["functions"]>[string] => ({
  params: [{ name: "x", type: { kind: "any" }, optional: false }],
  result: { kind },
});
const functions = { bad: takes("bool"), score: takes("number"), label: takes("string") };

const TYPES = `type P(#id: string, x: number = 0, y: number = 0, k: string = "a")
type Q(#id: string, of: string, x: number = 0)
type Blocked(id: string, n: number?)
`;

/** Fails for negative numbers, and for all while `down`. */
let down = false;
const failing = (x: unknown): boolean => {
  if (down || (typeof x === "number" && x < 0)) throw new Error("no answer");
  return true;
};
const given = {
  bad: failing,
  score: (x: unknown) => (failing(x) ? 1 : 0),
  label: (x: unknown) => (failing(x) ? "p" : ""),
} as unknown as NonNullable<OpenOptions["functions"]>;

const applied = vi.spyOn(Assembly.prototype, "apply");
afterEach(() => {
  down = false;
});

interface Opened {
  readonly session: RuleSession;
  /** The rules in doubt. */
  readonly doubts: () => string[];
}

function open(rules: string, options: OpenOptions = { functions: given }): Opened {
  applied.mockClear();
  const session = compile(`${TYPES}${rules}`, { functions }).session(options);
  const [assembly] = applied.mock.contexts as Assembly[];
  return { session, doubts: () => (assembly?.failures.doubts() ?? []).map(({ rule }) => rule).sort() };
}

function problems(session: RuleSession): FunctionProblem[] {
  return (session.run().problems ?? []).flatMap((one) => (one.code === "E521" ? [one] : []));
}

describe("whatever fails in a rule is reported", () => {
  const hostile = new Proxy({}, { get: () => { throw new Error("trap"); }, has: () => { throw new Error("trap"); } }); // prettier-ignore
  const FAULTS: readonly (readonly [string, unknown, string])[] = [
    ["throws", () => { throw new Error("down"); }, "failed: down"], // prettier-ignore
    ["throws a string", () => { throw "oops"; }, "failed: oops"], // prettier-ignore
    ["throws nothing", () => { throw undefined; }, "failed: undefined"], // prettier-ignore
    ["throws what has no words", () => { throw Object.create(null); }, "failed: the thrown value has no message"], // prettier-ignore
    ["throws what throws again", () => { throw hostile; }, "failed: the thrown value has no message"], // prettier-ignore
    ["is async", () => Promise.resolve(true), "returned a promise, expected true or false"],
    ["is async and fails", () => Promise.reject(new Error("later")), "returned a promise"],
    ["returns a proxy", () => hostile, "failed: trap"],
    ["returns a string", () => "yes", 'returned the string "yes"'],
    ["returns nothing", () => undefined, "returned undefined"],
    ["was not given", undefined, "was not passed to the session"],
    ["is no function", 5, "is not a function, found 5"],
  ];

  test.each(FAULTS)("a function that %s", (_, bad, how) => {
    const { session, doubts } = open("rule q { when p: P(bad(x)) then insert Blocked(p.id) }", {
      functions: { bad } as never,
    });
    session.assert("P", { id: "p", x: 7 });
    const [problem, ...others] = problems(session);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: "E521",
      rules: ["q"],
      function: "bad",
      args: ["7"],
      facts: ["P~p"],
      more: 0,
    });
    expect(problem?.message).toContain(`rule "q": bad(7) ${how}`);
    expect(problem?.hint).not.toBe("");
    expect(doubts()).toEqual(["q"]);
    const [warning, ...more] = session.warnings;
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ code: "E521", severity: "warning", line: 4 });
    expect(warning?.message).toContain(how);
    expect(JSON.stringify(session.whyNot("q").failing?.actual).replaceAll('\\"', '"')).toContain(
      `is unknown because bad(7) ${how}`,
    );
  });

  test("a function that is misspelt is named when the session opens", () => {
    const { session } = open("rule q { when p: P(score(x) > 1) then log(p.id) }", {
      functions: { scroe: () => 1 },
    });
    expect(session.warnings).toMatchObject([
      { code: "E521", message: expect.stringContaining("score() was not passed to the session") },
    ]);
    expect(session.warnings[0]?.hint).toContain('"scroe" was passed');
    expect(session.run().problems).toBeUndefined();
  });

  test("a query in which a function fails is named in the warnings", () => {
    const { session } = open("query found() { p: P(bad(x)) }");
    session.assert("P", { id: "p", x: -1 });
    expect(session.query("found")).toEqual([]);
    expect(session.warnings).toMatchObject([{ code: "E521", line: 4 }]);
  });

  test("a function that recovers is asked again when a field changes that its test reads, and not before", () => {
    const { session, doubts } = open("rule q { when p: P(bad(x)) q: Q(of == p.id) then log(p.id) }");
    down = true;
    session.assert("P", { id: "p", x: 1 });
    session.assert("Q", { id: "q", of: "p" });
    down = false;
    session.update("P~p", { y: 1 });
    expect([session.matches("q").length, doubts()]).toEqual([0, ["q"]]);
    session.update("P~p", { x: 2 });
    expect([session.matches("q").length, doubts()]).toEqual([1, []]);
    down = true;
    session.update("P~p", { y: 2 });
    expect([session.matches("q").length, doubts()]).toEqual([1, []]);
    session.retract("P~p");
    expect(session.counters()).toMatchObject({ matches: 0, waiting: 0 });
  });

  test("a list or object that a function returns is read once, and later changes do not reach the network", () => {
    const list = ["a"];
    const returnsList = { tags: { params: [], result: { kind: "list", item: { kind: "string" } } } } as const;
    const session = compile(`${TYPES} rule q { when p: P where tags() contains "b" then log(p.id) }`, {
      functions: returnsList,
    }).session({ functions: { tags: () => list } });
    session.assert("P", { id: "p" });
    list.push("b");
    expect(session.run().fired).toEqual([]);
  });
});

/** Where a function can fail, and how the facts must be for it to fail: `x` of P or Q is negative. */
const PLACES: readonly (readonly [string, string])[] = [
  ["an alpha node", "when p: P(bad(x)) then insert Blocked(p.id)"],
  ["a test after others", "when p: P(y < 5, bad(x)) then insert Blocked(p.id)"],
  ["a join", "when q: Q p: P(id == q.of, bad(x + q.x)) then insert Blocked(p.id)"],
  ["a key", "when p: P q: Q(of == label(p.x)) then insert Blocked(p.id)"],
  ["a filter", "when p: P q: Q(of == p.id) where bad(p.x) then insert Blocked(p.id)"],
  ["a not", "when q: Q not P(id == q.of, bad(x)) then insert Blocked(q.id)"],
  ["a not over several", "when q: Q not (p: P(id == q.of, bad(x)) r: Q(of == p.id)) then insert Blocked(q.id)"],
  ["an aggregate", "when q: Q where SUM(p: P / p.id == q.of ; score(p.x)) > 0 then insert Blocked(q.id)"],
  ["an or", 'when p: P(k == "b" or bad(x)) then insert Blocked(p.id)'],
  ["a forall", "when q: Q forall (p: P(id == q.of) : bad(p.x)) then insert Blocked(q.id)"],
];

describe.each(PLACES)("a failure in %s", (_, rule) => {
  function failed(): Opened {
    const opened = open(`rule q { ${rule} }`);
    opened.session.assert("P", { id: "p", x: -5 });
    opened.session.assert("Q", { id: "q", of: "p" });
    expect(problems(opened.session), rule).toMatchObject([{ rules: ["q"], more: 0 }]);
    expect(opened.doubts()).toEqual(["q"]);
    return opened;
  }

  test("stands while nothing changes that the test reads", () => {
    const { session, doubts } = failed();
    session.update("P~p", { y: 1 });
    expect(doubts()).toEqual(["q"]);
    session.assert("P", { id: "other", x: 1 });
    expect(problems(session)).toHaveLength(1);
  });

  test("ends when the test is evaluated again, and begins again", () => {
    const { session, doubts } = failed();
    session.update("P~p", { x: 5 });
    expect([doubts(), session.run().problems]).toEqual([[], undefined]);
    session.update("P~p", { x: -4 });
    expect([doubts(), problems(session).length]).toEqual([["q"], 1]);
  });

  test("ends with its fact", () => {
    const { session, doubts } = failed();
    session.retract("P~p");
    expect([doubts(), session.run().problems]).toEqual([[], undefined]);
  });

  test("is that of a rule which comes later and shares the test, and ends with the rule", () => {
    const { session, doubts } = failed();
    const later = session.program.extend(`rule later { ${rule} }`);
    session.reload(later);
    expect(doubts()).toEqual(["later", "q"]);
    expect(session.warnings.map(({ line, file }) => `${file}:${line}`)).toHaveLength(2);
    session.reload(later.without("q"));
    expect(doubts()).toEqual(["later"]);
    session.reload(later.without("q").without("later"));
    expect([doubts(), session.run().problems]).toEqual([[], undefined]);
  });

  test("is the same without sharing, indexes and shortcuts", () => {
    for (const option of ["sharing", "indexing", "shortcuts"]) {
      const { session, doubts } = open(`rule q { ${rule} }`, { functions: given, [option]: false });
      session.assert("P", { id: "p", x: -5 });
      session.assert("Q", { id: "q", of: "p" });
      expect(doubts(), option).toEqual(["q"]);
      session.update("P~p", { x: 5 });
      expect(doubts(), option).toEqual([]);
    }
  });
});

describe("a failure that does not matter any more", () => {
  test("because another test of the fact is false", () => {
    const { session, doubts } = open("rule q { when p: P(y < 5, bad(x)) then log(p.id) }");
    session.assert("P", { id: "p", x: -1 });
    expect(doubts()).toEqual(["q"]);
    session.update("P~p", { y: 9 });
    expect(doubts()).toEqual([]);
    session.update("P~p", { y: 1 });
    expect(doubts()).toEqual(["q"]);
  });

  test("because another test is false; it stands again when the fact is again what it was", () => {
    const { session, doubts } = open("rule q { when p: P(y < 5, bad(x)) then log(p.id) }");
    session.assert("P", { id: "p", x: -1 });
    session.update("P~p", { y: 9 });
    session.update("P~p", { x: 5 });
    expect(doubts()).toEqual([]);
    session.update("P~p", { x: -1 });
    session.update("P~p", { y: 1 });
    expect(doubts()).toEqual(["q"]);
  });

  test("because the fact has another key", () => {
    const { session, doubts } = open("rule q { when p: P q: Q(of == p.id, bad(x + p.x)) then log(p.id) }");
    session.assert("P", { id: "p" });
    session.assert("Q", { id: "q", of: "p", x: -1 });
    expect(doubts()).toEqual(["q"]);
    session.update("Q~q", { of: "other" });
    expect(doubts()).toEqual([]);
  });

  test("because the test is known without it: it is reported, and nothing is in doubt", () => {
    const { session, doubts } = open("rule q { when p: P(bad(x) or score(y) > 0) then log(p.id) }");
    session.assert("P", { id: "p", x: -1 });
    const { fired, problems: found } = session.run();
    expect([fired.length, found?.length, doubts()]).toEqual([1, 1, []]);
    session.update("P~p", { y: -1 });
    expect(doubts()).toEqual(["q"]);
  });
});

test("of many failures a bounded number is kept, and the rule stays in doubt until the program is loaded again", () => {
  const { session, doubts } = open("rule q { when p: P(bad(x)) then log(p.id) }");
  for (let n = 0; n < 3000; n++) session.assert("P", { id: `p${n}`, x: -1 });
  expect(problems(session)).toMatchObject([{ more: 2999, message: expect.stringContaining("(and 2,999 more)") }]);
  for (let n = 0; n < 1000; n++) session.update(`P~p${n}`, { x: 1 });
  expect(doubts()).toEqual(["q"]);
  for (let n = 0; n < 3000; n++) session.retract(`P~p${n}`);
  expect(doubts()).toEqual(["q"]);
  session.reload(session.program);
  expect([doubts(), session.run().problems]).toEqual([[], undefined]);
});

describe("a function that fails in an action", () => {
  const ACTIONS: readonly (readonly [string, string])[] = [
    ["insert Blocked", "insert Blocked(p.id, score(p.x))"],
    ["insert Blocked", "insert Blocked(p.id, score(p.x) + 1)"],
    ["insert Blocked", "insert Blocked(p.id, coalesce(score(p.x), 0))"],
    ["update", "update(p, {y: score(p.x)})"],
    ["log", "log(p.id, score(p.x))"],
    ["log", "log({ id: p.id, n: score(p.x) })"],
  ];

  for (const condition of ["p: P", "p: P q: Q"]) {
    test.each(ACTIONS)(`${condition}: %s is not done, and is tried again: %s`, (action, then) => {
      const { session, doubts } = open(`rule q { when ${condition} then ${then} }`);
      session.assert("Q", { id: "q", of: "p" });
      session.assert("P", { id: "p", x: -5 });
      for (const collect of [true, false]) {
        const error = failureOf(() => session.run({ collect }));
        expect(error).toMatchObject({ code: "E520", rule: "q", action });
        expect(error.message).toContain("score(-5) failed: no answer");
        expect(error.result.problems).toMatchObject([{ code: "E521", rules: ["q"], args: ["-5"] }]);
        expect(session.facts("Blocked")).toEqual([]);
        expect(doubts()).toEqual(["q"]);
      }
      session.reload(session.program);
      expect(doubts()).toEqual(["q"]);
      session.update("P~p", { x: 5 });
      expect(session.run().fired.length).toBeGreaterThan(0);
      expect([doubts(), session.run().problems]).toEqual([[], undefined]);
    });
  }

  test("is no longer in doubt when the match is gone", () => {
    for (const condition of ["p: P(y < 5)", "p: P(y < 5) q: Q"]) {
      const { session, doubts } = open(`rule q { when ${condition} then log(score(p.x)) }`);
      session.assert("Q", { id: "q", of: "p" });
      session.assert("P", { id: "p", x: -5 });
      failureOf(() => session.run());
      session.update("P~p", { y: 9 });
      expect([doubts(), session.run().problems]).toEqual([[], undefined]);
    }
  });
});

function failureOf(run: () => unknown): ActionError {
  try {
    run();
  } catch (error) {
    if (error instanceof ActionError) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe("a failure that ends while rules fire", () => {
  const TYPES = `type R(#id: string) type E(#id: string, k: string) type D(#id: string)
    gate "clean" for r: R { require not EXISTS(d: D / d.id == "1") }`;
  const ok = { params: [{ name: "x", type: { kind: "string" }, optional: false }], result: { kind: "bool" } } as const;
  const DERIVE = 'rule "derive" { when e: E(ok(e.k)) then insert D(id: e.id) }';

  function opened(rules: string, answer: (x: unknown) => boolean) {
    const session = compile(`${TYPES} ${rules}`, { functions: { ok } }).session({ functions: { ok: answer } });
    session.assert("R", { id: "r" });
    return session;
  }

  const failing = (x: unknown): boolean => {
    if (x === "bad") throw new Error("down");
    return false;
  };

  test.each([
    ["its fact is retracted", 'rule "drop" { when e: E then retract e }'],
    ["its fact is updated", 'rule "mend" { when e: E(k == "bad") then e.k = "good" }'],
  ])("stands for good: %s", (_, rule) => {
    const session = opened(`${DERIVE} ${rule}`, failing);
    session.assert("E", { id: "1", k: "bad" });
    const result = session.run();
    expect(result.gates.map(({ outcome }) => outcome)).toEqual(["hold"]);
    expect(session.gate("clean").outcome).toBe("hold");
    expect(result.problems).toMatchObject([{ code: "E521", rules: ["derive"], function: "ok", facts: ["E~1"] }]);
    expect(session.run().problems).toHaveLength(1);
    const repaired = opened(`${DERIVE} ${rule}`, (x) => x === "bad");
    repaired.assert("E", { id: "1", k: "bad" });
    expect(repaired.run().gates.map(({ outcome }) => outcome)).toEqual(["fail"]);
  });

  test("stands in a session that is restored, and in one restored from that", () => {
    const rules = `${DERIVE} rule "drop" { when e: E then retract e }`;
    const session = opened(rules, failing);
    session.assert("E", { id: "1", k: "bad" });
    session.run();
    const { program } = session;
    const again = program.session({ functions: { ok: () => true }, from: session.snapshot() });
    const third = program.session({ functions: { ok: () => true }, from: again.snapshot() });
    expect(session.problems).toMatchObject([{ code: "E521", rules: ["derive"], function: "ok", facts: ["E~1"] }]);
    for (const restored of [again, third]) {
      expect(restored.problems).toEqual(session.problems);
      expect(restored.run().gates.map(({ outcome }) => outcome)).toEqual(["hold"]);
      expect(restored.gate("clean").missing[0]?.needs).toContain('rule "derive" could not be tested for all facts');
    }
    const earlier = asVersion1(session.snapshot());
    const { problems: _, ...doubts } = earlier.doubts ?? { limits: [], actions: [] };
    const old = program.session({ functions: { ok: () => true }, from: { ...earlier, doubts } });
    expect(old.problems).toMatchObject([{ code: "E521", rules: ["derive"], function: "ok" }]);
    again.reload(program);
    expect(again.problems).toEqual([]);
    const damaged = { ...session.snapshot(), doubts: { limits: [], actions: [], failed: [{ rule: 1 }] } };
    expect(() => program.session({ from: damaged as never })).toThrow(/its "doubts" are invalid/u);
  });

  test("stands in a session that is restored when its fact has expired", () => {
    const program = compile(`type E(#id: string, @at: instant) expires 1 hour
      type Bad(#id: string)
      function ok(id: string): bool
      rule "derive" { when e: E(not ok(e.id)) then insert Bad(id: e.id) }
      gate "clean" { require not exists Bad() }`);
    const session = program.session({ functions: { ok: () => failing("bad") }, clock: "2026-01-01T00:00:00Z" });
    session.assert("E", { id: "1", at: "2026-01-01T00:00:00Z" });
    session.runUntil("2026-01-01T02:00:00Z");
    expect(session.facts("E")).toEqual([]);
    expect(session.gate("clean").outcome).toBe("hold");
    const restored = program.session({ functions: { ok: () => true }, from: session.snapshot() });
    expect(restored.gate("clean").outcome).toBe("hold");
    expect(restored.problems).toEqual(session.problems);
    expect(restored.problems).toMatchObject([{ code: "E521", function: "ok" }]);
  });

  test("ends with its fact when the host takes it away before a run", () => {
    const session = opened(DERIVE, failing);
    session.retract(session.assert("E", { id: "1", k: "bad" }));
    expect(session.run().problems).toBeUndefined();
    expect(session.gate("clean").outcome).toBe("pass");
  });

  test("does not stand when the same action succeeds the next time", () => {
    let calls = 0;
    const session = opened('rule "act" { when e: E then log(ok(e.k)), retract e }', () => {
      calls += 1;
      if (calls === 1) throw new Error("down");
      return true;
    });
    session.assert("E", { id: "1", k: "bad" });
    failureOf(() => session.run());
    expect(session.run().problems).toBeUndefined();
  });
});

test("the command line prints a function that failed, once, and exits with a fault", () => {
  const text = "\ufdfa".repeat(70_000); // grows to 18 times its length when it is normalised
  const source = `type M(#id: string, text: string)
rule q { when m: M(count(phrases_in(text, ["bomb"])) > 0) then log(m.id) }
M(id: "m", text: "${text}")
`;
  const ran = runCli(["run", "rules.tsd"], { "rules.tsd": source });
  expect(ran.err.match(/E521/gu)).toHaveLength(1);
  expect(ran.err).toMatch(/rules\.tsd:2:6  error E521  rule "q": phrases_in\(.*with M m/u);
  expect(ran.exit).toBe(1);
  const json = runCli(["run", "rules.tsd", "--json"], { "rules.tsd": source });
  expect(`${json.out}${json.err}`.match(/"E521"/gu)).toHaveLength(1);
});

test("embedding.md shows what such a run reports", () => {
  const surcharge = {
    params: [{ name: "weight", type: { kind: "number" }, optional: false }],
    result: { kind: "number", optional: true },
  } as const;
  const session = compile(
    `type Parcel(#num: string, weight: any?)
     rule "heavy" { when p: Parcel(surcharge(p.weight) > 0) then log(p.num) }`,
    { functions: { surcharge } },
  ).session({ functions: { surcharge: (weight) => (Number(weight) > 20 ? 5 : undefined) } });
  session.assert("Parcel", { num: "p-1" });
  session.assert("Parcel", { num: "p-2", weight: "heavy" });
  const messages = problems(session).map(({ message }) => message);
  expect(messages).toHaveLength(1);
  expect(readFileSync("docs/embedding.md", "utf8")).toContain(`// [ '${messages[0]}' ]`);
});
