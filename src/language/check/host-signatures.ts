/** Checks the signatures of host functions, which plain JavaScript programs pass without a type checker. */
import type { Signature } from "./signature.ts";

const KINDS: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "bool",
  "any",
  "union",
  "list",
  "fact",
  "date",
  "instant",
  "duration",
]);
const FORM = '{ params: [{ name: "x", type: { kind: "number" }, optional: false }], result: { kind: "bool" } }';

/** Returns the signatures; throws a TypeError for anything that is not one. */
export function hostSignatures(functions: Readonly<Record<string, Signature>>): [string, Signature][] {
  const entries = Object.entries(functions);
  for (const [name, signature] of entries) {
    const wrong = wrongIn(signature);
    if (wrong !== undefined) throw new TypeError(`functions.${name}: ${wrong}; a signature looks like ${FORM}`);
  }
  return entries;
}

function wrongIn(signature: unknown): string | undefined {
  const { params, result } = recordOf(signature);
  if (!Array.isArray(params)) return "params must be a list";
  for (const [index, param] of params.entries()) {
    const { name, type } = recordOf(param);
    if (typeof name !== "string") return `parameter ${index + 1} has no name`;
    if (!isType(type)) return `parameter ${index + 1} has no type`;
  }
  return result === "argument" || isType(result) ? undefined : "result must be a type";
}

function isType(type: unknown): boolean {
  return KINDS.has(recordOf(type)["kind"]);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
