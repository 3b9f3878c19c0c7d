/**
 * Records: values with named fields inside facts.
 *
 * A record is no part of itself, not even through a list: every value of it has a depth that its declaration shows, and what reads
 * into it is a path of known length.
 */
import { LONGEST_CHAIN } from "../../base/limits.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { Names } from "./names.ts";
import { hintFor } from "./names.ts";
import type { Symbols } from "./symbols.ts";
import { type RecordField, recordField, type RecordType, type Type } from "./types.ts";

/** Checks what a declaration says of its fields together; their types and defaults are checked like those of a type. */
export function checkRecord(cx: Context, decl: ast.RecordDecl): void {
  const names = new Names<ast.FieldDecl>("field");
  for (const field of decl.fields) {
    names.add(cx.report, field.name, field);
    if (!field.key && field.at !== true) continue;
    const [mark, what] = field.key ? ["#", "a key"] : ["@", "the time of a fact"];
    const message = `record ${decl.name.name} has no facts, so its field "${field.name.name}" cannot be ${what}`;
    cx.report.error("E214", field.span, message, `remove the ${mark}, or declare it as a type`);
  }
  if (isPartOfItself(cx.symbols, decl)) {
    const hint = "make the parts facts that refer to each other, or declare the inner field as any";
    cx.report.error("E215", decl.name.span, `record "${decl.name.name}" contains itself`, hint);
    return;
  }
  const size = sizeOf(cx.symbols, decl, new Map());
  if (size <= cx.limits.fields) return;
  const message = `record "${decl.name.name}" has ${size} fields with those of the records in it; the limit is ${cx.limits.fields}`;
  cx.report.error("E306", decl.name.span, message);
}

function isPartOfItself(symbols: Symbols, decl: ast.RecordDecl): boolean {
  const seen = new Set<ast.RecordDecl>();
  const open = partsOf(symbols, decl);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === decl) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...partsOf(symbols, next));
  }
  return false;
}

/** Returns the records that fields of a record are, or hold in lists. */
function partsOf(symbols: Symbols, { fields }: ast.RecordDecl): ast.RecordDecl[] {
  return fields.flatMap(({ type }) => recordNamed(symbols, type) ?? []);
}

/** Returns the record that a reference names, also in a list and by another name. */
function recordNamed(symbols: Symbols, ref: ast.TypeRef): ast.RecordDecl | undefined {
  const seen = new Set<string>();
  let type = ref;
  for (;;) {
    if (type.kind === "list-of") type = type.item;
    else if (type.kind === "union" || seen.has(type.name)) return undefined;
    else {
      const record = symbols.records.get(type.name)?.decl;
      const alias = symbols.aliases.get(type.name)?.decl;
      if (record !== undefined || alias === undefined) return record;
      seen.add(type.name);
      type = alias.type;
    }
  }
}

/**
 * Returns the number of fields of a record and of the records in it. A record in a circle counts as nothing here, and one in too long a
 * row, which is reported when all types are known.
 */
function sizeOf(symbols: Symbols, decl: ast.RecordDecl, known: Map<ast.RecordDecl, number>, level = 0): number {
  const before = known.get(decl);
  if (before !== undefined) return before;
  if (level > LONGEST_CHAIN) return 0;
  known.set(decl, 0);
  const size = partsOf(symbols, decl).reduce(
    (sum, part) => sum + sizeOf(symbols, part, known, level + 1),
    decl.fields.length,
  );
  known.set(decl, size);
  return size;
}

// ---------------------------------------------------------------- objects

/** Checks the value of a field. */
type CheckField = (where: string, field: RecordField, entry: ast.Entry) => void;

/** Checks the fields of an object where a record is expected; `where` is how messages call the place. */
export function checkFields(
  cx: Context,
  where: string,
  record: RecordType,
  object: ast.ObjectExpr,
  checkField: CheckField,
): void {
  const given = new Set<string>();
  for (const entry of object.entries) {
    const { name } = entry.name;
    const field = recordField(record, name);
    if (field === undefined) {
      given.add(reportUnknown(cx, record, entry.name));
      continue;
    }
    given.add(name);
    if (isNothing(entry.value)) clear(cx, where, record, field, entry.value);
    else checkField(`${where}.${name}`, field, entry);
  }
  const missing = record.fields.filter((field) => !field.optional && !field.hasDefault && !given.has(field.name));
  reportMissing(cx, where, record, missing, object.span);
}

/** Reports an object that is passed where nothing fills in defaults, and lacks fields. */
export function checkPassedObject(cx: Context, where: string, type: Type, value: ast.Value): void {
  if (type.kind === "list" && value.kind === "list") {
    for (const item of value.items) checkPassedObject(cx, where, type.item, item);
  }
  if (type.kind !== "record" || value.kind !== "object") return;
  checkFields(
    cx,
    where,
    { ...type, fields: type.fields.map((field) => ({ ...field, hasDefault: false })) },
    value,
    (at, field, entry) => checkPassedObject(cx, at, field.type, entry.value),
  );
}

/** Reports a field that a record does not have; returns the name that was probably meant. */
function reportUnknown(cx: Context, record: RecordType, { name, span }: ast.Ident): string {
  const names = record.fields.map((field) => field.name);
  const meant = nearest(name, names);
  const hint = hintFor(name, meant) ?? `fields: ${names.join(", ")}`;
  cx.report.error("E401", span, `record ${record.name} has no field "${name}"`, hint);
  return meant ?? name;
}

/** Checks `null` as the value of a field: it means that the field is missing. */
function clear(cx: Context, where: string, record: RecordType, field: RecordField, value: ast.PathExpr): void {
  cx.resolutions.set(value, "null");
  if (!field.optional && !field.hasDefault) reportMissing(cx, where, record, [field], value.span);
}

function reportMissing(
  cx: Context,
  where: string,
  { name }: RecordType,
  missing: readonly RecordField[],
  span: Span,
): void {
  if (missing.length === 0) return;
  const names = missing.map((field) => `"${field.name}"`).join(", ");
  const message = `${where} is ${name}, and lacks the required ${missing.length === 1 ? "field" : "fields"} ${names}`;
  cx.report.error("E402", span, message, "add a value, or declare the field optional (?) or with a default");
}

function isNothing(value: ast.Value): value is ast.PathExpr {
  return value.kind === "path" && value.fields.length === 0 && value.root.name.toLowerCase() === "null";
}

// ---------------------------------------------------------------- parameters

/** Returns a plain value of a type as it would be stored: with the defaults of its records, and without what they ignore. */
export function completed(symbols: Symbols, type: Type, value: ast.Value): ast.Value {
  if (type.kind === "list" && value.kind === "list") {
    return { ...value, items: value.items.map((item) => completed(symbols, type.item, item)) };
  }
  if (type.kind !== "record" || value.kind !== "object") return value;
  const given = new Map(value.entries.map((entry) => [entry.name.name, entry]));
  const declared = symbols.records.get(type.name)?.decl.fields ?? [];
  const filled = declared.flatMap((field): ast.Entry[] => {
    if (given.has(field.name.name) || field.default === null) return [];
    return [{ name: field.name, value: field.default, span: value.span }];
  });
  const kept = value.entries.filter(({ name }) => !type.more || recordField(type, name.name) !== undefined);
  const entries = [...kept, ...filled].map((entry) => {
    const inner = recordField(type, entry.name.name)?.type;
    return inner === undefined ? entry : { ...entry, value: completed(symbols, inner, entry.value) };
  });
  return { ...value, entries };
}
