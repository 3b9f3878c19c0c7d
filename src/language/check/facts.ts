/** Checks facts written in a program: against their type, and against each other's keys. */
import { didYouMean, nearest } from "../../base/nearest.ts";
import { isTimeKind, readTime, type TimeKind, timeText } from "../../base/time.ts";
import type { Span } from "../../base/span.ts";
import { Report } from "../../base/diagnostic.ts";
import type * as ast from "../ast.ts";
import type { FactType, Field } from "./builtin-types.ts";
import { constantInData, isCircular, isRefused } from "./constants.ts";
import type { Context } from "./context.ts";
import { isKeyOf } from "./keys.ts";
import { typeOfPath } from "./paths.ts";
import { Scope } from "./scope.ts";
import { isReserved } from "./names.ts";
import { hintFor } from "./names.ts";
import type { Symbols } from "./symbols.ts";
import { checkTypeName, typeOf, typeOfValue } from "./typing.ts";
import { checkFields } from "./records.ts";
import { describe, holdsRecord, isNumeric, isText, type RecordType, storable, textsOf, type Type } from "./types.ts";

/** Whether values are plain data or expressions; the scope holds the names that references may use. */
export interface Values {
  readonly kind: "data" | "expressions";
  readonly scope: Scope;
}

export const DATA: Values = { kind: "data", scope: Scope.root() };

export function checkFact(cx: Context, fact: ast.FactLiteral, values: Values): void {
  if (looksLikeAction(cx, fact, values)) return;
  checkTypeName(cx, fact.type);
  const type = cx.symbols.type(fact.type.name);
  if (!isOwnFact(cx, fact.type.name, fact.type.span)) return;
  if (fact.args.length > cx.limits.fields) {
    cx.report.error("E306", fact.span, `this fact has ${fact.args.length} fields; the limit is ${cx.limits.fields}`);
    return;
  }
  const named = fact.args.filter((arg) => arg.name !== null).length;
  if (named > 0 && named < fact.args.length) {
    cx.report.error("E209", fact.span, "this fact mixes values by name and by position", "name all fields");
    return;
  }
  const given = new Map<string, ast.FactArg>();
  const cleared = new Map<string, ast.FactArg>();
  for (const [index, arg] of fact.args.entries()) {
    const field = fieldOf(cx, fact, type, arg, index);
    if (arg.name !== null && (!isFresh(cx, arg.name, given) || !isFresh(cx, arg.name, cleared))) continue;
    if (isNull(arg.value)) {
      cx.resolutions.set(arg.value, "null");
      if (arg.name !== null) cleared.set(arg.name.name, arg);
      continue;
    }
    if (arg.name !== null) given.set(field?.name ?? meantField(type, arg.name.name), arg);
    else if (field !== undefined) given.set(field.name, arg);
    checkValue(cx, fact.type.name, field, arg.value, values);
  }
  if (type !== undefined) reportMissing(cx, fact, type, given);
}

/** Returns whether rules may write facts of a type; some are written only by the engine. */
export function isOwnFact(cx: Context, typeName: string, span: Span): boolean {
  if (cx.symbols.type(typeName)?.engineKept !== true) return true;
  const message = `facts of type ${typeName} are written by the engine`;
  cx.report.error("E214", span, message, "rules can match them but not change them");
  return false;
}

/** Reports `log("x")` outside a rule, or after an action without a comma, which would silently be a fact. */
function looksLikeAction(cx: Context, fact: ast.FactLiteral, values: Values): boolean {
  const { name, span } = fact.type;
  const isAction = cx.symbols.builtInAction(name) !== undefined || cx.symbols.actions.get(name) !== undefined;
  if (!isAction || values.kind !== "data" || cx.symbols.type(name) !== undefined) return false;
  const hint = "write actions inside a rule; in the slash form separate them with commas";
  cx.report.error("E214", span, `"${name}" is an action, not a fact type`, hint);
  return true;
}

/** Returns the field that a mistyped name probably means, so that it is not reported as missing too. */
function meantField(type: FactType | undefined, name: string): string {
  return nearest(name, type?.fields.keys() ?? []) ?? name;
}

function isFresh(cx: Context, name: ast.Ident, given: ReadonlyMap<string, unknown>): boolean {
  if (isReserved(name.name)) {
    cx.report.error("E403", name.span, `"${name.name}" is a reserved field name`, "choose another name");
    return false;
  }
  if (!given.has(name.name)) return true;
  cx.report.error("E404", name.span, `field "${name.name}" appears twice`, "remove one of them");
  return false;
}

