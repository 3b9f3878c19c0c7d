/** The context that every part of the checker receives. */
import type { Report } from "../../base/diagnostic.ts";
import type { Limits } from "../../base/limits.ts";
import type { Expr, PathExpr, TextExpr } from "../ast.ts";
import type { Symbols } from "./symbols.ts";

/** The meaning of the first name of a path. */
export type Resolution = "own-field" | "variable" | "fact" | "list" | "condition" | "word" | "null" | "decision";

/** `{avg(e.confidence)}` in a reason: where it starts and ends in the string, and its expression. */
export interface Hole {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly expr: Expr;
}

export interface Context {
  readonly symbols: Symbols;
  /** The report of the file that contains the declaration. */
  readonly report: Report;
  readonly limits: Limits;
  readonly resolutions: Map<PathExpr, Resolution>;
  /** The expressions in `{…}` of reasons. */
  readonly holes: Map<TextExpr, readonly Hole[]>;
}
