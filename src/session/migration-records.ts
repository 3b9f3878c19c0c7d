/** Records in a migration: fields that a record no longer has are dropped from its values, and new ones are filled. */
import { same, type Value } from "../base/value.ts";
import { recordOf, type Schema, type SchemaType } from "./admission/schema.ts";

type Fields = Readonly<Record<string, Value>>;

/** Names of fields of records, such as `to.country` and `lines.sku`, with the value that they get. */
export type RecordNotes = Map<string, Value | undefined>;

/** Returns a value without the fields that its records do not have; notes which these are. */
export function withoutGoneFields(
  schema: Schema,
  type: SchemaType,
  value: Value,
  where: string,
  dropped: RecordNotes,
): Value {
  if (type.kind === "list" && Array.isArray(value)) {
    return (value as readonly Value[]).map((item) => withoutGoneFields(schema, type.item, item, where, dropped));
  }
  const record = recordOf(schema, type);
  if (record === undefined || !isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Value][] => {
    const field = record.fields.find((one) => one.name === name);
    if (field !== undefined) return [[name, withoutGoneFields(schema, field.type, inner, `${where}.${name}`, dropped)]];
    dropped.set(`${where}.${name}`, undefined);
    return [];
  });
  return Object.fromEntries(kept);
}

/** Returns whether an admitted value is the one before with more fields in its records; notes which these are. */
export function isFilled(
  schema: Schema,
  type: SchemaType,
  [before, now]: readonly [Value, Value],
  where: string,
  filled: RecordNotes,
): boolean {
  if (type.kind === "list" && Array.isArray(before) && Array.isArray(now)) {
    const items = now as readonly Value[];
    return (
      before.length === items.length &&
      items.every((item, at) => isFilled(schema, type.item, [before[at] as Value, item], where, filled))
    );
  }
  const record = recordOf(schema, type);
  if (record === undefined || !isObject(before) || !isObject(now)) return same(before, now);
  return record.fields.every(({ name, type: of }) => {
    const [was, is] = [ownValue(before, name), ownValue(now, name)];
    if (was === undefined) {
      if (is !== undefined) filled.set(`${where}.${name}`, is);
      return true;
    }
    return is !== undefined && isFilled(schema, of, [was, is], `${where}.${name}`, filled);
  });
}

function isObject(value: Value): value is Fields {
  return typeof value === "object" && !Array.isArray(value);
}

function ownValue(value: Fields, name: string): Value | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns a value with other ids in place of references, wherever its type has them. */
export function withReferences(
  schema: Schema,
  type: SchemaType,
  value: Value,
  renamed: ReadonlyMap<string, string>,
): Value {
  if (type.kind === "ref") return typeof value === "string" ? (renamed.get(value) ?? value) : value;
  if (type.kind === "list" && Array.isArray(value)) {
    const items = value as readonly Value[];
    const followed = items.map((item) => withReferences(schema, type.item, item, renamed));
    return followed.some((item, at) => item !== items[at]) ? followed : value;
  }
  const record = recordOf(schema, type);
  if (record === undefined || !isObject(value)) return value;
  const changed = record.fields.flatMap(({ name, type: of }): [string, Value][] => {
    const inner = ownValue(value, name);
    const followed = inner === undefined ? undefined : withReferences(schema, of, inner, renamed);
    return followed === undefined || followed === inner ? [] : [[name, followed]];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}
