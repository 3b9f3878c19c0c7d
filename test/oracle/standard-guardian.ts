/**
 * The standard guardian as one would write it by hand in TypeScript, from the tables alone: plain loops and regular
 * expressions, no engine. The second opinion of the tests, and what the benchmark compares with.
 */
export interface HandDraft {
  readonly request_type: string;
  readonly track?: string | null;
  readonly query: string;
  readonly draft?: string | null;
  readonly attempt: number;
  readonly role?: string | null;
}

export interface HandEvidence {
  readonly source: string;
  readonly ref: string;
  readonly confidence?: number | null;
}

export interface HandContract {
  readonly required_sections: readonly string[];
  readonly forbidden_content: readonly string[];
  readonly domain_terms: readonly string[];
  readonly response_format?: string | null;
}

export interface HandVerdict {
  readonly verdict: "PASS" | "RETRY" | "FAIL";
  readonly reasons: readonly string[];
  readonly sentences: readonly string[];
  readonly required_actions: readonly string[];
  readonly would_fix: readonly string[];
  readonly risk_level: "high" | "med" | "low";
}

type Failure = readonly [reason: string, says: string, ...actions: string[]];

const TOPICS =
  /(?<![\p{L}\p{N}])(?:password|api key|secret key|access token|private key|credentials|ssn|credit card|pin)(?![\p{L}\p{N}])/u;
const BULK =
  /(?<![\p{L}\p{N}])(?:select \* from|show all users|list all passwords|dump database|dump table|export all data)(?![\p{L}\p{N}])/u;
