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
  readonly required_actions: readonly string[];
  readonly would_fix: readonly string[];
  readonly risk_level: "high" | "med" | "low";
}

type Failure = readonly [reason: string, ...actions: string[]];

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
  return { verdict: "PASS", reasons: [], required_actions: [], would_fix: [], risk_level: "low" };
}

function verdict(
  name: HandVerdict["verdict"],
  [reason, ...actions]: Failure,
  risk_level: HandVerdict["risk_level"],
  exit?: string,
): HandVerdict {
  const required_actions = exit === undefined ? actions : [exit];
  return {
    verdict: name,
    reasons: [reason],
    required_actions,
    would_fix: exit === undefined ? [] : actions,
    risk_level,
  };
}

function policyFailure({ query, request_type, role }: HandDraft, draft: string): Failure | undefined {
  const asked = simplified(query);
  if (TOPICS.test(asked)) return ["query_contains_sensitive_topic", "SAFE_REFUSAL", "REQUEST_PERMISSION"];
  if (BULK.test(asked)) return ["query_requests_bulk_data_exposure", "DENY_ACCESS", "SAFE_REFUSAL"];
  if (SECRET.test(draft) || BEARER.test(draft))
    return ["response_exposes_sensitive_data", "REDACT_SENSITIVE", "SAFE_REFUSAL"];
  const allowed = ROLES[request_type];
  if (allowed === undefined || allowed.includes(role ?? "MEMBER")) return undefined;
  return [`insufficient_permission_for_${request_type}`, "DENY_ACCESS", "REQUEST_PERMISSION"];
}

function evidenceFailure(type: string, quality: boolean, evidence: readonly HandEvidence[]): Failure | undefined {
  const distinct = new Map<string, number>();
  const sources = new Set<string>();
  for (const { source, ref, confidence } of evidence) {
    const key = `${source} ${ref}`;
    sources.add(source);
    distinct.set(key, Math.min(confidence ?? Infinity, distinct.get(key) ?? Infinity));
  }
  const casual = type === "CASUAL";
  const status = type.startsWith("STATUS_");
  if (quality && !casual && distinct.size < 2)
    return ["insufficient_evidence_count(<2)", "ADD_EVIDENCE", "RETRIEVE_MORE"];
  if (quality && !casual && !status && sources.size < 2)
    return ["low_source_diversity(<2)", "DIVERSIFY_SOURCES", "RETRIEVE_MORE"];
  if (status && sources.has("doc"))
    return ["status_request_must_not_use_doc_as_primary", "REMOVE_DOC_EVIDENCE", "USE_DB_ONLY"];
  if (status && !sources.has("db")) return ["status_request_requires_db", "USE_DB_ONLY", "RETRIEVE_DB"];
  const missing = quality ? missingSources(type, sources) : undefined;
  if (missing !== undefined) return missing;
  const odd = evidence.find(
    ({ confidence }) => typeof confidence === "number" && !(confidence >= 0 && confidence <= 1),
  );
  if (odd !== undefined)
    return [
      `evidence_confidence_out_of_range(${odd.source}:${odd.ref}=${odd.confidence})`,
      "RETRIEVE_MORE",
      "REFINE_QUERY",
    ];
  const mean = [...distinct.values()].filter(Number.isFinite).reduce(meanOf, { sum: 0, count: 0 });
  const average = mean.sum / mean.count;
  if (quality && Math.round(average * 1e9) < 6e8)
    return [`low_evidence_confidence(avg=${Math.round(average * 1e4) / 1e4})`, "RETRIEVE_MORE", "REFINE_QUERY"];
  const unsure = evidence.find(({ confidence }) => confidence === null || confidence === undefined);
  if (unsure === undefined) return undefined;
  return [`evidence_without_confidence(${unsure.source}:${unsure.ref})`, "RETRIEVE_MORE", "REFINE_QUERY"];
}

interface Mean {
  readonly sum: number;
  readonly count: number;
}

function meanOf({ sum, count }: Mean, one: number): Mean {
  return { sum: sum + one, count: count + 1 };
}

function missingSources(type: string, sources: ReadonlySet<string>): Failure | undefined {
  switch (type) {
    case "HOWTO_POLICY":
    case "DATA_DEFINITION":
    case "DESIGN_ARCH":
      if (sources.has("doc") || sources.has("policy")) return undefined;
      return ["design_policy_requires_doc_or_policy", "RETRIEVE_DOC", "RETRIEVE_POLICY"];
    case "TROUBLESHOOTING":
      if (sources.has("db") && sources.has("neo4j")) return undefined;
      return ["troubleshooting_requires_db_and_neo4j", "RETRIEVE_DB", "RETRIEVE_MORE"];
    case "KNOWLEDGE_QA":
      if (sources.has("doc") || sources.has("neo4j")) return undefined;
      return ["knowledge_qa_requires_doc_or_neo4j", "RETRIEVE_DOC", "RETRIEVE_MORE"];
    default:
      return undefined;
  }
}

function contractFailure(text: string, plain: string, contract: HandContract | undefined): Failure | undefined {
  if (plain.trim() === "") return ["no_draft_answer", "REGENERATE_DRAFT"];
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
      "ADD_REQUIRED_SECTIONS",
      "REGENERATE_DRAFT",
    ];
  const forbidden = written(contract.forbidden_content).filter((one) => plain.includes(simplified(one).trim()));
  if (forbidden.length > 0)
    return [
      `forbidden_content_detected=[${forbidden.map((one) => `'${one}'`).join(", ")}]`,
      "REMOVE_FORBIDDEN_CONTENT",
      "REGENERATE_DRAFT",
    ];
  const terms = written(contract.domain_terms);
  if (terms.length > 0 && !terms.some((one) => plain.includes(simplified(one).trim())))
    return ["domain_terms_not_used", "USE_DOMAIN_TERMS", "REGENERATE_DRAFT"];
  if (contract.response_format?.trim().toLowerCase() !== "json") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return ["invalid_json_format", "FIX_JSON_FORMAT", "REGENERATE_DRAFT"];
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
