/** Reads requirements from RET JSON, strictly: no other key, no deeper than 32 levels below the root. */
import { didYouMean, nearest } from "../base/nearest.ts";
import { MAX_DEPTH, placeInJson, refuseInvalidJson } from "./json-places.ts";
import { GateJsonError, type RetRequirement } from "./ret-json.ts";

/** Reads a document from a text or from data. In a text, no object may have a key twice, and a mistake gets its place. */
export function readDocument<Result>(json: unknown, read: (document: unknown) => Result): Result {
  if (typeof json !== "string") return read(json);
  refuseInvalidJson(json);
  try {
    return read(JSON.parse(json));
  } catch (error) {
    throw error instanceof GateJsonError ? error.locate(placeInJson(json, error.path, error.key)) : error;
  }
}

/** Reads the requirement at a place of a document. With `known`, a name alone must be one of these conditions. */
export function readRequirement(
  json: unknown,
  path: string,
  known: ReadonlySet<string> | undefined,
  depth: number = 0,
): RetRequirement {
  if (depth > MAX_DEPTH) throw new GateJsonError(path, `nested more than ${MAX_DEPTH} levels deep`);
  const [key, value] = onlyEntry(json, path);
  const at = `${path}.${key}`;
  switch (key) {
    case "Condition":
      if (typeof value !== "string" || value.trim() === "")
        throw new GateJsonError(at, "must be the name of a condition");
      refuseUnknown(value, at, known);
      return { kind: "condition", name: value };
    case "And":
      return { kind: "all", items: readAll(value, at, known, depth) };
    case "Or":
      return { kind: "any", items: readAll(value, at, known, depth) };
    case "Not":
      return { kind: "not", item: readRequirement(value, at, known, depth + 1) };
    case "RequireGroup":
      return readGroup(value, at, known, depth);
    default:
      throw new GateJsonError(path, `unknown key "${key}": expected ${OPERATORS}`, key);
  }
}

const OPERATORS = "And, Or, Not, RequireGroup or Condition";

/** A name alone. Anything else is a condition with arguments or a test, which the program is asked about. */
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_'-]*$/u;

function refuseUnknown(name: string, path: string, known: ReadonlySet<string> | undefined): void {
  if (known === undefined || known.has(name) || !NAME.test(name)) return;
  const meant = nearest(name, known);
  const others = [...known].slice(0, MAX_NAMED).map((one) => JSON.stringify(one));
  const hint = didYouMean(meant) ?? (others.length === 0 ? "there is none" : `there is ${others.join(", ")}`);
  throw new GateJsonError(path, `unknown condition ${JSON.stringify(name)}; ${hint}`);
}

/** The most conditions that a message lists. */
const MAX_NAMED = 5;

function onlyEntry(json: unknown, path: string): [string, unknown] {
  const entries = isObject(json) ? Object.entries(json) : [];
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  const keys = entries.map(([key]) => key).join(", ");
  const found = entries.length > 1 ? `, found the keys ${keys}` : "";
  throw new GateJsonError(path, `a requirement must be an object with one key${found}`);
}

function readAll(json: unknown, path: string, known: ReadonlySet<string> | undefined, depth: number): RetRequirement[] {
  if (!Array.isArray(json)) throw new GateJsonError(path, "must be a list");
  return json.map((item, index) => readRequirement(item, `${path}[${index}]`, known, depth + 1));
}

function readGroup(json: unknown, path: string, known: ReadonlySet<string> | undefined, depth: number): RetRequirement {
  if (!isObject(json)) throw new GateJsonError(path, 'must be an object with "min" and "reqs"');
  const other = Object.keys(json).find((key) => key !== "min" && key !== "reqs");
  if (other !== undefined) throw new GateJsonError(path, `unknown key "${other}": expected "min" and "reqs"`, other);
  const { min, reqs } = json;
  const items = readAll(reqs, `${path}.reqs`, known, depth);
  if (typeof min !== "number" || !Number.isInteger(min) || min < 1) {
    throw new GateJsonError(`${path}.min`, "must be an integer of 1 or more");
  }
  if (min > items.length)
    throw new GateJsonError(`${path}.min`, `must be at most ${items.length}, the length of "reqs"`);
  return { kind: "at least", min, items };
}

export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
