/** Computes the type of every expression, and reports what can never be true, computed or compared. */
import { Report } from "../../base/diagnostic.ts";
import { unreachable } from "../../base/invariant.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import { functionNamed } from "../../functions/functions.ts";
import type * as ast from "../ast.ts";
import { partsOf, takenBy } from "../ranked.ts";
import { typeOfTaken } from "./aggregates.ts";
import { checkArguments, checkCallArguments, checkWritten, paramsOf } from "./arguments.ts";
import { bindFact, hideAll } from "./bind.ts";
import { argumentScope, conditionCalled } from "./condition-uses.ts";
import type { Context } from "./context.ts";
import { isAggregateOver } from "./evidence.ts";
import { warnOfExactText, warnOfUnfolded } from "./exact-text.ts";
import {
  checkItemTest,
  reportItemName,
  refuseInItems,
  refuseItemsAsFacts,
  typeOfComprehension,
  typeOfItem,
  typeOfProperty,
  type Typing,
} from "./items.ts";
import { checkCount, checkJudgeCall, checkQuorum, checkWait, isInGate, isInPipeline } from "./judging.ts";
import { comparedTimeHint, functionHint, methodHint, typeHint, writtenAs } from "./habits.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import { checkBareCondition, isKnown, reportConditionAsValue, typeOfPath } from "./paths.ts";
import { whyNotKnown } from "../modules/faults.ts";
import type { Scope } from "./scope.ts";
import { QUORUMS, REACTION_WORDS } from "./signature.ts";
import { didYouMean, hintFor } from "./symbols.ts";
import type { Signature } from "./signature.ts";
import { noteTableUse } from "./table-uses.ts";
import { checkLastCount, checkLastLength, writtenLength } from "./window-length.ts";
import { checkWithin } from "./within.ts";
import { checkLike, checkMatches, type PatternFault } from "./text-pattern.ts";
import {
  ANY,
  BOOL,
  common,
  comparable,
  describe,
  isNumeric,
  isText,
  listOf,
  NUMBER,
  holdsTime,
  isTime,
  ordered,
  REPORTED,
  storable,
  STRING,
  textsOf,
  type Type,
  unionOf,
} from "./types.ts";
import { noteText, timeComparisonHint, timeStep } from "./times.ts";

/** Checks an expression that must be true, false or unknown; `asValue` when it is an operand, where no condition can be. */
export function checkTest(cx: Context, test: ast.Expr, scope: Scope, asValue = false): void {
  if (checkConditionUse(cx, test, scope, asValue)) return;
  if (test.kind === "not" || test.kind === "logic") return checkLogical(cx, test, scope, asValue);
  const type = typeOf(cx, test, scope);
  if (type.kind === "bool" || type.kind === "any") return;
  cx.report.error(
    "E203",
    test.span,
    `a test must be true or false, found ${describe(type)}`,
    "compare it with a value, or test whether it is present",
  );
}

/** Returns whether a test is a condition; then its arguments are checked. */
function checkConditionUse(cx: Context, test: ast.Expr, scope: Scope, asValue: boolean): boolean {
  if (test.kind === "path") return !asValue && test.fields.length === 0 && checkBareCondition(cx, test, scope);
  if (test.kind !== "call" || asValue || isSpecialCall(test, scope)) return false;
  const { name } = test.name;
  const condition = conditionCalled(cx, name, scope);
  if (condition === undefined) return false;
  const params = paramsOf(cx, condition.decl.params);
  const types = typesOf(cx, test.args, argumentScope(cx, condition, scope));
  checkArguments(cx, `condition ${name}`, params, false, test.args, test.span, types);
  cx.conditionUses.set(test, condition);
  return true;
}

export function typeOfValue(cx: Context, value: ast.Value, scope: Scope): Type {
  if (value.kind !== "object") return typeOf(cx, value, scope);
  for (const entry of value.entries) {
    const type = typeOfValue(cx, entry.value, scope);
    refuseRow(cx, entry.value, type);
    noteText(cx, entry.value, type, ANY);
  }
  return ANY;
}