function fieldOf(
  cx: Context,
  fact: ast.FactLiteral,
  type: FactType | undefined,
  arg: ast.FactArg,
  index: number,
): Field | undefined {
  if (arg.name === null) return fieldByPosition(cx, fact, type, arg, index);
  if (type === undefined || isReserved(arg.name.name)) return undefined;
  const field = type.fields.get(arg.name.name);
  if (field === undefined) {
    const meant = nearest(arg.name.name, type.fields.keys());
    const hint = hintFor(arg.name.name, meant) ?? `fields: ${[...type.fields.keys()].join(", ")}`;
    cx.report.error("E401", arg.name.span, `${type.name} has no field "${arg.name.name}"`, hint);
  }
  return field;
}

function fieldByPosition(
  cx: Context,
  fact: ast.FactLiteral,
  type: FactType | undefined,
  arg: ast.FactArg,
  index: number,
): Field | undefined {
  if (type === undefined) {
    if (cx.symbols.open && index === 0) {
      const hint = "name the fields, or declare the type";
      cx.report.error(
        "E209",
        fact.span,
        `${fact.type.name} is not declared, so its values cannot be given by position`,
        hint,
      );
    }
    return undefined;
  }
  const field = [...type.fields.values()][index];
  if (field === undefined) {
    const size = type.fields.size;
    const message = `${type.name} has ${size} ${size === 1 ? "field" : "fields"}, found value ${index + 1}`;
    cx.report.error("E401", arg.span, message, `fields: ${[...type.fields.keys()].join(", ")}`);
  }
  return field;
}

function reportMissing(cx: Context, fact: ast.FactLiteral, type: FactType, given: ReadonlyMap<string, unknown>): void {
  const missing = [...type.fields.values()].filter(
    (field) => !field.optional && !field.hasDefault && !given.has(field.name),
  );
  if (missing.length === 0) return;
  const names = missing.map((field) => `"${field.name}"`).join(", ");
  cx.report.error(
    "E402",
    fact.type.span,
    `${type.name} is missing the required ${missing.length === 1 ? "field" : "fields"} ${names}`,
    "add a value, or declare the field optional (?) or with a default",
  );
}

// ---------------------------------------------------------------- values

function checkValue(cx: Context, typeName: string, field: Field | undefined, value: ast.Value, values: Values): void {
  const wanted: Type = field?.type ?? { kind: "any" };
  const where = field === undefined ? typeName : `${typeName}.${field.name}`;
  if (values.kind === "data") checkData(cx, where, wanted, value, values.scope);
  else checkExpression(cx, where, wanted, value, values.scope);
}

/** Checks a value in `insert`, `update` or an assignment. */
export function checkExpression(cx: Context, where: string, wanted: Type, value: ast.Value, scope: Scope): void {
  if (value.kind === "object") {
    if (wanted.kind === "record") {
      return checkRecordValue(cx, where, wanted, value, (at, field, inner) => {
        checkExpression(cx, at, field, inner, scope);
        noteTimesAsText(cx, inner);
      });
    }
    checkObject(cx, where, wanted, value);
    typeOfValue(cx, value, scope);
    return;
  }
  if (value.kind === "list" && wanted.kind === "list") {
    for (const [index, item] of value.items.entries())
      checkExpression(cx, itemPlace(where, wanted, index), wanted.item, item, scope);
    return;
  }
  if (isBareWord(value) && wanted.kind === "union" && scope.get(value.root.name) === undefined) {
    return checkWord(cx, where, wanted, value, scope);
  }
  if (value.kind === "text" && isTimeKind(wanted.kind)) return checkTimeText(cx, where, wanted.kind, value);
  const type = typeOf(cx, value, scope);
  if (!storable(type, wanted)) return wrongType(cx, value.span, where, wanted, describe(type));
  if (value.kind === "text") checkOption(cx, where, wanted, value.value, value.span);
  if (value.kind === "number") checkNumber(cx, where, wanted, value);
}

