/** The declared types of host functions, and whether a value is of a type. */

/** The types of the language, as far as a value shows them. */
export type HostType =
  | { readonly kind: "string" | "number" | "bool" | "any" }
  | { readonly kind: "union"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly item: HostType }
  /** The id of a fact. */
  | { readonly kind: "fact"; readonly type: string };

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
}

/** Returns whether a value is of a type. Objects are of type `any` only. */
export function isOfType(value: unknown, type: HostType): boolean {
  switch (type.kind) {
    case "string":
    case "fact":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "bool":
      return typeof value === "boolean";
    case "union":
      return typeof value === "string" && (type.options ?? []).includes(value);
    case "list":
      return Array.isArray(value) && value.every((item) => isOfType(item, type.item ?? ANY));
    case "any":
      return isValue(value);
  }
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
    case "union":
      return (type.options ?? []).map((option) => JSON.stringify(option)).join(" or ");
    case "list":
      return `a list${itemWords(type.item ?? ANY)}`;
    case "fact":
      return "the id of a fact";
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
    default:
      return type.kind;
  }
}