export function typesOf(cx: Context, values: readonly ast.Value[], scope: Scope): Type[] {
  return values.map((value) => typeOfValue(cx, value, scope));
}

/** Returns the type of an expression, and notes it where the value is a time. */
export function typeOf(cx: Context, expr: ast.Expr, scope: Scope): Type {
  const type = computedType(cx, expr, scope);
  if (holdsTime(type)) cx.times.types.set(expr, type);
  if (type.kind === "row") cx.tables.rows.set(expr, type);
  return type;
}

function computedType(cx: Context, expr: ast.Expr, scope: Scope): Type {
  if (expr.kind === "text") warnOfBraces(cx, expr, scope);
  if (isLiteral(expr)) return typeOfLiteral(expr);
  switch (expr.kind) {
    case "list":
      return typeOfListLiteral(cx, expr, scope);
    case "comprehension":
      return typeOfComprehension(cx, expr, scope, TYPING);
    case "item":
      return typeOfItem(cx, expr, scope, TYPING);
    case "property":
      return typeOfProperty(cx, expr, scope, TYPING);
    case "path":
      return typeOfPath(cx, expr, scope);
    case "call":
      return typeOfCall(cx, expr, scope);
    case "negate":
      return typeOfNegation(cx, expr.operand, scope);
    case "chain":
      return typeOfChain(cx, expr, scope);
    case "cast":
      checkCast(cx, expr, typeOf(cx, expr.operand, scope));
      return CASTS[expr.to];
    case "aggregate-in":
      return typeOfAggregateIn(cx, expr, scope);
    case "if":
      return typeOfChoice(cx, expr, scope);
    case "ranked":
      return typeOutsideAggregate(cx, expr, scope);
    default:
      checkLogical(cx, expr, scope, true);
      return BOOL;
  }
}

/** Computes types, for the checks of other files. */
export const TYPING: Typing = { typeOf, typeOfValue, typeOfList, checkTest };

/** Reports `r.value by r.at` in a call that is no aggregate over facts. */
function typeOutsideAggregate(cx: Context, expr: ast.RankedExpr, scope: Scope): Type {
  for (const part of partsOf(expr)) typeOf(cx, part, scope);
  cx.report.error(
    "E214",
    expr.span,
    '"by" stands only in an aggregate over facts',
    "name the facts: x: last(r.value by r.at) from r: Reading, or LAST(r: Reading / … ; r.value by r.at)",
  );
  return REPORTED;
}

/** Returns the type of `if a then b else c`, whose two values must be usable in the same way. */
function typeOfChoice(cx: Context, expr: ast.IfExpr, scope: Scope): Type {
  checkTest(cx, expr.test, scope, true);
  const whenTrue = typeOf(cx, expr.whenTrue, scope);
  const whenFalse = typeOf(cx, expr.whenFalse, scope);
  if (!storable(whenTrue, whenFalse)) {
    const message = `"then" gives ${describe(whenTrue)} and "else" gives ${describe(whenFalse)}`;
    cx.report.error("E203", expr.span, message, "give both sides a value of the same type");
  }
  const type = common([whenTrue, whenFalse]);
  noteText(cx, expr.whenTrue, whenTrue, type);
  noteText(cx, expr.whenFalse, whenFalse, type);
  return type;
}

function typeOfListLiteral(cx: Context, list: ast.ListExpr, scope: Scope): Type {
  const types = list.items.map((item) => typeOfValue(cx, item, scope));
  const item = common(types);
  for (const [index, type] of types.entries()) {
    const value = list.items[index];
    if (value === undefined) continue;
    refuseRow(cx, value, type);
    noteText(cx, value, type, item);
  }
  return listOf(item);
}

