/** Tests guardians, one behaviour per test. */
import { describe, expect, test } from "vitest";
import { compile, type OpenOptions, type RuleSession, type VerdictAnswer } from "../../src/index.ts";

const TYPES = `
type Draft(#id: string, track: string?, query: string = "", text: string?, attempt: number = 0, kind: string?)
type Evidence(draft: string, source: string = "db", ref: string = "r", confidence: number?)
`;

const ANSWER = `${TYPES}
guardian "answer" for d: Draft {
    track d.track
    retry at most 2
    check policy risk high never retry {
        forbid d.query matches "(?i)password" as "sensitive" do SAFE_REFUSAL, REQUEST_PERMISSION
    }
    check evidence risk med exit ASK_MINIMAL_QUESTION using e: Evidence(e.draft == d.id) {
        on QUALITY need count(e) >= 2 as "too_few(<2)" do ADD_EVIDENCE, RETRIEVE_MORE
        on QUALITY need avg(e.confidence) >= 0.60 as "low(avg={avg(e.confidence)})" do RETRIEVE_MORE, REFINE_QUERY
    }
    check contract on QUALITY risk low exit SAFE_REFUSAL {
        need d.text is present as "no_draft" do REGENERATE_DRAFT
    }
    on PASS then finalize(d.id)
    on RETRY then retrieve(d.id, actions())
    on FAIL then safe_exit(d.id, actions())
}`;

function open(source = ANSWER, options: OpenOptions = {}): RuleSession {
  return compile(source).session(options);
}

function verdictOf(source: string, draft: Readonly<Record<string, unknown>> = {}): VerdictAnswer {
  const session = open(`${TYPES}\n${source}`);
  session.assert("Draft", { id: "d1", ...draft });
  const [verdict] = session.run().verdicts;
  if (verdict === undefined) throw new Error("there is no verdict");
  return verdict;
}

const guardian = (checks: string): string => `guardian "g" for d: Draft { track d.track ${checks} }`;

