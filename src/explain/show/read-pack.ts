/** Reads a decision pack from outside: its form, its hashes, and where it differs from a second run. */
import { canonicalJson } from "./canonical-json.ts";
import { inner } from "./data-shape.ts";
import { hashOf, type Pack, PACK_FORMAT, type PartName, PARTS, rootOf } from "./pack.ts";
import { packShape, PART_SHAPES } from "./pack-shape.ts";

/** A fault of a decision pack. */
export interface PackFault {
  /** The stable code. */
  readonly code: "E552";
  /** The part of the pack with the fault. */
  readonly part: PartName | "form" | "hashes" | "root" | "signature";
  /** What was found. */
  readonly message: string;
}

export function packFault(part: PackFault["part"], message: string): PackFault {
  return { code: "E552", part, message };
}

type Read = { readonly pack: Pack; readonly fault?: undefined } | { readonly fault: PackFault };

/** Returns the pack when its form and all its hashes are right, otherwise the first fault. */
export function readPack(text: string): Read {
  const read = readForm(text);
  if (read.fault !== undefined) return read;
  const rewritten = canonicalJson(read.pack);
  if (rewritten !== text && `${rewritten}\n` !== text) return formFault("the JSON is not in its canonical form");
  const fault = hashFault(read.pack);
  return fault === undefined ? read : { fault };
}

/** The deepest nesting that is accepted: more than any explanation has, and safe for recursive functions. */
const MAX_DEPTH = 1000;

function readForm(text: string): Read {
  if (nestedDeeper(text, MAX_DEPTH)) return formFault(`lists and objects are nested more than ${MAX_DEPTH} deep`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return formFault("this is not JSON");
  }
  const found = WHOLE(data, "");
  if (found !== undefined) return { fault: packFault(partNamed(found), `${NOT_A_PACK}: ${found}`) };
  const pack = data as Pack;
  for (const part of PARTS) {
    const wrong = PART_SHAPES[part](pack[part], part);
    if (wrong !== undefined) return { fault: packFault(part, wrong) };
  }
  return { pack };
}

const WHOLE = packShape(PACK_FORMAT);
const NOT_A_PACK = `this is not a decision pack of the form ${PACK_FORMAT}`;

function formFault(message: string): { readonly fault: PackFault } {
  return { fault: packFault("form", message) };
}

function partNamed(found: string): PackFault["part"] {
  if (found.startsWith("sha256")) return "hashes";
  if (found.startsWith("signature")) return "signature";
  return found.startsWith("root") ? "root" : "form";
}

/** Returns whether brackets outside strings nest deeper than `max`; runs before parsing. */
function nestedDeeper(text: string, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

/** Returns the first wrong hash: the root covers the hashes of all parts, and these tell which part differs. */
function hashFault(pack: Pack): PackFault | undefined {
  const part = PARTS.find((name) => hashOf(pack[name]) !== pack.sha256[name]);
  const rootFits = rootOf(pack.sha256) === pack.root;
  if (part !== undefined && rootFits) return packFault(part, `the ${part} part does not match its hash`);
  if (part !== undefined) return packFault("hashes", `the hash of the ${part} part does not match the root hash`);
  return rootFits ? undefined : packFault("root", "the root hash does not match the hashes of the parts");
}

/** Returns the first difference of two values, in words; `a` is the value in the pack. */
export function firstDifference(a: unknown, b: unknown, at = ""): string | undefined {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return undefined;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return `${at === "" ? "it" : at} is ${shown(b)}, and the pack says ${shown(a)}`;
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const place = Array.isArray(a) ? `${at}[${name}]` : inner(at, name);
    const found = firstDifference(memberOf(a, name), memberOf(b, name), place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

const MAX_SHOWN_LENGTH = 500;

function shown(value: unknown): string {
  const text = canonicalJson(value ?? null);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
