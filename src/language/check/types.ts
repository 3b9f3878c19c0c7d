/** The types of values at check time, and which of them are compatible. */

export type Type =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  /** Unknown: an open program, or a field declared `any`. */
  | { readonly kind: "any" }
  | { readonly kind: "union"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly item: Type }
  /** A reference to a fact of a type. */
  | { readonly kind: "fact"; readonly type: string };

export const STRING: Type = { kind: "string" };
export const NUMBER: Type = { kind: "number" };
export const BOOL: Type = { kind: "bool" };
export const ANY: Type = { kind: "any" };

export const listOf = (item: Type): Type => ({ kind: "list", item });
export const factOf = (type: string): Type => ({ kind: "fact", type });
export const unionOf = (...options: string[]): Type => ({ kind: "union", options });

export const isText = (type: Type): boolean => type.kind === "string" || type.kind === "union";

/** Returns the type as written in the language: `string[]`, `"open" | "paid"`, `Person`. */
export function describe(type: Type): string {
  switch (type.kind) {
    case "union":
      return type.options.map((option) => JSON.stringify(option)).join(" | ");
    case "list":
      return `${describe(type.item)}[]`;
    case "fact":
      return type.type;
    default:
      return type.kind;
  }
}

/** Returns whether two values can ever be equal. */
export function comparable(a: Type, b: Type): boolean {
  if (a.kind === "any" || b.kind === "any") return true;
  if (a.kind === "list" || b.kind === "list") return false;
  if (a.kind === "fact" && b.kind === "fact") return a.type === b.type;
  return (isText(a) && isText(b)) || a.kind === b.kind;
}

/** Returns whether two values can be ordered. */
export function ordered(a: Type, b: Type): boolean {
  if (a.kind === "any") return b.kind === "any" || b.kind === "number" || isText(b);
  if (b.kind === "any") return a.kind === "number" || isText(a);
  return (a.kind === "number" && b.kind === "number") || (isText(a) && isText(b));
}

/** Returns whether a value of type `from` may be stored where `to` is expected; a string may be one of a union. */
export function storable(from: Type, to: Type): boolean {
  if (from.kind === "any" || to.kind === "any") return true;
  if (from.kind === "list" && to.kind === "list") return storable(from.item, to.item);
  if (from.kind === "union" && to.kind === "union") return from.options.some((option) => to.options.includes(option));
  return comparable(from, to);
}

/** Returns the type of a value that is one of several. */
export function common(types: readonly Type[]): Type {
  const [first, ...rest] = types;
  if (first === undefined) return ANY;
  if (rest.every((type) => describe(type) === describe(first))) return first;
  return types.every(isText) ? STRING : ANY;
}

export function sameType(a: Type, b: Type): boolean {
  return describe(a) === describe(b);
}