describe("a verdict", () => {
  test("passes when every check is true, without reasons or actions", () => {
    const session = open();
    session.assert("Draft", { id: "d1", text: "hello" });
    for (const ref of ["a", "b"]) session.assert("Evidence", { draft: "d1", ref, confidence: 0.6 });
    const { verdicts, effects } = session.run();
    expect(verdicts).toEqual([
      {
        guardian: "answer",
        subject: "Draft~d1",
        verdict: "PASS",
        reasons: [],
        sentences: [],
        required_actions: [],
        would_fix: [],
        risk_level: "low",
        attempt: 0,
        flags: [],
        warnings: [],
      },
    ]);
    expect(effects).toMatchObject([{ action: "finalize", args: ["d1"] }]);
  });

  test("is that of the first line that fails, with its reason filled in", () => {
    const session = open();
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1", ref: "a", confidence: 0.25 });
    session.assert("Evidence", { draft: "d1", ref: "b", confidence: 0.5 });
    expect(session.run().verdicts).toMatchObject([
      {
        verdict: "RETRY",
        reasons: ["low(avg=0.375)"],
        required_actions: ["RETRIEVE_MORE", "REFINE_QUERY"],
        risk_level: "med",
      },
    ]);
  });

  test("is FAIL at once where a check is never retried", () => {
    const session = open();
    session.assert("Draft", { id: "d1", query: "the PASSWORD please" });
    expect(session.run().verdicts).toMatchObject([
      {
        verdict: "FAIL",
        reasons: ["sensitive"],
        required_actions: ["SAFE_REFUSAL", "REQUEST_PERMISSION"],
        would_fix: [],
      },
    ]);
  });

  test("is FAIL with the exit when no retry is left, and keeps what would have helped", () => {
    const session = open();
    session.assert("Draft", { id: "d1", attempt: 2 });
    expect(session.run().verdicts).toMatchObject([
      {
        verdict: "FAIL",
        required_actions: ["ASK_MINIMAL_QUESTION"],
        would_fix: ["ADD_EVIDENCE", "RETRIEVE_MORE"],
        attempt: 2,
      },
    ]);
  });

  test("on the FAST track is never RETRY, and lines of the other track do not count", () => {
    const session = open();
    session.assert("Draft", { id: "d1", track: "fast" });
    expect(session.run().verdicts).toMatchObject([{ verdict: "PASS" }]);
    const fails = guardian(`check c { need d.text == "y" as "r" do REGENERATE_DRAFT }`);
    expect(verdictOf(fails, { track: "FAST", text: "x" })).toMatchObject({ verdict: "FAIL" });
  });

  test("is a fact, and another verdict is another fact; it goes with its subject", () => {
    const session = open();
    const draft = session.assert("Draft", { id: "d1", text: "t" });
    session.run();
    const [first] = session.facts("Verdict");
    expect(first?.fields).toMatchObject({ guardian: "answer", subject: "Draft~d1", verdict: "RETRY", flags: [] });
    for (const ref of ["a", "b"]) session.assert("Evidence", { draft: "d1", ref, confidence: 1 });
    session.run();
    const [second, ...others] = session.facts("Verdict");
    expect(others).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.fields).toMatchObject({ verdict: "PASS", reasons: [] });
    session.retract(draft);
    session.run();
    expect(session.facts("Verdict")).toEqual([]);
  });

  test("follows when only the value in its reason changes", () => {
    const session = open();
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1", ref: "a", confidence: 0.25 });
    const other = session.assert("Evidence", { draft: "d1", ref: "b", confidence: 0.5 });
    session.run();
    session.update(other, { confidence: 0.25 });
    expect(session.run().verdicts).toMatchObject([{ reasons: ["low(avg=0.25)"] }]);
  });

  test("can be asked before a run, by name and subject", () => {
    const session = open();
    session.assert("Draft", { id: "d1" });
    expect(session.verdict("answer", "Draft~d1")).toMatchObject({ verdict: "RETRY" });
    expect(session.verdict("answer")).toMatchObject({ verdict: "RETRY" });
    expect(session.verdicts().map(({ subject }) => subject)).toEqual(["Draft~d1"]);
    expect(() => session.verdict("answre")).toThrow('unknown guardian "answre"');
    expect(() => session.verdict("answer", "Draft~d2")).toThrow('"Draft~d2" is not a subject of guardian "answer"');
  });

  test("is told to listeners when it is reached, and only then", () => {
    const session = open();
    const heard: string[] = [];
    session.on("verdict", ({ subject, verdict }) => heard.push(`${subject} ${verdict}`));
    session.assert("Draft", { id: "d1", text: "t" });
    session.run();
    session.assert("Evidence", { draft: "other", confidence: 1 });
    session.run();
    for (const ref of ["a", "b"]) session.assert("Evidence", { draft: "d1", ref, confidence: 1 });
    session.run();
    expect(heard).toEqual(["Draft~d1 RETRY", "Draft~d1 PASS"]);
  });

  test("survives a snapshot without its reactions firing again", () => {
    const program = compile(ANSWER);
    const session = program.session();
    session.assert("Draft", { id: "d1", text: "t" });
    session.run();
    const later = program.session({ from: session.snapshot() });
    const { fired, verdicts } = later.run();
    expect(fired).toEqual([]);
    expect(verdicts).toMatchObject([{ verdict: "RETRY" }]);
    expect(later.facts("Verdict")).toHaveLength(1);
  });
});

