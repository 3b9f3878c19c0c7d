/** Computes the type of every expression, and reports what can never be true, computed or compared. */
import { Report } from "../../base/diagnostic.ts";
import { unreachable } from "../../base/invariant.ts";
import { nearest } from "../../base/nearest.ts";
import type { Span } from "../../base/span.ts";
import { AGGREGATES } from "../../functions/aggregates.ts";
import type * as ast from "../ast.ts";
import { checkArguments, checkCallArguments, paramsOf } from "./arguments.ts";
import { bindFact, hideAll } from "./bind.ts";
import type { Context } from "./context.ts";
import { isAggregateOver } from "./evidence.ts";
import { warnOfExactText, warnOfUnfolded } from "./exact-text.ts";
import { checkCount, checkJudgeCall, checkQuorum, isInGate, isInPipeline } from "./judging.ts";
import { isLiteral, typeOfLiteral } from "./literals.ts";
import { isKnown, typeOfPath } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { didYouMean, hintFor } from "./symbols.ts";
import { checkLike, checkMatches, type PatternFault } from "./text-pattern.ts";
import {
  ANY,
  BOOL,
  common,
  comparable,
  describe,
  isText,
  listOf,
  NUMBER,
  ordered,
  STRING,
  type Type,
} from "./types.ts";

/** Checks an expression that must be true, false or unknown. */
export function checkTest(cx: Context, test: ast.Expr, scope: Scope): void {
  const type = typeOf(cx, test, scope);
  if (type.kind === "bool" || type.kind === "any") return;
  cx.report.error(
    "E203",
    test.span,
    `a test must be true or false, found ${describe(type)}`,
    "compare it with a value, or test whether it is present",
  );
}

export function typeOfValue(cx: Context, value: ast.Value, scope: Scope): Type {
  if (value.kind !== "object") return typeOf(cx, value, scope);
  for (const entry of value.entries) typeOfValue(cx, entry.value, scope);
  return ANY;
}

export function typesOf(cx: Context, values: readonly ast.Value[], scope: Scope): Type[] {
  return values.map((value) => typeOfValue(cx, value, scope));
}

