/** Resolves names, and follows references through fields. */
import type { Code } from "../../base/codes.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import type { Ident, PathExpr } from "../ast.ts";
import { CLOCK_NAMES } from "./clock.ts";
import { typeOfConstant } from "./constants.ts";
import { type Origin, originOf } from "../copied.ts";
import type { Context, Resolution } from "./context.ts";
import { reportInSubquery, reportOutsideAfter, warnOfHidden } from "./decision-names.ts";
import { propertyHint, typeAsValueHint } from "./habits.ts";
import type { Scope } from "./scope.ts";
import { whyNotKnown } from "../modules/faults.ts";
import { hintFor } from "./names.ts";
import {
  ANY,
  BOOL,
  describe,
  factOf,
  recordField,
  REPORTED,
  type RecordType,
  type RowType,
  type Type,
} from "./types.ts";
import { noteHeldTime, noteValueFields } from "./value-fields.ts";

export function typeOfPath(cx: Context, path: PathExpr, scope: Scope): Type {
  const root = rootOf(cx, path, scope);
  if (root === undefined) {
    reportUnknown(cx, path, scope);
    return REPORTED;
  }
  cx.resolutions.set(path, root.resolution);
  warnOfHiddenClock(cx, path, root.resolution);
  if (root.resolution === "decision") reportInSubquery(cx, path, scope);
  else if (root.resolution !== "own-field") warnOfHidden(cx, path, scope);
  if (root.resolution === "condition") reportConditionAsValue(cx, path.root.name, path.span);
  const type = typeOfFields(cx, path, root);
  checkedPaths.set(path, { type, required: isRequired(cx, path, root, scope) });
  return type;
}

/** Returns the type of the last field of a path, and notes the fields that are read off a record, or off an item of a list. */
function typeOfFields(cx: Context, path: PathExpr, { resolution, type: first }: Root): Type {
  let type = first;
  let owner = first;
  const isItem = resolution === "item";
  const ofValue: boolean[] = [];
  for (const field of path.fields) {
    if (isItem) refuseReference(cx, type, path.root, field);
    ofValue.push(isItem || type.kind === "record");
    owner = type;
    type = typeOfField(cx, type, field, () => writtenBefore(cx, path, field));
  }
  noteValueFields(cx, path, ofValue);
  if (path.fields.length > 0) noteHeldTime(cx, path, owner, type);
  return type;
}

/** Returns a path up to a field as it is written; "x" where it was copied from another place. */
function writtenBefore(cx: Context, path: PathExpr, field: Ident): string {
  const text = originOf(path) === undefined ? cx.report.source.text.slice(path.span.start, field.span.start) : "";
  return text.endsWith(".") ? text.slice(0, -1) : "x";
}

/** What is known of a path that was checked. */
interface CheckedPath {
  readonly type: Type;
  /** True when it is a field of a matched fact that every fact of the type has. */
  readonly required: boolean;
}

const checkedPaths = new WeakMap<PathExpr, CheckedPath>();

/** Returns what is known of a path; undefined when it was not checked. */
export function checkedPath(path: PathExpr): CheckedPath | undefined {
  return checkedPaths.get(path);
}

function isRequired(cx: Context, path: PathExpr, root: Root, scope: Scope): boolean {
  if (root.resolution === "own-field") {
    return path.fields.length === 0 && scope.own?.type?.fields.get(path.root.name)?.optional === false;
  }
  const [field, ...more] = path.fields;
  if (root.resolution !== "variable" || root.type.kind !== "fact" || field === undefined || more.length > 0)
    return false;
  return (
    scope.get(path.root.name)?.kind === "fact" &&
    cx.symbols.type(root.type.type)?.fields.get(field.name)?.optional === false
  );
}

/** Returns whether the first name of a path is known in the scope. */
export function isKnown(cx: Context, path: PathExpr, scope: Scope): boolean {
  return rootOf(cx, path, scope) !== undefined;
}