describe("unknown", () => {
  test("counts as not passed, and what is unknown is said", () => {
    const session = open();
    session.assert("Draft", { id: "d1", text: "t" });
    for (const ref of ["a", "b"]) session.assert("Evidence", { draft: "d1", ref });
    expect(session.run().verdicts).toMatchObject([
      { verdict: "RETRY", reasons: ["low(avg=unknown)", "unknown: avg(e.confidence) is unknown"] },
    ]);
  });

  test("names the field that is missing, for need and for forbid", () => {
    for (const line of ['need d.text != "x"', 'forbid d.text == "x"']) {
      expect(verdictOf(guardian(`check c { ${line} as "r" do REGENERATE_DRAFT }`))).toMatchObject({
        verdict: "RETRY",
        reasons: ["r", "unknown: Draft d1 has no text"],
      });
    }
  });

  test("in when or unless does not let a line off that fails, and does not hurt one that passes", () => {
    const check = (limit: string, wanted: string): string =>
      guardian(`check c { need d.query == "${wanted}" ${limit} as "r" do REFINE_QUERY }`);
    for (const limit of ['when d.kind == "k"', 'unless d.kind == "k"']) {
      expect(verdictOf(check(limit, "q"), { query: "q" }).verdict).toBe("PASS");
      expect(verdictOf(check(limit, "x"), { query: "q" }).verdict).toBe("RETRY");
    }
    expect(verdictOf(check('when d.kind == "k"', "x"), { query: "q", kind: "other" }).verdict).toBe("PASS");
    expect(verdictOf(check('unless d.kind == "k"', "x"), { query: "q", kind: "k" }).verdict).toBe("PASS");
  });

  test("when and unless of a check count for all its lines", () => {
    const source = guardian(`check c when d.kind == "k" { need d.query == "x" as "r" do REFINE_QUERY }`);
    expect(verdictOf(source, { kind: "k" }).verdict).toBe("RETRY");
    expect(verdictOf(source, { kind: "other" }).verdict).toBe("PASS");
  });
});

describe("lines over evidence", () => {
  const each = guardian(`check c using e: Evidence(e.draft == d.id) {
    need e.confidence >= 0.5 as "weak({e.ref})" do RETRIEVE_MORE }`);

  test("that speak of the facts one by one must hold for each; the reason speaks of the first that fails", () => {
    const session = open(`${TYPES} ${each}`);
    session.assert("Draft", { id: "d1" });
    expect(session.run().verdicts).toMatchObject([
      { reasons: ["weak(unknown)", "unknown: no Evidence(e.draft == d.id)"] },
    ]);
    session.assert("Evidence", { draft: "d1", ref: "good", confidence: 0.9 });
    expect(session.run().verdicts).toMatchObject([{ verdict: "PASS" }]);
    const bad = session.assert("Evidence", { draft: "d1", ref: "bad", confidence: 0.1 });
    session.assert("Evidence", { draft: "d1", ref: "none" });
    expect(session.run().verdicts).toMatchObject([{ reasons: ["weak(bad)"] }]);
    session.retract(bad);
    expect(session.run().verdicts).toMatchObject([
      { reasons: ["weak(none)", "unknown: Evidence #3 has no confidence"] },
    ]);
  });

  test("can count distinct things", () => {
    const session = open(
      `${TYPES} ${guardian(`check c using e: Evidence(e.draft == d.id) {
      need count(distinct([e.source, e.ref])) >= 2 as "few({distinct(e.ref)})" do RETRIEVE_MORE }`)}`,
    );
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1", ref: "a" });
    session.assert("Evidence", { draft: "d1", ref: "a" });
    expect(session.run().verdicts).toMatchObject([{ verdict: "RETRY", reasons: ["few(['a'])"] }]);
    session.assert("Evidence", { draft: "d1", ref: "a", source: "doc" });
    expect(session.run().verdicts).toMatchObject([{ verdict: "PASS" }]);
  });

  test("may ask about other facts inside what they aggregate, with sharing and indexes or without", () => {
    const source = `${TYPES} type Bad(#ref: string)
      ${guardian(`check c using e: Evidence(e.draft == d.id, not exists Bad(ref == e.ref)) {
        need count(e) >= 1 as "none" do RETRIEVE_MORE
        need avg(e.confidence) >= 0.5 as "low({avg(e.confidence)}, {count(e)})" do RETRIEVE_MORE
        need e.confidence >= 0.4 as "weak({e.ref})" do RETRIEVE_MORE
        forbid exists Bad(ref == d.kind) as "bad" do RETRIEVE_MORE }`)}`;
    for (const switches of [{}, { sharing: false }, { indexing: false }]) {
      const session = open(source, switches);
      session.assert("Draft", { id: "d1", kind: "k" });
      const reasons = (): readonly string[] => session.run().verdicts[0]?.reasons ?? [];
      for (const [ref, confidence] of [
        ["a", 0.9],
        ["b", 0.1],
        ["c", 0.3],
      ] as const)
        session.assert("Evidence", { draft: "d1", ref, confidence });
      expect(reasons()[0]).toMatch(/^low\(0\.43\d*, 3\)$/u);
      session.assert("Bad", { ref: "b" });
      expect(reasons()).toEqual(["weak(c)"]);
      session.assert("Bad", { ref: "c" });
      expect(reasons()).toEqual([]);
      session.assert("Bad", { ref: "k" });
      expect(reasons()).toEqual(["bad"]);
      session.assert("Bad", { ref: "a" });
      expect(reasons()).toEqual(["none"]);
    }
  });

  test("warn and flag remark on what passes, and never decide", () => {
    const source = guardian(`check c using e: Evidence(e.draft == d.id) {
      need d.query == "q" as "r" do REFINE_QUERY
      on FAST flag count(e) == 0 as "restrict_scope"
      warn d.text is missing as "no text for {d.id}"
    }`);
    expect(verdictOf(source, { query: "q" })).toMatchObject({
      verdict: "PASS",
      flags: [],
      warnings: ["no text for d1"],
    });
    expect(verdictOf(source, { query: "q", track: "FAST", text: "t" })).toMatchObject({
      verdict: "PASS",
      flags: ["restrict_scope"],
      warnings: [],
    });
    expect(verdictOf(source, { query: "no", track: "FAST" })).toMatchObject({
      verdict: "FAIL",
      flags: [],
      warnings: [],
    });
  });
});

