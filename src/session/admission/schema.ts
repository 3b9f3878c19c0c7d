/** What the session knows of types: enough to admit facts, nothing of syntax. */
import { isTimeKind, type TimeKind } from "../../base/time.ts";
import type { Value } from "../../base/value.ts";

/** The type of a field: a primitive, a union of strings or of numbers, a list, or a reference to a fact. */
export type SchemaType =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  | { readonly kind: "any" }
  /** ISO 8601 text, a `Date` or a Temporal object outside; a number inside. */
  | { readonly kind: TimeKind }
  | { readonly kind: "union"; readonly options: readonly (string | number)[] }
  | { readonly kind: "list"; readonly item: SchemaType }
  /** A reference to a fact of a type. */
  | { readonly kind: "ref"; readonly type: string }
  /** A record of the schema: an object with declared fields. */
  | { readonly kind: "record"; readonly name: string };

/** The declaration of a field. */
export interface FieldSchema {
  /** The name of the field. */
  readonly name: string;
  /** The type of its values. */
  readonly type: SchemaType;
  /** Whether it is a key field (`#id`): part of the id of the fact. */
  readonly key: boolean;
  /** Whether it is the time of the fact (`@at`). */
  readonly at?: true;
  /** Whether it may be missing. */
  readonly optional: boolean;
  /** The value it gets when it is not given; undefined when it has no default. */
  readonly default: Value | undefined;
}

/** The declaration of a fact type. */
export interface TypeSchema {
  /** The name of the type. */
  readonly name: string;
  /** Its fields, in declared order. */
  readonly fields: readonly FieldSchema[];
  /** Whether only the engine writes facts of this type, such as `GateResult`. */
  readonly engineKept: boolean;
  /** Whether only the program and the policy role write facts of this type. */
  readonly protected?: boolean;
  /** Whether further fields of given facts are ignored. */
  readonly more?: boolean;
  /** How long after its time a fact is retracted; undefined for a type whose facts stay. */
  readonly expires?: ExpirySchema;
}

/** When facts of a type expire. */
export interface ExpirySchema {
  /** The field that is the time of the fact. */
  readonly field: string;
  /** How long after it, in milliseconds. */
  readonly after: number;
  /** The time zone of `today` where the field is a date; undefined where it is an instant. */
  readonly zone?: string | undefined;
}

/** The declaration of a record: a value with named fields, and no fact of its own. */
export interface RecordSchema {
  /** The name of the record. */
  readonly name: string;
  /** Its fields, in declared order. None of them is a key. */
  readonly fields: readonly FieldSchema[];
  /** Whether further fields of given values are ignored. */
  readonly more: boolean;
}

/** The fact types of a program. */
export interface Schema {
  /** Whether facts of undeclared types are accepted, with any fields. True for a program that declares no type. */
  readonly open: boolean;
  /** The declared types, by name. */
  readonly types: ReadonlyMap<string, TypeSchema>;
  /** The declared records, by name; absent when there are none. */
  readonly records?: ReadonlyMap<string, RecordSchema>;
}

/**
 * Returns the field by whose value a reference to a type can be given: its only key or, where that is a reference itself, the key
 * of what it refers to. Undefined for a type with no key or several.
 */
export function plainKeyOf(schema: Schema, type: string): FieldSchema | undefined {
  for (let name = type; ;) {
    const keys = schema.types.get(name)?.fields.filter((field) => field.key) ?? [];
    const [key] = keys;
    if (key === undefined || keys.length > 1) return undefined;
    if (key.type.kind !== "ref") return key;
    name = key.type.type;
  }
}

/** Returns the record that a type is; undefined when it is none. */
export function recordOf({ records }: Schema, type: SchemaType): RecordSchema | undefined {
  return type.kind === "record" ? records?.get(type.name) : undefined;
}

/** Returns whether values of a type are records, or lists of them. */
export function holdsRecord(type: SchemaType): boolean {
  return type.kind === "list" ? holdsRecord(type.item) : type.kind === "record";
}

/** Returns whether values of a type are times, or have times in them. */
export function holdsTime(schema: Schema, type: SchemaType): boolean {
  if (type.kind === "list") return holdsTime(schema, type.item);
  return isTimeKind(type.kind) || (recordOf(schema, type)?.fields ?? []).some((field) => holdsTime(schema, field.type));
}

/** Returns the kind of the times that values of a type are, or that their items are. */
export function timeKindOf(type: SchemaType): TimeKind | undefined {
  if (type.kind === "list") return timeKindOf(type.item);
  return isTimeKind(type.kind) ? type.kind : undefined;
}

/** Returns the type in the words of the language: `string[]`, `"open" | "paid"`, `Person`. */
export function describeType(type: SchemaType): string {
  switch (type.kind) {
    case "union":
      return type.options.map((option) => JSON.stringify(option)).join(" | ");
    case "list":
      return `${describeType(type.item)}[]`;
    case "ref":
      return type.type;
    case "record":
      return type.name;
    default:
      return type.kind;
  }
}