/** Checks that a time is cast to nothing but a string: which number it would be depends on its unit. */
function checkCast(cx: Context, expr: ast.CastExpr, type: Type): void {
  if (!isTime(type)) return;
  if (expr.to === "string" && type.kind !== "months") {
    cx.times.texts.set(expr.operand, true);
    return;
  }
  const hint =
    type.kind === "duration" ? "divide it by a duration: x / 1 day" : "use a function such as days_between or year";
  cx.report.error("E203", expr.span, `${describe(type)} cannot be cast to ${expr.to}`, hint);
}

/** Warns of a plain string with the name of a variable in braces, which only a template replaces. */
function warnOfBraces(cx: Context, { value, span }: ast.TextExpr, scope: Scope): void {
  if (!value.includes("{")) return;
  for (const [hole, name = ""] of value.matchAll(/\{([\p{L}_][\p{L}\p{M}\p{N}_]*)(?:\.[^{}]*)?\}/gu)) {
    if (scope.get(name) === undefined || scope.get(name)?.kind === "decision") continue;
    const fix = cx.report.fix("make it a template", { start: span.start, end: span.start }, "$");
    const message = `"${hole}" is not replaced in a plain string`;
    cx.report.warning("W247", span, message, 'write $ before the string: $"…"', fix);
    return;
  }
}

const CASTS = { number: NUMBER, string: STRING, bool: BOOL } as const;

type Logical = Extract<
  ast.Expr,
  {
    kind:
      | "not"
      | "logic"
      | "compare"
      | "in"
      | "contains"
      | "like"
      | "matches"
      | "presence"
      | "quorum"
      | "fact-quorum"
      | "exists"
      | "exists-in"
      | "item-test"
      | "outcome"
      | "wait"
      | "within"
      | "last";
  }
>;

function checkLogical(cx: Context, expr: Logical, scope: Scope, asValue: boolean): void {
  switch (expr.kind) {
    case "not":
      return checkTest(cx, expr.operand, scope, asValue);
    case "logic":
      if (isItemTestMeant(cx, expr, scope)) return;
      if (expr.items.length === 0) {
        cx.report.error("E232", expr.span, "empty list of conditions", "add at least one condition");
      }
      for (const item of expr.items) checkTest(cx, item, scope, asValue);
      return;
    case "compare":
      warnOfUnfolded(cx, expr);
      return checkComparison(cx, expr, scope);
    case "in":
      warnOfUnfolded(cx, expr);
      return checkIn(cx, expr, scope);
    case "contains":
      warnOfUnfolded(cx, expr);
      return checkContains(cx, expr, scope);
    case "like":
      return checkLikeTest(cx, expr, scope);
    case "matches":
      textual(cx, expr.left, scope, "matches");
      return reportPattern(cx, expr.pattern.span, checkMatches(expr.pattern.value, cx.limits));
    case "presence":
      typeOf(cx, expr.operand, scope);
      return;
    case "quorum":
      if (refuseInItems(cx, scope, '"at least … of"', expr.span)) return;
      if (!isInGate(cx, expr, scope)) return;
      for (const item of expr.items) checkTest(cx, item, scope);
      return checkQuorum(cx, expr);
    case "fact-quorum":
      if (refuseInItems(cx, scope, '"at least … of"', expr.span)) return;
      return checkFactQuorum(cx, expr, scope);
    case "exists":
      if (refuseInItems(cx, scope, '"exists"', expr.span)) return;
      return checkExists(cx, expr, scope);
    case "exists-in":
      if (refuseInItems(cx, scope, '"exists"', expr.span)) return;
      return checkExistsIn(cx, expr, scope);
    case "item-test":
      return checkItemTest(cx, expr, scope, TYPING);
    case "outcome":
      if (refuseInItems(cx, scope, `the outcome of a ${expr.of}`, expr.span)) return;
      if (!isInPipeline(cx, expr, scope)) return;
      return checkJudgeCall(cx, expr.of, expr.name, expr.args, expr.span, typesOf(cx, expr.args, scope));
    case "wait":
      if (refuseInItems(cx, scope, '"wait until"', expr.span)) return;
      return checkWait(cx, expr, typeOf(cx, expr.until, scope), scope);
    case "within":
      return checkWithin(cx, expr, scope, typeOf);
    case "last":
      checkLastCount(cx, expr, typeOf(cx, writtenLength(expr.count), scope.outsidePattern()));
      if (expr.key !== null) typeOf(cx, expr.key, scope);
      if (expr.come !== null) checkTest(cx, expr.come, scope);
      return;
    default:
      unreachable(expr);
  }
}

