/** Tests explanations of guardians and pipelines: why they decided as they did, and what would change it. */
import { describe, expect, test } from "vitest";
import {
  compile,
  type Explanation,
  headline,
  type OpenOptions,
  type RuleSession,
  type TraceEvent,
  verifyPack,
} from "../../src/index.ts";
import { runCli, runCliAsync } from "../support/io.ts";

const TYPES = `
type Draft(#id: string, track: string?, text: string?, odd: any?, casual: bool = false, attempt: number = 0)
type Evidence(draft: string, source: string, confidence: number?)
type Limit(#name: string, least: number)
`;

const GUARDIAN = `${TYPES}
Limit(name: "items", least: 1)
guardian "answer" for d: Draft {
    track d.track
    retry at most 1
    check policy risk high never retry {
        forbid d.text like "%secret%" as "tells_a_secret" do SAFE_REFUSAL
    }
    check evidence exit ASK_MINIMAL_QUESTION
        using e: Evidence(e.draft == d.id)
        using l: Limit(l.name == "items")
    {
        need count(distinct(e.source)) >= l.least unless d.casual as "too_few" do ADD_EVIDENCE
        need e.confidence >= 0.5 unless d.casual as "weak({e.source})" do RETRIEVE_MORE
        on FAST flag d.casual as "small_talk"
    }
    check style on QUALITY { need d.text is present as "no_text" do REGENERATE_DRAFT }
    on RETRY then ask(d.id, actions())
}
rule "noted" { when v: Verdict(verdict == "FAIL") then log(v.subject) }
`;

function opened(
  facts: Readonly<Record<string, readonly object[]>>,
  options: OpenOptions = {},
  source = GUARDIAN,
): RuleSession {
  const session = compile(source).session(options);
  for (const [type, rows] of Object.entries(facts)) for (const row of rows) session.assert(type, { ...row });
  return session;
}

/** The sentences of a tree, each with its sign and depth. */
function told(explanation: Explanation): string[] {
  const sign = { true: "+", false: "-", unknown: "?" }[explanation.outcome];
  const own = `${"  ".repeat(explanation.depth)}${sign} ${explanation.upward_rationale}`;
  return [own, ...explanation.children.flatMap(told)];
}

const GOOD = { draft: "a", source: "db", confidence: 0.9 };

test("a verdict is told check by check and line by line, with values and evidence", () => {
  const session = opened({ Draft: [{ id: "a", text: "hello" }], Evidence: [{ ...GOOD, confidence: 0.2 }] });
  const explained = session.why(session.verdict("answer"));
  expect(told(explained)).toEqual([
    '- Guardian "answer" says RETRY for Draft a: check evidence does not pass: e.confidence is 0.2, which is not at least 0.5 (weak(db)); this is the first attempt, and 1 retry is left.',
    "  + check policy passes: its line passes.",
    '    + d.text is "hello", so forbid d.text like "%secret%" passes.',
    "  - check evidence does not pass: e is Evidence #1, e.confidence is 0.2, so need e.confidence >= 0.5 unless d.casual fails (weak(db)). This is the first attempt, and 1 retry is left. Required: RETRIEVE_MORE.",
    '    + l is Limit items, distinct(e.source) is ["db"] (over 1 fact: Evidence #1), count(distinct(e.source)) is 1, l.least is 1, so need count(distinct(e.source)) >= l.least unless d.casual passes.',
    '      + l is Limit items; l.name is "items", so l.name == "items" holds.',
    '        + l.name is "items", so l.name == "items" holds.',
    "      - d.casual is false, so the exception does not apply.",
    '      + distinct(e.source) is ["db"] (over 1 fact: Evidence #1), count(distinct(e.source)) is 1, l.least is 1, so count(distinct(e.source)) >= l.least holds.',
    "    - e is Evidence #1, e.confidence is 0.2, so need e.confidence >= 0.5 unless d.casual fails (weak(db)).",
    '      + e is Evidence #1; e.draft is "a", d.id is "a", so e.draft == d.id holds.',
    '        + e.draft is "a", d.id is "a", so e.draft == d.id holds.',
    "      - d.casual is false, so the exception does not apply.",
    "      - e.confidence is 0.2, so e.confidence >= 0.5 does not hold.",
    "    ? flag d.casual was not checked, because remarks are made on what passes.",
    "  ? check style was not checked, because check evidence has decided.",
  ]);
  expect(explained).toMatchObject({
    guardian: "answer",
    subject: "Draft~a",
    says: "RETRY",
    decided: { check: "evidence", line: "need e.confidence >= 0.5 unless d.casual" },
    reasons: ["weak(db)"],
    required_actions: ["RETRIEVE_MORE"],
  });
});