describe("errors", () => {
  const functions = { slow: { params: [], result: { kind: "bool" } } } as const;
  const SLOW = { params: [{ name: "x", type: { kind: "any" }, optional: false }], result: { kind: "bool" } } as const;
  const program = compile(`${TYPES} ${guardian(`check odd { need slow() as "r" do RETRIEVE_MORE }`)}`, { functions });

  test("a function that throws does not pass, and the check is named", () => {
    const session = program.session({
      functions: {
        slow: () => {
          throw new Error("boom");
        },
      },
    });
    session.assert("Draft", { id: "d1" });
    expect(session.run().verdicts).toMatchObject([
      { verdict: "RETRY", reasons: ["r", 'check "odd" failed: slow failed: boom'] },
    ]);
  });

  test("a check that takes longer than its deadline does not pass, and is named", () => {
    let time = 0;
    const slow = (): boolean => {
      time += 20;
      return true;
    };
    const options = { functions: { slow }, now: () => time, realTime: () => 0 };
    for (const [checkDeadline, verdict] of [
      [10, "RETRY"],
      [20, "PASS"],
    ] as const) {
      const session = program.session({ ...options, checkDeadline });
      session.assert("Draft", { id: "d1" });
      const [answer] = session.run().verdicts;
      expect(answer?.verdict).toBe(verdict);
      if (verdict === "RETRY") expect(answer?.reasons).toEqual(['check "odd" took longer than 10 ms']);
    }
  });

  test.each([
    ["a question about facts", "", "need exists Evidence(draft == d.id, slow(ref))"],
    ["a count", "using e: Evidence(e.draft == d.id, slow(e.ref))", "need count(e) == 1"],
    ["a list of values", "using e: Evidence(e.draft == d.id)", "need count(distinct(slow(e.ref))) == 1"],
    ["a limit", "", "need d.id is present when exists Evidence(draft == d.id, slow(ref))"],
    [
      "a limit without a fact",
      'using e: Evidence(e.draft == "x")',
      'need e.ref == "z" unless exists Evidence(slow(ref))',
    ],
    ["a question in a question", "", "need exists Evidence(draft == d.id, exists Evidence(slow(ref)))"],
  ])("the time that %s takes counts for the check", (_, using, line) => {
    for (const [checkDeadline, verdict] of [
      [10, "FAIL"],
      [1000, "PASS"],
    ] as const) {
      let time = 0;
      const slow = (): boolean => {
        time += 20;
        return true;
      };
      const text = `${TYPES} ${guardian(`retry at most 0 check odd ${using} { ${line} as "r" do SAFE_REFUSAL }`)}`;
      const session = compile(text, { functions: { slow: SLOW } }).session({
        functions: { slow },
        now: () => time,
        checkDeadline,
        realTime: () => 0,
      });
      session.assert("Draft", { id: "d1" });
      session.assert("Evidence", { draft: "d1" });
      expect(session.run().verdicts).toMatchObject([{ verdict }]);
    }
  });

  test("a fact that takes its time turns the verdict although the answer stays", () => {
    let time = 0;
    const slow = (ref: unknown): boolean => {
      if (ref === "slow") time += 20;
      return true;
    };
    const text = `${TYPES} ${guardian(`check c { need exists Evidence(draft == d.id, slow(ref)) as "r" do SAFE_REFUSAL }`)}`;
    const session = compile(text, { functions: { slow: SLOW } }).session({
      functions: { slow },
      now: () => time,
      checkDeadline: 10,
      realTime: () => 0,
    });
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1" });
    expect(session.run().verdicts[0]?.verdict).toBe("PASS");
    const late = session.assert("Evidence", { draft: "d1", ref: "slow" });
    expect(session.run().verdicts[0]?.verdict).toBe("RETRY");
    session.retract(late);
    expect(session.run().verdicts[0]?.verdict).toBe("PASS");
  });

  test("an answer that several lines use counts once", () => {
    let time = 0;
    const slow = (): boolean => {
      time += 20;
      return true;
    };
    const line = 'need count(e) == 1 as "r" do SAFE_REFUSAL';
    const text = `${TYPES} ${guardian(`check c using e: Evidence(e.draft == d.id, slow(e.ref)) { ${line} ${line} ${line} }`)}`;
    const session = compile(text, { functions: { slow: SLOW } }).session({
      functions: { slow },
      now: () => time,
      checkDeadline: 30,
      realTime: () => 0,
    });
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1" });
    expect(session.run().verdicts[0]?.verdict).toBe("PASS");
  });

  test.each<[string, () => number]>([
    ["gives no number", () => Number.NaN],
    [
      "fails while facts are taken in",
      (() => {
        let calls = 0;
        return () => {
          calls += 1;
          if (calls === 1) throw new Error("no clock");
          return 0;
        };
      })(),
    ],
  ])("with a clock that %s nothing is in time", (_, now) => {
    const text = `${TYPES} ${guardian(`check c { need exists Evidence(draft == d.id, slow(ref)) as "r" do SAFE_REFUSAL }`)}`;
    const session = compile(text, { functions: { slow: SLOW } }).session({
      functions: { slow: () => true },
      now,
      checkDeadline: 10,
      realTime: () => 0,
    });
    session.assert("Draft", { id: "d1" });
    session.assert("Evidence", { draft: "d1" });
    expect(session.run().verdicts[0]?.verdict).toBe("RETRY");
  });

  test("a clock that is set back gives no time back", () => {
    const times = [0, 20, 20, -1000];
    const lines = '{ need d.id is present as "r" do SAFE_REFUSAL need d.id is present as "s" do SAFE_REFUSAL }';
    const session = open(`${TYPES} ${guardian(`check c ${lines}`)}`, {
      now: () => times.shift() ?? -1000,
      checkDeadline: 10,
      realTime: () => 0,
    });
    session.assert("Draft", { id: "d1" });
    expect(session.run().verdicts[0]?.verdict).toBe("RETRY");
  });

  test.each<[string, () => unknown, string]>([
    ["a text", () => "yes", 'the string "yes"'],
    ["a long text", () => "y".repeat(100), `the string "${"y".repeat(40)}…"`],
    ["an object", () => ({ ok: true }), "an object"],
    ["NaN", () => Number.NaN, "NaN"],
    ["one", () => 1, "1"],
    ["a list", () => [true], "a list"],
    ["a function", () => () => true, "a function"],
    ["a promise", () => Promise.resolve(true), "a promise"],
    ["a promise that fails", () => Promise.reject(new Error("later")), "a promise"],
  ])("a function that gives %s for a truth value does not pass, and what it gave is named", (_, given, shown) => {
    const session = program.session({ functions: { slow: given as () => boolean } });
    session.assert("Draft", { id: "d1" });
    expect(session.run().verdicts).toMatchObject([
      {
        verdict: "RETRY",
        reasons: ["r", `check "odd" failed: slow returned ${shown}, expected true or false`],
      },
    ]);
  });

  test("a number that is none lets nothing pass, whichever way it is compared", () => {
    const score = { score: { params: [], result: { kind: "number" } } } as const;
    for (const line of ["need score() < 5", "forbid score() > 5", "need score() != 5", "forbid score() == 5"]) {
      const judging = guardian(`check odd { ${line} as "r" do RETRIEVE_MORE }`);
      const session = compile(`${TYPES} ${judging}`, { functions: score }).session({
        functions: { score: () => Number.NaN },
      });
      session.assert("Draft", { id: "d1" });
      const reasons = ["r", 'check "odd" failed: score returned NaN, expected a number'];
      expect(session.run().verdicts, line).toMatchObject([{ verdict: "RETRY", reasons }]);
    }
  });

  test("a function that returns nothing, or that the session does not have, has failed and is named", () => {
    const verdict = (options: OpenOptions): readonly string[] => {
      const session = program.session(options);
      session.assert("Draft", { id: "d1" });
      return session.run().verdicts[0]?.reasons ?? [];
    };
    const nothing = "slow returned undefined, expected true or false";
    expect(verdict({ functions: { slow: () => undefined } })).toEqual(["r", `check "odd" failed: ${nothing}`]);
    expect(verdict({})).toEqual(["r", 'check "odd" failed: slow was not passed to the session']);
  });

  test("an unknown track or an odd attempt is FAIL and a problem of the run, until it is put right", () => {
    const session = open();
    const draft = session.assert("Draft", { id: "d1", track: "SLOW", text: "t" });
    for (const ref of ["a", "b"]) session.assert("Evidence", { draft: "d1", ref, confidence: 1 });
    expect(session.run()).toMatchObject({
      verdicts: [{ verdict: "FAIL", risk_level: "high", reasons: ['unknown track "SLOW"'] }],
      problems: [{ code: "E543", guardian: "answer", subject: "Draft~d1" }],
    });
    for (const attempt of [-1, 0.5]) {
      session.update(draft, { track: "QUALITY", attempt });
      expect(session.run()).toMatchObject({ verdicts: [{ verdict: "FAIL" }], problems: [{ code: "E543" }] });
    }
    session.update(draft, { attempt: 0 });
    const mended = session.run();
    expect(mended.verdicts).toMatchObject([{ verdict: "PASS" }]);
    expect(mended.problems).toBeUndefined();
  });
});

