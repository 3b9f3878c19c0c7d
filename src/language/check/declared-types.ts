/** The types that declarations name, before it is known whether they are declared. */
import type * as ast from "../ast.ts";
import { Report } from "../../base/diagnostic.ts";
import type { FactType, Field } from "./builtin-types.ts";
import { ANY, BOOL, DATE, DURATION, factOf, INSTANT, listOf, NUMBER, STRING, type Type } from "./types.ts";
import { Names } from "./names.ts";

/** The names of types that no declaration makes. */
export const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "bool", "boolean", "any"]);

/** Returns the type of facts that a statement declares. */
export function factTypeOf(decl: ast.TypeDecl, report: Report): FactType {
  const fields = new Names<Field>("field");
  for (const field of decl.fields) {
    fields.add(report, field.name, {
      name: field.name.name,
      type: typeOfRef(field.type),
      key: field.key,
      optional: field.optional,
      hasDefault: field.default !== null,
      ...(field.at === true && { at: true }),
    });
  }
  return {
    name: decl.name.name,
    engineKept: false,
    protected: decl.protected,
    ...(decl.more !== undefined && { more: true }),
    ...(decl.expires?.of === "duration" && { expires: decl.expires.value }),
    fields: new Map([...fields.values()].map((field) => [field.decl.name, field.decl])),
  };
}

/** Returns the type that a declaration names; whether it exists is checked elsewhere. */
export function typeOfRef(ref: ast.TypeRef): Type {
  switch (ref.kind) {
    case "union":
      return { kind: "union", options: ref.options.map((option) => option.value) };
    case "list-of":
      return listOf(typeOfRef(ref.item));
    case "named":
      return NAMED.get(ref.name) ?? factOf(ref.name);
  }
}

const NAMED: ReadonlyMap<string, Type> = new Map([
  ["string", STRING],
  ["number", NUMBER],
  ["bool", BOOL],
  ["any", ANY],
  ["date", DATE],
  ["instant", INSTANT],
  ["duration", DURATION],
]);
