/**
 * Tests that a failure is not a missing value: a host function that failed, and an aggregate over facts that are not all known,
 * are unknown, and stay unknown inside `coalesce` and `is missing`.
 */
import { describe, expect, test } from "vitest";
import { compile, type RuleSession, type Session } from "../../src/index.ts";

const takes = (kind: "number" | "string" | "bool") =>
  ({ params: [{ name: "x", type: { kind: "any" }, optional: false }], result: { kind } }) as const;
const found = { ...takes("number"), result: { kind: "number", optional: true } } as const;
const functions = { risk: takes("number"), label: takes("string"), fine: takes("bool"), asks: takes("bool"), found };

const TYPES = `
type R(#id: string)
type E(rel: string, sev: number?, at: number = 1)
`;

/** What a function does instead of giving a value of its kind. */
const FAULTS: readonly (readonly [string, (() => unknown) | undefined])[] = [
  [
    "throws",
    () => {
      throw new Error("down");
    },
  ],
  [
    "throws what has no words",
    () => {
      throw Object.create(null);
    },
  ],
  ["gives a promise", () => Promise.resolve(1)],
  ["gives a list", () => [1]],
  ["gives no number", () => Number.NaN],
  ["gives undefined", () => undefined],
  ["gives null", () => null],
  ["was not given", undefined],
];

function session(text: string, fault: (() => unknown) | undefined): RuleSession {
  const given = fault === undefined ? {} : { risk: fault, label: fault, fine: fault };
  const open = compile(`${TYPES}${text}`, { functions }).session({
    functions: { ...given, asks: (x: unknown) => x === undefined, found: () => undefined } as never,
    now: () => 0,
  });
  open.assert("R", { id: "r" });
  open.assert("E", { rel: "r", sev: 9 });
  return open;
}

/** Each would be true if a failure were a missing value. */
const TESTS = [
  "risk(r.id) is missing",
  "not (risk(r.id) is present)",
  "coalesce(risk(r.id), 0) < 5",
  "coalesce(risk(r.id) + 1, risk(r.id), 0) < 5",
  "asks(risk(r.id))",
  "not exists E(rel == r.id, coalesce(risk(rel), 0) > 5)",
  "not exists E(rel == r.id, risk(rel) is present)",
  'not exists E(rel == coalesce(label(r.id), "nobody"))',
  "exists E(rel == coalesce(label(r.id), r.id))",
  "SUM(e: E / e.rel == r.id ; coalesce(risk(e.rel), 0)) < 5",
  "SUM(e: E / e.rel == r.id ; risk(e.rel)) is missing",
  "coalesce(MAX(e: E / e.rel == r.id ; risk(e.rel)), 0) < 5",
  "coalesce(MAX(e: E / e.rel == r.id AND fine(e.rel) ; e.sev), 0) < 5",
  "COUNT(e: E / e.rel == r.id AND fine(e.rel)) is missing",
  "asks(COUNT(e: E / e.rel == r.id AND fine(e.rel)))",
];

describe.each(FAULTS)("a function that %s", (_, fault) => {
  test.each(TESTS)("does not open a gate that requires %s", (require) => {
    const open = session(`gate "g" for r: R { require ${require} }`, fault);
    const answer = open.gate("g");
    expect(answer.outcome).toBe("hold");
    expect(answer.missing).toHaveLength(1);
    expect(answer.missing[0]?.needs).toMatch(/risk|label|fine/u);
    expect(open.run().gates[0]?.outcome).toBe("hold");
  });

  test.each(TESTS)("does not let a guardian pass that needs %s", (need) => {
    const open = session(
      `guardian "g" for r: R { retry at most 0 check c { need ${need} as "no" do SAFE_REFUSAL } }`,
      fault,
    );
    expect(open.verdict("g", "R~r").verdict).toBe("FAIL");
  });

  test.each(TESTS)("does not let a request through before which stands %s", (before) => {
    const open = session(`pipeline "p" for r: R { before ${before} else BLOCK "no" otherwise FORWARD "yes" }`, fault);
    expect(open.run().decisions).toMatchObject([{ decision: "BLOCK" }]);
  });

  test("chooses no track", () => {
    const track = session(
      `guardian "g" for r: R { track coalesce(label(r.id), "FAST") retry at most 0
         check c on QUALITY { need r.id == "other" as "no" do SAFE_REFUSAL } }`,
      fault,
    );
    expect(track.verdict("g", "R~r").verdict).toBe("FAIL");
  });

  test("lets no line off that looks at nothing", () => {
    const line = (limit: string): string => `guardian "g" for r: R { retry at most 0
      check c using e: E(e.rel == "nobody") { forbid e.sev > 5 ${limit} as "no" do SAFE_REFUSAL } }`;
    for (const limit of ["when coalesce(fine(r.id), false)", "unless fine(r.id) is missing"]) {
      expect(session(line(limit), fault).verdict("g", "R~r").verdict).toBe("FAIL");
    }
  });

  test("fires no rule", () => {
    for (const when of ["risk(id) is missing", "coalesce(risk(id), 0) < 5"]) {
      expect(session(`rule q { when r: R(${when}) then log(r.id) }`, fault).run().fired).toEqual([]);
    }
  });
});