export function typeOf(cx: Context, expr: ast.Expr, scope: Scope): Type {
  if (isLiteral(expr)) return typeOfLiteral(expr);
  switch (expr.kind) {
    case "list":
      return listOf(common(expr.items.map((item) => typeOfValue(cx, item, scope))));
    case "path":
      return typeOfPath(cx, expr, scope);
    case "call":
      return typeOfCall(cx, expr, scope);
    case "negate":
      return numeric(cx, expr.operand, scope, "-");
    case "chain":
      return typeOfChain(cx, expr, scope);
    case "cast":
      typeOf(cx, expr.operand, scope);
      return CASTS[expr.to];
    case "aggregate-in":
      return typeOfAggregateIn(cx, expr, scope);
    default:
      checkLogical(cx, expr, scope);
      return BOOL;
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
      | "outcome";
  }
>;

function checkLogical(cx: Context, expr: Logical, scope: Scope): void {
  switch (expr.kind) {
    case "not":
      return checkTest(cx, expr.operand, scope);
    case "logic":
      if (expr.items.length === 0) {
        cx.report.error("E232", expr.span, "empty list of conditions", "add at least one condition");
      }
      for (const item of expr.items) checkTest(cx, item, scope);
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
      if (!isInGate(cx, expr, scope)) return;
      for (const item of expr.items) checkTest(cx, item, scope);
      return checkQuorum(cx, expr);
    case "fact-quorum":
      return checkFactQuorum(cx, expr, scope);
    case "exists":
      return checkExists(cx, expr, scope);
    case "exists-in":
      return checkExistsIn(cx, expr, scope);
    case "outcome":
      if (!isInPipeline(cx, expr, scope)) return;
      return checkJudgeCall(cx, expr.of, expr.name, expr.args, expr.span, typesOf(cx, expr.args, scope));
    default:
      unreachable(expr);
  }
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
  cx.report.error("E203", expr.span, message, comparisonHint(left, right));
}

function comparisonHint(left: Type, right: Type): string | undefined {
  if (left.kind === "list" || right.kind === "list") return 'use "contains" or "in" with lists';
  if (left.kind === "fact" || right.kind === "fact") {
    const fact = left.kind === "fact" ? left : right;
    return `compare with a fact${fact.kind === "fact" ? ` of type ${fact.type}` : ""}, or with one of its fields`;
  }
  return isText(left) || isText(right) ? "convert one side: (number) x or (string) x" : undefined;
}

/** Reports a string that the field can never hold. */
function checkUnionValue(cx: Context, type: Type, value: ast.Value): void {
  if (type.kind !== "union" || value.kind !== "text" || type.options.includes(value.value)) return;
  cx.report.error(
    "E203",
    value.span,
    `"${value.value}" is not one of ${describe(type)}`,
    didYouMean(nearest(value.value, type.options)),
  );
}

/** Returns the type of an operand that must be a list: an unresolved name is reported as an unknown list. */
function typeOfList(cx: Context, expr: ast.Expr, scope: Scope): Type {
  if (expr.kind !== "path" || expr.fields.length > 0 || isKnown(cx, expr, scope)) return typeOf(cx, expr, scope);
  const { name, span } = expr.root;
  if (scope.whyHidden(name) !== undefined) return typeOf(cx, expr, scope);
  if (cx.symbols.excuses(cx.symbols.lists, name)) return ANY;
  const known = [...cx.symbols.lists.names(), ...scope.names(), ...(scope.own?.type?.fields.keys() ?? [])];
  const hint = hintFor(name, nearest(name, known)) ?? `declare it: list ${name} = […]`;
  cx.report.error("E213", span, `unknown list "${name}"`, hint);
  return ANY;
}

function checkIn(cx: Context, expr: ast.InExpr, scope: Scope): void {
  const left = typeOf(cx, expr.left, scope);
  const right = typeOfList(cx, expr.right, scope);
  if (right.kind !== "list" && right.kind !== "any") {
    cx.report.error("E203", expr.right.span, `"in" needs a list on its right, found ${describe(right)}`);
    return;
  }
  if (expr.right.kind === "list") checkItems(cx, left, expr.right, scope);
  else if (right.kind === "list") requireComparable(cx, left, right.item, expr.span);
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
  const right = expr.any ? typeOfList(cx, expr.right, scope) : typeOf(cx, expr.right, scope);
  if (left.kind !== "any" && left.kind !== "list" && !isText(left)) {
    cx.report.error("E203", expr.left.span, `"contains" needs a string or a list on its left, found ${describe(left)}`);
    return;
  }
  warnOfExactText(cx, expr, left, scope);
  const wanted = left.kind === "list" ? left.item : left.kind === "any" ? ANY : STRING;
  if (!expr.any) return requireComparable(cx, wanted, right, expr.right.span);
  if (right.kind !== "list" && right.kind !== "any") {
    cx.report.error("E203", expr.right.span, `"contains any" needs a list on its right, found ${describe(right)}`);
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
    if (op === "+" && (isText(left) || isText(right))) {
      for (const { type, item } of sides) if (item !== undefined) requireText(cx, type, item.span);
      left = STRING;
      continue;
    }
    for (const { type, item } of index === 0 ? sides : sides.slice(1)) {
      if (type.kind !== "number" && type.kind !== "any" && item !== undefined) notANumber(cx, item.span, type, op);
    }
    if (index > 0 && isText(left) && expr.items[index] !== undefined) notANumber(cx, expr.span, left, op);
    left = op === "+" && (left.kind === "any" || right.kind === "any") ? ANY : NUMBER;
  }
  return left;
}

function requireText(cx: Context, type: Type, span: Span): void {
  if (type.kind !== "list" && type.kind !== "fact") return;
  cx.report.error("E203", span, `cannot join ${describe(type)} to a string`, "use one of its fields, or count(…)");
}

function numeric(cx: Context, expr: ast.Expr, scope: Scope, op: string): Type {
  const type = typeOf(cx, expr, scope);
  if (type.kind !== "number" && type.kind !== "any") notANumber(cx, expr.span, type, op);
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
  const special = typeOfSpecialCall(cx, call, scope);
  if (special !== undefined) return special;
  if (scope.has("conditions")) {
    const condition = cx.symbols.conditions.get(name);
    if (condition !== undefined) {
      const params = paramsOf(cx, condition.decl.params);
      checkArguments(cx, `condition ${name}`, params, false, call.args, call.span, typesOf(cx, call.args, scope));
      return BOOL;
    }
  }
  const signature = cx.symbols.function(name);
  if (signature === undefined) return unknownCall(cx, call, scope);
  const types = typesOf(cx, call.args, scope);
  checkCallArguments(cx, name, signature, call, types);
  return signature.result === "argument" ? common(types) : signature.result;
}

/** Returns the type of `missing()`, `actions()`, and aggregates over the evidence of a guardian's check. */
function typeOfSpecialCall(cx: Context, call: ast.CallExpr, scope: Scope): Type | undefined {
  const name = call.name.name.toLowerCase();
  if ((name === "missing" && scope.has("missing")) || (name === "actions" && scope.has("actions"))) {
    checkArguments(cx, `${name}()`, [], false, call.args, call.span, typesOf(cx, call.args, scope));
    return listOf(STRING);
  }
  const [arg] = call.args;
  const evidence = (root: string): boolean => scope.get(root)?.evidence === true;
  if (arg === undefined || arg.kind === "object" || !scope.has("evidence") || !isAggregateOver(call, evidence))
    return undefined;
  return typeOfAggregate(cx, call.name, arg, scope);
}

/** The functions that exist only in reactions, and in whose. */
const REACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ["missing", "gate"],
  ["actions", "guardian"],
]);

