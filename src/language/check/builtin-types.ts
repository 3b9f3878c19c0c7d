/** The types of facts that the engine itself writes. */
import { listOf, NUMBER, STRING, type Type, unionOf } from "./types.ts";

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly key: boolean;
  readonly optional: boolean;
  readonly hasDefault: boolean;
  /** Whether it is the time of the fact (`@at`). */
  readonly at?: true;
}

export interface FactType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** True when further fields of given facts are ignored. */
  readonly more?: boolean;
  /** True when only the engine writes facts of this type. */
  readonly engineKept: boolean;
  /** True when only the program and policy files can state facts of this type. */
  readonly protected: boolean;
  /** How long after its time a fact is retracted, in milliseconds; undefined for a type whose facts stay. */
  readonly expires?: number;
}

type FieldList = readonly (readonly [name: string, type: Type, mark?: "key" | "optional"])[];

function factType(name: string, engineKept: boolean, fields: FieldList): FactType {
  return {
    name,
    engineKept,
    protected: false,
    fields: new Map(
      fields.map(([field, type, mark]) => [
        field,
        { name: field, type, key: mark === "key", optional: mark === "optional", hasDefault: false },
      ]),
    ),
  };
}

export const ENGINE_TYPES: readonly FactType[] = [
  factType("GateResult", true, [
    ["gate", STRING],
    ["subject", STRING, "optional"],
    ["outcome", unionOf("pass", "hold", "fail")],
  ]),
  factType("FlowStage", true, [
    ["flow", STRING],
    ["subject", STRING, "optional"],
    ["stage", STRING],
    ["from", STRING, "optional"],
    ["branch", unionOf("on pass", "on hold", "on fail", "otherwise", "always"), "optional"],
    ["gate", STRING, "optional"],
    ["about", STRING, "optional"],
    ["outcome", unionOf("pass", "hold", "fail"), "optional"],
  ]),
  factType("Verdict", true, [
    ["guardian", STRING],
    ["subject", STRING],
    ["verdict", unionOf("PASS", "RETRY", "FAIL")],
    ["reasons", listOf(STRING)],
    ["required_actions", listOf(STRING)],
    ["would_fix", listOf(STRING)],
    ["risk_level", unionOf("high", "med", "low")],
    ["attempt", NUMBER],
    ["flags", listOf(STRING)],
  ]),
];

/** The actions that a guardian may require. */
export const GUARDIAN_ACTIONS: ReadonlySet<string> = new Set([
  "ADD_EVIDENCE",
  "RETRIEVE_MORE",
  "DIVERSIFY_SOURCES",
  "REMOVE_DOC_EVIDENCE",
  "USE_DB_ONLY",
  "RETRIEVE_DB",
  "RETRIEVE_DOC",
  "RETRIEVE_POLICY",
  "REFINE_QUERY",
  "ADD_REQUIRED_SECTIONS",
  "REMOVE_FORBIDDEN_CONTENT",
  "USE_DOMAIN_TERMS",
  "REGENERATE_DRAFT",
  "FIX_JSON_FORMAT",
  "ADD_EVIDENCE_REFERENCES",
  "DENY_ACCESS",
  "REDACT_SENSITIVE",
  "ESCALATE_TO_ADMIN",
  "REQUEST_PERMISSION",
  "SAFE_REFUSAL",
  "ASK_MINIMAL_QUESTION",
]);

export const TRACKS: ReadonlySet<string> = new Set(["FAST", "QUALITY"]);
