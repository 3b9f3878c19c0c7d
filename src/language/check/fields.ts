/** Checks declared fields and parameters: their types, keys and defaults. */
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { checkData, isNull } from "./facts.ts";
import { keysOf, plainKeyOf } from "./keys.ts";
import { checkRecord } from "./records.ts";
import { isReserved } from "./names.ts";
import { PRIMITIVES, typeOfRef } from "./declared-types.ts";
import { describe } from "./types.ts";
import { checkTypeName } from "./typing.ts";

export function checkTypeDecl(cx: Context, decl: ast.TypeDecl): void {
  if (decl.fields.length > cx.limits.fields) {
    const message = `type "${decl.name.name}" has ${decl.fields.length} fields; the limit is ${cx.limits.fields}`;
    cx.report.error("E306", decl.name.span, message);
    return;
  }
  const timed = decl.fields.filter(({ at }) => at === true);
  for (const field of timed.slice(1)) {
    const message = `${decl.name.name} has two times: @${timed[0]?.name.name ?? ""} and @${field.name.name}`;
    cx.report.error("E204", field.name.span, message, "mark only the field that says when it happened");
  }
  if (decl.expires !== undefined) checkExpiry(cx, decl, decl.expires);
  for (const field of decl.fields) {
    checkTypeRef(cx, field.type);
    if (field.key) checkKey(cx, decl, field);
    if (field.at === true) checkTime(cx, decl, field);
    checkDefault(cx, `${decl.name.name}.${field.name.name}`, field);
  }
}

export function checkRecordDecl(cx: Context, decl: ast.RecordDecl): void {
  for (const field of decl.fields) {
    checkTypeRef(cx, field.type);
    checkDefault(cx, `${decl.name.name}.${field.name.name}`, field);
  }
  checkRecord(cx, decl);
}

export function checkParams(cx: Context, params: readonly ast.FieldDecl[]): void {
  const seen = new Set<string>();
  for (const param of params) {
    const { name, span } = param.name;
    if (isReserved(name)) cx.report.error("E210", span, `"${name}" is a reserved name`, "choose another name");
    if (seen.has(name)) cx.report.error("E204", span, `parameter "${name}" is defined twice`, "choose another name");
    seen.add(name);
    checkTypeRef(cx, param.type);
    checkDefault(cx, name, param);
  }
}

/** Checks that the types of a reference exist. */
export function checkTypeRef(cx: Context, ref: ast.TypeRef): void {
  if (ref.kind === "list-of") return checkTypeRef(cx, ref.item);
  if (ref.kind === "union") return checkOptions(cx, ref);
  const { aliases, records } = cx.symbols;
  const isOfValues = aliases.get(ref.name) !== undefined || records.get(ref.name) !== undefined;
  if (typeOfRef(ref).kind !== "fact" || isOfValues) return;
  if (!cx.symbols.excuses(aliases, ref.name) && !cx.symbols.excuses(records, ref.name))
    checkTypeName(cx, ref, [...PRIMITIVES, ...records.names()]);
}

/** Reports a union of strings and numbers: its values could be neither ordered nor joined. */
function checkOptions(cx: Context, union: ast.UnionTypeRef): void {
  const [first] = union.options;
  const other = union.options.find((option) => option.kind !== first?.kind);
  if (other === undefined) return;
  cx.report.error("E214", other.span, "a union has only strings or only numbers", 'write numbers as strings: "1"');
}

/** Checks `type Name = …`: what it stands for, and that it does not stand for itself. */
export function checkAlias(cx: Context, decl: ast.AliasDecl): void {
  checkTypeRef(cx, decl.type);
  const seen = new Set<string>();
  for (let name = aliased(decl.type); name !== undefined && !seen.has(name);) {
    if (name === decl.name.name) {
      cx.report.error("E215", decl.name.span, `type "${name}" stands for itself`, "name the values: type X = number");
      return;
    }
    seen.add(name);
    const next = cx.symbols.aliases.get(name)?.decl.type;
    name = next === undefined ? undefined : aliased(next);
  }
}