/** Reports `any(t in tags, t == "x")`, which means a test of the items and is read as two tests. */
function isItemTestMeant(cx: Context, { items, listed, op }: ast.LogicExpr, scope: Scope): boolean {
  const [first, second] = items;
  if (!listed || first?.kind !== "in" || first.left.kind !== "path" || second === undefined) return false;
  if (isKnown(cx, first.left, scope) || !cx.symbols.complete) return false;
  const item = `${op === "and" ? "all" : "any"}(${writtenAs(cx, first)} : …)`;
  const message = `unknown variable "${first.left.root.name}"`;
  cx.report.error("E205", first.left.span, message, `to test the items of the list write ":" before the test: ${item}`);
  return true;
}

// ---------------------------------------------------------------- comparisons

function checkComparison(cx: Context, expr: ast.CompareExpr, scope: Scope): void {
  const left = typeOf(cx, expr.left, scope);
  const right = typeOf(cx, expr.right, scope);
  const equality = expr.op === "==" || expr.op === "!=";
  if (equality ? comparable(left, right) : ordered(left, right)) {
    checkUnionValue(cx, left, expr.right);
    checkUnionValue(cx, right, expr.left);
    return;
  }
  const verb = equality ? "compared" : "ordered";
  const message =
    describe(left) === describe(right)
      ? `values of type ${describe(left)} cannot be ${verb} with "${expr.op}"`
      : `${describe(left)} and ${describe(right)} cannot be ${verb} with "${expr.op}"`;
  const time = comparedTimeHint(cx, [
    [left, expr.left],
    [right, expr.right],
  ]);
  cx.report.error("E203", expr.span, message, time ?? comparisonHint(left, right));
}

function comparisonHint(left: Type, right: Type): string | undefined {
  if (isTime(left) || isTime(right)) return timeComparisonHint(left, right);
  if ((left.kind === "list") !== (right.kind === "list")) return 'use "contains" or "in" with lists';
  if (left.kind === "fact" || right.kind === "fact") {
    const fact = left.kind === "fact" ? left : right;
    return `compare with a fact${fact.kind === "fact" ? ` of type ${fact.type}` : ""}, or with one of its fields`;
  }
  return isText(left) || isText(right) ? "convert one side: (number) x or (string) x" : undefined;
}

/** Reports a string or number that the field can never hold. */
function checkUnionValue(cx: Context, type: Type, value: ast.Value): void {
  if (type.kind !== "union" || (value.kind !== "text" && value.kind !== "number")) return;
  if (type.options.includes(value.value)) return;
  cx.report.error(
    "E203",
    value.span,
    `${JSON.stringify(value.value)} is not one of ${describe(type)}`,
    didYouMean(nearest(String(value.value), textsOf(type.options))),
  );
}

/** Returns the type of an operand that must be a list: an unresolved name is reported as an unknown list, with `advice` if there is any. */
function typeOfList(cx: Context, expr: ast.Expr, scope: Scope, advice?: string): Type {
  if (expr.kind !== "path" || expr.fields.length > 0 || isKnown(cx, expr, scope)) return typeOf(cx, expr, scope);
  const { name, span } = expr.root;
  if (scope.whyHidden(name) !== undefined) return typeOf(cx, expr, scope);
  if (cx.symbols.excuses(cx.symbols.constants, name)) return REPORTED;
  if (whyNotKnown(expr) !== undefined) return typeOf(cx, expr, scope);
  const known = [
    ...cx.symbols.written(cx.symbols.constants, cx.report.source),
    ...scope.names(),
    ...(scope.own?.type?.fields.keys() ?? []),
  ];
  const hint = advice ?? hintFor(name, nearest(name, known)) ?? `declare it: const ${name} = […]`;
  cx.report.error("E213", span, `unknown list "${name}"`, hint);
  return REPORTED;
}

