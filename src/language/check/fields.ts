/** Checks declared fields and parameters: their types, keys and defaults. */
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { checkData, isNull } from "./facts.ts";
import { isReserved, PRIMITIVES, typeOfRef } from "./symbols.ts";
import { describe } from "./types.ts";
import { checkTypeName } from "./typing.ts";

export function checkTypeDecl(cx: Context, decl: ast.TypeDecl): void {
  if (decl.fields.length > cx.limits.fields) {
    const message = `type "${decl.name.name}" has ${decl.fields.length} fields; the limit is ${cx.limits.fields}`;
    cx.report.error("E306", decl.name.span, message);
    return;
  }
  for (const field of decl.fields) {
    checkTypeRef(cx, field.type);
    if (field.key) checkKey(cx, decl, field);
    checkDefault(cx, `${decl.name.name}.${field.name.name}`, field);
  }
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

function checkTypeRef(cx: Context, ref: ast.TypeRef): void {
  if (ref.kind === "list-of") return checkTypeRef(cx, ref.item);
  if (ref.kind === "named" && typeOfRef(ref).kind === "fact") checkTypeName(cx, ref, PRIMITIVES);
}

/** Checks a key: it is part of the fact's id, so it must be a plain value that is always present. */
function checkKey(cx: Context, decl: ast.TypeDecl, field: ast.FieldDecl): void {
  const where = `${decl.name.name}.${field.name.name}`;
  const type = typeOfRef(field.type);
  if (type.kind === "list" || type.kind === "fact" || type.kind === "any") {
    const message = `key ${where} must be of type string, number or bool`;
    cx.report.error("E214", field.type.span, message, keyHint(cx, field));
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

/** Returns what to write for a key that refers to a fact: the key of that fact. */
function keyHint(cx: Context, { name, type }: ast.FieldDecl): string | undefined {
  const referred = type.kind === "named" ? cx.symbols.type(type.name) : undefined;
  const [key, another] = [...(referred?.fields.values() ?? [])].filter((field) => field.key);
  if (referred === undefined || key === undefined || another !== undefined || key.type.kind === "fact")
    return undefined;
  return `use the key of ${referred.name}: #${name.name}: ${describe(key.type)}`;
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