test("what passes is told with what let it off, the track, and its remarks", () => {
  const session = opened({ Draft: [{ id: "a", text: "hi", casual: true, track: "FAST" }], Evidence: [GOOD] });
  const lines = told(session.why(session.verdict("answer")));
  expect(lines[0]).toBe('+ Guardian "answer" says PASS for Draft a: both checks pass; flags: small_talk.');
  expect(lines).toContain(
    "    + d.casual is true; the exception applies, so need e.confidence >= 0.5 unless d.casual passes.",
  );
  expect(lines).toContain("    + d.casual is true, so it says small_talk.");
  expect(lines).toContain("  + the track is FAST, so check style does not apply.");
});

describe("a line with a sentence", () => {
  const said = (line: string, settings = ""): string => {
    const session = compile(`${TYPES}
      guardian "answer" for d: Draft { ${settings} check text { ${line} } check more { need d.casual as "formal" says "Ann wants it casual." do REFINE_QUERY } }`).session();
    session.assert("Draft", { id: "a", text: "x" });
    return headline(session.why(session.verdict("answer")));
  };

  test("gives the headline its reason; only a name keeps its capital", () => {
    const line = 'need d.text is missing as "t" says "The draft has text: {d.text}." do REFINE_QUERY';
    const rest = "; this is the first attempt, and 2 retries are left; required: REFINE_QUERY.";
    expect(said(line)).toBe(`Guardian "answer" says RETRY for Draft a: the draft has text: x${rest}`);
    expect(said('need d.casual as "t" says "Ann wants none" do REFINE_QUERY')).toContain(
      "for Draft a: Ann wants none;",
    );
    expect(said('need d.casual as "t" says "A-1 is wrong." do REFINE_QUERY')).toContain("for Draft a: A-1 is wrong;");
  });

  test("stays under 200 characters, and the step of the check has what follows in full", () => {
    const long = said(
      `need d.text is missing as "t" says "The ${"very ".repeat(60)}long draft has text." do REFINE_QUERY`,
    );
    expect(long.length).toBeLessThan(200);
    expect(long).toMatch(/^Guardian "answer" says RETRY for Draft a: the very /u);
  });

  test("comes with those of the other lines when all is reported", () => {
    const line = 'need d.text is missing as "t" says "The draft has text." do REFINE_QUERY';
    expect(said(line, "report all")).toContain("for Draft a: the draft has text; Ann wants it casual;");
  });
});

test("what is unknown says so", () => {
  const session = opened({ Draft: [{ id: "a" }], Evidence: [{ draft: "a", source: "db" }] });
  expect(headline(session.why(session.verdict("answer")))).toBe(
    'Guardian "answer" says FAIL for Draft a: check policy does not pass: d.text is missing, and unknown does not pass (tells_a_secret); check policy is never retried; required: SAFE_REFUSAL.',
  );
  const none = opened({ Draft: [{ id: "a", text: "x", attempt: 1 }] });
  none.update("Limit~items", { least: 0 });
  expect(headline(none.why(none.verdict("answer")))).toBe(
    'Guardian "answer" says FAIL for Draft a: check evidence does not pass: no Evidence for it, and unknown does not pass (weak(unknown)); no retry is left after 1 retry; required: ASK_MINIMAL_QUESTION.',
  );
});

test("a verdict can be asked by its fact, as a rule asked for it, and as a listener got it", () => {
  const session = opened({ Draft: [{ id: "a", text: "a secret" }] });
  const heard: string[] = [];
  session.on("verdict", (answer) => heard.push(headline(session.why(answer))));
  session.run();
  const said =
    'Guardian "answer" says FAIL for Draft a: check policy does not pass: d.text is "a secret", so d.text like "%secret%" holds (tells_a_secret); check policy is never retried; required: SAFE_REFUSAL.';
  expect(heard).toEqual([said]);
  expect(headline(session.why("Verdict~@1"))).toBe(said);
  const asking = compile(`${GUARDIAN}\nrule "asks" { when d: Draft then verify answer(d) }`).session();
  asking.assert("Draft", { id: "a", text: "a secret" });
  const [decision] = asking.run().decisions;
  expect(decision === undefined ? "" : headline(asking.why(decision))).toBe(said);
});