function checkIn(cx: Context, expr: ast.InExpr, scope: Scope): void {
  if (reportItemName(cx, expr, scope, TYPING)) return;
  const left = typeOf(cx, expr.left, scope);
  if (expr.window !== undefined && expr.right.kind === "range") return checkWindow(cx, expr.right, scope);
  if (expr.right.kind === "range") return checkRange(cx, left, expr.right, scope);
  const right = typeOfList(cx, expr.right, scope);
  if (right.kind !== "list" && right.kind !== "any") {
    cx.report.error("E203", expr.right.span, `"in" needs a list on its right, found ${describe(right)}`);
    return;
  }
  if (expr.right.kind === "list") checkItems(cx, left, expr.right, scope);
  else if (right.kind === "list") requireComparable(cx, left, right.item, expr.span);
}

/** Checks the test that was written out from `over last d`. */
function checkWindow(cx: Context, { from, to }: ast.RangeExpr, scope: Scope): void {
  typeOf(cx, from, scope);
  checkLastLength(cx, to, typeOf(cx, writtenLength(to), scope));
}

/** Checks a range: both ends can be ordered with the value, and its beginning is not above its end. */
function checkRange(cx: Context, left: Type, range: ast.RangeExpr, scope: Scope): void {
  for (const end of [range.from, range.to]) {
    const type = typeOf(cx, end, scope);
    if (ordered(left, type)) continue;
    const message = `${describe(left)} and ${describe(type)} cannot be ordered, as a range requires`;
    cx.report.error("E203", end.span, message, comparisonHint(left, type));
  }
  const { from, to, open } = range;
  if (from.kind !== "number" || to.kind !== "number") return;
  if (from.value < to.value || (from.value === to.value && !open)) return;
  cx.report.error("E203", range.span, "nothing is in this range", "write the smaller end first");
}

function checkItems(cx: Context, wanted: Type, list: ast.ListExpr, scope: Scope): void {
  // The items were reported with the whole list: here their types are computed again, silently.
  const silent = { ...cx, report: new Report(cx.report.source) };
  for (const item of list.items) {
    requireComparable(cx, wanted, typeOfValue(silent, item, scope), item.span);
    checkUnionValue(cx, wanted, item);
  }
}

function requireComparable(cx: Context, left: Type, right: Type, span: Span): void {
  if (comparable(left, right)) return;
  cx.report.error(
    "E203",
    span,
    `${describe(left)} and ${describe(right)} are never equal`,
    comparisonHint(left, right),
  );
}

function checkContains(cx: Context, expr: ast.ContainsExpr, scope: Scope): void {
  const left = typeOf(cx, expr.left, scope);
  const isList = expr.any || expr.all === true;
  const right = isList ? typeOfList(cx, expr.right, scope) : typeOf(cx, expr.right, scope);
  if (left.kind !== "any" && left.kind !== "list" && !isText(left)) {
    cx.report.error("E203", expr.left.span, `"contains" needs a string or a list on its left, found ${describe(left)}`);
    return;
  }
  warnOfExactText(cx, expr, left, scope);
  const wanted = left.kind === "list" ? left.item : left.kind === "any" ? ANY : STRING;
  if (!isList) return requireComparable(cx, wanted, right, expr.right.span);
  if (right.kind !== "list" && right.kind !== "any") {
    const words = `"contains ${expr.any ? "any" : "all"}"`;
    cx.report.error("E203", expr.right.span, `${words} needs a list on its right, found ${describe(right)}`);
    return;
  }
  if (expr.right.kind === "list") checkItems(cx, wanted, expr.right, scope);
  else if (right.kind === "list") requireComparable(cx, wanted, right.item, expr.right.span);
}

