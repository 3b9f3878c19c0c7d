/** Computes the types of calls: functions, tables, conditions, and what is called without being there. */
import type * as ast from "../ast.ts";
import { Report } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import { functionNamed } from "../../functions/functions.ts";
import { takenBy } from "../ranked.ts";
import { typeOfTaken } from "./aggregates.ts";
import { checkArguments, checkCallArguments, checkWritten, paramsOf } from "./arguments.ts";
import { conditionCalled } from "./condition-uses.ts";
import type { Context, Typing } from "./context.ts";
import { isAggregateOver } from "./evidence.ts";
import { refuseInItems, refuseItemsAsFacts } from "./items.ts";
import { functionHint, methodHint } from "./habits.ts";
import { isKnown, reportConditionAsValue, typeOfPath } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { QUORUMS, REACTION_WORDS, type Signature } from "./signature.ts";
import { hintFor } from "./names.ts";
import { noteTableUse } from "./table-uses.ts";
import { ANY, BOOL, common, describe, listOf, holdsTime, REPORTED, STRING, type Type, unionOf } from "./types.ts";

export function typeOfCall(cx: Context, call: ast.CallExpr, scope: Scope, typing: Typing): Type {
  const name = call.name.name;
  const table = isSpecialCall(call, scope) ? undefined : tableCalled(cx, name, scope);
  if (table !== undefined) {
    return refuseInItems(cx, scope, `table "${name}"`, call.span)
      ? REPORTED
      : typeOfTableCall(cx, table, call, scope, typing);
  }
  const special = typeOfSpecialCall(cx, call, scope, typing);
  if (special !== undefined) return special;
  if (conditionCalled(cx, name, scope) !== undefined) {
    return refuseInItems(cx, scope, `condition "${name}"`, call.span) ? BOOL : refuseAsValue(cx, call, scope, typing);
  }
  const declared = cx.symbols.function(name);
  if (declared === undefined) return unknownCall(cx, call, scope, typing);
  const builtIn = functionNamed(name);
  const isBuiltIn = builtIn !== undefined && declared === builtIn.signature;
  const signature = (isBuiltIn && call.args.length === 1 ? builtIn.ofList : undefined) ?? declared;
  const types = call.args.map((arg, index) => typeOfArgument(cx, arg, signature.params[index]?.type, scope, typing));
  const result = resultOf(signature, types);
  if (isBuiltIn && builtIn.orders === true) refuseTimes(cx, name, call, types);
  // Times stay times where they are the result: when all arguments are of one type.
  const passesOn = signature.result === "argument" || signature.gives !== undefined;
  const taken = passesOn && holdsTime(result) ? types.map((type) => (holdsTime(type) ? ANY : type)) : types;
  checkCallArguments(cx, name, signature, call, taken);
  if (isBuiltIn) checkWritten(cx, builtIn, call, types);
  if (cx.symbols.computedFunction(name) !== undefined) refuseItemsAsFacts(cx, call, signature, scope);
  return result;
}

function resultOf({ result, gives }: Signature, types: readonly Type[]): Type {
  if (result === "argument") return common(types);
  const [first] = types;
  if (gives === undefined || first?.kind !== "list") return result;
  return gives === "item" ? first.item : first;
}

/** Reports a list of times where items are ordered. */
function refuseTimes(cx: Context, name: string, call: ast.CallExpr, [first]: readonly Type[]): void {
  if (first?.kind !== "list" || !holdsTime(first)) return;
  cx.report.error("E203", call.span, `${name} takes numbers or strings, found ${describe(first)}`);
}

/** Returns the table that a call asks. In a gate a condition with the same name comes first; the checker reports such a name. */
function tableCalled(cx: Context, name: string, scope: Scope): ast.TableDecl | undefined {
  return conditionCalled(cx, name, scope) === undefined ? cx.symbols.tables.get(name)?.decl : undefined;
}

/** Returns the type of a row, or of the value that a table without named outputs gives. */
function typeOfTableCall(cx: Context, decl: ast.TableDecl, call: ast.CallExpr, scope: Scope, typing: Typing): Type {
  const params = paramsOf(cx, decl.params);
  const before = cx.report.diagnostics.length;
  checkArguments(cx, decl.name.name, params, false, call.args, call.span, typing.typesOf(cx, call.args, scope));
  const table = cx.tables.declared.get(decl);
  if (table === undefined) return REPORTED; // its own error is reported
  if (cx.report.diagnostics.length === before) noteTableUse(cx, call, table);
  return table.result;
}