test("a verdict that is older than the facts says so, and one whose subject is gone", () => {
  const session = opened({ Draft: [{ id: "a", text: "a secret" }] });
  const answer = session.verdict("answer");
  session.update("Draft~a", { text: "hello", casual: true });
  expect(headline(session.why(answer))).toBe(
    'Guardian "answer" says FAIL for Draft a: the facts have changed since then, and now it says PASS; all 3 checks pass.',
  );
  session.retract("Draft~a");
  expect(headline(session.why(answer))).toBe(
    'Guardian "answer" says FAIL for Draft a: tells_a_secret; Draft a is no longer one of its subjects, so it cannot be judged again.',
  );
});

test("a subject that cannot be judged is told with the reason", () => {
  const session = opened({ Draft: [{ id: "a", track: "SLOW" }] });
  expect(headline(session.why(session.verdict("answer")))).toBe(
    'Guardian "answer" says FAIL for Draft a, because it cannot be judged: unknown track "SLOW".',
  );
  expect(session.wouldPass("answer")).toEqual([]);
});

test("a function that throws and a check that takes too long are told as they are", () => {
  const source = `type D(#id: string)
guardian "g" for d: D { check c { need odd(d.id) as "odd" do SAFE_REFUSAL } }`;
  const functions = {
    odd: { params: [{ name: "n", type: { kind: "any" }, optional: false }], result: { kind: "bool" } },
  } as const;
  const throwing = (): never => {
    throw new Error("no luck");
  };
  const session = compile(source, { functions }).session({ functions: { odd: throwing } });
  session.assert("D", { id: "a" });
  expect(headline(session.why(session.verdict("g")))).toContain(
    "check c does not pass: odd failed: no luck, so need odd(d.id) does not pass (odd);",
  );
  let clock = 0;
  const late = compile(source, { functions }).session({
    functions: { odd: () => true },
    checkDeadline: 5,
    realTime: () => 0,
    now: () => (clock += 10),
  });
  late.assert("D", { id: "a" });
  expect(headline(late.why(late.verdict("g")))).toContain('check c does not pass: check "c" took longer than 5 ms;');
});

test("the reaction of a guardian is explained by its verdict", () => {
  const session = opened({ Draft: [{ id: "a", text: "hello" }] });
  const [fired] = session.run().fired;
  if (fired === undefined) throw new Error("it reacts");
  const explained = session.why(fired);
  expect(explained.upward_rationale).toBe(
    'Guardian "answer" said RETRY for Draft a, so its "on RETRY" happened (firing 1).',
  );
  expect(explained.children[0]?.upward_rationale).toMatch(/^Guardian "answer" says RETRY for Draft a: check evidence/u);
  session.update("Draft~a", { casual: true });
  expect(session.why(fired).children[0]?.upward_rationale).toBe(
    'Guardian "answer" says RETRY for Draft a: the facts have changed since then, and now it says PASS; all 3 checks pass.',
  );
});

test("a rule over verdicts is explained down to the guardian", () => {
  const session = opened({ Draft: [{ id: "a", text: "a secret" }] });
  session.run();
  const [fired] = session.firings("noted");
  expect(fired).toBeDefined();
  expect(JSON.stringify(session.why("Verdict~@1"))).toContain("tells_a_secret");
});

// ---------------------------------------------------------------- what would help