/** Returns whether a path is a condition without arguments, in a place where a test is expected. */
export function checkBareCondition(cx: Context, path: PathExpr, scope: Scope): boolean {
  if (rootOf(cx, path, scope)?.resolution !== "condition") return false;
  cx.resolutions.set(path, "condition");
  warnOfHidden(cx, path, scope);
  requireNoArguments(cx, path);
  const declared = cx.symbols.conditions.get(path.root.name);
  if (declared !== undefined) cx.conditionUses.set(path, declared);
  return true;
}

/** Reports a condition that is used as a value. */
export function reportConditionAsValue(cx: Context, name: string, span: Span): void {
  const hint = `use it as a test: where ${name}(…), combined with and, or, not`;
  cx.report.error("E214", span, `condition "${name}" is a test, not a value`, hint);
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
 * Resolves the first name of a path. A bare name is a field of its pattern before it is anything else but a parameter or an item;
 * a name with a dot is a variable first. When nothing is known of the type (an open program, or a type already
 * reported) any other name is a field.
 */
function rootOf(cx: Context, path: PathExpr, scope: Scope): Root | undefined {
  const { name } = path.root;
  const origin = originOf(path);
  if (origin !== undefined && origin !== "local") return copiedRoot(cx, name, origin, scope);
  const own = ownField(scope, name);
  const known = variable(scope, name) ?? (origin === "local" ? undefined : named(cx, scope, name));
  const bare = path.fields.length === 0;
  const kind = scope.get(name)?.kind;
  const variableFirst = !bare || kind === "parameter" || kind === "item";
  const first = variableFirst ? (variable(scope, name) ?? own ?? known) : (own ?? known);
  if (first !== undefined) return first;
  const anyField = scope.own !== undefined && scope.own.type === undefined;
  if (anyField && scope.whyHidden(name) === undefined) return { resolution: "own-field", type: ANY };
  return clock(name);
}

/** Returns what `now` and `today` mean where nothing else has these names. */
function clock(name: string): Root | undefined {
  if (!CLOCK_NAMES.has(name)) return undefined;
  return { resolution: "clock", type: { kind: name === "now" ? "instant" : "date" } };
}

/** Warns of a field or variable in place of the clock. */
function warnOfHiddenClock(cx: Context, path: PathExpr, resolution: Resolution): void {
  const { name, span } = path.root;
  if (resolution === "clock" || !CLOCK_NAMES.has(name) || path.fields.length > 0) return;
  const what = resolution === "own-field" ? "field" : resolution === "variable" ? "variable" : resolution;
  cx.report.warning("W260", span, `"${name}" is the ${what} of this name here, not the clock`, "rename it");
}

/** Resolves the first name of a path that was copied from a query, or passed to one. */
function copiedRoot(cx: Context, name: string, origin: Origin, scope: Scope): Root | undefined {
  if (origin === "own") return ownField(scope, name) ?? { resolution: "own-field", type: ANY };
  if (origin === "clock") return clock(name);
  if (origin === "reported") return { resolution: "null", type: REPORTED };
  if (origin === "global")
    return name === "null" ? { resolution: "null", type: ANY } : (named(cx, scope, name) ?? clock(name));
  return variable(scope, name) ?? (origin === "outside" ? (named(cx, scope, name) ?? clock(name)) : undefined);
}

function ownField(scope: Scope, name: string): Root | undefined {
  const field = scope.own?.type?.fields.get(name);
  return field === undefined ? undefined : { resolution: "own-field", type: field.type };
}

function variable(scope: Scope, name: string): Root | undefined {
  const found = scope.get(name);
  if (found?.kind === "item") return { resolution: "item", type: found.type };
  if (found?.kind !== "decision") return found === undefined ? undefined : { resolution: "variable", type: found.type };
  const anyField = scope.own !== undefined && scope.own.type === undefined;
  return anyField ? undefined : { resolution: "decision", type: found.type };
}

function named(cx: Context, scope: Scope, name: string): Root | undefined {
  const fact = cx.symbols.facts.get(name);
  if (fact !== undefined) return { resolution: "fact", type: factOf(fact.decl.fact.type.name) };
  const constant = cx.symbols.constants.get(name);
  if (constant !== undefined) return { resolution: "constant", type: typeOfConstant(cx, constant.decl) };
  const { conditions } = cx.symbols;
  const anyField = scope.own !== undefined && scope.own.type === undefined && !scope.has("conditions");
  if (!anyField && (conditions.get(name) !== undefined || conditions.isBroken(name))) {
    return { resolution: "condition", type: BOOL };
  }
  if (cx.symbols.facts.isBroken(name)) return { resolution: "fact", type: REPORTED };
  return cx.symbols.constants.isBroken(name) ? { resolution: "constant", type: REPORTED } : undefined;
}

/** Returns the type of a field of a value, `on`, following a reference; reports a field that does not exist. */
export function typeOfField(cx: Context, type: Type, field: Ident, on: () => string = () => "x"): Type {
  if (type.kind === "any") return type;
  if (type.kind === "row") return typeOfOutput(cx, type, field);
  if (type.kind === "record") return typeOfRecordField(cx, type, field);
  if (type.kind !== "fact") {
    cx.report.error(
      "E202",
      field.span,
      `a value of type ${describe(type)} has no field "${field.name}"`,
      propertyHint(type, field.name, on()),
    );
    return REPORTED;
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
  return REPORTED;
}

/** Reports a field of a fact that an item of a list refers to. */
export function refuseReference(cx: Context, type: Type, variable: Ident | undefined, field: Ident): void {
  if (type.kind !== "fact") return;
  const message = `an item of this list refers to a fact of type ${type.type}: its field "${field.name}" is not read here`;
  const name = variable?.name ?? "x";
  cx.report.error("E214", field.span, message, `match the fact: ${name}: ${type.type}, where ${name} in list`);
}

/** Returns the type of an output of a table; reports one that it does not have. */
function typeOfOutput(cx: Context, { table, fields }: RowType, { name, span }: Ident): Type {
  const type = fields.get(name);
  if (type !== undefined) return type;
  const hint = hintFor(name, nearest(name, fields.keys())) ?? `outputs: ${[...fields.keys()].join(", ")}`;
  cx.report.error("E202", span, `table ${table} has no output "${name}"`, hint);
  return REPORTED;
}

/** Returns the type of a field of a record; reports one that it does not have. */
function typeOfRecordField(cx: Context, record: RecordType, { name, span }: Ident): Type {
  const field = recordField(record, name);
  if (field !== undefined) return field.type;
  const names = record.fields.map((one) => one.name);
  const hint = hintFor(name, nearest(name, names)) ?? fieldList(record.name, names);
  cx.report.error("E202", span, `record ${record.name} has no field "${name}"`, hint);
  return REPORTED;
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
  const why = whyNotKnown(path);
  if (why !== undefined) return cx.report.error(why.code, span, why.message, why.hint);
  const bare = path.fields.length === 0;
  const { meant, code, message } = unknownName(cx, path, scope);
  if (meant === undefined && !cx.symbols.complete) return;
  const quoted = bare && code !== "E208" ? `to use it as a string, put it in quotes: "${name}"` : undefined;
  const missing =
    bare && NOTHING.has(name.toLowerCase()) ? "to test whether a value is missing, write: x is missing" : undefined;
  const asType = bare && code === "E205" ? typeAsValueHint(cx, name) : undefined;
  cx.report.error(code, span, message, missing ?? hintFor(name, meant) ?? asType ?? quoted);
}

/** The names of a missing value in other languages. */
const NOTHING = new Set(["null", "nil", "none", "undefined"]);

function written(cx: Context, kind: "constants" | "conditions" | "facts"): readonly string[] {
  return cx.symbols.written(cx.symbols[kind], cx.report.source);
}

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
    const meant = nearest(name, [...own.type.fields.keys(), ...scope.names(), ...written(cx, "constants")]);
    return {
      code: "E202",
      message: `${own.typeName} has no field "${name}", and there is no variable "${name}"`,
      meant,
    };
  }
  if (scope.has("conditions") && bare) {
    const meant = nearest(name, [...written(cx, "conditions"), ...scope.names()]);
    return { code: "E208", message: `unknown condition "${name}"`, meant };
  }
  const meant = nearest(name, [...scope.names(), ...written(cx, "constants"), ...written(cx, "facts")]);
  return { code: "E205", message: `unknown variable "${name}"`, meant };
}