describe("reactions and rules", () => {
  test("each verdict is reacted to once; a new attempt is a new verdict", () => {
    const session = open();
    const draft = session.assert("Draft", { id: "d1", text: "t" });
    const acted = (): unknown[] => session.run().effects.map(({ action, args }) => [action, ...args]);
    expect(acted()).toEqual([["retrieve", "d1", ["ADD_EVIDENCE", "RETRIEVE_MORE"]]]);
    session.update(draft, { query: "same verdict" });
    expect(acted()).toEqual([]);
    session.update(draft, { attempt: 1 });
    expect(acted()).toEqual([["retrieve", "d1", ["ADD_EVIDENCE", "RETRIEVE_MORE"]]]);
    session.update(draft, { attempt: 2 });
    expect(acted()).toEqual([["safe_exit", "d1", ["ASK_MINIMAL_QUESTION"]]]);
  });

  test("a rule can match verdicts, and ask for one, which is recorded", () => {
    const session = open(`${ANSWER}
      rule worry { when v: Verdict(verdict == "FAIL", risk_level == "high") then log(v.reasons) }
      rule ask { when d: Draft(d.kind == "ask") then verify answer(d) }`);
    session.assert("Draft", { id: "d1", query: "password", kind: "ask" });
    const heard: unknown[] = [];
    session.on("decision", (decision) => heard.push(decision));
    const { decisions, effects } = session.run();
    expect(decisions).toMatchObject([{ n: 1, rule: "ask", guardian: "answer", subject: "Draft~d1", verdict: "FAIL" }]);
    expect(heard).toEqual(decisions);
    expect(effects).toContainEqual({ n: 2, action: "log", args: [["sensitive"]], rule: "worry" });
  });
});