describe("what would help", () => {
  test("changes the draft and what belongs to it, not the tables all are measured by", () => {
    const session = opened({ Draft: [{ id: "a", text: "hello" }], Evidence: [{ ...GOOD, draft: "b" }] });
    session.update("Limit~items", { least: 2 });
    const before = JSON.stringify(session.snapshot());
    expect(session.wouldPass("answer").map(({ words, verdict }) => [words, verdict])).toEqual([
      [
        'add Evidence(draft: "a", source: a string other than "db", confidence: 0.9), and add Evidence(draft: "a", source: "db", confidence: 0.9)',
        "PASS",
      ],
    ]);
    expect(JSON.stringify(session.snapshot())).toBe(before);
  });

  test("says what decides then, when nothing within three edits passes", () => {
    const session = opened({ Draft: [{ id: "a", text: "a secret" }] }, {}, GUARDIAN.replace("never retry", ""));
    session.update("Limit~items", { least: 4 });
    const [first] = session.wouldPass("answer");
    expect(first).toMatchObject({ verdict: "RETRY", reasons: ["too_few"] });
    expect(first?.edits).toHaveLength(1);
  });

  test("suggests nothing where the check that decides is never retried, and says so", () => {
    const session = opened({ Draft: [{ id: "a", text: "a secret" }] });
    expect(session.searchPass("answer")).toEqual({ remedies: [], final: "check policy is never retried" });
    const later = opened(
      { Draft: [{ id: "a", text: "a secret" }] },
      {},
      GUARDIAN.replace(/ {4}check policy[^}]*\}\n/u, "").replace(
        "    on RETRY",
        '    check policy never retry { forbid d.text like "%secret%" as "tells_a_secret" do SAFE_REFUSAL }\n    on RETRY',
      ),
    );
    const found = later.wouldPass("answer");
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ verdict }) => verdict)).not.toContain("PASS");
    expect(JSON.stringify(found)).not.toContain('"field":"text"');
  });

  test("never removes what decides which lines apply, and takes no example from another field", () => {
    const session = compile(`use guardian standard
Draft(id: "d1", request_type: "CASUAL", role: "PM", query: "How long?", draft: "Two weeks.")
Contract(draft: "d1", required_sections: ["Summary"], forbidden_content: [], domain_terms: [])
Draft(id: "d2", request_type: "CASUAL", role: "PM", query: "How long?", draft: "Guaranteed two weeks.")
Contract(draft: "d2", required_sections: [], forbidden_content: ["guaranteed"], domain_terms: [])`).session();
    expect(session.verdict("standard", "Draft~d1").reasons).toEqual(["missing_required_sections=['Summary']"]);
    expect(session.wouldPass("standard", "Draft~d1")).toEqual([]);
    expect(session.wouldPass("standard", "Draft~d2").map(({ words }) => words)).toEqual([
      'change draft of Draft d2 from "Guaranteed two weeks." to another string that passes its tests',
    ]);
  });

  test("never changes who asks", () => {
    const session = compile(`type Draft(#id: string, role: string, text: string)
guardian "g" for d: Draft { check role { need d.role in ["ADMIN", "PM"] as "role" do DENY_ACCESS need d.text != "" as "empty" do REGENERATE_DRAFT } }
Draft("d1", "GUEST", "x")
Draft("d2", "PM", "")`).session();
    expect(session.wouldPass("g", "Draft~d1")).toEqual([]);
    expect(session.wouldPass("g", "Draft~d2")).toHaveLength(1);
  });

  test("never relabels the draft: fields that look up other facts say what it is", () => {
    const session = compile(`use guardian standard
Draft(id: "d1", request_type: "TROUBLESHOOTING", query: "why is it slow?", draft: "Too many rows.")
Evidence(draft: "d1", source: db, ref: "a", confidence: 0.9)
Evidence(draft: "d1", source: doc, ref: "b", confidence: 0.9)`).session();
    expect(session.verdict("standard").reasons).toEqual(["troubleshooting_requires_db_and_neo4j"]);
    const found = session.wouldPass("standard");
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain("request_type");
    const metric = compile(`use guardian standard
Draft(id: "d1", request_type: "STATUS_METRIC", query: "how many open tickets?", draft: "There are 12.")
Evidence(draft: "d1", source: db, ref: "a", confidence: 0.9)
Evidence(draft: "d1", source: db, ref: "b", confidence: 0.9)`).session();
    expect(metric.searchPass("standard")).toEqual({ remedies: [], final: "check permission is never retried" });
  });

  test("marks a string of another fact as an example", () => {
    const session = compile(`use guardian standard
Draft(id: "d1", request_type: "CASUAL", query: "hello", draft: "There are 12.")
Draft(id: "d2", request_type: "CASUAL", query: "hello", draft: "")`).session();
    expect(session.wouldPass("standard", "Draft~d2")).toMatchObject([
      {
        words: 'change draft of Draft d2 from "" to another string that passes its tests, such as "There are 12."',
        edits: [{ op: "update", field: "draft", to: "There are 12.", examples: ["draft"] }],
      },
    ]);
  });

  test("is nothing for a draft that passes", () => {
    const session = opened({ Draft: [{ id: "a", text: "hi", casual: true }] });
    expect(session.wouldPass("answer", "Draft~a")).toEqual([]);
  });
});

