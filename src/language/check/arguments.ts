/** Checks arguments against parameters: of functions, actions, conditions and gates. */
import type { Span } from "../../base/span.ts";
import type { BuiltInFunction } from "../../functions/built-in.ts";
import type * as ast from "../ast.ts";
import type { Context } from "./context.ts";
import { argumentHint } from "./habits.ts";
import { checkPassedObject } from "./records.ts";
import type { Param, Signature } from "./signature.ts";
import { noteText, timeComparisonHint } from "./times.ts";
import { describe, holdsTime, isNumeric, isText, REPORTED, storable, type Type } from "./types.ts";

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

/** Reports what a built-in function refuses of a call as it is written; `types` are those of the arguments, in order. */
export function checkWritten(cx: Context, entry: BuiltInFunction, call: ast.CallExpr, types: readonly Type[]): void {
  if (entry.checks === undefined) return;
  const written = types.map((type, index) => ({
    kind: isNumeric(type) ? "number" : isText(type) ? "string" : type.kind,
    type: describe(type),
    text: textOf(cx, call.args[index]),
  }));
  const found = entry.checks(written);
  const arg = found === undefined ? undefined : call.args[found.argument];
  if (found === undefined || arg === undefined) return;
  const code = found.pattern === true ? "E221" : "E209";
  cx.report.error(code, arg.span, `${code === "E221" ? "invalid pattern: " : ""}${found.fault}`, found.hint);
}

/** Returns a string that is written out, or that a constant stands for. */
function textOf(cx: Context, value: ast.Value | undefined): string | undefined {
  if (value?.kind === "text") return value.value;
  const isConstant = value?.kind === "path" && cx.resolutions.get(value) === "constant";
  const constant = isConstant ? cx.symbols.constants.get(value.root.name)?.decl : undefined;
  return constant?.value.kind === "text" && constant.type === undefined ? constant.value.value : undefined;
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
      argumentHint(cx, callee, args, types) ??
        (params.length === 0 ? undefined : `arguments: ${params.map(describeParam).join(", ")}`),
    );
    return;
  }
  for (const [index, type] of types.entries()) {
    const param = params[index] ?? params.at(-1);
    const arg = args[index];
    if (param === undefined || arg === undefined) continue;
    if (storable(type, param.type) && !(type.kind === "any" && type !== REPORTED && holdsTime(param.type))) {
      noteText(cx, arg, type, param.type);
      checkOption(cx, callee, param, arg);
      checkPassedObject(cx, `argument "${param.name}"`, param.type, arg);
      continue;
    }
    cx.report.error(
      "E209",
      arg.span,
      `${callee}: argument "${param.name}" must be ${describe(param.type)}, found ${describe(type)}`,
      argumentHint(cx, callee, args, types) ??
        (holdsTime(param.type) ? timeComparisonHint(param.type, type) : undefined),
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
