/** Tests the verdict of a guardian for every combination of inputs, against a function written from the table alone. */
import { describe, expect, test } from "vitest";
import { compile, type VerdictAnswer } from "../../src/index.ts";
import { type CheckState, type Finding, judge } from "../../src/guardian/verdict.ts";
import { GUARDIAN_ACTIONS } from "../../src/language/check/builtin-types.ts";
import type { Track, CheckRules } from "../../src/base/judging.ts";

const CHECKS: readonly CheckRules[] = [
  { name: "policy", track: undefined, risk: "high", exit: undefined, neverRetry: true },
  { name: "evidence", track: undefined, risk: "med", exit: "ASK_MINIMAL_QUESTION", neverRetry: false },
  { name: "contract", track: "QUALITY", risk: "low", exit: "SAFE_REFUSAL", neverRetry: false },
];
const ACTIONS = [["DENY_ACCESS"], ["RETRIEVE_MORE", "REFINE_QUERY"], ["REGENERATE_DRAFT"]];
const STATES: readonly CheckState[] = ["true", "false", "unknown", "threw", "late"];

interface Row {
  readonly states: readonly [CheckState, CheckState, CheckState];
  readonly track: Track;
  readonly attempt: number;
  readonly max: number;
}

const ROWS: readonly Row[] = STATES.flatMap((policy) =>
  STATES.flatMap((evidence) =>
    STATES.flatMap((contract) =>
      (["FAST", "QUALITY"] as const).flatMap((track) =>
        [0, 1, 2, 3].flatMap((attempt) =>
          [0, 1, 2].map((max) => ({ states: [policy, evidence, contract] as const, track, attempt, max })),
        ),
      ),
    ),
  ),
);

function decided({ states, ...situation }: Row, reportAll = false): ReturnType<typeof judge> {
  return judge(CHECKS, { ...situation, reportAll }, (index): Finding => {
    const state = states[index] ?? "unknown";
    const words = `${CHECKS[index]?.name} is ${state}`;
    return { state, reasons: [words], sentences: [`The ${words}.`], actions: ACTIONS[index] ?? [] };
  });
}

/** The verdict table of the contract, row by row, in its own words. */
function byTheTable({ states: [policy, evidence, contract], track, attempt, max }: Row): string {
  if (policy !== "true") return "FAIL high DENY_ACCESS /";
  if (evidence !== "true") {
    if (track === "QUALITY" && attempt < max) return "RETRY med RETRIEVE_MORE,REFINE_QUERY /";
    return "FAIL med ASK_MINIMAL_QUESTION / RETRIEVE_MORE,REFINE_QUERY";
  }
  if (track === "QUALITY" && contract !== "true") {
    return attempt >= max ? "FAIL low SAFE_REFUSAL / REGENERATE_DRAFT" : "RETRY low REGENERATE_DRAFT /";
  }
  return "PASS low /";
}

/** What the functions of the host do, so that a check comes out as wanted. */
const BOOLEAN = {
  params: [{ name: "state", type: { kind: "string" }, optional: false }],
  result: { kind: "bool" },
} as const;

/** The same product, with facts, functions of the host and a clock: one session for each number of retries. */
function judgedByTheEngine(max: number, rows: readonly Row[]): readonly VerdictAnswer[] {
  const text = `type D(#id: number, policy: string, evidence: string, contract: string, track: string, attempt: number)
    guardian "g" for d: D {
      track d.track
      retry at most ${max}
      check policy risk high never retry { need fine(d.policy) as "p" do DENY_ACCESS }
      check evidence risk med exit ASK_MINIMAL_QUESTION {
        forbid bad(d.evidence) as "e" do RETRIEVE_MORE, REFINE_QUERY
      }
      check contract on QUALITY risk low exit SAFE_REFUSAL { need fine(d.contract) as "c" do REGENERATE_DRAFT }
    }`;
  let time = 0;
  const fine = (state: unknown): boolean | undefined => {
    if (state === "threw") throw new Error("down");
    if (state === "late") time += 100;
    return state === "unknown" ? undefined : state !== "false";
  };
  const bad = (state: unknown): boolean | undefined => {
    const found = fine(state);
    return found === undefined ? undefined : !found;
  };
  const session = compile(text, { functions: { fine: BOOLEAN, bad: BOOLEAN } }).session({
    functions: { fine, bad },
    now: () => time,
    checkDeadline: 10,
    realTime: () => 0,
  });
  for (const [id, { states, track, attempt }] of rows.entries()) {
    const [policy, evidence, contract] = states;
    session.assert("D", { id, policy, evidence, contract, track, attempt });
  }
  return session.run().verdicts;
}