/** Checks a value of a fact in the file itself, of a default, or of a list: plain data, nothing computed. */
export function checkData(cx: Context, where: string, wanted: Type, value: ast.Value, scope: Scope = DATA.scope): void {
  switch (value.kind) {
    case "text":
      return checkText(cx, where, wanted, value);
    case "number":
      return checkNumber(cx, where, wanted, value);
    case "bool":
      if (wanted.kind === "bool" || wanted.kind === "any") return;
      return wrongType(cx, value.span, where, wanted, "bool");
    case "time":
    case "amount":
      if (wanted.kind === value.of || (wanted.kind === "any" && value.of !== "months")) return;
      return wrongType(cx, value.span, where, wanted, value.of);
    case "list":
      return checkListData(cx, where, wanted, value, scope);
    case "object":
      if (wanted.kind === "record")
        return checkRecordValue(cx, where, wanted, value, (at, field, inner) => checkData(cx, at, field, inner, scope));
      checkObject(cx, where, wanted, value);
      for (const entry of value.entries) checkData(cx, where, { kind: "any" }, entry.value, scope);
      return;
    case "path":
      if (value.fields.length === 0) return checkWord(cx, where, wanted, value, scope);
      return notPlain(cx, value);
    default:
      return notPlain(cx, value);
  }
}

/** Checks an object: it is allowed only for type `any`, and has each name once. */
function checkObject(cx: Context, where: string, wanted: Type, object: ast.ObjectExpr): void {
  if (wanted.kind !== "any") wrongType(cx, object.span, where, wanted, "object");
  freshEntries(cx, object);
}

/** Returns the entries of an object; reports and leaves out those with a name that another has. */
function freshEntries(cx: Context, { entries }: ast.ObjectExpr): readonly ast.Entry[] {
  const seen = new Map<string, unknown>();
  return entries.filter((entry) => {
    const isNew = isFresh(cx, entry.name, seen);
    if (isNew) seen.set(entry.name.name, entry);
    return isNew;
  });
}

/** Checks an object where a record is expected. */
function checkRecordValue(
  cx: Context,
  where: string,
  record: RecordType,
  object: ast.ObjectExpr,
  check: (where: string, wanted: Type, value: ast.Value) => void,
): void {
  const entries = freshEntries(cx, object);
  checkFields(cx, where, record, { ...object, entries }, (at, { type }, { value }) => check(at, type, value));
}

/** Notes that times become text: a record holds them so. */
function noteTimesAsText(cx: Context, value: ast.Value): void {
  if (value.kind === "list") for (const item of value.items) noteTimesAsText(cx, item);
  else if (cx.times.types.has(value)) cx.times.texts.set(value, true);
}

/** Returns how messages call an item of a list: records are told apart by their places. */
function itemPlace(where: string, list: Type, index: number): string {
  return holdsRecord(list) ? `${where}[${index}]` : where;
}

function notPlain(cx: Context, value: ast.Value): void {
  cx.report.error(
    "E407",
    value.span,
    "facts in a file take plain values, not expressions",
    "compute the value in a rule",
  );
}

function checkNumber(cx: Context, where: string, wanted: Type, { value, span }: ast.NumberExpr): void {
  if (wanted.kind === "any" || isKeyOf(cx, wanted, "number")) return;
  if (!isNumeric(wanted)) return wrongType(cx, span, where, wanted, "number");
  if (wanted.kind === "union" && !wanted.options.includes(value)) wrongType(cx, span, where, wanted, String(value));
}

function checkText(cx: Context, where: string, wanted: Type, value: ast.TextExpr): void {
  if (isText(wanted)) return checkOption(cx, where, wanted, value.value, value.span);
  if (wanted.kind === "any") return;
  if (isTimeKind(wanted.kind)) return checkTimeText(cx, where, wanted.kind, value);
  if (wanted.kind === "fact" && (value.value.startsWith(`${wanted.type}~`) || isKeyOf(cx, wanted, "string"))) return;
  wrongType(cx, value.span, where, wanted, "string");
}

/** Checks a string where a time is expected: data files write times in this way too. */
function checkTimeText(cx: Context, where: string, kind: TimeKind, { value, span }: ast.TextExpr): void {
  const read = readTime(kind, value);
  if ("fault" in read)
    cx.report.error("E407", span, `${where} must be ${describe({ kind })}, but "${value}" ${read.fault}`);
}

function checkListData(cx: Context, where: string, wanted: Type, value: ast.ListExpr, scope: Scope): void {
  if (wanted.kind !== "list" && wanted.kind !== "any") return wrongType(cx, value.span, where, wanted, "list");
  const item: Type = wanted.kind === "list" ? wanted.item : { kind: "any" };
  for (const [index, one] of value.items.entries()) checkData(cx, itemPlace(where, wanted, index), item, one, scope);
}

