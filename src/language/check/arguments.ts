/** Checks arguments against parameters: of functions, actions, conditions and gates. */
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import type { Param, Signature } from "./signature.ts";
import { describe, storable, type Type } from "./types.ts";

export function paramsOf(cx: Context, fields: readonly ast.FieldDecl[]): Param[] {
  return fields.map((field) => ({
    name: field.name.name,
    type: cx.symbols.typeOfRef(field.type),
    optional: field.optional || field.default !== null,
  }));
}

export function checkCallArguments(
  cx: Context,
  name: string,
  signature: Signature,
  call: { readonly args: readonly ast.Value[]; readonly span: Span },
  types: readonly Type[],
): void {
  checkArguments(cx, name, signature.params, signature.repeats ?? false, call.args, call.span, types);
}

/** Reports a wrong number of arguments, or a wrong type; `types` are those of the arguments, in order. */
export function checkArguments(
  cx: Context,
  callee: string,
  params: readonly Param[],
  repeats: boolean,
  args: readonly ast.Value[],
  span: Span,
  types: readonly Type[],
): void {
  const fewest = params.filter((param) => !param.optional).length;
  if (args.length < fewest || (!repeats && args.length > params.length)) {
    cx.report.error(
      "E209",
      span,
      `${callee} takes ${howMany(fewest, repeats ? Infinity : params.length)}, found ${args.length}`,
      params.length === 0 ? undefined : `arguments: ${params.map(describeParam).join(", ")}`,
    );
    return;
  }
  for (const [index, type] of types.entries()) {
    const param = params[index] ?? params.at(-1);
    const arg = args[index];
    if (param === undefined || arg === undefined) continue;
    if (storable(type, param.type)) {
      checkOption(cx, callee, param, arg);
      continue;
    }
    cx.report.error(
      "E209",
      arg.span,
      `${callee}: argument "${param.name}" must be ${describe(param.type)}, found ${describe(type)}`,
    );
  }
}

/** Checks a string where only certain values are allowed. */
function checkOption(cx: Context, callee: string, { name, type }: Param, arg: ast.Value): void {
  if (type.kind !== "union" || arg.kind !== "text" || type.options.includes(arg.value)) return;
  cx.report.error("E209", arg.span, `${callee}: argument "${name}" must be ${describe(type)}, found "${arg.value}"`);
}

function howMany(fewest: number, most: number): string {
  if (most === 0) return "no arguments";
  if (fewest === most) return fewest === 1 ? "1 argument" : `${fewest} arguments`;
  return most === Infinity ? `at least ${fewest} arguments` : `${fewest} to ${most} arguments`;
}

function describeParam(param: Param): string {
  return `${param.name}: ${describe(param.type)}${param.optional ? "?" : ""}`;
}