describe("the grammar refuses", () => {
  const refused = (line: string): string[] => {
    try {
      compile(`${TYPES} ${guardian(`check c { ${line} }`)}`);
      return [];
    } catch (error) {
      return (error as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
    }
  };
  test.each([
    ["an answer text", 'need d.query == "q" as "r" do ANSWER "hello"', "E100"],
    ["a free action", 'need d.query == "q" as "r" do DELETE_ALL', "E240"],
    ["a call", 'need d.query == "q" as "r" do log("x")', "E100"],
    ["a suggestion", 'suggest "say this instead"', "E100"],
    ["a change of facts", 'd.text = "better"', "E100"],
    ["a remark with actions", 'warn d.query == "q" as "r" do RETRIEVE_MORE', "E100"],
  ])("%s", (_, line, code) => {
    expect(refused(line)).toContain(code);
  });
});

test("a line about facts that are not there is let off only as long as a limit says so", () => {
  const lines = `using e: Evidence(e.draft == d.id) {
    need e.confidence > 0 when d.kind != "free" as "when" do ADD_EVIDENCE
    need e.confidence > 0 unless exists Draft(id == "joker") as "unless" do ADD_EVIDENCE
  }`;
  const session = open(`${TYPES} ${guardian(`check c ${lines}`)}`);
  const draft = session.assert("Draft", { id: "d1", kind: "free" });
  const reasons = (): readonly string[] | undefined => {
    session.run();
    const { verdict, reasons: said } = session.verdict("g", draft);
    return verdict === "PASS" ? undefined : said;
  };
  const nothing = "unknown: no Evidence(e.draft == d.id)";
  expect(reasons()).toEqual(["unless", nothing]);
  const joker = session.assert("Draft", { id: "joker", kind: "free" });
  expect(reasons()).toBeUndefined();
  session.update(draft, { kind: "paid" });
  expect(reasons()).toEqual(["when", nothing]);
  session.update(draft, { kind: null });
  expect(reasons()).toEqual(["when", nothing]);
  session.update(draft, { kind: "free" });
  expect(reasons()).toBeUndefined();
  session.retract(joker);
  expect(reasons()).toEqual(["unless", nothing]);
});

test("what the host does with the lists of a verdict is seen by nobody else", () => {
  const program = compile(ANSWER);
  const judged = (): readonly VerdictAnswer[] => {
    const session = program.session();
    session.assert("Draft", { id: "fails", query: "password" });
    session.assert("Draft", { id: "passes", track: "FAST" });
    return session.run().verdicts;
  };
  const before = JSON.stringify(judged());
  for (const verdict of judged()) {
    for (const list of [
      verdict.reasons,
      verdict.required_actions,
      verdict.would_fix,
      verdict.flags,
      verdict.warnings,
    ]) {
      (list as string[]).push("DELETE_ALL");
    }
  }
  expect(JSON.stringify(judged())).toBe(before);
});

test("what is retracted leaves nothing behind", () => {
  const session = open();
  const facts = [session.assert("Draft", { id: "d1" }), session.assert("Evidence", { draft: "d1", confidence: 1 })];
  session.run();
  for (const fact of facts) session.retract(fact);
  session.run();
  expect(session.counters()).toMatchObject({ facts: 0, matches: 0, indexEntries: 0, waiting: 0 });
});
