/**
 * The format of a saved plan: JSON with a version, a hash of its body, and the body.
 *
 * A plan is plain data but for four values that JSON lacks or changes: undefined in a list, infinite numbers, negative zero. The
 * body writes them as `{ "$": name }`. Properties that are undefined are left out, which is the same to every reader.
 */
import { plainXxHash64 } from "../../base/xxhash64.ts";
import type { Limits } from "../../base/limits.ts";
import type { Plan } from "../../plan/plan.ts";
import type { StandingPlan } from "../../plan/standing.ts";
import type { RecordSchema, TypeSchema } from "../../session/admission/schema.ts";
import { SessionError } from "../../session/errors.ts";
import type { SessionSpec } from "../../session/options.ts";
import type { OpenOptions } from "../program.ts";
import type { QuerySignature } from "../question-plans.ts";
import type { DeclaredAt, DeclaredFunction } from "../runnable.ts";

/** Says what kind of file it is. */
const FORMAT = "sluice plan";

/** The version of the format. Raise it when a plan that was saved before can no longer be opened, or means something else. */
const VERSION = 3;

/** What a session needs of a program, as data. */
export interface SavedBody {
  readonly plan: Plan;
  /** The hash of the program. */
  readonly hash: string;
  /** Whether facts of undeclared types are accepted. */
  readonly open: boolean;
  readonly types: readonly TypeSchema[];
  /** The declared records; absent when there are none, and in plans of earlier releases. */
  readonly records?: readonly RecordSchema[];
  readonly xupleSpaces: SessionSpec["xupleSpaces"];
  readonly initialFacts: SessionSpec["initialFacts"];
  readonly limits: Limits;
  readonly options: Pick<OpenOptions, "strategy" | "limit">;
  readonly queries: readonly SavedQuery[];
  /** The actions that rules can call; undefined when every name is one. */
  readonly actions: readonly string[] | undefined;
  /** The functions that the host must provide; absent when there are none, and in plans of earlier releases. */
  readonly functions?: readonly DeclaredFunction[];
  /** Where rules and judges are declared, for warnings. */
  readonly places: readonly (readonly [name: string, place: DeclaredAt])[];
  /** Whether a test of the plan or of a query needs regular expressions. */
  readonly needsRegex: boolean;
}

/** A query, with its plan for questions that are answered once and for those that stay. */
export interface SavedQuery extends QuerySignature {
  readonly asked: StandingPlan;
  readonly live: StandingPlan;
}

/** Returns the text of a saved plan. */
export function writeSaved(body: SavedBody): string {
  const text = JSON.stringify(encoded(body));
  return `{"format":${JSON.stringify(FORMAT)},"version":${VERSION},"hash":"${hashOf(text)}","body":${text}}`;
}

/** Returns the body of a saved plan; throws E560 when it is none, of another version, or damaged. */
export function readSaved(saved: unknown): SavedBody {
  const { format, version, hash, body } = recordOf(typeof saved === "string" ? parsed(saved) : saved);
  if (format !== FORMAT) throw refused("it is not a saved plan", "pass the text that program.save() returned");
  if (version !== VERSION)
    throw refused(
      `it has format version ${JSON.stringify(version) ?? "none"}, and this release of Sluice reads version ${VERSION}`,
      "save it again with this release: compile(source).save()",
    );
  if (hash !== hashOf(JSON.stringify(body) ?? ""))
    throw refused(
      "its hash does not match its body: it was changed or cut off",
      "save it again: compile(source).save()",
    );
  return decoded(body) as SavedBody;
}

function refused(reason: string, hint: string): SessionError {
  return new SessionError("E560", `the plan cannot be loaded: ${reason}`, hint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused("it is not JSON", "pass the text that program.save() returned");
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function hashOf(text: string): string {
  return plainXxHash64(text).toString(16).padStart(16, "0");
}

// ---------------------------------------------------------------- values

/** The name of the property that says that an object stands for something else. */
const MARK = "$";

function encoded(value: unknown): unknown {
  if (value === undefined) return { [MARK]: "undefined" };
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [MARK]: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, encoded(inner)] as const);
  return Object.hasOwn(value, MARK) ? { [MARK]: "entries", entries } : Object.fromEntries(entries);
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== "object" || value === null) return value;
  const record = value as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(record, MARK)) return mapped(Object.entries(record));
  const { [MARK]: mark, entries } = record;
  if (mark === "entries") return mapped(entries as [string, unknown][]);
  return mark === "undefined" ? undefined : Number(mark);
}

function mapped(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries.map(([name, inner]) => [name, decoded(inner)]));
}
