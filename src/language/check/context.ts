/** What every part of the checker is given. */
import type { Report } from "../../base/diagnostic.ts";
import type { Limits } from "../../base/limits.ts";
import type { Expr, PathExpr, TextExpr } from "../ast.ts";
import type { Symbols } from "./symbols.ts";

/** What the first name of a path turned out to be. */
export type Resolution = "own-field" | "variable" | "fact" | "list" | "condition" | "word" | "null";

/** `{avg(e.confidence)}` in a reason: where it begins and ends in the text, and what it says. */
export interface Hole {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly expr: Expr;
}

export interface Context {
  readonly symbols: Symbols;
  /** Of the file that the declaration stands in. */
  readonly report: Report;
  readonly limits: Limits;
  readonly resolutions: Map<PathExpr, Resolution>;
  /** What stands in the holes of reasons. */
  readonly holes: Map<TextExpr, readonly Hole[]>;
}
