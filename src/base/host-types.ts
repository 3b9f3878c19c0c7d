/** The declared types of host functions, and whether a value is of a type. */
import { readTime } from "./time.ts";

/** The types of the language, as far as a value shows them. */
export type HostType =
  | { readonly kind: "string" | "number" | "bool" | "any" }
  /** Functions of the host receive ISO 8601 text and return it, or a `Date` or Temporal object. Only built-in ones take months. */
  | { readonly kind: "date" | "instant" | "duration" | "months" }
  | { readonly kind: "union"; readonly options: readonly (string | number)[] }
  | { readonly kind: "list"; readonly item: HostType }
  /** The id of a fact. */
  | { readonly kind: "fact"; readonly type: string }
  /** A value with named fields; times in it are ISO 8601 text. */
  | {
      readonly kind: "record";
      readonly name: string;
      readonly fields: readonly HostField[];
      /** Whether it may have further fields. */
      readonly more: boolean;
    };

/** A field of a record. */
interface HostField {
  readonly name: string;
  readonly type: HostType;
  readonly optional: boolean;
  readonly hasDefault: boolean;
}

export interface HostParam {
  readonly name: string;
  readonly type: HostType;
  /** True when the argument can be left out or `undefined`. */
  readonly optional: boolean;
}

export interface HostSignature {
  readonly params: readonly HostParam[];
  /** True when the last parameter can be repeated. */
  readonly repeats?: boolean;
  /**
   * The result type; `argument` for the common type of the arguments. With `optional`, the function may return
   * `undefined` or `null`.
   */
  readonly result: (HostType & { readonly optional?: boolean }) | "argument";
  /** For a built-in function: the result has the type of the first argument, a list, or of its items. */
  readonly gives?: "first" | "item";
}

/** Returns whether a value is of a type. Objects are records, or of type `any`. */
export function isOfType(value: unknown, type: HostType): boolean {
  switch (type.kind) {
    case "string":
    case "fact":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "bool":
      return typeof value === "boolean";
    case "date":
    case "instant":
    case "duration":
      return typeof value === "string" && "value" in readTime(type.kind, value);
    case "months":
      return Number.isInteger(value);
    case "union":
      return (typeof value === "string" || typeof value === "number") && (type.options ?? []).includes(value);
    case "list":
      return Array.isArray(value) && value.every((item) => isOfType(item, type.item ?? ANY));
    case "record":
      return isRecord(value, type);
    case "any":
      return isValue(value);
  }
}

/** Returns whether a value has the fields of a record: those that must be there, and no others unless it may have more. */
function isRecord(value: unknown, { fields, more }: HostType & { readonly kind: "record" }): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  const fits = fields.every(({ name, type, optional }) =>
    Object.hasOwn(given, name) ? isOfType(given[name], type) : optional,
  );
  return fits && (more || Object.keys(given).every((name) => fields.some((field) => field.name === name)));
}

/** The item type of a list whose signature, written in JavaScript, leaves it out. */
const ANY: HostType = { kind: "any" };

function isValue(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === "object" && value !== null;
  }
}

/** Returns the type in words: `a string`, `a list of numbers`, `"a" or "b"`. */
export function typeWords(type: HostType): string {
  switch (type.kind) {
    case "string":
      return "a string";
    case "number":
      return "a number";
    case "bool":
      return "true or false";
    case "date":
    case "duration":
      return `a ${type.kind}`;
    case "instant":
      return "an instant";
    case "months":
      return "a number of months";
    case "union":
      return (type.options ?? []).map((option) => JSON.stringify(option)).join(" or ");
    case "list":
      return `a list${itemWords(type.item ?? ANY)}`;
    case "fact":
      return "the id of a fact";
    case "record":
      return `a record ${type.name}`;
    case "any":
      return "a value";
  }
}

function itemWords(item: HostType): string {
  switch (item.kind) {
    case "string":
      return " of strings";
    case "number":
      return " of numbers";
    case "any":
      return "";
    default:
      return `, each item ${typeWords(item)}`;
  }
}

const MAX_STRING_LENGTH = 40;

/** Returns a value as it would be written in the language, cut off when it is long. */
export function valueInShort(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > MAX_STRING_LENGTH ? `${value.slice(0, MAX_STRING_LENGTH)}…` : value);
    case "object":
      if (value === null) return "null";
      if (!Array.isArray(value)) return "{…}";
      return value.length > MAX_ITEMS ? `[${value.length} items]` : `[${value.map(valueInShort).join(", ")}]`;
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    default:
      return `a ${typeof value}`;
  }
}

const MAX_ITEMS = 4;

/**
 * Returns the signature as text, `(string, number?) bool`: two signatures with the same text accept and return the
 * same.
 */
export function signatureText({ params, repeats, result }: HostSignature): string {
  const takes = params.map(({ type, optional }) => `${typeText(type)}${optional ? "?" : ""}`);
  const returns = result === "argument" ? result : `${typeText(result)}${result.optional === true ? "?" : ""}`;
  return `(${takes.join(", ")}${repeats === true ? "…" : ""}) ${returns}`;
}

function typeText(type: HostType): string {
  switch (type.kind) {
    case "union":
      return JSON.stringify(type.options ?? []);
    case "list":
      return `${typeText(type.item ?? ANY)}[]`;
    case "fact":
      return JSON.stringify(type.type ?? "");
    case "record":
      return `${type.name}${JSON.stringify(type.fields)}${type.more ? "…" : ""}`;
    default:
      return type.kind;
  }
}
