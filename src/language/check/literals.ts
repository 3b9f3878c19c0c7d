/** Literals: a string, a number, true or false. */
import type { BoolExpr, NumberExpr, TextExpr, Value } from "../ast.ts";
import { BOOL, NUMBER, STRING, type Type } from "./types.ts";

type Literal = TextExpr | NumberExpr | BoolExpr;

const TYPES: Readonly<Record<Literal["kind"], Type>> = { text: STRING, number: NUMBER, bool: BOOL };

export function isLiteral(value: Value): value is Literal {
  return Object.hasOwn(TYPES, value.kind);
}

export function typeOfLiteral(literal: Literal): Type {
  return TYPES[literal.kind];
}
