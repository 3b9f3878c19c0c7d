/** What every part of the checker is given. */
import type { Report } from "../../base/diagnostic.ts";
import type { Limits } from "../../base/limits.ts";
import type { PathExpr } from "../ast.ts";
import type { Symbols } from "./symbols.ts";

/** What the first name of a path turned out to be. */
export type Resolution = "own-field" | "variable" | "fact" | "list" | "condition" | "word" | "null";

export interface Context {
  readonly symbols: Symbols;
  /** Of the file that the declaration stands in. */
  readonly report: Report;
  readonly limits: Limits;
  readonly resolutions: Map<PathExpr, Resolution>;
}
