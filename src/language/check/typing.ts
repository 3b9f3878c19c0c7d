/** Computes the type of every expression, and reports what can never be true, computed or compared. */
import type * as ast from "../ast.ts";
import { unreachable } from "../../base/invariant.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import { partsOf } from "../ranked.ts";
import { typeOfTaken } from "./aggregates.ts";
import { checkArguments, paramsOf } from "./arguments.ts";
import { bindFact, hideAll } from "./bind.ts";
import { argumentScope, conditionCalled } from "./condition-uses.ts";
import type { Context, Typing } from "./context.ts";
import { warnOfUnfolded } from "./exact-text.ts";
import { checkItemTest, refuseInItems, typeOfComprehension, typeOfItem, typeOfProperty } from "./items.ts";
import { checkCount, checkJudgeCall, checkQuorum, checkWait, isInGate, isInPipeline } from "./judging.ts";
import { typeHint, writtenAs } from "./habits.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import { checkBareCondition, isKnown, typeOfPath } from "./paths.ts";
import { whyNotKnown } from "../modules/faults.ts";
import type { Scope } from "./scope.ts";
import { hintFor } from "./names.ts";
import { checkLastCount, writtenLength } from "./window-length.ts";
import { checkWithin } from "./within.ts";
import { checkMatches } from "./text-pattern.ts";
import {
  ANY,
  BOOL,
  common,
  describe,
  isNumeric,
  isText,
  listOf,
  NUMBER,
  holdsTime,
  isTime,
  REPORTED,
  storable,
  STRING,
  type Type,
} from "./types.ts";
import { noteText, timeStep } from "./times.ts";
import { checkComparison, checkIn, checkContains, checkLikeTest, reportPattern, textual } from "./comparisons.ts";
import { typeOfCall, isSpecialCall } from "./calls.ts";

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
      return typeOfCall(cx, expr, scope, TYPING);
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
export const TYPING: Typing = { typeOf, typeOfValue, typesOf, typeOfList, checkTest };

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

/** Reports a row of a table where only single values can be stored. */
function refuseRow(cx: Context, value: ast.Value, type: Type): void {
  if (type.kind !== "row") return;
  cx.report.error("E203", value.span, `a ${describe(type)} cannot be stored`, "use one of its outputs");
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
      return checkComparison(cx, expr, scope, TYPING);
    case "in":
      warnOfUnfolded(cx, expr);
      return checkIn(cx, expr, scope, TYPING);
    case "contains":
      warnOfUnfolded(cx, expr);
      return checkContains(cx, expr, scope, TYPING);
    case "like":
      return checkLikeTest(cx, expr, scope, TYPING);
    case "matches":
      textual(cx, expr.left, scope, "matches", TYPING);
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
