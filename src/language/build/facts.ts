/** Names, types, declared actions, and facts. */
import type * as ast from "../ast.ts";
import { amount } from "./expressions.ts";
import { type Parts, span } from "./parts.ts";

export const ident = (d: Parts): ast.Ident => ({ name: String(d[0].value), span: span(d) });
export const bareLabel = (d: Parts): ast.Label => ({ name: d[0].name, quoted: false, span: span(d) });
export const quotedLabel = (d: Parts): ast.Label => ({ name: d[0].value, quoted: true, span: span(d) });

/** Builds `billing.Invoice`: the name with its module, which is also noted apart. */
export const dotted = (d: Parts): ast.Ident => ({
  name: `${d[0].name}.${d[2].name}`,
  module: d[0].name,
  span: span(d),
});
export const dottedLabel = (d: Parts): ast.Label => ({ ...d[0], quoted: false });
export const dottedText = (d: Parts): ast.Label => ({
  name: `${d[0].name}.${d[2].value}`,
  module: d[0].name,
  quoted: true,
  span: span(d),
});

export const quotedName = (d: Parts): ast.Ident => ({ name: d[0].value, span: span(d) });

export const typeDecl = (d: Parts): ast.TypeDecl => ({
  kind: "type",
  name: d[1],
  ...(d[3] as DeclaredFields),
  ...(d[5] !== null && { expires: d[5] }),
  protected: false,
  span: span(d),
});
export const recordDecl = (d: Parts): ast.RecordDecl => ({
  kind: "record",
  name: d[1],
  ...(d[3] as DeclaredFields),
  span: span(d),
});

/** The fields of a type or record. */
type DeclaredFields = Pick<ast.RecordDecl, "fields" | "more">;

export const allFields = (d: Parts): DeclaredFields => ({ fields: d[0] });
export const someFields = (d: Parts): DeclaredFields => ({
  fields: d.length > 1 ? d[0] : [],
  more: { span: span([d.at(-1)]) },
});
export const expiry = (d: Parts): ast.AmountExpr => amount([d[1]]);
export const angleTypeDecl = (d: Parts): ast.TypeDecl => ({
  kind: "type",
  name: d[1],
  fields: d[4],
  protected: false,
  span: span(d),
  legacy: "angle-type",
});
export const protectedType = (d: Parts): ast.TypeDecl => ({ ...d[1], protected: true, span: span(d) });
export const field = (d: Parts): ast.FieldDecl => ({
  name: d[1],
  key: d[0] === "#",
  ...(d[0] === "@" && { at: true }),
  type: d[3],
  optional: d[4] !== null,
  default: d[5],
  span: span(d),
});
export const param = (d: Parts): ast.FieldDecl => field([null, ...d]);
export const namedTypeRef = (d: Parts): ast.NamedTypeRef => ({
  kind: "named",
  name: PRIMITIVES.get(d[0].value.toLowerCase()) ?? d[0].value,
  span: span(d),
});
export const dottedTypeRef = (d: Parts): ast.NamedTypeRef => ({ kind: "named", name: d[0].name, span: span(d) });
export const listTypeRef = (d: Parts): ast.ListTypeRef => ({ kind: "list-of", item: d[0], span: span(d) });
export const unionTypeRef = (d: Parts): ast.UnionTypeRef => ({ kind: "union", options: d[0], span: span(d) });
export const aliasDecl = (d: Parts): ast.AliasDecl => ({ kind: "alias", name: d[1], type: d[3], span: span(d) });
export const actionDecl = (d: Parts): ast.ActionDecl => ({ kind: "action", name: d[1], params: d[3], span: span(d) });

const PRIMITIVES = new Map([
  ["string", "string"],
  ["number", "number"],
  ["bool", "bool"],
  ["boolean", "bool"],
  ["any", "any"],
]);

export const factDecl = (d: Parts): ast.FactDecl => ({ kind: "fact", name: null, fact: d[0], span: span(d) });
export const namedFactDecl = (d: Parts): ast.FactDecl => ({ kind: "fact", name: d[0], fact: d[2], span: span(d) });
export const assertFactDecl = (d: Parts): ast.FactDecl => ({
  kind: "fact",
  name: null,
  fact: d[2],
  span: span(d),
  legacy: "assert",
});
export const fact = (d: Parts): ast.FactLiteral => ({ kind: "fact-literal", type: d[0], args: d[2], span: span(d) });
export const positionalArg = (d: Parts): ast.FactArg => ({ name: null, value: d[0], span: span(d) });
export const namedArg = (d: Parts): ast.FactArg => ({ name: d[0], value: d[2], span: span(d) });
export const equalsArg = (d: Parts): ast.FactArg => ({ name: d[0], value: d[2], span: span(d), legacy: "equals" });
