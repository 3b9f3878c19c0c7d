/** Resolves names, and follows references through fields. */
import type { Code } from "../../base/codes.ts";
import { nearest } from "../../base/nearest.ts";
import type { Ident, PathExpr, Value } from "../ast.ts";
import type { Context, Resolution } from "./context.ts";
import { reportInSubquery, reportOutsideAfter, warnOfHidden } from "./decision-names.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import type { Scope } from "./scope.ts";
import { hintFor } from "./symbols.ts";
import { ANY, BOOL, common, describe, factOf, listOf, type Type } from "./types.ts";

export function typeOfPath(cx: Context, path: PathExpr, scope: Scope): Type {
  const root = rootOf(cx, path, scope);
  if (root === undefined) {
    reportUnknown(cx, path, scope);
    return ANY;
  }
  cx.resolutions.set(path, root.resolution);
  if (root.resolution === "decision") reportInSubquery(cx, path, scope);
  else if (root.resolution !== "own-field") warnOfHidden(cx, path, scope);
  if (root.resolution === "condition") requireNoArguments(cx, path);
  let type = root.type;
  for (const field of path.fields) type = typeOfField(cx, type, field);
  return type;
}

/** Returns whether the first name of a path is known in the scope. */
export function isKnown(cx: Context, path: PathExpr, scope: Scope): boolean {
  return rootOf(cx, path, scope) !== undefined;
}

/** Reports a condition with parameters that is named without parentheses. */
function requireNoArguments(cx: Context, path: PathExpr): void {
  const params = cx.symbols.conditions.get(path.root.name)?.decl.params ?? [];
  const needed = params.filter((param) => !param.optional && param.default === null);
  if (needed.length === 0) return;
  const hint = `write ${path.root.name}(${needed.map((param) => param.name.name).join(", ")})`;
  cx.report.error("E209", path.span, `condition ${path.root.name} needs arguments`, hint);
}

interface Root {
  readonly resolution: Resolution;
  readonly type: Type;
}

/**
 * Resolves the first name of a path. A bare name is a field of its pattern before it is anything else but a parameter;
 * a name with a dot is a variable first. When nothing is known of the type (an open program, or a type already
 * reported) any other name is a field.
 */
function rootOf(cx: Context, path: PathExpr, scope: Scope): Root | undefined {
  const { name } = path.root;
  const own = ownField(scope, name);
  const known = variable(scope, name) ?? named(cx, scope, name);
  const bare = path.fields.length === 0;
  const variableFirst = !bare || scope.get(name)?.kind === "parameter";
  const first = variableFirst ? (variable(scope, name) ?? own ?? known) : (own ?? known);
  if (first !== undefined) return first;
  const anyField = scope.own !== undefined && scope.own.type === undefined;
  return anyField && scope.whyHidden(name) === undefined ? { resolution: "own-field", type: ANY } : undefined;
}

function ownField(scope: Scope, name: string): Root | undefined {
  const field = scope.own?.type?.fields.get(name);
  return field === undefined ? undefined : { resolution: "own-field", type: field.type };
}

function variable(scope: Scope, name: string): Root | undefined {
  const found = scope.get(name);
  if (found?.kind !== "decision") return found === undefined ? undefined : { resolution: "variable", type: found.type };
  const anyField = scope.own !== undefined && scope.own.type === undefined;
  return anyField ? undefined : { resolution: "decision", type: found.type };
}

function named(cx: Context, scope: Scope, name: string): Root | undefined {
  const fact = cx.symbols.facts.get(name);
  if (fact !== undefined) return { resolution: "fact", type: factOf(fact.decl.fact.type.name) };
  const list = cx.symbols.lists.get(name);
  if (list !== undefined) return { resolution: "list", type: listOf(common(list.decl.items.map(typeOfItem))) };
  const { conditions } = cx.symbols;
  if (scope.has("conditions") && (conditions.get(name) !== undefined || conditions.isBroken(name))) {
    return { resolution: "condition", type: BOOL };
  }
  if (cx.symbols.facts.isBroken(name)) return { resolution: "fact", type: ANY };
  return cx.symbols.lists.isBroken(name) ? { resolution: "list", type: ANY } : undefined;
}

/** Returns the type of an item of a list, which holds plain data. */
function typeOfItem(item: Value): Type {
  return isLiteral(item) ? typeOfLiteral(item) : ANY;
}

/** Returns the type of a field of a value, following a reference; reports a field that does not exist. */
export function typeOfField(cx: Context, type: Type, field: Ident): Type {
  if (type.kind === "any") return ANY;
  if (type.kind !== "fact") {
    cx.report.error("E202", field.span, `a value of type ${describe(type)} has no field "${field.name}"`);
    return ANY;
  }
  const declared = cx.symbols.type(type.type);
  if (declared === undefined) return ANY;
  const found = declared.fields.get(field.name);
  if (found !== undefined) return found.type;
  const meant = nearest(field.name, declared.fields.keys());
  cx.report.error(
    "E202",
    field.span,
    `${type.type} has no field "${field.name}"`,
    hintFor(field.name, meant) ?? fieldList(type.type, declared.fields.keys()),
  );
  return ANY;
}

function fieldList(type: string, fields: Iterable<string>): string {
  const names = [...fields];
  return names.length === 0 ? `${type} has no fields` : `fields: ${names.slice(0, 12).join(", ")}`;
}

function reportUnknown(cx: Context, path: PathExpr, scope: Scope): void {
  const { name, span } = path.root;
  const hidden = scope.whyHidden(name);
  if (hidden !== undefined) {
    cx.report.error(
      "E205",
      span,
      `"${name}" is ${hidden}`,
      "move the test inside, or bind the variable in its own pattern",
    );
    return;
  }
  if (reportOutsideAfter(cx, path, scope)) return;
  const bare = path.fields.length === 0;
  const { meant, code, message } = unknownName(cx, path, scope);
  if (meant === undefined && !cx.symbols.complete) return;
  const quoted = bare && code !== "E208" ? `to use it as a string, put it in quotes: "${name}"` : undefined;
  const missing =
    bare && NOTHING.has(name.toLowerCase()) ? "to test whether a value is missing, write: x is missing" : undefined;
  cx.report.error(code, span, message, missing ?? hintFor(name, meant) ?? quoted);
}

/** The names of a missing value in other languages. */
const NOTHING = new Set(["null", "nil", "none", "undefined"]);

interface UnknownName {
  readonly code: Code;
  readonly message: string;
  readonly meant: string | undefined;
}

/** Returns the error for an unresolved name, depending on where it is used. */
function unknownName(cx: Context, path: PathExpr, scope: Scope): UnknownName {
  const { name } = path.root;
  const bare = path.fields.length === 0;
  const { own } = scope;
  if (own?.type !== undefined && bare) {
    const meant = nearest(name, [...own.type.fields.keys(), ...scope.names()]);
    return {
      code: "E202",
      message: `${own.typeName} has no field "${name}", and there is no variable "${name}"`,
      meant,
    };
  }
  if (scope.has("conditions") && bare) {
    const meant = nearest(name, [...cx.symbols.conditions.names(), ...scope.names()]);
    return { code: "E208", message: `unknown condition "${name}"`, meant };
  }
  const meant = nearest(name, [...scope.names(), ...cx.symbols.lists.names(), ...cx.symbols.facts.names()]);
  return { code: "E205", message: `unknown variable "${name}"`, meant };
}
