/** Values to try for a field that is a record: those of other facts, and these with another value in one of their fields. */
import type { Value } from "../../base/value.ts";
import type { RecordType, Type } from "../../language/check/types.ts";

/** Returns values to try for a field of a plain type. */
type ValuesOf = (type: Type, field: string) => readonly Value[];

/** Returns records to try; `blank` stands in where no fact has one. */
export function recordCandidates(
  record: RecordType,
  known: readonly Value[],
  blank: Value,
  valuesOf: ValuesOf,
): Value[] {
  const bases = known.length === 0 ? [blank] : known;
  return [...bases, ...bases.flatMap((base) => withOneField(record, base, valuesOf))];
}

function withOneField(record: RecordType, base: Value, valuesOf: ValuesOf): Value[] {
  if (typeof base !== "object" || Array.isArray(base)) return [];
  const fields = base as Readonly<Record<string, Value>>;
  return record.fields.flatMap(({ name, type }): Value[] => {
    const now = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const inner =
      type.kind === "record" ? (now === undefined ? [] : withOneField(type, now, valuesOf)) : valuesOf(type, name);
    return inner.filter((value) => value !== now).map((value) => ({ ...fields, [name]: value }));
  });
}

/** Returns a record with its required fields; undefined when one of them has no plain value. */
export function plainRecord({ fields }: RecordType, plain: (type: Type) => Value | undefined): Value | undefined {
  const entries: [string, Value][] = [];
  for (const { name, type, optional, hasDefault } of fields) {
    if (optional || hasDefault) continue;
    const value = plain(type);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** Returns whether a value has the fields of a record, as they are given: those with a default may be left out. */
export function fitsRecord(value: Value, record: RecordType, fits: (value: Value, type: Type) => boolean): boolean {
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const given = value as Readonly<Record<string, Value>>;
  const known = new Map(record.fields.map((field) => [field.name, field]));
  return (
    Object.entries(given).every(([name, one]) => {
      const field = known.get(name);
      return field === undefined ? record.more : fits(one, field.type);
    }) && record.fields.every(({ name, optional, hasDefault }) => optional || hasDefault || Object.hasOwn(given, name))
  );
}
