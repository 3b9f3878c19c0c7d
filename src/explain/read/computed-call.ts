/** Calls of functions that are computed in the language. */
import type * as ast from "../../language/ast.ts";
import type { CheckedProgram } from "../../language/check/program.ts";
import type { ComputedFunction } from "../../language/check/symbols.ts";

/** Returns the function of a call; undefined for a built-in one, one of the host, and for what is no call. */
export function computedCall({ symbols }: CheckedProgram, expr: ast.Value): ComputedFunction | undefined {
  return expr.kind === "call" ? symbols.computedFunction(expr.name.name) : undefined;
}
