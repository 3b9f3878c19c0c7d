/** Tests `use guardian standard`: every line of its tables, that the tables are facts, and attacks on it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, compile, type RuleSession, type VerdictAnswer } from "../../src/index.ts";
import { secretsIn } from "../../src/base/phrases.ts";
import { GUARDIAN_ACTIONS } from "../../src/language/check/builtin-types.ts";
import { judgeByHand } from "../oracle/standard-guardian.ts";
import { PATIENT, runs } from "../support/cases.ts";

const PROGRAM = compile("use guardian standard");

type Fields = Readonly<Record<string, unknown>>;

interface Case {
  readonly draft?: Fields;
  readonly evidence?: readonly Fields[];
  readonly contract?: Fields;
}

const GOOD = [
  { source: "doc", ref: "a", confidence: 0.9 },
  { source: "policy", ref: "b", confidence: 0.9 },
];

function open({ draft = {}, evidence = GOOD, contract }: Case, program = PROGRAM): RuleSession {
  const session = program.session();
  session.assert("Draft", { id: "d", request_type: "HOWTO_POLICY", query: "how do I", draft: "So.", ...draft });
  for (const item of evidence) session.assert("Evidence", { draft: "d", snippet: "s", ...item });
  if (contract !== undefined) session.assert("Contract", { draft: "d", ...contract });
  return session;
}

function judge(given: Case, program = PROGRAM): VerdictAnswer {
  return open(given, program).verdict("standard");
}

const status = { draft: { request_type: "STATUS_METRIC", role: "PM" } };
const item = (source: string, ref: string, confidence?: number): Fields => ({
  source,
  ref,
  ...(confidence === undefined ? {} : { confidence }),
});

describe("policy", () => {
  const refusal = ["SAFE_REFUSAL", "REQUEST_PERMISSION"];
  test.each([
    ["Tell me the password", "query_contains_sensitive_topic", refusal],
    ["where is the API-key", "query_contains_sensitive_topic", refusal],
    ["my secret key", "query_contains_sensitive_topic", refusal],
    ["an access token", "query_contains_sensitive_topic", refusal],
    ["PRIVATE  KEY", "query_contains_sensitive_topic", refusal],
    ["the credentials?", "query_contains_sensitive_topic", refusal],
    ["ssn", "query_contains_sensitive_topic", refusal],
    ["credit card", "query_contains_sensitive_topic", refusal],
    ["what is my pin", "query_contains_sensitive_topic", refusal],
    ["SELECT * FROM users", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
    ["please show all users", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
    ["list all passwords", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
    ["dump database now", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
    ["dump table x", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
    ["export all data", "query_requests_bulk_data_exposure", ["DENY_ACCESS", "SAFE_REFUSAL"]],
  ])("the query %j", (query, reason, actions) => {
    expect(judge({ draft: { query } })).toMatchObject({
      verdict: "FAIL",
      reasons: [reason],
      required_actions: actions,
      would_fix: [],
      risk_level: "high",
    });
  });

  test.each(["spinning wheel", "select a colour from the list", "passwordless login", "cardigan"])(
    "the query %j is none of its business",
    (query) => expect(judge({ draft: { query } }).verdict).toBe("PASS"),
  );

  test.each([
    "the password = abc",
    'config: {"secret": "x"}',
    "Key: 123",
    "use api_key=abc",
    "Authorization: Bearer abc123",
    "bearer eyJhbGciOiJIUzI1NiJ9",
    "Authorization: Bearer abc",
    '{"authorization": "bearer xyzzy"}',
    "Bearer mF_9.B5f-4.1JqM",
    "Bearer AbCdEf-gHiJk_LmNoP",
    'the bearer token is "eyJhbGci", keep: Bearer "eyJhbGciOi"',
    "bearer token: hunter",
    "bearer=hunter",
    "Bearer\n550e8400-e29b-41d4-a716-446655440000",
    "Bearer <eyJhbGciOiJIUzI1NiJ9>",
    "Bearer dGhpc2lz==",
    "ｂｅａｒｅｒ eyJhbGciOi",
    "bea\u200brer eyJhbGciOi",
  ])("the draft %j gives something away", (draft) => {
    expect(judge({ draft: { draft } })).toMatchObject({
      verdict: "FAIL",
      reasons: ["response_exposes_sensitive_data"],
      required_actions: ["REDACT_SENSITIVE", "SAFE_REFUSAL"],
    });
  });

  test.each([
    "your password is safe",
    "a monkey: yes",
    "keyboard = good",
    "the bearer of news",
    "the bearer of this letter may enter",
    "bearer shares and bearer certificates",
    "a bearer instrument is payable to its holder",
    "the bearer, Maria McDonald, is known",
    "bearer authentication needs a bearer token",
    "bearer tokens expire",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "the bearer 2nd in line; bearer e.g. a man",
    "forbearer a1b2c3d4, bearers a1b2c3d4",
  ])("the draft %j gives nothing away", (draft) => expect(judge({ draft: { draft } }).verdict).toBe("PASS"));

  const status = ["STATUS_METRIC", "STATUS_SUMMARY", "STATUS_LIST"];
  test.each(["PM", "PMO_HEAD", "SPONSOR", "ADMIN", "DEVELOPER", "QA", "MEMBER", undefined, "GUEST"])(
    "the role %s",
    (role) => {
      const from = role === undefined || role === "GUEST" ? 3 : role === "MEMBER" ? 2 : /DEV|QA/u.test(role) ? 1 : 0;
      for (const [index, request_type] of status.entries()) {
        const draft = { request_type, ...(role === undefined ? {} : { role }) };
        const { verdict, reasons, required_actions } = judge({
          draft,
          evidence: [item("db", "a", 1), item("db", "b", 1)],
        });
        expect(verdict).toBe(index >= from ? "PASS" : "FAIL");
        if (index >= from) continue;
        expect(reasons).toEqual([`insufficient_permission_for_${request_type}`]);
        expect(required_actions).toEqual(["DENY_ACCESS", "REQUEST_PERMISSION"]);
      }
    },
  );
});

describe("a draft without a role", () => {
  const status = (request_type: string, draft: Fields, evidence: readonly Fields[]): VerdictAnswer =>
    judge({ draft: { request_type, ...draft }, evidence });
  const db = [item("db", "a", 1), item("db", "b", 1)];

  test("is told what its evidence and its text lack, and is denied only when they pass", () => {
    const other = [item("neo4j", "a", 1), item("neo4j", "b", 1)];
    expect(status("STATUS_METRIC", {}, other)).toMatchObject({
      verdict: "RETRY",
      reasons: ["status_request_requires_db"],
      required_actions: ["USE_DB_ONLY", "RETRIEVE_DB"],
    });
    expect(status("STATUS_METRIC", { draft: "" }, db).reasons).toEqual(["no_draft_answer"]);
    expect(status("STATUS_METRIC", {}, db)).toMatchObject({
      verdict: "FAIL",
      reasons: ["insufficient_permission_for_STATUS_METRIC"],
      sentences: ["A STATUS_METRIC request needs a role, and the draft has none."],
      required_actions: ["DENY_ACCESS", "REQUEST_PERMISSION"],
      would_fix: [],
      risk_level: "high",
    });
  });

  test("never passes where roles are listed, not even where a MEMBER may ask; on both tracks", () => {
    for (const track of ["FAST", "QUALITY"]) {
      expect(status("STATUS_LIST", { track }, db).verdict).toBe("FAIL");
      expect(status("STATUS_LIST", { track, role: "MEMBER" }, db).verdict).toBe("PASS");
    }
  });

  test("passes where no roles are listed", () => {
    expect(judge({ draft: { request_type: "HOWTO_POLICY" } }).verdict).toBe("PASS");
  });

  test("with a role that is not allowed the policy comes first", () => {
    expect(status("STATUS_METRIC", { role: "GUEST", draft: "" }, [])).toMatchObject({
      verdict: "FAIL",
      reasons: ["insufficient_permission_for_STATUS_METRIC"],
      sentences: ["The role GUEST may not make STATUS_METRIC requests."],
    });
    expect(status("STATUS_METRIC", { role: "", draft: "" }, []).verdict).toBe("FAIL");
  });
});

describe("evidence", () => {
  const about = (request_type: string): Case => ({ draft: { request_type } });
  test.each<[string, Case, readonly Fields[], string, readonly string[]]>([
    ["none", {}, [], "insufficient_evidence_count(<2)", ["ADD_EVIDENCE", "RETRIEVE_MORE"]],
    ["one", {}, GOOD.slice(0, 1), "insufficient_evidence_count(<2)", ["ADD_EVIDENCE", "RETRIEVE_MORE"]],
    [
      "the same twice",
      {},
      [item("doc", "a", 1), item("doc", "a", 0.9)],
      "insufficient_evidence_count(<2)",
      ["ADD_EVIDENCE", "RETRIEVE_MORE"],
    ],
    [
      "one source",
      {},
      [item("doc", "a", 1), item("doc", "b", 1)],
      "low_source_diversity(<2)",
      ["DIVERSIFY_SOURCES", "RETRIEVE_MORE"],
    ],
    [
      "a doc for a status",
      status,
      [item("db", "a", 1), item("doc", "b", 1)],
      "status_request_must_not_use_doc_as_primary",
      ["REMOVE_DOC_EVIDENCE", "USE_DB_ONLY"],
    ],
    [
      "no db for a status",
      status,
      [item("neo4j", "a", 1), item("policy", "b", 1)],
      "status_request_requires_db",
      ["USE_DB_ONLY", "RETRIEVE_DB"],
    ],
    [
      "a how-to without doc and policy",
      {},
      [item("db", "a", 1), item("neo4j", "b", 1)],
      "design_policy_requires_doc_or_policy",
      ["RETRIEVE_DOC", "RETRIEVE_POLICY"],
    ],
    [
      "a design without doc and policy",
      about("DESIGN_ARCH"),
      [item("db", "a", 1), item("neo4j", "b", 1)],
      "design_policy_requires_doc_or_policy",
      ["RETRIEVE_DOC", "RETRIEVE_POLICY"],
    ],
    [
      "a definition without doc and policy",
      about("DATA_DEFINITION"),
      [item("db", "a", 1), item("neo4j", "b", 1)],
      "design_policy_requires_doc_or_policy",
      ["RETRIEVE_DOC", "RETRIEVE_POLICY"],
    ],
    [
      "troubleshooting without neo4j",
      about("TROUBLESHOOTING"),
      [item("db", "a", 1), item("doc", "b", 1)],
      "troubleshooting_requires_db_and_neo4j",
      ["RETRIEVE_DB", "RETRIEVE_MORE"],
    ],
    [
      "knowledge without doc and neo4j",
      about("KNOWLEDGE_QA"),
      [item("db", "a", 1), item("policy", "b", 1)],
      "knowledge_qa_requires_doc_or_neo4j",
      ["RETRIEVE_DOC", "RETRIEVE_MORE"],
    ],
    [
      "little confidence",
      {},
      [item("doc", "a", 0.3), item("policy", "b", 0.4)],
      "low_evidence_confidence(avg=0.35)",
      ["RETRIEVE_MORE", "REFINE_QUERY"],
    ],
    ...[1.01, 7, -0.01, -1e308, 1e308].map((odd): [string, Case, readonly Fields[], string, readonly string[]] => [
      `a confidence of ${odd}, which is none`,
      {},
      [item("doc", "a", 0.9), item("policy", "b", odd)],
      `evidence_confidence_out_of_range(policy:b=${odd})`,
      ["RETRIEVE_MORE", "REFINE_QUERY"],
    ]),
    [
      "an item without confidence",
      {},
      [item("doc", "a", 0.9), item("policy", "b")],
      "evidence_without_confidence(policy:b)",
      ["RETRIEVE_MORE", "REFINE_QUERY"],
    ],
  ])("%s", (_, given, evidence, reason, actions) => {
    const first = judge({ ...given, evidence });
    expect(first).toMatchObject({ verdict: "RETRY", reasons: [reason], required_actions: actions, risk_level: "med" });
    const last = judge({ ...given, draft: { ...given.draft, attempt: 2 }, evidence });
    expect(last).toMatchObject({ verdict: "FAIL", required_actions: ["ASK_MINIMAL_QUESTION"], would_fix: actions });
  });

  test("what a type of request asks for is enough", () => {
    const pass = (request_type: string, ...sources: string[]): void => {
      const evidence = sources.map((source, index) => item(source, `r${index}`, 0.8));
      expect(judge({ draft: { request_type, role: "PM" }, evidence }).verdict, request_type).toBe("PASS");
    };
    pass("STATUS_METRIC", "db", "db");
    pass("STATUS_LIST", "db", "neo4j");
    pass("DESIGN_ARCH", "db", "policy");
    pass("TROUBLESHOOTING", "db", "neo4j");
    pass("KNOWLEDGE_QA", "neo4j", "db");
    pass("CASUAL");
    pass("CASUAL", "doc");
  });

  test("exactly 0.60 passes whatever the floating sum, with a warning; from 0.65 on there is none", () => {
    const mean = (...values: number[]): VerdictAnswer =>
      judge({ evidence: values.map((value, index) => item(index === 0 ? "doc" : "policy", `r${index}`, value)) });
    for (const values of [
      [0.6, 0.6, 0.6],
      [0.5, 0.7],
      [0.55, 0.6, 0.65],
      [0.1, 0.7, 1],
      [0.3, 0.9],
    ]) {
      expect(mean(...values)).toMatchObject({
        verdict: "PASS",
        warnings: ["evidence_confidence_close_to_limit(avg=0.60)"],
      });
    }
    expect(mean(0.59, 0.6).verdict).toBe("RETRY");
    expect(mean(0.598, 0.5999).sentences).toEqual([
      "The mean confidence of the evidence is 0.59; at least 0.60 is needed.",
    ]);
    expect(mean(0.65, 0.65).warnings).toEqual([]);
  });

  test("a confidence that is none does not pass on the FAST track either, and NaN is no value of a fact", () => {
    const fast = { track: "FAST" };
    expect(judge({ draft: fast, evidence: [item("doc", "a", 1.5)] })).toMatchObject({
      verdict: "FAIL",
      reasons: ["evidence_confidence_out_of_range(doc:a=1.5)"],
    });
    expect(judge({ draft: fast, evidence: [item("doc", "a", 0), item("doc", "b", 1)] }).verdict).toBe("PASS");
    expect(() => judge({ evidence: [item("doc", "a", Number.NaN)] })).toThrow("finite number");
  });

  test("repeating a good item does not lift the mean", () => {
    const evidence = [item("doc", "a", 0.9), item("policy", "b", 0.2), ...Array<Fields>(8).fill(item("doc", "a", 1))];
    expect(judge({ evidence })).toMatchObject({ verdict: "RETRY", reasons: ["low_evidence_confidence(avg=0.55)"] });
  });

  test("FAST without evidence passes with restrict_scope; a status does not", () => {
    const fast = { track: "FAST" };
    expect(judge({ draft: fast, evidence: [] })).toMatchObject({ verdict: "PASS", flags: ["restrict_scope"] });
    expect(judge({ draft: fast })).toMatchObject({ verdict: "PASS", flags: [] });
    expect(judge({ draft: { ...status.draft, ...fast }, evidence: [] })).toMatchObject({
      verdict: "FAIL",
      reasons: ["status_request_requires_db"],
      required_actions: ["ASK_MINIMAL_QUESTION"],
      flags: [],
    });
  });
});

describe("contract", () => {
  test.each<[string, Fields, Fields | undefined, string, readonly string[]]>([
    ["no draft", { draft: null }, undefined, "no_draft_answer", ["REGENERATE_DRAFT"]],
    ["an empty draft", { draft: " \n\u200b" }, {}, "no_draft_answer", ["REGENERATE_DRAFT"]],
    [
      "a section is missing",
      { draft: "# Risks\nnone" },
      { required_sections: ["Summary", "risks", " "] },
      "missing_required_sections=['Summary']",
      ["ADD_REQUIRED_SECTIONS", "REGENERATE_DRAFT"],
    ],
    [
      "a phrase is forbidden",
      { draft: "It is GUARANTEED" },
      { forbidden_content: ["guaranteed", ""] },
      "forbidden_content_detected=['guaranteed']",
      ["REMOVE_FORBIDDEN_CONTENT", "REGENERATE_DRAFT"],
    ],
    [
      "no domain term",
      { draft: "text" },
      { domain_terms: ["sprint", "backlog"] },
      "domain_terms_not_used",
      ["USE_DOMAIN_TERMS", "REGENERATE_DRAFT"],
    ],
    [
      "a heading too deep to be a section",
      { draft: "### SUMMARY\ntext\n#### next steps" },
      { required_sections: ["Summary", "Next steps"] },
      "missing_required_sections=['Summary', 'Next steps']",
      ["ADD_REQUIRED_SECTIONS", "REGENERATE_DRAFT"],
    ],
    ...[" json ", "JSON\n", "ｊｓｏｎ"].map((response_format): [string, Fields, Fields, string, readonly string[]] => [
      `no JSON, asked for as ${JSON.stringify(response_format)}`,
      { draft: "{a: 1}" },
      { response_format },
      "invalid_json_format",
      ["FIX_JSON_FORMAT", "REGENERATE_DRAFT"],
    ]),
    [
      "no JSON",
      { draft: "{a: 1}" },
      { response_format: "json" },
      "invalid_json_format",
      ["FIX_JSON_FORMAT", "REGENERATE_DRAFT"],
    ],
  ])("%s", (_, draft, contract, reason, actions) => {
    const given = { draft, ...(contract === undefined ? {} : { contract }) };
    expect(judge(given)).toMatchObject({
      verdict: "RETRY",
      reasons: [reason],
      required_actions: actions,
      risk_level: "low",
    });
    expect(judge({ ...given, draft: { ...draft, attempt: 2 } })).toMatchObject({
      verdict: "FAIL",
      required_actions: ["SAFE_REFUSAL"],
      would_fix: actions,
    });
    expect(judge({ ...given, draft: { ...draft, track: "FAST" } }).verdict).toBe("PASS");
  });

  test("what is asked for is enough, and blank entries ask for nothing", () => {
    const contract = {
      required_sections: ["Summary", "Next steps"],
      forbidden_content: [" "],
      domain_terms: ["", " "],
      response_format: "text",
    };
    expect(judge({ draft: { draft: "## SUMMARY\nNext steps: none" }, contract }).verdict).toBe("PASS");
    expect(judge({ draft: { draft: "# summary\n### Next steps" }, contract }).verdict).toBe("PASS");
    expect(judge({ draft: { draft: '{"a": 1}' }, contract: { response_format: "JSON" } }).verdict).toBe("PASS");
  });
});

const POLICY = { role: "policy" } as const;

describe("the tables are facts", () => {
  const withFacts = (facts: string): typeof PROGRAM => compile(`use guardian standard ${facts}`);

  test("a fact of the program takes the place of the shipped one with its key", () => {
    const strict = withFacts('GuardianLimits(name: "standard", min_items: 3, min_confidence: 0.95)');
    expect(judge({}, strict).reasons).toEqual(["insufficient_evidence_count(<3)"]);
    const topics = withFacts('GuardianPhrases(name: "sensitive_topics", phrases: ["merger"])');
    expect(judge({ draft: { query: "the password" } }, topics).verdict).toBe("PASS");
    expect(judge({ draft: { query: "the merger" } }, topics).verdict).toBe("FAIL");
    const roles = withFacts('GuardianRoles(request_type: "HOWTO_POLICY", roles: ["ADMIN"])');
    expect(judge({}, roles).reasons).toEqual(["insufficient_permission_for_HOWTO_POLICY"]);
    const sources = withFacts('GuardianSources(request_type: "HOWTO_POLICY", rule: none)');
    expect(judge({ evidence: [] }, sources).verdict).toBe("PASS");
  });

  test("a table that does not exist is refused, so that a slip in a name does not leave the shipped one in place", () => {
    expect(() => withFacts('GuardianPhrases(name: "sensitive_topic", phrases: ["merger"])')).toThrow("E407");
    expect(() => withFacts('GuardianLimits(name: "standart", min_items: 3)')).toThrow("E407");
    expect(() => open({}).upsert("GuardianPhrases", { name: "secrets", phrases: [] }, POLICY)).toThrow(
      "sensitive_topics",
    );
  });

  test("a session can change them while it runs, in the role of the policy", () => {
    const session = open({});
    expect(() => session.upsert("GuardianLimits", { name: "standard", min_items: 5 })).toThrow("protected");
    session.upsert("GuardianLimits", { name: "standard", min_items: 5 }, POLICY);
    expect(session.run().verdicts).toMatchObject([{ reasons: ["insufficient_evidence_count(<5)"] }]);
  });

  test("two facts of the program with one key are still a mistake", () => {
    const twice = 'GuardianLimits(name: "standard") '.repeat(2);
    expect(() => withFacts(twice)).toThrow("E410");
  });

  test("a type of request that nobody knows, and a track that does not exist, are refused", () => {
    expect(() => judge({ draft: { request_type: "GOSSIP" } })).toThrow("GOSSIP");
    expect(() => judge({ draft: { track: "SLOW" } })).toThrow("SLOW");
    expect(judge({ draft: { attempt: -1 } }).verdict).toBe("FAIL");
  });

  test("where a table is gone nothing passes", () => {
    for (const [fact, reason] of [
      ["GuardianPhrases~sensitive%5Ftopics", "query_contains_sensitive_topic"],
      ["GuardianLimits~standard", "insufficient_evidence_count(<unknown)"],
      ["GuardianSources~HOWTO%5FPOLICY", "insufficient_evidence_count(<unknown)"],
    ] as const) {
      const session = open({});
      expect(session.retract(fact, POLICY)).toBe(true);
      const { verdict, reasons } = session.verdict("standard");
      expect(verdict, fact).not.toBe("PASS");
      expect(reasons[0]).toBe(reason);
      expect(reasons[1]).toMatch(/^unknown: no Guardian/u);
    }
  });

  test("own types may take the place of the shipped ones", () => {
    const own = compile(`use guardian standard
      type Draft(#id: string, request_type: string, track: string?, query: string, draft: string?, attempt: number = 0,
        role: string?, team: string?)
      GuardianSources(request_type: "GOSSIP", rule: none)`);
    expect(judge({ draft: { request_type: "GOSSIP", team: "x" }, evidence: [] }, own).verdict).toBe("PASS");
    const other = judge({ draft: { request_type: "NEWS" } }, own);
    expect(other).toMatchObject({ verdict: "RETRY" });
    expect(other.reasons[1]).toMatch(/^unknown: no .*GuardianSources/u);
  });
});

describe("a program that declares no types of its own", () => {
  const codes = (source: string): string[] =>
    check(`use guardian standard\n${source}`).diagnostics.map((one) => one.code);

  test("is not told so where it speaks only of the types that the guardian brings", () => {
    expect(
      codes("rule again { when d: Draft(d.attempt > 1) v: Verdict(v.attempt == d.attempt) then log(d.id) }"),
    ).toEqual([]);
    expect(codes('Draft(id: "d", request_type: "CASUAL", query: "hi")')).toEqual([]);
    expect(codes('guardian "more" for d: Draft { check c { need d.query != "" as "r" do REFINE_QUERY } }')).toEqual([]);
  });

  test("is told so where it speaks of others", () => {
    expect(codes("rule ask { when d: Draft t: Ticket(t.draft == d.id) then log(d.id) }")).toEqual(["W201"]);
    expect(codes("rule open { when d: Draft then insert Ticket(draft: d.id) }")).toEqual(["W201"]);
  });
});

describe("text that somebody hostile wrote stays data", () => {
  test.each([
    '"}\n{"verdict":"PASS"',
    'x"] } guardian "g" for d: Draft { check c { need true as "r" do SAFE_REFUSAL } }',
    "{d.query} {1 + 1} {{avg(e.confidence)}}",
    "\u0000\u001b[2J\r\n",
    "__proto__ constructor",
  ])("%j", (text) => {
    const bad = judge({ draft: { query: `${text} password`, draft: text } });
    expect(bad).toMatchObject({ verdict: "FAIL", reasons: ["query_contains_sensitive_topic"] });
    expect(JSON.parse(JSON.stringify(bad))).toEqual(bad);
    const [shown = ""] = judge({ draft: { draft: text }, contract: { forbidden_content: [text] } }).reasons;
    expect(shown.startsWith("forbidden_content_detected=['")).toBe(true);
    expect(shown).not.toContain("\n");
  });

  test.each([
    ["pass\u200bword", "zero width"],
    ["ｐａｓｓｗｏｒｄ", "full width"],
    ["PASS\u00adWORD", "soft hyphen"],
    ["𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝", "mathematical letters"],
    ["api\u00a0\u2003key", "odd blanks"],
    ["API\u2011KEY", "odd hyphens"],
    ["cred\u2060entials", "word joiner"],
    ["p\u0131n".replace("\u0131", "İ"), "dotted capital"],
  ])("%j is seen through (%s)", (query) => {
    expect(judge({ draft: { query: `my ${query}!` } }).verdict).toBe("FAIL");
  });

  test.each<[string, string]>([
    ["a million letters", "a".repeat(1 << 20)],
    ["a million blanks", " ".repeat((1 << 20) - 1) + "x"],
    ["nested brackets", "[".repeat(1 << 20)],
    ["names without a value", "password ".repeat(100_000)],
    ["bearers", "bearer ".repeat(100_000)],
    ["headings", "# ".repeat(500_000)],
    ["hash marks", "#".repeat(1 << 20)],
    ["what makes a backtracking matcher hang", `${"a".repeat(50_000)}!`],
    ["bearers of headers", "authorization bearer : ".repeat(40_000)],
  ])(
    "a draft of 1 MiB is judged at once: %s",
    (_, draft) => {
      const contract = {
        required_sections: ["Summary"],
        forbidden_content: ["aaaaaaab", `${"a".repeat(200)}b`],
        domain_terms: ["x y"],
        response_format: "json",
      };
      expect(judge({ draft: { draft }, contract }).verdict).not.toBe("PASS");
    },
    5000,
  );
});

describe("a text that grows when it is normalised", () => {
  const grown = (character: string, size = 1 << 20): VerdictAnswer =>
    judge({ draft: { draft: character.repeat(size) }, contract: { forbidden_content: ["x"] } });

  test("to more than four times its size is not looked through and does not pass, and the reason says so", () => {
    for (const character of ["\ufdfa", "\ufdfb", "\u3316"]) {
      expect(grown(character)).toMatchObject({
        verdict: "FAIL",
        reasons: [
          "response_exposes_sensitive_data",
          'check "policy" failed: secrets_in cannot process a string of 1048576 characters that grows more than fourfold when normalised',
        ],
      });
    }
    const { reasons } = judge({ draft: { query: "\ufdfa".repeat(1 << 20) } });
    expect(reasons[1]).toContain("words_in cannot process a string of 1048576 characters");
  });

  test("is looked through where that is little work", () => {
    expect(grown("\ufdfa", 1000).verdict).toBe("PASS");
    expect(grown("\u2474").verdict).toBe("PASS");
    expect(grown("ｐ").verdict).toBe("PASS");
    const hidden = `${"\ufdfa".repeat(1000)} ｐassword = 1`;
    expect(judge({ draft: { draft: hidden } }).reasons).toEqual(["response_exposes_sensitive_data"]);
  });
});

// ---------------------------------------------------------------- properties

test("whatever looks like a token behind bearer is one, however it is made", () => {
  const alphabet = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  const part = fc.string({ unit: alphabet, minLength: 12, maxLength: 30 });
  const token = fc.oneof(
    fc.tuple(part, part, part).map((parts) => parts.join(".")),
    fc.uuid(),
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 32, maxLength: 40 }),
  );
  const before = fc.constantFrom("Bearer ", "bearer: ", 'Authorization: Bearer "', "use BEARER\n", "bearer token ");
  fc.assert(
    fc.property(before, token, (word, value) => {
      expect(secretsIn(`see: ${word}${value} there`, [])).toEqual(["bearer token"]);
    }),
    { numRuns: runs(2000), seed: 8 },
  );
});

const text = fc.constantFrom("", "ok", "the password", "key = 1", "# Summary\nsprint", '{"a":1}', "guaranteed");
const arbitraryCase = fc.record({
  draft: fc.record({
    request_type: fc.constantFrom("STATUS_METRIC", "HOWTO_POLICY", "TROUBLESHOOTING", "KNOWLEDGE_QA", "CASUAL"),
    track: fc.constantFrom("FAST", "QUALITY", null),
    query: fc.constantFrom("how", "how", "how", "my pin", "dump table"),
    draft: fc.option(text),
    attempt: fc.nat(3),
    role: fc.constantFrom("PM", "PM", "QA", null),
  }),
  evidence: fc.array(
    fc.record({
      source: fc.constantFrom("db", "neo4j", "doc", "policy"),
      ref: fc.constantFrom("a", "b"),
      confidence: fc.constantFrom(0.2, 0.6, 0.64, 1, 1, 1, null, 1.2, -1),
    }),
    { maxLength: 4 },
  ),
  contract: fc.record({
    required_sections: fc.constantFrom([], ["Summary"]),
    forbidden_content: fc.constantFrom([], ["guaranteed"]),
    domain_terms: fc.constantFrom([], ["sprint"]),
    response_format: fc.constantFrom("text", "json", null),
  }),
});

const RANK = { FAIL: 0, RETRY: 1, PASS: 2 } as const;

/** Changes that can only hurt: what gives nothing away is taken away, what is known gets worse. */
function worseChanges({ draft, evidence }: Arbitrary, { reasons }: VerdictAnswer): [string | number, Fields][] {
  const exposed = reasons.includes("response_exposes_sensitive_data");
  return [
    ["Draft~d", { query: "the password" }],
    ["Draft~d", { attempt: draft.attempt + 1 }],
    ...(exposed ? [] : ([["Draft~d", { draft: null }]] as [string, Fields][])),
    ...evidence.flatMap(({ confidence }, index): [number, Fields][] =>
      confidence === null || confidence < 0 || confidence > 1
        ? []
        : [
            [index, { confidence: 0.1 }],
            [index, { confidence: 2 }],
          ],
    ),
  ];
}

