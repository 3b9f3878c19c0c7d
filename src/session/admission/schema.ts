/** What the session knows of types: enough to admit facts, nothing of syntax. */
import type { Value } from "../../base/value.ts";

/** The type of a field: a primitive, a union of strings, a list, or a reference to a fact. */
export type SchemaType =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  | { readonly kind: "any" }
  | { readonly kind: "union"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly item: SchemaType }
  /** A reference to a fact of a type. */
  | { readonly kind: "ref"; readonly type: string };

/** The declaration of a field. */
export interface FieldSchema {
  /** The name of the field. */
  readonly name: string;
  /** The type of its values. */
  readonly type: SchemaType;
  /** Whether it is a key field (`#id`): part of the id of the fact. */
  readonly key: boolean;
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
}

/** The fact types of a program. */
export interface Schema {
  /** Whether facts of undeclared types are accepted, with any fields. True for a program that declares no type. */
  readonly open: boolean;
  /** The declared types, by name. */
  readonly types: ReadonlyMap<string, TypeSchema>;
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
    default:
      return type.kind;
  }
}
