/** Checks declared functions: their parameters, their result, their expression, and that nothing else has their name. */
import { signatureText } from "../../base/host-types.ts";
import { AGGREGATES } from "../../functions/aggregates.ts";
import { functionNamed } from "../../functions/functions.ts";
import type { Span } from "../../base/span.ts";
import type * as ast from "../ast.ts";
import { forEachNode } from "../walk.ts";
import { paramsOf } from "./arguments.ts";
import { isQuestion } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import { checkParams, checkTypeRef } from "./fields.ts";
import { Scope } from "./scope.ts";
import { QUORUMS, REACTION_WORDS } from "./signature.ts";
import { place } from "./names.ts";
import { type ComputedFunction, isComputed } from "./symbols.ts";
import { noteText, timeComparisonHint } from "./times.ts";
import { describe, holdsTime, storable } from "./types.ts";
import { typeOf } from "./typing.ts";

export function checkFunction(cx: Context, decl: ast.FunctionDecl): void {
  checkParams(cx, decl.params);
  checkTypeRef(cx, decl.result);
  checkName(cx, decl);
  checkPassed(cx, decl);
  if (isComputed(decl)) checkBody(cx, decl);
}

/** Checks the expression of a function: it sees the parameters and nothing else of facts, and has the type of the result. */
function checkBody(cx: Context, decl: ComputedFunction): void {
  const { params, body, result } = decl;
  const scope = Scope.root();
  for (const param of paramsOf(cx, params)) scope.add({ name: param.name, type: param.type, kind: "parameter" });
  const type = typeOf(cx, body, scope);
  const wanted = cx.symbols.typeOfRef(result);
  refuseQuestions(cx, body);
  if (storable(type, wanted) && !(type.kind === "any" && holdsTime(wanted))) {
    noteText(cx, body, type, wanted);
    return;
  }
  const message = `function "${decl.name.name}" returns ${describe(wanted)}, and this is ${describe(type)}`;
  const hint = holdsTime(wanted) ? timeComparisonHint(wanted, type) : "change the type of the result";
  cx.report.error("E203", body.span, message, hint);
}

/** Reports questions about facts: the value of a function depends on its arguments alone. */
function refuseQuestions(cx: Context, body: ast.Expr): void {
  forEachNode(body, (node) => {
    if (!isQuestion(node)) return;
    const hint = "pass the value as an argument, or write a condition: condition name(…) : exists …";
    cx.report.error("E214", node["span"] as Span, "a function cannot ask about facts", hint);
  });
}

/** Reports the name of a built-in function, and that of a condition: in a gate a call would mean the condition, and elsewhere the function. */
function checkName(cx: Context, { name: { name, span } }: ast.FunctionDecl): void {
  const kind = builtInKind(name);
  if (kind !== undefined) {
    cx.report.error("E210", span, `"${name}" is a built-in ${kind}`, "choose another name");
    return;
  }
  const condition = cx.symbols.conditions.get(name);
  if (condition === undefined) return;
  const message = `function "${name}" has the name of a condition`;
  cx.report.error("E204", span, message, `the condition is at ${place(condition)}: give one of them another name`);
}

function builtInKind(name: string): "function" | "aggregate" | undefined {
  const lower = name.toLowerCase();
  if (functionNamed(name) !== undefined || REACTION_WORDS.has(lower) || QUORUMS.has(lower)) return "function";
  return AGGREGATES.has(lower) ? "aggregate" : undefined;
}

/** Reports another signature for the same function in the options of `compile`. */
function checkPassed(cx: Context, { name: { name, span } }: ast.FunctionDecl): void {
  const passed = cx.symbols.hostSignature(name);
  const declared = cx.symbols.function(name);
  if (passed !== undefined && cx.symbols.computedFunction(name) !== undefined) {
    const message = `function "${name}" is computed in the program, and passed to compile`;
    cx.report.error("E204", span, message, "remove it from the functions that are passed to compile");
    return;
  }
  if (passed === undefined || declared === undefined || signatureText(passed) === signatureText(declared)) return;
  const message = `function "${name}" is declared as ${signatureText(declared)}, and passed to compile as ${signatureText(passed)}`;
  cx.report.error("E203", span, message, "remove it from the functions that are passed to compile");
}