/** The names of quorums: `at_least(2, a, b)` is parsed as one; without its number it is a call. */
const QUORUMS = new Set(["at_least", "require_group"]);

function unknownCall(cx: Context, call: ast.CallExpr, scope: Scope): Type {
  const { name, span } = call.name;
  if (cx.symbols.type(name) === undefined) for (const arg of call.args) typeOfValue(cx, arg, scope);
  if (scope.has("conditions")) {
    if (cx.symbols.excuses(cx.symbols.conditions, name)) return BOOL;
    const meant = nearest(name, [...cx.symbols.conditions.names(), ...cx.symbols.functions.keys()]);
    const quorum = QUORUMS.has(name.toLowerCase()) ? `the first argument is a number: ${name}(2, a, b, c)` : undefined;
    cx.report.error("E208", span, `unknown condition "${name}"`, quorum ?? hintFor(name, meant));
  } else if (REACTION_WORDS.has(name.toLowerCase())) {
    const where = REACTION_WORDS.get(name.toLowerCase());
    cx.report.error("E214", span, `${name}() is allowed only in the reactions of a ${where}`, "remove it here");
  } else if (cx.symbols.conditions.get(name) !== undefined) {
    const hint = "require it in a gate, and test the gate: gate x(y) passes";
    cx.report.error("E214", span, `condition "${name}" is allowed only in the requirement of a gate`, hint);
  } else if (cx.symbols.type(name) !== undefined) {
    cx.report.error(
      "E212",
      span,
      `${name} is a type, not a function`,
      `to test for such a fact, write "exists ${name}(…)"`,
    );
  } else {
    const meant = nearest(name, cx.symbols.functions.keys());
    cx.report.error("E212", span, `unknown function "${name}"`, hintFor(name, meant));
  }
  return ANY;
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
  const inner = bindSources(cx, expr.sources, scope);
  if (expr.test !== null) checkTest(cx, expr.test, inner);
  const type = typeOfAggregate(cx, expr.name, expr.value, inner);
  hideAll(scope, inner, `bound only inside "${expr.name.name}"`);
  return type;
}

/** Returns the type of an aggregate, and checks the value that it works on. */
export function typeOfAggregate(cx: Context, fn: ast.Ident, value: ast.Expr | null, scope: Scope): Type {
  const type = value === null ? ANY : typeOf(cx, value, scope);
  const aggregate = AGGREGATES.get(fn.name.toLowerCase());
  if (aggregate === undefined) {
    cx.report.error(
      "E212",
      fn.span,
      `unknown aggregate "${fn.name}"`,
      `aggregates: ${[...AGGREGATES.keys()].join(", ")}`,
    );
    return ANY;
  }
  const { takes } = aggregate;
  if (value === null && takes !== "facts") {
    cx.report.error("E209", fn.span, `"${fn.name}" needs a value`, `for example ${fn.name}(x.total)`);
  }
  if (takes === "numbers" && type.kind !== "number" && type.kind !== "any" && value !== null) {
    notANumber(cx, value.span, type, fn.name);
  }
  if (takes === "ordered" && !ordered(type, type) && value !== null) {
    cx.report.error(
      "E203",
      value.span,
      `values of type ${describe(type)} cannot be ordered`,
      "use a number or a string",
    );
  }
  return aggregate.result(type);
}

/** Reports a type that is not declared, when the program declares types at all. */
export function checkTypeName(cx: Context, type: ast.Ident, primitives: Iterable<string> = []): void {
  if (cx.symbols.open || cx.symbols.type(type.name) !== undefined) return;
  if (cx.symbols.excuses(cx.symbols.types, type.name)) return;
  const meant = nearest(type.name, [...cx.symbols.typeNames(), ...primitives]);
  cx.report.error(
    "E201",
    type.span,
    `unknown type "${type.name}"`,
    hintFor(type.name, meant) ?? `declare it: type ${type.name}(…)`,
  );
}
