/** Tests what guardians say to people: the sentences of lines, and every reason at once with `report all`. */
import { describe, expect, test } from "vitest";
import { compile, guard, type RuleSession, type VerdictAnswer } from "../../src/index.ts";
import { runCli } from "../support/io.ts";

const TYPES = `
type Draft(#id: string, track: string?, text: string?, attempt: number = 0)
type Evidence(#ref: string, draft: string, confidence: number?)
`;

const GUARDIAN = `${TYPES}
guardian "answer" for d: Draft {
    track d.track
    check evidence exit ASK_MINIMAL_QUESTION using e: Evidence(e.draft == d.id) {
        need avg(e.confidence) >= 0.6
            as "low(avg={fixed(avg(e.confidence), 2)})"
            says "The mean confidence is {fixed(avg(e.confidence), 2)}; at least 0.60 is needed."
            do RETRIEVE_MORE
        need e.confidence >= 0.2 as "weak({e.ref})" says "{e.ref} is {e.confidence} sure" do REFINE_QUERY
        warn avg(e.confidence) < 0.7 says "The mean is close to the limit." as "close"
    }
}`;

const SURE = {
  params: [{ name: "text", type: { kind: "string" }, optional: true }],
  result: { kind: "bool" },
} as const;

function judged(text: string, evidence: readonly (number | undefined)[], draft: object = {}): VerdictAnswer {
  const session = compile(text).session();
  session.assert("Draft", { id: "d", text: "ok", ...draft });
  for (const [index, confidence] of evidence.entries())
    session.assert("Evidence", { ref: `r${index}`, draft: "d", confidence });
  return session.verdict("answer");
}

describe("a sentence", () => {
  test("comes with the reason of the line, filled in", () => {
    expect(judged(GUARDIAN, [0.2, 0.3])).toMatchObject({
      reasons: ["low(avg=0.25)"],
      sentences: ["The mean confidence is 0.25; at least 0.60 is needed."],
    });
    expect(judged(GUARDIAN, [0.1, 1, 1]).sentences).toEqual(["r0 is 0.1 sure"]);
  });

  test("of a warning or flag comes with a PASS", () => {
    expect(judged(GUARDIAN, [0.65])).toMatchObject({
      verdict: "PASS",
      reasons: [],
      warnings: ["close"],
      sentences: ["The mean is close to the limit."],
    });
    expect(judged(GUARDIAN, [0.9]).sentences).toEqual([]);
  });

  test("of a line that is unknown says why it is not certain; one that would show an unknown value names what is missing", () => {
    expect(judged(GUARDIAN, [])).toMatchObject({
      reasons: ["low(avg=unknown)", "unknown: avg(e.confidence) is unknown"],
      sentences: ["This cannot be checked (low(avg=unknown)): avg(e.confidence) is unknown."],
    });
    const text = `${TYPES}
      guardian "answer" for d: Draft {
        check text { forbid d.text == "no" as "bad" says "The draft says no." do REGENERATE_DRAFT }
      }`;
    expect(judged(text, [], { text: undefined })).toMatchObject({
      reasons: ["bad", "unknown: Draft d has no text"],
      sentences: ["The draft says no (not certain: Draft d has no text)."],
    });
  });

  test("reads a list as words, and keeps what is filled in as data", () => {
    const text = `${TYPES}
      guardian "answer" for d: Draft {
        check text using e: Evidence(e.draft == d.id) {
          need d.text == "fine" as "bad" says "It says {d.text}, from {collect(e.ref)}." do REGENERATE_DRAFT
        }
      }`;
    expect(judged(text, [1, 1, 1], { text: "{d.id}" }).sentences).toEqual([
      'It says {d.id}, from "r0", "r1" and "r2".',
    ]);
    expect(judged(text, [1], { text: "x" }).sentences).toEqual(['It says x, from "r0".']);
    expect(judged(text, [], { text: "x" }).sentences).toEqual(["It says x, from nothing."]);
  });

  test("in which a function fails is not a failure: no problem, the same verdict, and others may rely on it", () => {
    const text = `${TYPES}
      guardian "answer" for d: Draft {
        check text { need d.text == "fine" as "bad" says "It is {sure(d.text)} and {fixed(1, 99)}." do REGENERATE_DRAFT }
      }
      pipeline "use" for d: Draft { step told BLOCK "it fails" when guardian answer(d) fails otherwise FORWARD "on" }`;
    const session = compile(text, { functions: { sure: SURE } }).session({
      functions: {
        sure: () => {
          throw new Error("down");
        },
      },
    });
    session.assert("Draft", { id: "d", text: "x", attempt: 9 });
    const { verdicts, problems } = session.run();
    expect(verdicts[0]).toMatchObject({ verdict: "FAIL", reasons: ["bad"], sentences: ["It is unknown and unknown."] });
    expect(session.decide("use", "Draft~d")).toMatchObject({ decision: "BLOCK", value: "it fails" });
    expect(problems ?? []).toEqual([]);
  });

  test("that is slow makes no check late", () => {
    let time = 0;
    const text = `${TYPES}
      guardian "answer" for d: Draft {
        check text { need d.text == "fine" as "bad" says "It is {sure(d.text)}." do REGENERATE_DRAFT }
      }`;
    const slow = (): boolean => (time += 1000) > 0;
    const session = compile(text, { functions: { sure: SURE } }).session({
      functions: { sure: slow },
      now: () => time,
      realTime: () => 0,
      checkDeadline: 10,
    });
    session.assert("Draft", { id: "d", text: "x" });
    expect(session.verdict("answer")).toMatchObject({ reasons: ["bad"], sentences: ["It is true."] });
  });

  test("follows its values without another verdict fact", () => {
    const text = `${TYPES}
      action heard(id: string)
      guardian "answer" for d: Draft {
        check text using e: Evidence(e.draft == d.id) {
          need d.text == "fine" as "bad" says "There are {count(e)}." do REGENERATE_DRAFT
        }
        on RETRY then heard(d.id)
      }`;
    const session = compile(text).session();
    session.assert("Draft", { id: "d", text: "x" });
    expect(session.run().effects).toHaveLength(1);
    session.assert("Evidence", { ref: "a", draft: "d" });
    expect(session.run().effects).toEqual([]);
    expect(session.verdict("answer").sentences).toEqual(["There are 1."]);
    expect(session.run().verdicts[0]?.sentences).toEqual(["There are 1."]);
  });

  test("is printed by run and verify-answer, in words and as JSON", () => {
    const rules = `${GUARDIAN}\nDraft("d")\nEvidence("r", "d", 0.5)\n`;
    const said = "The mean confidence is 0.50; at least 0.60 is needed.";
    expect(runCli(["run", "a.tsd"], { "a.tsd": rules }).out).toContain(`\n    ${said}\n`);
    expect(runCli(["verify-answer", "a.tsd"], { "a.tsd": rules }).out).toContain(`\n  says       ${said}\n`);
    expect(runCli(["verify-answer", "a.tsd", "--json"], { "a.tsd": rules }).out).toContain(`"sentences":["${said}"]`);
  });
});