/** Checks a bare word: a string where a string is expected, the name of a fact where a reference is. */
function checkWord(cx: Context, where: string, wanted: Type, value: ast.PathExpr, scope: Scope): void {
  const { name, span } = value.root;
  if (isNull(value)) {
    const hint = "null is allowed only as the value of a field: it means that the field is missing";
    cx.report.error("E407", span, "null is not allowed inside a list or an object", hint);
    return;
  }
  const constant = scope.get(name) === undefined ? constantInData(cx.symbols, value) : undefined;
  if (constant !== undefined) return checkConstant(cx, where, wanted, value, constant);
  if (wanted.kind === "fact") return checkFactName(cx, where, wanted, value, scope);
  if (isText(wanted) || wanted.kind === "any") {
    const isFact = wanted.kind === "any" && cx.symbols.facts.get(name) !== undefined;
    cx.resolutions.set(value, isFact ? "fact" : "word");
    return checkOption(cx, where, wanted, name, span);
  }
  if (wanted.kind === "number" && /^(?:nan|infinity|inf)$/iu.test(name)) {
    cx.report.error(
      "E405",
      span,
      `${where} must be a finite number, found ${name}`,
      "leave the field out when the value is unknown",
    );
    return;
  }
  wrongType(cx, span, where, wanted, `the word "${name}"`);
}

/** Checks a constant as the value of a field: what is wrong with it is reported where it is used. */
function checkConstant(cx: Context, where: string, wanted: Type, value: ast.PathExpr, constant: ast.ConstDecl): void {
  cx.resolutions.set(value, "constant");
  const report = new Report(cx.report.source);
  if (!isCircular(cx, constant) && !isRefused(constant)) checkData({ ...cx, report }, where, wanted, constant.value);
  const [wrong] = report.diagnostics;
  if (wrong !== undefined) cx.report.error(wrong.code, value.span, wrong.message, wrong.hint);
}

/** Checks the declaration of a constant: a plain value, and not defined by itself. */
export function checkConst(cx: Context, decl: ast.ConstDecl): void {
  if (isCircular(cx, decl)) {
    const message = `constant "${decl.name.name}" is defined by itself`;
    cx.report.error("E215", decl.name.span, message, "give it a plain value");
  } else if (PLAIN.has(decl.value.kind)) checkData(cx, decl.name.name, { kind: "any" }, decl.value);
  else {
    const message = "a constant is a plain value, not an expression";
    cx.report.error("E407", decl.value.span, message, "compute the value where it is used");
  }
}

const PLAIN: ReadonlySet<ast.Value["kind"]> = new Set<ast.Value["kind"]>([
  "text",
  "number",
  "bool",
  "time",
  "amount",
  "list",
  "object",
  "path",
]);

function checkFactName(cx: Context, where: string, wanted: Type, value: ast.PathExpr, scope: Scope): void {
  const type = typeOfPath(cx, value, scope);
  if (!storable(type, wanted)) wrongType(cx, value.span, where, wanted, describe(type));
}

function checkOption(cx: Context, where: string, wanted: Type, text: string, span: Span): void {
  if (wanted.kind !== "union" || wanted.options.includes(text)) return;
  const hint = didYouMean(nearest(text, textsOf(wanted.options)));
  cx.report.error("E407", span, `${where} must be ${describe(wanted)}, found "${text}"`, hint);
}

function wrongType(cx: Context, span: Span, where: string, wanted: Type, found: string): void {
  cx.report.error("E407", span, `${where} must be ${describe(wanted)}, found ${found}`);
}

/** Returns whether data is `null`, which means that the field is missing. */
export function isNull(value: ast.Value): value is ast.PathExpr {
  return isBareWord(value) && value.root.name.toLowerCase() === "null";
}

function isBareWord(value: ast.Value): value is ast.PathExpr {
  return value.kind === "path" && value.fields.length === 0;
}

/** Returns what a fact gives for a field, by name or by position. */
export function factArgument(fact: ast.FactLiteral, field: string, index: number): ast.FactArg | undefined {
  return fact.args.find((one, at) => (one.name === null ? at === index : one.name.name === field));
}

/** Returns a string, number, truth value or bare word as data; undefined for anything else. */
export function plainValue(value: ast.Value, symbols: Symbols): unknown {
  const constant = constantInData(symbols, value);
  if (constant !== undefined && constant.value !== value) return plainValue(constant.value, symbols);
  switch (value.kind) {
    case "text":
    case "number":
    case "bool":
      return value.value;
    case "time":
      return timeText(value.of, value.value);
    case "amount":
      return value.of === "duration" ? timeText("duration", value.value) : undefined;
    case "path":
      return value.fields.length === 0 && value.root.name.toLowerCase() !== "null" ? value.root.name : undefined;
    default:
      return undefined;
  }
}