/** Returns the type of an argument. A word that names no value is one of the options: `start_of(month, d)`. */
function typeOfArgument(cx: Context, arg: ast.Value, wanted: Type | undefined, scope: Scope, typing: Typing): Type {
  if (wanted?.kind === "union" && arg.kind === "path" && arg.fields.length === 0 && !isKnown(cx, arg, scope)) {
    const word = arg.root.name.toLowerCase();
    if (wanted.options.includes(word)) {
      cx.resolutions.set(arg, "word");
      return unionOf(word);
    }
  }
  return typing.typeOfValue(cx, arg, scope);
}

/** Reports a condition that is used as a value: it could be compared, or replaced by a default when it is unknown. */
function refuseAsValue(cx: Context, call: ast.CallExpr, scope: Scope, typing: Typing): Type {
  typing.typesOf(cx, call.args, scope);
  reportConditionAsValue(cx, call.name.name, call.span);
  return BOOL;
}

/** Returns whether a call is `missing()`, `actions()` or an aggregate over the evidence of a guardian's check. */
export function isSpecialCall(call: ast.CallExpr, scope: Scope): boolean {
  const name = call.name.name.toLowerCase();
  if ((name === "missing" && scope.has("missing")) || (name === "actions" && scope.has("actions"))) return true;
  return scope.has("evidence") && isAggregateOver(call, (root) => scope.get(root)?.evidence === true);
}

/** Returns the type of `missing()`, `actions()`, and aggregates over the evidence of a guardian's check. */
function typeOfSpecialCall(cx: Context, call: ast.CallExpr, scope: Scope, typing: Typing): Type | undefined {
  const name = call.name.name.toLowerCase();
  if ((name === "missing" && scope.has("missing")) || (name === "actions" && scope.has("actions"))) {
    checkArguments(cx, `${name}()`, [], false, call.args, call.span, typing.typesOf(cx, call.args, scope));
    return listOf(STRING);
  }
  const arg = takenBy(call);
  const evidence = (root: string): boolean => scope.get(root)?.evidence === true;
  if (arg === undefined || arg.kind === "object" || !scope.has("evidence") || !isAggregateOver(call, evidence))
    return undefined;
  if (refuseInItems(cx, scope, `"${call.name.name}" over evidence`, call.span)) return REPORTED;
  return typeOfTaken(cx, call.name, arg, scope, typing);
}

/** Returns the hint for a call of a function or method that other languages have. */
function habitOf(cx: Context, call: ast.CallExpr, types: readonly Type[], scope: Scope): string | undefined {
  const receiver = (): Type => {
    const [root, ...fields] = call.name.name.split(".").slice(0, -1);
    const ident = (name: string): ast.Ident => ({ name, span: call.name.span });
    const path: ast.PathExpr = {
      kind: "path",
      root: ident(root ?? ""),
      fields: fields.map(ident),
      span: call.name.span,
    };
    return typeOfPath({ ...cx, report: new Report(cx.report.source) }, path, scope);
  };
  return methodHint(cx, call, receiver) ?? functionHint(cx, call, types);
}

function unknownCall(cx: Context, call: ast.CallExpr, scope: Scope, typing: Typing): Type {
  const { name, span } = call.name;
  const { source } = cx.report;
  const types = cx.symbols.type(name) === undefined ? typing.typesOf(cx, call.args, scope) : [];
  const habit = habitOf(cx, call, types, scope);
  if (scope.has("conditions")) {
    if (cx.symbols.excuses(cx.symbols.conditions, name) || cx.symbols.functions.isBroken(name)) return BOOL;
    const meant = nearest(name, [
      ...cx.symbols.written(cx.symbols.conditions, source),
      ...cx.symbols.functionNames(source),
    ]);
    const quorum = QUORUMS.has(name.toLowerCase()) ? `the first argument is a number: ${name}(2, a, b, c)` : undefined;
    cx.report.error("E208", span, `unknown condition "${name}"`, quorum ?? habit ?? hintFor(name, meant));
  } else if (REACTION_WORDS.has(name.toLowerCase())) {
    const where = REACTION_WORDS.get(name.toLowerCase());
    cx.report.error("E214", span, `${name}() is allowed only in the reactions of a ${where}`, "remove it here");
  } else if (cx.symbols.type(name) !== undefined) {
    cx.report.error(
      "E212",
      span,
      `${name} is a type, not a function`,
      `to test for such a fact, write "exists ${name}(…)"`,
    );
  } else {
    if (cx.symbols.conditions.isBroken(name)) return BOOL;
    if (cx.symbols.excuses(cx.symbols.functions, name) || cx.symbols.tables.isBroken(name)) return REPORTED;
    const { conditions, tables } = cx.symbols;
    const others = [...cx.symbols.written(conditions, source), ...cx.symbols.written(tables, source)];
    const callable = [...cx.symbols.functionNames(source), ...others];
    const meant = nearest(name, callable);
    cx.report.error("E212", span, `unknown function "${name}"`, habit ?? hintFor(name, meant));
  }
  return REPORTED;
}