// ---------------------------------------------------------------- report all

const ALL = `${TYPES}
guardian "answer" for d: Draft {
    track d.track
    retry at most 1
    report all
    check evidence risk low exit ASK_MINIMAL_QUESTION using e: Evidence(e.draft == d.id) {
        need count(e) >= 2 as "few" says "There are {count(e)}." do ADD_EVIDENCE, RETRIEVE_MORE
        need count(e) >= 1 as "none" do RETRIEVE_MORE
    }
    check text risk med { need d.text is present as "no_text" says "The draft has no text." do REGENERATE_DRAFT }
    check policy risk high never retry { need d.text is present as "nobody" do DENY_ACCESS }
}`;

describe("report all", () => {
  test("gives every reason and sentence in written order; a retry needs what all lines ask for, each once", () => {
    expect(judged(ALL, [], { text: undefined })).toMatchObject({
      verdict: "RETRY",
      reasons: ["few", "none", "no_text", "nobody"],
      sentences: ["There are 0.", "The draft has no text."],
      required_actions: ["ADD_EVIDENCE", "RETRIEVE_MORE", "REGENERATE_DRAFT"],
      would_fix: [],
      risk_level: "high",
    });
  });

  test("keeps the exit of the check that decides, and says what would have helped", () => {
    expect(judged(ALL, [1], { text: undefined, attempt: 1 })).toMatchObject({
      verdict: "FAIL",
      reasons: ["few", "no_text", "nobody"],
      required_actions: ["ASK_MINIMAL_QUESTION"],
      would_fix: ["ADD_EVIDENCE", "RETRIEVE_MORE", "REGENERATE_DRAFT"],
    });
    expect(judged(ALL, [1, 1], { text: undefined, attempt: 1 })).toMatchObject({
      verdict: "FAIL",
      required_actions: ["REGENERATE_DRAFT"],
      would_fix: [],
      risk_level: "high",
    });
  });

  test("changes nothing for what passes", () => {
    expect(judged(ALL, [1, 1])).toMatchObject({ verdict: "PASS", reasons: [], sentences: [], risk_level: "low" });
  });

  test("lets the loop ask for everything at once", () => {
    const session = compile(ALL).session();
    session.assert("Draft", { id: "d" });
    const asked: (readonly string[])[] = [];
    const result = guard(session, "Draft~d", (actions) => {
      asked.push(actions);
      for (const ref of ["a", "b"]) session.assert("Evidence", { ref, draft: "d" });
      return { text: "ok" };
    });
    expect(asked).toEqual([["ADD_EVIDENCE", "RETRIEVE_MORE", "REGENERATE_DRAFT"]]);
    expect(result.exit).toBe("finalize");
  });

  test("explains every line, and what would help is about the one that decided", () => {
    const session = compile(ALL).session();
    session.assert("Draft", { id: "d", text: "ok" });
    const explained = session.why(session.verdict("answer"));
    expect(explained.decided).toEqual({ check: "evidence", line: "need count(e) >= 2" });
    expect(explained.children.map(({ outcome }) => outcome)).toEqual(["false", "true", "true"]);
    expect(explained.children[0]?.children.map(({ outcome }) => outcome)).toEqual(["false", "false"]);
    expect(helped(session)).toEqual(["PASS"]);
  });

  test("stops in a check that is late, and goes on with the next", () => {
    let time = 0;
    const text = `${TYPES}
      guardian "answer" for d: Draft {
        report all
        check slow { need sure(d.text) as "a" do REFINE_QUERY need d.text is missing as "b" do REFINE_QUERY }
        check next { need d.text is missing as "c" do REGENERATE_DRAFT }
      }`;
    const session = compile(text, { functions: { sure: SURE } }).session({
      functions: { sure: () => (time += 1000) > 0 },
      now: () => time,
      realTime: () => 0,
      checkDeadline: 10,
    });
    session.assert("Draft", { id: "d", text: "x" });
    expect(session.verdict("answer").reasons).toEqual(['check "slow" took longer than 10 ms', "c"]);
  });
});

function helped(session: RuleSession): string[] {
  return [...new Set(session.wouldPass("answer", "Draft~d").map(({ verdict }) => verdict))];
}