function aliased(ref: ast.TypeRef): string | undefined {
  if (ref.kind === "list-of") return aliased(ref.item);
  return ref.kind === "named" ? ref.name : undefined;
}

/** Checks a key: it is part of the fact's id, so it must be a plain value that is always present. */
function checkKey(cx: Context, decl: ast.TypeDecl, field: ast.FieldDecl): void {
  const where = `${decl.name.name}.${field.name.name}`;
  const type = cx.symbols.typeOfRef(field.type);
  if (type.kind === "fact" && cx.symbols.type(type.type) !== undefined) checkKeyReference(cx, where, field, type.type);
  else if (type.kind === "list" || type.kind === "record" || type.kind === "fact" || type.kind === "any") {
    const message = `key ${where} must be of type string, number or bool, or a reference to a type with one key`;
    cx.report.error("E214", field.type.span, message);
  }
  if (field.default !== null) {
    cx.report.error(
      "E214",
      field.default.span,
      `key ${where} cannot have a default`,
      "remove the default: every fact needs its own key",
    );
  }
  if (field.optional) {
    cx.report.error("E214", field.span, `key ${where} cannot be optional`, "remove the ? or the #");
  }
}

/** Checks the time of a fact: windows and expiry compare it with the clock. */
function checkTime(cx: Context, decl: ast.TypeDecl, field: ast.FieldDecl): void {
  const type = cx.symbols.typeOfRef(field.type);
  if (type.kind === "instant" || type.kind === "date") return;
  const message = `the time @${field.name.name} of ${decl.name.name} must be of type instant or date, found ${describe(type)}`;
  cx.report.error("E214", field.type.span, message, `write @${field.name.name}: instant`);
}

/** Checks how long the facts of a type stay: it needs their times, and a length above zero. */
function checkExpiry(cx: Context, { name, fields }: ast.TypeDecl, expires: ast.AmountExpr): void {
  if (expires.of === "months") {
    cx.report.error("E218", expires.span, "months have no fixed length", "write days: expires 30 days");
  } else if (expires.value <= 0) {
    cx.report.error("E218", expires.span, "facts of this type would never enter", "write a duration above zero");
  }
  if (fields.some(({ at }) => at === true)) return;
  const time = fields.find(({ type }) => type.kind === "named" && /^(?:instant|date)$/u.test(type.name));
  const hint = `mark the time from which they expire: @${time?.name.name ?? "at"}: instant`;
  cx.report.error("E218", expires.span, `nothing says which field is the time of a ${name.name}`, hint);
}

/** Checks a key that refers to a fact: its id holds the key of that fact. */
function checkKeyReference(cx: Context, where: string, { type: { span } }: ast.FieldDecl, type: string): void {
  if (plainKeyOf(cx.symbols, type) !== undefined) return;
  const keys = keysOf(cx.symbols, type);
  const message = `key ${where} must refer to a type with one key`;
  if (keys.length === 0)
    cx.report.error("E214", span, `${message}, but ${type} has none`, `give ${type} a key: #id: string`);
  else if (keys.length > 1) {
    const fields = keys.map(({ name, type: kind }) => `#${name}: ${describe(kind)}`).join(", ");
    cx.report.error(
      "E214",
      span,
      `${message}, but ${type} has ${keys.length}`,
      `use keys of your own, such as ${fields}`,
    );
  } else
    cx.report.error(
      "E214",
      span,
      `key ${where} refers to itself through ${type}`,
      "give one of the types a key of its own",
    );
}

function checkDefault(cx: Context, where: string, field: ast.FieldDecl): void {
  if (field.default === null) return;
  if (isNull(field.default)) {
    cx.report.error(
      "E407",
      field.default.span,
      "null cannot be a default",
      "for an optional field, write ? after its type",
    );
    return;
  }
  checkData(cx, where, cx.symbols.typeOfRef(field.type), field.default);
}