describe("an aggregate in doubt", () => {
  const highest = "coalesce(MAX(e: E / e.rel == r.id AND e.sev > 3 ; e.at), 0) < 5";

  test("has no value that another could stand in for, from the moment on at which it is in doubt", () => {
    const open = compile(`${TYPES} gate "g" for r: R { require ${highest} }`).session();
    open.assert("R", { id: "r" });
    expect(open.gate("g").outcome).toBe("pass");
    const unsure = open.assert("E", { rel: "r", at: 9 });
    expect(open.gate("g").outcome).toBe("hold");
    expect(open.gate("g").missing[0]?.needs).toBe("unclear whether E #1 matches: E #1 has no sev");
    const second = open.assert("E", { rel: "r", at: 8 });
    open.update(unsure, { sev: 1 });
    expect(open.gate("g").missing[0]?.needs).toBe("unclear whether E #2 matches: E #2 has no sev");
    open.retract(second);
    expect(open.gate("g").outcome).toBe("pass");
    open.update(unsure, { sev: 4 });
    expect(open.gate("g").outcome).toBe("fail");
  });

  test("keeps a guardian and a pipeline closed that have already looked", () => {
    const open = compile(`${TYPES}
      guardian "g" for r: R { retry at most 0 check c { need ${highest} as "no" do SAFE_REFUSAL } }
      pipeline "p" for r: R { before ${highest} else BLOCK "no" otherwise FORWARD "yes" }`).session();
    open.assert("R", { id: "r" });
    expect(open.run().verdicts[0]?.verdict).toBe("PASS");
    open.assert("E", { rel: "r", at: 9 });
    expect(open.run().verdicts[0]?.verdict).toBe("FAIL");
    expect(open.decide("p", "R~r").decision).toBe("BLOCK");
  });
});

describe("what is missing", () => {
  test("is still stood in for", () => {
    for (const [text, outcome] of [
      ["coalesce(MAX(e: E / e.rel == r.id ; e.sev), 0) < 5", "pass"],
      ["MAX(e: E / e.rel == r.id ; e.sev) is missing", "pass"],
      ["not exists E(rel == r.id, coalesce(sev, 9) > 5)", "fail"],
      ["coalesce(found(r.id), 0) < 5", "pass"],
    ] as const) {
      const open = session(`gate "g" for r: R { require ${text} }`, () => undefined);
      open.retract("E~@1");
      if (outcome === "fail") open.assert("E", { rel: "r" });
      expect(open.gate("g").outcome).toBe(outcome);
    }
  });

  test("is not asked for behind a value that is there", () => {
    const open = session('gate "g" for r: R { require coalesce(r.id, label(r.id)) == "r" }', () => {
      throw new Error("down");
    });
    expect(open.gate("g").outcome).toBe("pass");
  });
});

describe("a function that fails in a part of a value", () => {
  const TYPES = `
    function level(n: number): number
    type C(#id: string, n: number?)
    type Note(#id: string)
    table rate(n: number, level: number?) POLICY {
      | n    | level || r: number | k: number |
      | 1..3 | -     || 1         | 7         |
      | -    | 1..3  || 3         | 7         |
    }
    gate "noted" for c: C { require exists Note(id == c.id) }
    gate "free" for c: C { require not exists Note(id == c.id) }`;
  const failing = (): never => {
    throw new Error("down");
  };

  function opened(rules: string, policy: string, level: () => number): Session {
    const session = compile(`${TYPES.replace("POLICY", policy)}\n${rules}`).session({ functions: { level } });
    session.assert("C", { id: "c", n: 1 });
    session.run();
    return session;
  }
  const outcomes = (session: Session): string[] => ["noted", "free"].map((gate) => session.gate(gate, "C~c").outcome);

  test.each(["unique", "any", "collect sum", "collect max"])(
    "leaves the row of a table with a name in doubt: %s",
    (policy) => {
      const rule = (test: string): string =>
        `rule "note" { when c: C let d = rate(c.n, level(c.n)) where ${test} then insert Note(id: c.id) }`;
      for (const test of ["d.r > 0", "d.r is missing", "coalesce(d.r, 1) == 1"]) {
        expect(outcomes(opened(rule(test), policy, failing)), test).toEqual(["hold", "hold"]);
      }
      const alias = `rule "note" { when c: C let d = rate(c.n, level(c.n)) let e = d where e.r is missing then insert Note(id: c.id) }`;
      expect(opened(alias, policy, failing).facts("Note")).toEqual([]);
      expect(outcomes(opened(rule("d.r > 0"), policy, () => 9))).toEqual(["pass", "fail"]);
    },
  );

  test("leaves the other outputs of the row as they are", () => {
    const rule = `rule "note" { when c: C let d = rate(c.n, level(c.n)) where d.k == 7 then insert Note(id: c.id) }`;
    expect(opened(rule, "any", failing).facts("Note")).toHaveLength(1);
  });

  test("leaves a row in doubt in which rows clash", () => {
    const rule = `rule "note" { when c: C let d = rate(c.n, 2) where d.r > 0 then insert Note(id: c.id) }`;
    expect(outcomes(opened(rule, "any", () => 1))).toEqual(["hold", "hold"]);
  });

  test.each([
    "any(l in [{ n: level(c.n) }] : l.n is missing)",
    "count([l for l in [{ n: level(c.n) }] if l.n is missing]) == 1",
    "[{ n: level(c.n) }] is missing",
  ])("leaves an object in a list unknown: %s", (test) => {
    const gate = `gate "g" for c: C { require ${test} }\ngate "not" for c: C { require not (${test}) }`;
    const session = opened(gate, "first", failing);
    expect(["g", "not"].map((name) => session.gate(name, "C~c").outcome)).toEqual(["hold", "hold"]);
    const step = `pipeline "p" for c: C { step s BLOCK "no" unless ${test} otherwise ANSWER "yes" }`;
    expect(opened(step, "first", failing).decide("p", "C~c").decision).toBe("BLOCK");
  });
});
