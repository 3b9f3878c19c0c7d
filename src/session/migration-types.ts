/** How the types of facts were declared, and what is different about them in another program. */
import {
  describeType,
  type FieldSchema,
  recordOf,
  type Schema,
  type SchemaType,
  type TypeSchema,
} from "./admission/schema.ts";
import type { SavedType } from "./snapshot.ts";

/** Returns the declaration of a type as it is saved. */
function savedType(schema: Schema, { fields }: TypeSchema): SavedType {
  const keys = fields.filter((field) => field.key);
  return Object.fromEntries(
    fields.map((field) => {
      const { type, key, optional } = field;
      const text = `${savedText(schema, type)}${optional ? "?" : ""}`;
      return [field.name, key ? `#${keys.indexOf(field) + 1} ${text}` : text];
    }),
  );
}

/** Returns a type as it is saved. A record is written out, so that another declaration of it is another type. */
function savedText(schema: Schema, type: SchemaType): string {
  if (type.kind === "list") return `${savedText(schema, type.item)}[]`;
  const record = recordOf(schema, type);
  if (record === undefined) return describeType(type);
  const fields = record.fields.map((field) => {
    const filled = field.default === undefined ? "" : ` = ${JSON.stringify(field.default)}`;
    return `${field.name}: ${savedText(schema, field.type)}${field.optional ? "?" : ""}${filled}`;
  });
  return `${record.name}(${fields.join(", ")})`;
}

/** Returns the declarations of some types as they are saved. Undeclared types have none. */
export function savedTypes(schema: Schema, names: Iterable<string>): Record<string, SavedType> {
  const saved: Record<string, SavedType> = {};
  for (const name of names) {
    const type = schema.types.get(name);
    if (type !== undefined) saved[name] = savedType(schema, type);
  }
  return saved;
}

/**
 * What happened to a type:
 *
 * - `same`: nothing that concerns its facts; `fields`: fields came or went, the others are as they were;
 * - `redeclared`: a field or the key has another declaration, or the type was undeclared, or is so now;
 * - `gone`: the program has no such type; `unknown`: the snapshot does not say how it was declared (version 1).
 */
export type TypeChange =
  | { readonly is: "same" }
  | { readonly is: "gone" }
  | {
      readonly is: "fields" | "redeclared" | "unknown";
      readonly now: TypeSchema | undefined;
      /** The fields that it did not have before. */
      readonly added: readonly FieldSchema[];
      /** Its key before and now, in words, when they differ. */
      readonly keys: readonly [before: string, now: string] | undefined;
    };

const SAME: TypeChange = { is: "same" };

/** Returns what happened to a type. `before` is undefined where nothing is known of declarations. */
export function typeChange(
  name: string,
  before: Readonly<Record<string, SavedType>> | undefined,
  schema: Schema,
): TypeChange {
  const { open, types } = schema;
  const now = types.get(name);
  if (now === undefined && !open) return { is: "gone" };
  if (before === undefined) return { is: "unknown", now, added: now?.fields.filter(isFilled) ?? [], keys: undefined };
  const saved = Object.hasOwn(before, name) ? before[name] : undefined;
  if (saved === undefined && now === undefined) return SAME;
  const added = now?.fields.filter((field) => saved === undefined || !Object.hasOwn(saved, field.name)) ?? [];
  const declared = now === undefined ? {} : savedType(schema, now);
  const keys = keysOf(saved ?? {});
  const keysNow = keysOf(declared);
  if (saved === undefined || now === undefined || keys !== keysNow) {
    return { is: "redeclared", now, added, keys: keys === keysNow ? undefined : [keys, keysNow] };
  }
  const rest = now.fields.filter((field) => !added.includes(field));
  if (rest.some((field) => saved[field.name] !== declared[field.name])) {
    return { is: "redeclared", now, added, keys: undefined };
  }
  if (added.length === 0 && rest.length === Object.keys(saved).length) return SAME;
  return { is: "fields", now, added, keys: undefined };
}

/** A required field that has a default is never missing, unless it is new. */
function isFilled(field: FieldSchema): boolean {
  return !field.optional && !field.key && field.default !== undefined;
}

/** Returns the key in words, in the order in which it makes the id. */
function keysOf(type: SavedType): string {
  const keys = Object.entries(type).filter(([, text]) => text.startsWith("#"));
  keys.sort(([, a], [, b]) => Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10));
  const words = keys.map(([name, text]) => `#${name}: ${text.slice(text.indexOf(" ") + 1)}`);
  return words.length === 0 ? "no key" : words.join(", ");
}

/** Returns the fields of a type that hold references, alone, in lists or in records. */
export function referenceFields(schema: Schema, type: string): readonly FieldSchema[] {
  return schema.types.get(type)?.fields.filter((field) => holdsReference(schema, field.type)) ?? [];
}

function holdsReference(schema: Schema, type: SchemaType): boolean {
  if (type.kind === "list") return holdsReference(schema, type.item);
  const fields = recordOf(schema, type)?.fields ?? [];
  return type.kind === "ref" || fields.some((field) => holdsReference(schema, field.type));
}
