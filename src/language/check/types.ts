/** The types of values at check time, and which of them are compatible. */
import type { HostType } from "../../base/host-types.ts";
import { isTimeKind, type TimeKind } from "../../base/time.ts";

export type Type =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  /** Unknown: an open program, or a field declared `any`. */
  | { readonly kind: "any" }
  /** Times: inside the engine they are numbers. */
  | { readonly kind: TimeKind }
  /** A number of months, which has no fixed length: added to a date, it is a date. */
  | { readonly kind: "months" }
  /** One of several strings, or one of several numbers. */
  | { readonly kind: "union"; readonly options: readonly (string | number)[] }
  | { readonly kind: "list"; readonly item: Type }
  /** A reference to a fact of a type. */
  | { readonly kind: "fact"; readonly type: string }
  | RecordType
  | RowType;

/** A value with named fields inside a fact. A field that holds a time holds it as ISO 8601 text. */
export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  readonly fields: readonly RecordField[];
  /** Whether further fields are ignored. */
  readonly more: boolean;
}

export interface RecordField {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
  readonly hasDefault: boolean;
}

/** What a decision table with named outputs gives. */
export interface RowType {
  readonly kind: "row";
  readonly table: string;
  readonly fields: ReadonlyMap<string, Type>;
}

export const STRING: Type = { kind: "string" };
export const NUMBER: Type = { kind: "number" };
export const BOOL: Type = { kind: "bool" };
export const ANY: Type = { kind: "any" };
/** The type of what has an error that is reported. It agrees with every type, so that one mistake is reported once. */
export const REPORTED: Type = { kind: "any" };
export const DATE: Type = { kind: "date" };
export const INSTANT: Type = { kind: "instant" };
export const DURATION: Type = { kind: "duration" };

export const listOf = (item: Type): Type => ({ kind: "list", item });
export const factOf = (type: string): Type => ({ kind: "fact", type });
export const unionOf = (...options: (string | number)[]): Type => ({ kind: "union", options });

export const isText = (type: Type): boolean => type.kind === "string" || isUnionOf(type, "string");
export const isNumeric = (type: Type): boolean => type.kind === "number" || isUnionOf(type, "number");

function isUnionOf(type: Type, kind: "string" | "number"): boolean {
  return type.kind === "union" && type.options.every((option) => typeof option === kind);
}

/** Returns whether a type is one that functions can take: a row of a table is not. */
export function isHostType(type: Type): type is HostType {
  return type.kind === "list" ? isHostType(type.item) : type.kind !== "row";
}

/** Returns the declaration of a field of a record. */
export function recordField(record: RecordType, name: string): RecordField | undefined {
  return record.fields.find((field) => field.name === name);
}

/** Returns the options that are strings: those that a misspelt one may mean. */
export function textsOf(options: readonly (string | number)[]): string[] {
  return options.filter((option) => typeof option === "string");
}

/** Returns whether values of the type are times, or lists of them: numbers inside the engine, and text outside. */
export function holdsTime(type: Type): boolean {
  return type.kind === "list" ? holdsTime(type.item) : isTimeKind(type.kind);
}

/** Returns whether values of the type are records, or lists of them. */
export function holdsRecord(type: Type): boolean {
  return type.kind === "list" ? holdsRecord(type.item) : type.kind === "record";
}

/** Returns whether a type is a time or a number of months, which are compared only with their like. */
export function isTime(type: Type): boolean {
  return isTimeKind(type.kind) || type.kind === "months";
}

/** Returns the type as written in the language: `string[]`, `"open" | "paid"`, `Person`. */
export function describe(type: Type): string {
  switch (type.kind) {
    case "union":
      return type.options.map((option) => JSON.stringify(option)).join(" | ");
    case "list":
      return `${describe(type.item)}[]`;
    case "fact":
      return type.type;
    case "record":
      return type.name;
    case "row":
      return `row of ${type.table}`;
    default:
      return type.kind;
  }
}

/** Returns whether two values can ever be equal. */
export function comparable(a: Type, b: Type): boolean {
  if (a === REPORTED || b === REPORTED) return true;
  if (a.kind === "row" || b.kind === "row") return false;
  if (isTime(a) || isTime(b)) return a.kind === b.kind;
  if (a.kind === "any" || b.kind === "any") return true;
  if (a.kind === "list" || b.kind === "list") return a.kind === b.kind && comparable(itemOf(a), itemOf(b));
  if (a.kind === "record" || b.kind === "record") return a.kind === b.kind && describe(a) === describe(b);
  if (a.kind === "fact" && b.kind === "fact") return a.type === b.type;
  return (isText(a) && isText(b)) || (isNumeric(a) && isNumeric(b)) || (a.kind === "bool" && b.kind === "bool");
}

function itemOf(type: Type): Type {
  return type.kind === "list" ? type.item : ANY;
}

/** Returns whether two values can be ordered. */
export function ordered(a: Type, b: Type): boolean {
  if (a === REPORTED || b === REPORTED) return true;
  if (isTime(a) || isTime(b)) return a.kind === b.kind && a.kind !== "months";
  if (a.kind === "any") return b.kind === "any" || isNumeric(b) || isText(b);
  if (b.kind === "any") return isNumeric(a) || isText(a);
  return (isNumeric(a) && isNumeric(b)) || (isText(a) && isText(b));
}

/** Returns whether a value of type `from` may be stored where `to` is expected; a string or number may be one of a union. */
export function storable(from: Type, to: Type): boolean {
  if (from === REPORTED || to === REPORTED) return true;
  if (from.kind === "row" || to.kind === "row") return sameType(from, to);
  if (from.kind === "months" || to.kind === "months") return from.kind === to.kind;
  if (from.kind === "any" || to.kind === "any") return true;
  if (from.kind === "list" && to.kind === "list") return storable(from.item, to.item);
  if (from.kind === "union" && to.kind === "union") return from.options.some((option) => to.options.includes(option));
  return comparable(from, to);
}

/** Returns the type of a value that is one of several. */
export function common(types: readonly Type[]): Type {
  const [first, ...rest] = types;
  if (first === undefined) return ANY;
  if (types.includes(REPORTED)) return REPORTED;
  if (rest.every((type) => describe(type) === describe(first))) return first;
  if (types.every(isText)) return STRING;
  return types.every(isNumeric) ? NUMBER : ANY;
}

export function sameType(a: Type, b: Type): boolean {
  return describe(a) === describe(b);
}
