/** Literals: a string, a number, true or false, a time. */
import type { AmountExpr, BoolExpr, NumberExpr, TextExpr, TimeExpr, Value } from "../ast.ts";
import { BOOL, NUMBER, STRING, type Type } from "./types.ts";

type Literal = TextExpr | NumberExpr | BoolExpr | TimeExpr | AmountExpr;

const TYPES: Readonly<Record<"text" | "number" | "bool", Type>> = { text: STRING, number: NUMBER, bool: BOOL };

export function isLiteral(value: Value): value is Literal {
  return Object.hasOwn(TYPES, value.kind) || value.kind === "time" || value.kind === "amount";
}

export function typeOfLiteral(literal: Literal): Type {
  return literal.kind === "time" || literal.kind === "amount" ? { kind: literal.of } : TYPES[literal.kind];
}