function checkLikeTest(cx: Context, expr: ast.LikeExpr, scope: Scope): void {
  textual(cx, expr.left, scope, "like");
  textual(cx, expr.pattern, scope, "like");
  if (expr.pattern.kind === "text") reportPattern(cx, expr.pattern.span, checkLike(expr.pattern.value, cx.limits));
}

function reportPattern(cx: Context, span: Span, fault: PatternFault | undefined): void {
  if (fault !== undefined) cx.report.error(fault.code, span, fault.message, fault.hint);
}

// ---------------------------------------------------------------- computing

/** Returns the type of a chain, from left to right: `+` joins as soon as one side is a string. */
function typeOfChain(cx: Context, expr: ast.ChainExpr, scope: Scope): Type {
  const types = expr.items.map((item) => typeOf(cx, item, scope));
  let left = types[0] ?? ANY;
  for (const [index, op] of expr.ops.entries()) {
    const right = types[index + 1] ?? ANY;
    const sides = [
      { type: left, item: expr.items[index] },
      { type: right, item: expr.items[index + 1] },
    ];
    const time = timeStep(cx, expr, { left, op, right, index });
    if (time !== undefined) {
      left = time;
      continue;
    }
    if (op === "+" && (isText(left) || isText(right))) {
      for (const { type, item } of sides) if (item !== undefined) requireText(cx, type, item.span);
      left = STRING;
      continue;
    }
    for (const { type, item } of index === 0 ? sides : sides.slice(1)) {
      if (!isNumeric(type) && type.kind !== "any" && item !== undefined) notANumber(cx, item.span, type, op);
    }
    if (index > 0 && isText(left) && expr.items[index] !== undefined) notANumber(cx, expr.span, left, op);
    left = op === "+" && (left.kind === "any" || right.kind === "any") ? ANY : NUMBER;
  }
  return left;
}

function requireText(cx: Context, type: Type, span: Span): void {
  if (type.kind !== "list" && type.kind !== "record" && type.kind !== "fact" && type.kind !== "row") return;
  cx.report.error("E203", span, `cannot join ${describe(type)} to a string`, "use one of its fields, or count(…)");
}

function typeOfNegation(cx: Context, operand: ast.Expr, scope: Scope): Type {
  const type = typeOf(cx, operand, scope);
  if (type.kind === "duration" || type.kind === "months") return type;
  if (!isNumeric(type) && type.kind !== "any") notANumber(cx, operand.span, type, "-");
  return NUMBER;
}

function notANumber(cx: Context, span: Span, type: Type, op: string): void {
  const hint = isText(type) ? "convert a string with (number) x" : undefined;
  cx.report.error("E203", span, `"${op}" needs numbers, found ${describe(type)}`, hint);
}

function textual(cx: Context, expr: ast.Expr, scope: Scope, op: string): void {
  const type = typeOf(cx, expr, scope);
  if (isText(type) || type.kind === "any") return;
  cx.report.error("E203", expr.span, `"${op}" needs a string, found ${describe(type)}`, "convert it with (string) x");
}

// ---------------------------------------------------------------- calls