// ---------------------------------------------------------------- pipelines

const PIPELINE = `${TYPES}
type Account(#id: string, open: bool?)
condition known(d: Draft) : a.open from a: Account(a.id == d.id)
gate "account" for d: Draft { require known(d) }
pipeline "way" for d: Draft {
    before d.id != "nobody" else BLOCK "who is that"
    step words BLOCK "not that" when d.text like "%secret%" unless d.casual
    step mood NOTE "in a hurry" when d.track == "FAST"
    step found ANSWER e.source when e: Evidence(e.draft == d.id)
    step gate BLOCK "no account" unless gate account(d) passes
    after d.attempt < 2 else BLOCK "too often"
    otherwise FORWARD "on"
}
`;

function decided(draft: object, more: Readonly<Record<string, readonly object[]>> = {}): string[] {
  const session = compile(PIPELINE).session({ now: () => 0 });
  for (const [type, rows] of Object.entries({ ...more, Draft: [draft] })) {
    for (const row of rows) session.assert(type, { ...row });
  }
  const [decision] = session.run().decisions;
  if (decision === undefined || !("pipeline" in decision)) throw new Error("it decides");
  const { children, upward_rationale } = session.why(decision);
  return [upward_rationale, ...children.map((step) => step.upward_rationale)];
}

test("every line of a pipeline is told in order, with what it saw", () => {
  expect(decided({ id: "a", text: "hello", track: "FAST" }, { Evidence: [GOOD] })).toEqual([
    'Pipeline "way" decides ANSWER "db" for Draft a: step found applies: e.draft and d.id are both "a"; noted: in a hurry.',
    'd.id is "a", so before d.id != "nobody" lets it in.',
    'd.text is "hello", d.casual is false, so step words does not apply, and it goes on.',
    'd.track is "FAST", so step mood notes "in a hurry", and it goes on.',
    'e is Evidence #1, e.draft is "a", d.id is "a", so step found ends it with ANSWER "db".',
    "step gate was not checked, because step found has decided.",
    'otherwise FORWARD "on" was not checked, because step found has decided.',
    "d.attempt is 0, so after d.attempt < 2 lets it through.",
  ]);
});

test("what is refused, not known, held by a gate, tightened or left over is told so", () => {
  expect(decided({ id: "nobody" })[0]).toBe(
    'Pipeline "way" decides BLOCK "who is that" for Draft nobody: the "before" test does not hold: d.id is "nobody", so d.id != "nobody" does not hold.',
  );
  expect(decided({ id: "a" })[0]).toBe(
    'Pipeline "way" decides BLOCK for Draft a: it is unknown whether step words applies, and unknown blocks: d.text is missing, so d.text like "%secret%" is unknown; d.casual is false.',
  );
  expect(decided({ id: "a", text: "hello" })[0]).toBe(
    'Pipeline "way" decides BLOCK for Draft a: it is unknown whether step gate applies, and unknown blocks: gate "account" is on hold for Draft a.',
  );
  expect(decided({ id: "a", text: "hello", attempt: 3 }, { Evidence: [GOOD] })[0]).toBe(
    'Pipeline "way" decides BLOCK "too often" for Draft a: the "after" test does not hold: d.attempt is 3, which is not under 2.',
  );
  expect(decided({ id: "a", text: "hello" }, { Account: [{ id: "a", open: true }] })[0]).toBe(
    'Pipeline "way" decides FORWARD "on" for Draft a: none of the 4 steps ended it.',
  );
});

