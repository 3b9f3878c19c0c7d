/**
 * Notes which fields of paths are read off a value and lead to no fact, and which of them are times that a record holds as text.
 *
 * A path that takes the place of another, longer one takes its notes along.
 */
import type { Expr, PathExpr, PropertyExpr } from "../ast.ts";
import type { Context } from "./context.ts";
import { holdsTime, type Type } from "./types.ts";

type Fields = PathExpr | PropertyExpr;

/** Notes which of the fields of an expression are read off a value. */
export function noteValueFields(cx: Context, expr: Fields, flags: readonly boolean[]): void {
  if (flags.includes(true)) cx.valueFields.set(expr, flags);
}

/** Notes that the last field of an expression is a time, when it is one that a record holds. */
export function noteHeldTime(cx: Context, expr: Fields, owner: Type, type: Type): void {
  if (owner.kind === "record" && holdsTime(type)) cx.times.held.set(expr, true);
}

/** Notes of a copy what is noted of an expression. */
export function carryValueFields(cx: Context, from: object, to: object): void {
  const flags = cx.valueFields.get(from as Fields);
  if (flags !== undefined) cx.valueFields.set(to as Fields, flags);
  if (cx.times.held.has(from as Fields)) cx.times.held.set(to as Fields, true);
}

/** Notes of a path what is noted of its beginning, and of a path whose fields follow. */
export function joinValueFields(cx: Context, beginning: PathExpr, rest: PathExpr, joined: PathExpr): void {
  noteValueFields(cx, joined, [...flagsOf(cx, beginning), ...flagsOf(cx, rest)]);
  const last = rest.fields.length === 0 ? beginning : rest;
  if (cx.times.held.has(last)) cx.times.held.set(joined, true);
}

/** Returns the fields of a computed record in place of a path; undefined when one of them leads to a fact. */
export function fieldsOfValue(cx: Context, path: PathExpr, value: Expr): Expr | undefined {
  const flags = cx.valueFields.get(path);
  if (flags === undefined || flags.includes(false)) return undefined;
  const made = path.fields.reduce<Expr>((of, field) => {
    const property: PropertyExpr = { kind: "property", of, field, span: path.span };
    cx.valueFields.set(property, [true]);
    return property;
  }, value);
  const type = cx.times.types.get(path);
  if (type !== undefined) cx.times.types.set(made, type);
  if (cx.times.texts.has(path)) cx.times.texts.set(made, true);
  if (made.kind === "property" && cx.times.held.has(path)) cx.times.held.set(made, true);
  return made;
}

function flagsOf(cx: Context, path: PathExpr): readonly boolean[] {
  return cx.valueFields.get(path) ?? path.fields.map(() => false);
}