test.each([0, 1, 2])("over all rows with at most %i retries the engine says what the table says", (max) => {
  const rows = ROWS.filter((row) => row.max === max);
  const verdicts = judgedByTheEngine(max, rows);
  expect(verdicts).toHaveLength(1000);
  for (const [index, { verdict, risk_level, required_actions, would_fix, reasons }] of verdicts.entries()) {
    const row = rows[index];
    if (row === undefined) throw new Error("a verdict too many");
    const told = [verdict, risk_level, required_actions.join(","), "/", would_fix.join(",")];
    expect(told.filter((word) => word !== "").join(" ")).toBe(byTheTable(row));
    expect(reasons.length === 0).toBe(verdict === "PASS");
  }
});

describe("over all 3,000 rows", () => {
  test("there are that many", () => {
    expect(ROWS).toHaveLength(3000);
  });

  test("the verdict is the one of the table", () => {
    for (const row of ROWS) {
      const { verdict, risk_level, required_actions, would_fix } = decided(row);
      const words = [verdict, risk_level, required_actions.join(","), "/", would_fix.join(",")];
      expect(words.filter((word) => word !== "").join(" "), JSON.stringify(row)).toBe(byTheTable(row));
    }
  });

  test("PASS has no reasons and no actions; RETRY has both; FAIL has a reason and something to do", () => {
    for (const row of ROWS) {
      const { verdict, reasons, required_actions } = decided(row);
      expect(reasons.length > 0).toBe(verdict !== "PASS");
      expect(required_actions.length > 0).toBe(verdict !== "PASS");
    }
  });

  test("actions are only those of the closed list", () => {
    for (const row of ROWS) {
      const { required_actions, would_fix } = decided(row);
      for (const action of [...required_actions, ...would_fix]) expect(GUARDIAN_ACTIONS).toContain(action);
    }
  });

  test("the reason is that of the first check that is not true", () => {
    for (const row of ROWS) {
      const counted = row.track === "FAST" ? row.states.slice(0, 2) : row.states;
      const first = counted.findIndex((state) => state !== "true");
      const expected = first < 0 ? [] : [`${CHECKS[first]?.name} is ${counted[first]}`];
      expect(decided(row).reasons).toEqual(expected);
    }
  });

  test("with report all the verdict is the same, the reasons are those of all checks, and the risk is the highest", () => {
    for (const row of ROWS) {
      const one = decided(row);
      const all = decided(row, true);
      const counted = row.track === "FAST" ? row.states.slice(0, 2) : row.states;
      const failed = CHECKS.filter((_, index) => (counted[index] ?? "true") !== "true");
      expect(all.verdict).toBe(one.verdict);
      expect(all.reasons).toEqual(
        failed.map(({ name }, at) => `${name} is ${counted.filter((state) => state !== "true")[at]}`),
      );
      expect(all.reasons.slice(0, one.reasons.length)).toEqual(one.reasons);
      expect(all.sentences).toEqual(all.reasons.map((reason) => `The ${reason}.`));
      expect(all.risk_level).toBe(one.risk_level); // the checks are written from the highest risk to the lowest
      const actions = failed.flatMap(({ name }) =>
        name === "policy" ? [] : (ACTIONS[CHECKS.findIndex((check) => check.name === name)] ?? []),
      );
      if (all.verdict === "RETRY") expect(all.required_actions).toEqual(actions);
      else expect(all.required_actions).toEqual(one.required_actions);
      if (all.verdict === "FAIL") expect(all.would_fix).toEqual(actions);
    }
  });

  test("making a check worse, an attempt later or the retries fewer never improves the verdict", () => {
    const rank = { FAIL: 0, RETRY: 1, PASS: 2 } as const;
    for (const row of ROWS) {
      const before = rank[decided(row).verdict];
      const worse = worseRows(row);
      for (const other of worse)
        expect(rank[decided(other).verdict], JSON.stringify(other)).toBeLessThanOrEqual(before);
    }
  });
});

function worseRows(row: Row): Row[] {
  const checks = row.states.flatMap((state, index) => {
    const others = state === "true" ? STATES.slice(1) : [];
    return others.map((other) => ({ ...row, states: row.states.with(index, other) as unknown as Row["states"] }));
  });
  const later = row.attempt < 3 ? [{ ...row, attempt: row.attempt + 1 }] : [];
  const fewer = row.max > 0 ? [{ ...row, max: row.max - 1 }] : [];
  return [...checks, ...later, ...fewer];
}

test("nothing behind the deciding check is looked at", () => {
  const seen: number[] = [];
  judge(CHECKS, { track: "QUALITY", attempt: 0, max: 2, reportAll: false }, (index) => {
    seen.push(index);
    return { state: index === 1 ? "unknown" : "true", reasons: ["r"], sentences: [], actions: ["RETRIEVE_MORE"] };
  });
  expect(seen).toEqual([0, 1]);
});