test("a decision that is older than the facts says so; without its subject or its audit the trace is told", () => {
  const session = compile(PIPELINE).session({ now: () => 0 });
  session.assert("Draft", { id: "a", text: "a secret" });
  const decision = session.decide("way", "Draft~a");
  session.update("Draft~a", { casual: true });
  expect(headline(session.why(decision))).toBe(
    'Pipeline "way" decides BLOCK "not that" for Draft a: the facts have changed since then, and now it decides BLOCK; and 1 more reason.',
  );
  session.retract("Draft~a");
  expect(told(session.why(decision))).toEqual([
    '+ Pipeline "way" decides BLOCK "not that" for Draft a: Draft a is no longer one of its subjects, so its trace is shown instead.',
    '  + step words: BLOCK "not that".',
  ]);
  const audited = compile(
    PIPELINE.replace('otherwise FORWARD "on"', 'otherwise FORWARD "on" audit to "a.log"'),
  ).session();
  audited.assert("Draft", { id: "a", text: "hello" });
  audited.assert("Evidence", GOOD);
  const [unwritten] = audited.run().decisions;
  const lines = unwritten === undefined ? [] : told(audited.why(unwritten));
  expect(lines[0]).toContain('Pipeline "way" gives ERROR for Draft a: cannot write the audit file "a.log"');
  expect(lines.join("\n")).not.toContain('"db"');
});

test("what a pipeline would decide can be asked without deciding", () => {
  const written: string[] = [];
  const session = compile(PIPELINE.replace('"on"', '"on" audit to "a.log"')).session({
    audit: (_, line) => void written.push(line),
  });
  session.assert("Draft", { id: "a", text: "a secret" });
  expect(session.decisions("way").map(({ decision }) => decision)).toEqual(["BLOCK"]);
  expect(session.decisions()).toHaveLength(1);
  expect(written).toEqual([]);
  expect(() => session.decisions("wya")).toThrow('unknown pipeline "wya"');
});

// ---------------------------------------------------------------- packs, traces and the command line

const BAD_DRAFT = { Draft: [{ id: "a", text: "a secret" }] };

describe("packs", () => {
  test("hold verdicts and decisions, and one answer can be packed for itself", () => {
    const session = opened(BAD_DRAFT);
    const run = session.pack(session.run());
    expect(verifyPack(run)).toBeUndefined();
    expect(JSON.parse(run)).toMatchObject({
      results: { verdicts: [{ verdict: "FAIL", reasons: ["tells_a_secret"] }] },
    });
    const one = session.pack(session.verdict("answer"));
    expect(verifyPack(one)).toBeUndefined();
    expect(JSON.parse(one)).toMatchObject({
      results: { asked: { of: "verdict", name: "answer", subject: "Draft~a" }, fired: [] },
      reasoning: [{ says: "FAIL", decided: { check: "policy" } }],
    });
  });

  test("of a pipeline leave the time out, and know what was decided before", () => {
    let clock = 0;
    const session = compile(PIPELINE).session({ now: () => (clock += 7) });
    session.assert("Draft", { id: "a", text: "a secret" });
    const first = session.pack(session.run());
    session.assert("Draft", { id: "b", text: "hello" });
    const result = session.run();
    expect(result.decisions).toHaveLength(1);
    for (const text of [first, session.pack(result), session.pack(session.decide("way", "Draft~b"))]) {
      expect(verifyPack(text)).toBeUndefined();
      expect(text).not.toContain("latency");
    }
    expect(verifyPack(session.pack(session.gate("account", "Draft~a")))).toBeUndefined();
  });

  test("of an answer that is no longer given are refused", () => {
    const session = opened(BAD_DRAFT);
    const answer = session.verdict("answer");
    session.update("Draft~a", { text: "hello" });
    expect(() => session.pack(answer)).toThrow("this answer cannot be packed, because it is not repeatable");
  });

  test("with any byte changed are refused", () => {
    const session = compile(
      'type D(#i: string, n: number?) guardian "g" for d: D { check c { need d.n > 1 as "r" do SAFE_REFUSAL } }',
    ).session();
    session.assert("D", { i: "é" });
    const bytes = new TextEncoder().encode(session.pack(session.verdict("g")));
    const unnoticed: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const other = Uint8Array.from(bytes);
      other[at] = (bytes[at] ?? 0) ^ 1;
      const ran = runCli(["pack", "verify", "p.json"], { "p.json": other });
      if (ran.exit !== 1 || !/^error E552 {2}invalid pack \(\w+\): /u.test(ran.err)) unnoticed.push(at);
    }
    expect(unnoticed).toEqual([]);
  });

  test("of a program with a guardian of the package hold its text, and it must be the same", () => {
    const session = compile("use guardian standard").session();
    session.assert("Draft", { id: "a", request_type: "CASUAL", query: "my password?" });
    const text = session.pack(session.run());
    expect(verifyPack(text)).toBeUndefined();
    expect(text).toContain("sluice:guardian/standard.tsd");
  });
});

