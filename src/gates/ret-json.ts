/**
 * Requirements as RET JSON: `{"And": […]}`, `{"Or": […]}`, `{"Not": …}`, `{"RequireGroup": {"min": n, "reqs": […]}}`,
 * `{"Condition": "name"}`. Read strictly: no other key, no deeper than 32 levels below the root.
 */
import { repeatedKey } from "./repeated-key.ts";

/** A requirement as data: conditions combined by `all`, `any`, `not` and `at least`. */
export type RetRequirement =
  | { readonly kind: "condition"; readonly name: string }
  | { readonly kind: "all" | "any"; readonly items: readonly RetRequirement[] }
  | { readonly kind: "not"; readonly item: RetRequirement }
  | { readonly kind: "at least"; readonly min: number; readonly items: readonly RetRequirement[] };

/** A requirement as RET JSON: each object has exactly one key. */
export type RetJson =
  | { readonly Condition: string }
  | { readonly And: readonly RetJson[] }
  | { readonly Or: readonly RetJson[] }
  | { readonly Not: RetJson }
  | { readonly RequireGroup: { readonly min: number; readonly reqs: readonly RetJson[] } };

/** A requirement that is not valid RET JSON. The message begins with the place. */
export class GateJsonError extends Error {
  /** The stable code. */
  readonly code = "E542" as const;
  /** The place of the mistake: `$.And[1].Not`. */
  readonly path: string;

  /**
   * Creates the error.
   *
   * @internal
   */
  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.name = "GateJsonError";
    this.path = path;
  }
}

const MAX_DEPTH = 32;

/**
 * Reads a requirement from RET JSON.
 *
 * @param json - The text of a JSON document, or what `JSON.parse` returned.
 * @throws {@link GateJsonError} E542 with the place of the mistake.
 *
 * @example
 * ```ts
 * const requirement = gateFromJson('{ "And": [{ "Condition": "tested" }, { "Condition": "approved" }] }');
 * evaluateGate(requirement, { tested: true }); // => undefined
 * evaluateGate(requirement, { tested: false }); // => false
 * ```
 */
export function gateFromJson(json: unknown): RetRequirement {
  const requirement = read(typeof json === "string" ? parsed(json) : json, "$", 0);
  if (typeof json === "string") refuseRepeated(json);
  return requirement;
}

/** Returns a requirement as RET JSON. `gateFromJson(gateToJson(x))` equals `x`. */
export function gateToJson(requirement: RetRequirement): RetJson {
  switch (requirement.kind) {
    case "condition":
      return { Condition: requirement.name };
    case "all":
      return { And: requirement.items.map(gateToJson) };
    case "any":
      return { Or: requirement.items.map(gateToJson) };
    case "not":
      return { Not: gateToJson(requirement.item) };
    case "at least":
      return { RequireGroup: { min: requirement.min, reqs: requirement.items.map(gateToJson) } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new GateJsonError("$", `invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuseRepeated(text: string): void {
  const twice = repeatedKey(text);
  if (twice !== undefined) throw new GateJsonError("$", `duplicate key ${JSON.stringify(twice)}`);
}

function read(json: unknown, path: string, depth: number): RetRequirement {
  if (depth > MAX_DEPTH) throw new GateJsonError(path, `nested more than ${MAX_DEPTH} levels deep`);
  const [key, value] = onlyEntry(json, path);
  const at = `${path}.${key}`;
  switch (key) {
    case "Condition":
      if (typeof value !== "string" || value.trim() === "")
        throw new GateJsonError(at, "must be the name of a condition");
      return { kind: "condition", name: value };
    case "And":
      return { kind: "all", items: readAll(value, at, depth) };
    case "Or":
      return { kind: "any", items: readAll(value, at, depth) };
    case "Not":
      return { kind: "not", item: read(value, at, depth + 1) };
    case "RequireGroup":
      return readGroup(value, at, depth);
    default:
      throw new GateJsonError(path, `unknown key "${key}": expected And, Or, Not, RequireGroup or Condition`);
  }
}

function onlyEntry(json: unknown, path: string): [string, unknown] {
  const entries = isObject(json) ? Object.entries(json) : [];
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  const keys = entries.map(([key]) => key).join(", ");
  const found = entries.length > 1 ? `, found the keys ${keys}` : "";
  throw new GateJsonError(path, `a requirement must be an object with one key${found}`);
}

function readAll(json: unknown, path: string, depth: number): RetRequirement[] {
  if (!Array.isArray(json)) throw new GateJsonError(path, "must be a list");
  return json.map((item, index) => read(item, `${path}[${index}]`, depth + 1));
}

function readGroup(json: unknown, path: string, depth: number): RetRequirement {
  if (!isObject(json)) throw new GateJsonError(path, 'must be an object with "min" and "reqs"');
  const other = Object.keys(json).find((key) => key !== "min" && key !== "reqs");
  if (other !== undefined) throw new GateJsonError(path, `unknown key "${other}": expected "min" and "reqs"`);
  const { min, reqs } = json;
  const items = readAll(reqs, `${path}.reqs`, depth);
  if (typeof min !== "number" || !Number.isInteger(min) || min < 1) {
    throw new GateJsonError(`${path}.min`, "must be an integer of 1 or more");
  }
  if (min > items.length)
    throw new GateJsonError(`${path}.min`, `must be at most ${items.length}, the length of "reqs"`);
  return { kind: "at least", min, items };
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
