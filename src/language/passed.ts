/** What a call passes for the parameters of a declared function. */
import type * as ast from "./ast.ts";

/**
 * Returns the value for each parameter: the argument, or the default of the parameter; null for an optional one that is left out.
 * Parameters at the end for which nothing is passed are left out.
 */
export function passedTo(params: readonly ast.FieldDecl[], args: readonly ast.Value[]): readonly (ast.Value | null)[] {
  const passed = params.map((param, index) => args[index] ?? param.default);
  return passed.slice(0, passed.findLastIndex((value) => value !== null) + 1);
}