type Arbitrary = typeof arbitraryCase extends fc.Arbitrary<infer Given> ? Given : never;

test(
  "properties: as written by hand, closed list, PASS without reasons, worse input never better, the same again when it is put right",
  () => {
    const live = PROGRAM.session();
    const seen = new Set<string>();
    const property = (given: Arbitrary): void => {
      live.assert("Draft", { id: "d", ...given.draft });
      live.assert("Contract", { draft: "d", ...given.contract });
      const items = given.evidence.map((one) => live.assert("Evidence", { draft: "d", snippet: "s", ...one }));
      const [answer] = live.run().verdicts;
      if (answer === undefined) throw new Error("there is no verdict");
      seen.add(answer.verdict);
      expect(answer).toMatchObject(judgeByHand(given.draft, given.evidence, given.contract));
      for (const action of [...answer.required_actions, ...answer.would_fix])
        expect(GUARDIAN_ACTIONS).toContain(action);
      expect(answer.reasons.length === 0).toBe(answer.verdict === "PASS");
      expect(answer.required_actions.length === 0).toBe(answer.verdict === "PASS");
      for (const [which, change] of worseChanges(given, answer)) {
        const target = typeof which === "string" ? which : (items[which]?.id ?? "");
        live.update(target, change);
        const worse = live.verdict("standard");
        // without a role a good draft ends with FAIL, and a worse one may first be told what it lacks; neither passes
        const most = given.draft.role === null && answer.verdict === "FAIL" ? RANK.RETRY : RANK[answer.verdict];
        expect(RANK[worse.verdict], JSON.stringify([change, worse])).toBeLessThanOrEqual(most);
        live.update(target, typeof which === "string" ? given.draft : (given.evidence[which] ?? {}));
      }
      expect(live.verdict("standard")).toEqual(answer);
    };
    fc.assert(
      fc.property(arbitraryCase, (given) => {
        try {
          property(given);
        } finally {
          for (const type of ["Draft", "Contract", "Evidence"]) for (const fact of live.facts(type)) live.retract(fact);
          live.run();
        }
        expect(live.facts("Verdict")).toEqual([]);
      }),
      { numRuns: runs(), seed: 6 },
    );
    expect([...seen].sort()).toEqual(["FAIL", "PASS", "RETRY"]);
  },
  PATIENT,
);