const SECRET = /(?<![\p{L}\p{N}])(?:password|secret|key)["'`* ]{0,4}[=:][=:> "'`*]{0,8}[^=:> "'`*]/u;
const BEARER =
  /(?<![\p{L}\p{N}])bearer(?: token)?["'`* ]*(?:[:=]["'`* ]*[a-z0-9]|(?=[a-z.~+/= ]*\d)[a-z0-9.~+/=]{4}|[a-z.~+/=]{20})/u;
const LEADERS = ["PM", "PMO_HEAD", "SPONSOR", "ADMIN"];
const ROLES: Readonly<Record<string, readonly string[]>> = {
  STATUS_METRIC: LEADERS,
  STATUS_SUMMARY: [...LEADERS, "DEVELOPER", "QA"],
  STATUS_LIST: [...LEADERS, "DEVELOPER", "QA", "MEMBER"],
};

export function judgeByHand(draft: HandDraft, evidence: readonly HandEvidence[], contract?: HandContract): HandVerdict {
  const quality = (draft.track ?? "QUALITY") === "QUALITY";
  const text = draft.draft ?? "";
  const plain = simplified(text);
  const policy = policyFailure(draft, plain);
  if (policy !== undefined) return verdict("FAIL", policy, "high");
  const retries = quality && draft.attempt < 2;
  const weak = evidenceFailure(draft.request_type, quality, evidence);
  if (weak !== undefined)
    return retries ? verdict("RETRY", weak, "med") : verdict("FAIL", weak, "med", "ASK_MINIMAL_QUESTION");
  const broken = quality ? contractFailure(text, plain, contract) : undefined;
  if (broken !== undefined)
    return retries ? verdict("RETRY", broken, "low") : verdict("FAIL", broken, "low", "SAFE_REFUSAL");
  if (isMissing(draft.role) && ROLES[draft.request_type] !== undefined)
    return verdict("FAIL", withoutRole(draft.request_type), "high");
  const sentences = quality ? closeToLimit(evidence) : evidence.length === 0 ? [NARROW] : [];
  return { verdict: "PASS", reasons: [], sentences, required_actions: [], would_fix: [], risk_level: "low" };
}

function verdict(
  name: HandVerdict["verdict"],
  [reason, says, ...actions]: Failure,
  risk_level: HandVerdict["risk_level"],
  exit?: string,
): HandVerdict {
  const required_actions = exit === undefined ? actions : [exit];
  return {
    verdict: name,
    reasons: [reason],
    sentences: [says],
    required_actions,
    would_fix: exit === undefined ? [] : actions,
    risk_level,
  };
}

function policyFailure({ query, request_type, role }: HandDraft, draft: string): Failure | undefined {
  const asked = simplified(query);
  if (TOPICS.test(asked)) {
    const says = `The query asks about a sensitive topic: ${found(asked, TOPICS)}.`;
    return ["query_contains_sensitive_topic", says, "SAFE_REFUSAL", "REQUEST_PERMISSION"];
  }
  if (BULK.test(asked)) {
    const says = `The query asks for data in bulk: ${found(asked, BULK)}.`;
    return ["query_requests_bulk_data_exposure", says, "DENY_ACCESS", "SAFE_REFUSAL"];
  }
  if (SECRET.test(draft) || BEARER.test(draft)) {
    const names = ["password", "secret", "key"].filter((name) => SECRET.test(draft.replaceAll(otherThan(name), "-")));
    const says = `The draft shows the value of a secret: ${listed([...names, ...(BEARER.test(draft) ? ["bearer token"] : [])])}.`;
    return ["response_exposes_sensitive_data", says, "REDACT_SENSITIVE", "SAFE_REFUSAL"];
  }
  const allowed = ROLES[request_type];
  if (allowed === undefined || isMissing(role) || allowed.includes(role)) return undefined;
  return notAllowed(request_type, `The role ${role} may not make ${request_type} requests.`);
}

/** A missing role is judged last: until then the draft is told what else it lacks. */
function isMissing(role: string | null | undefined): role is null | undefined {
  return role === undefined || role === null;
}

function withoutRole(type: string): Failure {
  return notAllowed(type, `A ${type} request needs a role, and the draft has none.`);
}

function notAllowed(type: string, says: string): Failure {
  return [`insufficient_permission_for_${type}`, says, "DENY_ACCESS", "REQUEST_PERMISSION"];
}

/** The phrases of an expression that are in a text, in the order of the expression. */
function found(text: string, phrases: RegExp): string {
  const all = /\(\?:(?<all>[^)]*)\)/u.exec(phrases.source)?.groups?.["all"]?.split("|") ?? [];
  const one = (phrase: string): RegExp => new RegExp(phrases.source.replace(all.join("|"), phrase), "u");
  return listed(all.filter((phrase) => one(phrase).test(text)).map((phrase) => phrase.replaceAll("\\", "")));
}

function otherThan(name: string): RegExp {
  return new RegExp(["password", "secret", "key"].filter((one) => one !== name).join("|"), "gu");
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
function listed(items: readonly string[]): string {
  const quoted = items.map((one) => JSON.stringify(one));
  const last = quoted.pop() ?? "nothing";
  return quoted.length === 0 ? last : `${quoted.join(", ")} and ${last}`;
}

function evidenceFailure(type: string, quality: boolean, evidence: readonly HandEvidence[]): Failure | undefined {
  const distinct = lowest(evidence);
  const sources = new Set(evidence.map(({ source }) => source));
  const casual = type === "CASUAL";
  const status = type.startsWith("STATUS_");
  if (quality && !casual && distinct.size < 2)
    return [
      "insufficient_evidence_count(<2)",
      `At least 2 pieces of evidence are needed; this draft has ${distinct.size}.`,
      "ADD_EVIDENCE",
      "RETRIEVE_MORE",
    ];
  const origin = listed([...sources]);
  if (quality && !casual && !status && sources.size < 2)
    return [
      "low_source_diversity(<2)",
      `At least 2 different sources are needed; the evidence comes from ${origin} alone.`,
      "DIVERSIFY_SOURCES",
      "RETRIEVE_MORE",
    ];
  if (status && sources.has("doc"))
    return [
      "status_request_must_not_use_doc_as_primary",
      `A status request must not rest on documents; the evidence comes from ${origin}.`,
      "REMOVE_DOC_EVIDENCE",
      "USE_DB_ONLY",
    ];
  if (status && !sources.has("db"))
    return [
      "status_request_requires_db",
      "A status request needs evidence from the database; there is none.",
      "USE_DB_ONLY",
      "RETRIEVE_DB",
    ];
  const missing = quality ? missingSources(type, sources, origin) : undefined;
  if (missing !== undefined) return missing;
  const odd = evidence.find(
    ({ confidence }) => typeof confidence === "number" && !(confidence >= 0 && confidence <= 1),
  );
  if (odd !== undefined)
    return [
      `evidence_confidence_out_of_range(${odd.source}:${odd.ref}=${odd.confidence})`,
      `The confidence of the evidence ${odd.source}:${odd.ref} is ${odd.confidence}; it must be from 0 to 1.`,
      "RETRIEVE_MORE",
      "REFINE_QUERY",
    ];
  const average = meanConfidence(distinct);
  if (quality && Math.round(average * 1e9) < 6e8)
    return [
      `low_evidence_confidence(avg=${twoDecimals(average)})`,
      `The mean confidence of the evidence is ${roundedDown(average)}; at least 0.60 is needed.`,
      "RETRIEVE_MORE",
      "REFINE_QUERY",
    ];
  const unsure = evidence.find(({ confidence }) => confidence === null || confidence === undefined);
  if (unsure === undefined) return undefined;
  return [
    `evidence_without_confidence(${unsure.source}:${unsure.ref})`,
    `The evidence ${unsure.source}:${unsure.ref} has no confidence.`,
    "RETRIEVE_MORE",
    "REFINE_QUERY",
  ];
}

const NARROW = "There is no evidence, so keep the answer to a narrow scope.";

function closeToLimit(evidence: readonly HandEvidence[]): string[] {
  const average = meanConfidence(lowest(evidence));
  if (!(average < 0.65)) return [];
  return [`The mean confidence of the evidence is ${twoDecimals(average)}, close to the limit of 0.60.`];
}

/** The lowest confidence of each source and ref. */
function lowest(evidence: readonly HandEvidence[]): Map<string, number> {
  const distinct = new Map<string, number>();
  for (const { source, ref, confidence } of evidence) {
    const key = `${source} ${ref}`;
    distinct.set(key, Math.min(confidence ?? Infinity, distinct.get(key) ?? Infinity));
  }
  return distinct;
}

function meanConfidence(distinct: ReadonlyMap<string, number>): number {
  const { sum, count } = [...distinct.values()].filter(Number.isFinite).reduce(meanOf, { sum: 0, count: 0 });
  return sum / count;
}

/** Two decimals, the rest cut off: what fails does not read as what is needed. */
function roundedDown(number: number): string {
  return (Math.floor(Math.round(number * 1e9) / 1e7) / 100).toFixed(2);
}

/** Two decimals of the number as it is shown; a half goes up. Confidences are from 0 to 1. */
function twoDecimals(number: number): string {
  const [whole = "0", decimals = ""] = number < 1e-6 ? ["0"] : String(number).split(".");
  const hundredths =
    Number(whole) * 100 + Number(decimals.padEnd(2, "0").slice(0, 2)) + (Number(decimals[2] ?? 0) >= 5 ? 1 : 0);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
}

interface Mean {
  readonly sum: number;
  readonly count: number;
}

function meanOf({ sum, count }: Mean, one: number): Mean {
  return { sum: sum + one, count: count + 1 };
}

function missingSources(type: string, sources: ReadonlySet<string>, origin: string): Failure | undefined {
  const needs = `A ${type} request needs evidence from`;
  switch (type) {
    case "HOWTO_POLICY":
    case "DATA_DEFINITION":
    case "DESIGN_ARCH":
      if (sources.has("doc") || sources.has("policy")) return undefined;
      return [
        "design_policy_requires_doc_or_policy",
        `${needs} documents or policies; there is none.`,
        "RETRIEVE_DOC",
        "RETRIEVE_POLICY",
      ];
    case "TROUBLESHOOTING":
      if (sources.has("db") && sources.has("neo4j")) return undefined;
      return [
        "troubleshooting_requires_db_and_neo4j",
        `${needs} both db and neo4j; it comes from ${origin}.`,
        "RETRIEVE_DB",
        "RETRIEVE_MORE",
      ];
    case "KNOWLEDGE_QA":
      if (sources.has("doc") || sources.has("neo4j")) return undefined;
      return [
        "knowledge_qa_requires_doc_or_neo4j",
        `${needs} documents or neo4j; there is none.`,
        "RETRIEVE_DOC",
        "RETRIEVE_MORE",
      ];
    default:
      return undefined;
  }
}

function contractFailure(text: string, plain: string, contract: HandContract | undefined): Failure | undefined {
  if (plain.trim() === "") return ["no_draft_answer", "The draft has no text.", "REGENERATE_DRAFT"];
  if (contract === undefined) return undefined;
  const headings = text
    .split("\n")
    .filter((line) => /^##?[ \t]/u.test(line))
    .map((line) => simplified(line.replace(/^#+/u, "")).trim());
  const written = (list: readonly string[]): string[] => list.filter((one) => one.trim() !== "");
  const sections = written(contract.required_sections).filter(
    (one) => !text.includes(one.trim()) && !headings.includes(simplified(one).trim()),
  );
  if (sections.length > 0)
    return [
      `missing_required_sections=[${sections.map((one) => `'${one}'`).join(", ")}]`,
      `The draft lacks required sections: ${listed(sections)}.`,
      "ADD_REQUIRED_SECTIONS",
      "REGENERATE_DRAFT",
    ];
  const forbidden = written(contract.forbidden_content).filter((one) => plain.includes(simplified(one).trim()));
  if (forbidden.length > 0)
    return [
      `forbidden_content_detected=[${forbidden.map((one) => `'${one}'`).join(", ")}]`,
      `The draft has forbidden content: ${listed(forbidden)}.`,
      "REMOVE_FORBIDDEN_CONTENT",
      "REGENERATE_DRAFT",
    ];
  const terms = written(contract.domain_terms);
  if (terms.length > 0 && !terms.some((one) => plain.includes(simplified(one).trim())))
    return [
      "domain_terms_not_used",
      `The draft uses none of the domain terms: ${listed(terms)}.`,
      "USE_DOMAIN_TERMS",
      "REGENERATE_DRAFT",
    ];
  if (contract.response_format?.trim().toLowerCase() !== "json") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return ["invalid_json_format", "The draft must be JSON, and is not.", "FIX_JSON_FORMAT", "REGENERATE_DRAFT"];
  }
}

/** Compatibility forms without marks, unseen characters, case, and runs of blanks, hyphens and underscores. */
function simplified(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\u0300-\u036f\u2800\ufffc]/gu, "")
    .toLowerCase()
    .replace(/[\s_\p{Pd}]+/gu, " ");
}
