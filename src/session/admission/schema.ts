/** What the session knows of types: enough to let facts in, nothing of syntax. */
import type { Value } from "../../base/value.ts";

export type SchemaType =
  | { readonly kind: "string" }
  | { readonly kind: "number" }
  | { readonly kind: "bool" }
  | { readonly kind: "any" }
  | { readonly kind: "union"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly item: SchemaType }
  /** A reference to a fact of a type. */
  | { readonly kind: "ref"; readonly type: string };

export interface FieldSchema {
  readonly name: string;
  readonly type: SchemaType;
  /** Part of the fact's id. */
  readonly key: boolean;
  readonly optional: boolean;
  readonly default: Value | undefined;
}

export interface TypeSchema {
  readonly name: string;
  readonly fields: readonly FieldSchema[];
  /** Facts of this type are written by the engine alone. */
  readonly engineKept: boolean;
  /** Only the program and the policy role write facts of this type. */
  readonly protected?: boolean;
}

/** An open schema accepts any other type, with any fields. */
export interface Schema {
  readonly open: boolean;
  readonly types: ReadonlyMap<string, TypeSchema>;
}

/** The type in the words of the language: `string[]`, `"open" | "paid"`, `Person`. */
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