function typeOfCall(cx: Context, call: ast.CallExpr, scope: Scope): Type {
  const name = call.name.name;
  const table = isSpecialCall(call, scope) ? undefined : tableCalled(cx, name, scope);
  if (table !== undefined) {
    return refuseInItems(cx, scope, `table "${name}"`, call.span) ? REPORTED : typeOfTableCall(cx, table, call, scope);
  }
  const special = typeOfSpecialCall(cx, call, scope);
  if (special !== undefined) return special;
  if (conditionCalled(cx, name, scope) !== undefined) {
    return refuseInItems(cx, scope, `condition "${name}"`, call.span) ? BOOL : refuseAsValue(cx, call, scope);
  }
  const declared = cx.symbols.function(name);
  if (declared === undefined) return unknownCall(cx, call, scope);
  const builtIn = functionNamed(name);
  const isBuiltIn = builtIn !== undefined && declared === builtIn.signature;
  const signature = (isBuiltIn && call.args.length === 1 ? builtIn.ofList : undefined) ?? declared;
  const types = call.args.map((arg, index) => typeOfArgument(cx, arg, signature.params[index]?.type, scope));
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
function typeOfTableCall(cx: Context, decl: ast.TableDecl, call: ast.CallExpr, scope: Scope): Type {
  const params = paramsOf(cx, decl.params);
  const before = cx.report.diagnostics.length;
  checkArguments(cx, decl.name.name, params, false, call.args, call.span, typesOf(cx, call.args, scope));
  const table = cx.tables.declared.get(decl);
  if (table === undefined) return REPORTED; // its own error is reported
  if (cx.report.diagnostics.length === before) noteTableUse(cx, call, table);
  return table.result;
}

/** Reports a row of a table where only single values can be stored. */
function refuseRow(cx: Context, value: ast.Value, type: Type): void {
  if (type.kind !== "row") return;
  cx.report.error("E203", value.span, `a ${describe(type)} cannot be stored`, "use one of its outputs");
}

/** Returns the type of an argument. A word that names no value is one of the options: `start_of(month, d)`. */
function typeOfArgument(cx: Context, arg: ast.Value, wanted: Type | undefined, scope: Scope): Type {
  if (wanted?.kind === "union" && arg.kind === "path" && arg.fields.length === 0 && !isKnown(cx, arg, scope)) {
    const word = arg.root.name.toLowerCase();
    if (wanted.options.includes(word)) {
      cx.resolutions.set(arg, "word");
      return unionOf(word);
    }
  }
  return typeOfValue(cx, arg, scope);
}

/** Reports a condition that is used as a value: it could be compared, or replaced by a default when it is unknown. */
function refuseAsValue(cx: Context, call: ast.CallExpr, scope: Scope): Type {
  typesOf(cx, call.args, scope);
  reportConditionAsValue(cx, call.name.name, call.span);
  return BOOL;
}

/** Returns whether a call is `missing()`, `actions()` or an aggregate over the evidence of a guardian's check. */
function isSpecialCall(call: ast.CallExpr, scope: Scope): boolean {
  const name = call.name.name.toLowerCase();
  if ((name === "missing" && scope.has("missing")) || (name === "actions" && scope.has("actions"))) return true;
  return scope.has("evidence") && isAggregateOver(call, (root) => scope.get(root)?.evidence === true);
}

/** Returns the type of `missing()`, `actions()`, and aggregates over the evidence of a guardian's check. */
function typeOfSpecialCall(cx: Context, call: ast.CallExpr, scope: Scope): Type | undefined {
  const name = call.name.name.toLowerCase();
  if ((name === "missing" && scope.has("missing")) || (name === "actions" && scope.has("actions"))) {
    checkArguments(cx, `${name}()`, [], false, call.args, call.span, typesOf(cx, call.args, scope));
    return listOf(STRING);
  }
  const arg = takenBy(call);
  const evidence = (root: string): boolean => scope.get(root)?.evidence === true;
  if (arg === undefined || arg.kind === "object" || !scope.has("evidence") || !isAggregateOver(call, evidence))
    return undefined;
  if (refuseInItems(cx, scope, `"${call.name.name}" over evidence`, call.span)) return REPORTED;
  return typeOfAggregate(cx, call.name, arg, scope);
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

function unknownCall(cx: Context, call: ast.CallExpr, scope: Scope): Type {
  const { name, span } = call.name;
  const { source } = cx.report;
  const types = cx.symbols.type(name) === undefined ? typesOf(cx, call.args, scope) : [];
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

// ---------------------------------------------------------------- facts inside expressions

/** Binds the pattern's variable in the scope and checks its tests, which see it too. */
export function checkPattern(cx: Context, pattern: ast.Pattern, scope: Scope): void {
  checkTypeName(cx, pattern.type);
  if (pattern.variable !== null) {
    bindFact(cx, pattern.variable, pattern.type, scope);
  }
  const inner = scope.inPattern({ typeName: pattern.type.name, type: cx.symbols.type(pattern.type.name) });
  for (const test of pattern.tests) checkTest(cx, test, inner);
}

function bindSources(cx: Context, sources: readonly ast.SourceVar[], scope: Scope): Scope {
  const inner = scope.outsidePattern();
  for (const source of sources) {
    checkTypeName(cx, source.type);
    bindFact(cx, source.variable, source.type, inner);
  }
  return inner;
}

function checkFactQuorum(cx: Context, expr: ast.FactQuorumExpr, scope: Scope): void {
  if (!isInGate(cx, expr, scope)) return;
  checkCount(cx, expr.count);
  const inner = scope.outsidePattern();
  checkPattern(cx, expr.pattern, inner);
  checkTest(cx, expr.test, inner);
  hideAll(scope, inner, 'bound only inside "at least … of", whose test ends at "and" unless it is in parentheses');
}

function checkExists(cx: Context, expr: ast.ExistsExpr, scope: Scope): void {
  const inner = scope.outsidePattern();
  checkPattern(cx, expr.pattern, inner);
  hideAll(scope, inner, 'bound only inside "exists"');
}

function checkExistsIn(cx: Context, expr: ast.ExistsInExpr, scope: Scope): void {
  const inner = bindSources(cx, expr.sources, scope);
  if (expr.test !== null) checkTest(cx, expr.test, inner);
  hideAll(scope, inner, 'bound only inside "exists"');
}

function typeOfAggregateIn(cx: Context, expr: ast.AggregateInExpr, scope: Scope): Type {
  if (refuseInItems(cx, scope, `"${expr.name.name}" over facts`, expr.span)) return REPORTED;
  const inner = bindSources(cx, expr.sources, scope);
  if (expr.test !== null) checkTest(cx, expr.test, inner);
  const type = typeOfAggregate(cx, expr.name, expr.value, inner);
  hideAll(scope, inner, `bound only inside "${expr.name.name}"`);
  return type;
}

/** Returns the type of an aggregate, and checks what it takes of each fact. */
export function typeOfAggregate(cx: Context, fn: ast.Ident, taken: ast.Expr | null, scope: Scope): Type {
  return typeOfTaken(cx, fn, taken, scope, TYPING);
}

/** Reports a type that is not declared, when the program declares types at all. */
export function checkTypeName(cx: Context, type: ast.Ident, primitives: Iterable<string> = []): void {
  if (cx.symbols.open || cx.symbols.type(type.name) !== undefined) return;
  if (cx.symbols.excuses(cx.symbols.types, type.name)) return;
  if (cx.symbols.records.get(type.name) !== undefined) {
    const message = `"${type.name}" is a record: a value inside a fact, not a fact of its own`;
    cx.report.error("E201", type.span, message, "match the fact that holds it, or declare it as a type");
    return;
  }
  if (cx.symbols.aliases.get(type.name) !== undefined) {
    const message = `"${type.name}" is a name for values: facts have a type with fields`;
    cx.report.error("E201", type.span, message, `declare it with fields: type ${type.name}(…)`);
    return;
  }
  const meant = nearest(type.name, [...cx.symbols.typeNames(cx.report.source), ...primitives]);
  cx.report.error(
    "E201",
    type.span,
    `unknown type "${type.name}"`,
    asCondition(cx, type.name) ??
      typeHint(type.name) ??
      hintFor(type.name, meant) ??
      `declare it: type ${type.name}(…)`,
  );
}

function asCondition(cx: Context, name: string): string | undefined {
  return cx.symbols.conditions.get(name) === undefined ? undefined : `it is a condition: write where ${name}(…)`;
}
