/**
 * Constants: plain values with names, `const VAT = 0.2` and `list EU = ["FR", "DE"]`.
 *
 * One that is written with `const`, and a parameter, may stand in data too: as a value in a fact of the program, a default, or another constant.
 * There a bare word is a string, unless it is the name of such a constant.
 */
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import type { Symbols } from "./symbols.ts";
import { common, listOf, REPORTED, type Type } from "./types.ts";

/** Returns the constant that a bare word in data names; undefined when it is a string. */
export function constantInData(symbols: Symbols, value: ast.Value): ast.ConstDecl | undefined {
  if (value.kind !== "path" || value.fields.length > 0) return undefined;
  const decl = symbols.constants.get(value.root.name)?.decl;
  return decl?.spelling === "list" ? undefined : decl;
}

/** Returns the type of a constant. */
export function typeOfConstant({ symbols }: Context, decl: ast.ConstDecl): Type {
  return decl.type === undefined ? typeOfData(symbols, decl.value, new Set([decl])) : symbols.typeOfRef(decl.type);
}

/** Returns the type of plain data; `inside` are the constants that it is part of: a circular one is `any`. */
function typeOfData(symbols: Symbols, value: ast.Value, inside: ReadonlySet<ast.ConstDecl>): Type {
  if (isLiteral(value)) return typeOfLiteral(value);
  if (value.kind === "list") return listOf(common(value.items.map((item) => typeOfData(symbols, item, inside))));
  const decl = constantInData(symbols, value);
  if (decl === undefined || inside.has(decl)) return REPORTED;
  return typeOfData(symbols, decl.value, new Set([...inside, decl]));
}

/** Returns whether a constant is defined by itself, directly or through others. */
export function isCircular({ symbols }: Context, decl: ast.ConstDecl): boolean {
  return reaches(symbols, decl.value, decl, new Set());
}

function reaches(symbols: Symbols, value: ast.Value, target: ast.ConstDecl, seen: Set<ast.ConstDecl>): boolean {
  if (value.kind === "list") return value.items.some((item) => reaches(symbols, item, target, seen));
  if (value.kind === "object") return value.entries.some((entry) => reaches(symbols, entry.value, target, seen));
  const decl = constantInData(symbols, value);
  if (decl === undefined || seen.has(decl)) return false;
  seen.add(decl);
  return decl === target || reaches(symbols, decl.value, target, seen);
}