test("a trace tells outcomes, verdicts and decisions with their reasons", () => {
  const session = compile(
    PIPELINE.replace(
      "pipeline",
      'guardian "g" for d: Draft { check c { need d.casual as "r" do SAFE_REFUSAL } }\npipeline',
    ),
  ).session();
  session.assert("Draft", { id: "a", text: "a secret" });
  const events: TraceEvent[] = [];
  session.trace("decisions", (event) => events.push(event));
  session.run();
  expect(
    events.map((event) => ("explanation" in event ? `${event.kind} ${event.explanation.unit_id}` : event.kind)),
  ).toEqual(["gate account/Draft~a", "verdict g/Draft~a", "decision way/Draft~a"]);
});

describe("the command line", () => {
  const files = { "a.tsd": `${GUARDIAN}\nDraft(id: "a", text: "a secret")\nDraft(id: "b", text: "hi", casual: true)` };

  test("--events all writes the reasons of every verdict, outcome and decision", () => {
    const way = { "a.tsd": `${PIPELINE}\nDraft(id: "a", text: "hello")` };
    const reasons = (given: Record<string, string>): unknown[] =>
      runCli(["run", "a.tsd", "--json", "--events", "all"], given)
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { event: string; explanation?: Explanation })
        .filter(({ event }) => event === "reasoning")
        .map(({ explanation, ...record }) => [record, explanation?.unit_id]);
    expect(reasons(files)).toEqual([
      [{ event: "reasoning", of: "verdict", guardian: "answer", subject: "Draft~a" }, "answer/Draft~a"],
      [{ event: "reasoning", of: "verdict", guardian: "answer", subject: "Draft~b" }, "answer/Draft~b"],
      [{ event: "reasoning", of: "fire", n: 1, rule: "noted" }, "noted#1"],
    ]);
    expect(reasons(way)).toEqual([
      [{ event: "reasoning", of: "gate", gate: "account", subject: "Draft~a" }, "account/Draft~a"],
      [{ event: "reasoning", of: "decision", pipeline: "way", subject: "Draft~a" }, "way/Draft~a"],
    ]);
  });

  test("why takes a guardian with --fact or --subject, and all forms tell it", () => {
    const text = runCli(["why", "a.tsd", "answer", "--fact", "d=Draft~a"], files);
    expect(text.exit).toBe(0);
    expect(text.out).toMatch(/^Guardian "answer" says FAIL for Draft a: /u);
    expect(text.out).toContain("What would help\n  no change is suggested: check policy is never retried\n");
    const all = runCli(["why", "a.tsd", "answer"], files).out;
    expect(all).toMatch(/^Guardian "answer" says PASS for 1 subject, FAIL for 1 subject\.\n/u);
    const json = JSON.parse(runCli(["why", "a.tsd", "answer", "--subject", "a", "--json"], files).out) as object;
    expect(json).toMatchObject({ event: "reasoning", explanation: { says: "FAIL", passing: [] } });
    expect(runCli(["why", "a.tsd", "answer", "--subject", "a", "--format", "html"], files).out).toContain(
      "<pre>What would help\n",
    );
    expect(runCli(["why", "a.tsd", "answer", "--subject", "zz"], files).err).toContain("is not a subject of guardian");
  });

  test("verify-answer --explain tells why, and keeps its exit code", () => {
    const ran = runCli(["verify-answer", "a.tsd", "--subject", "a", "--explain"], files);
    expect(ran.exit).toBe(4);
    expect(ran.out).toContain('Guardian "answer" says FAIL for Draft a: check policy does not pass');
    const lines = runCli(["verify-answer", "a.tsd", "--subject", "a", "--explain", "--json"], files)
      .out.trim()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["verdict", "reasoning"]);
  });

  test("the conversation tells it too", async () => {
    const lines = ["run", "why answer Draft~a", "why answer d=Draft~b"];
    const ran = await runCliAsync(["repl", "a.tsd"], files, {
      dialogue: async (dialogue) => {
        for (const line of lines) dialogue.line(line);
        await Promise.resolve();
      },
    });
    expect(ran).toMatchObject({ exit: 0, err: "" });
    expect(ran.out).toContain('Guardian "answer" says FAIL for Draft a');
    expect(ran.out).toContain('Guardian "answer" says PASS for Draft b');
  });
});
