/**
 * The value of an expression, computed from the checked tree with the functions that the engine itself uses.
 *
 * Undefined is a missing value, and the truth value unknown. A fact as a value is its id.
 */
import { LONGEST_MADE_STRING } from "../../base/limits.ts";
import { RE2JS } from "re2js";
import { compareBy, type Comparator } from "../../base/comparator.ts";
import { not, type Truth } from "../../base/truth.ts";
import { timeNumbers } from "../../base/time.ts";
import { equal, type Maybe, type Value } from "../../base/value.ts";
import { finite } from "../../functions/arguments.ts";
import { cast, toText } from "../../functions/operator/cast.ts";
import { contains, containsAll, containsAny, isIn } from "../../functions/operator/contains.ts";
import { like, likeSteps } from "../../functions/operator/like.ts";
import type * as ast from "../../language/ast.ts";
import { callValue } from "./calls.ts";
import { clockValue } from "./clock.ts";
import { inNestedQuestion, noteDoubt, type ValueAndFailure, withFailure } from "./failure.ts";
import { fieldOf } from "./field.ts";
import { lastTruth } from "./last.ts";
import { existsPart, innerParts } from "./parts.ts";
import type { EvaluationScope } from "./scope.ts";
import { tableValue } from "./tables.ts";
import { compared, literalText, negated, timeKind, timeStep } from "./times.ts";
import { windowTruth } from "./within.ts";
import type { OutcomeAnswer, World } from "./world.ts";

/** Returns a boolean as it is; any other value is unknown. */
function truthOf(value: Maybe): Truth {
  return typeof value === "boolean" ? value : undefined;
}

export function truth(test: ast.Expr, scope: EvaluationScope): Truth {
  return truthOf(evaluate(test, scope));
}

export function evaluate(expr: ast.Value, scope: EvaluationScope): Maybe {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
      return expr.value;
    case "time":
    case "amount":
      return literalText(expr);
    case "list":
      return allPresent(valuesOf(expr.items, scope));
    case "comprehension":
      return collected(expr, scope);
    case "item":
      return itemAt(evaluate(expr.list, scope), evaluate(expr.at, scope));
    case "property":
      return readField(evaluate(expr.of, scope), expr.field.name, scope.world, isOfValue(expr, 0, scope));
    case "object":
      return objectOf(expr, scope);
    case "path":
      return isAsked(expr, scope) ? asked(expr, scope) : follow(expr, expr.fields.length, scope);
    case "call":
      if (isAsked(expr, scope)) return asked(expr, scope);
      return scope.world.context.program.tables.uses.has(expr)
        ? tableValue(expr, scope, evaluate)
        : callValue(expr, scope, evaluate);
    case "negate": {
      const value = evaluate(expr.operand, scope);
      if (timeKind(scope.world.context.program, expr) !== undefined) return negated(value);
      return typeof value === "number" ? finite(-value) : undefined;
    }
    case "chain":
      return chain(expr, scope);
    case "cast":
      return cast(expr.to, evaluate(expr.operand, scope));
    case "aggregate-in":
      return scope.world.questions.aggregateOf(expr, scope);
    case "ranked":
      return rankedParts(expr, scope);
    case "if":
      return chosenValue(expr, scope);
    default:
      return testOf(expr, scope);
  }
}

function isAsked(use: ast.CallExpr | ast.PathExpr, { world }: EvaluationScope): boolean {
  return world.context.program.conditionUses.has(use);
}

/** Returns the truth of a condition. A failure in it leaves it unknown, and never counts as a missing value. */
function asked(use: ast.CallExpr | ast.PathExpr, scope: EvaluationScope): Truth {
  return inNestedQuestion(scope, () => scope.world.questions.conditionTruth(use, scope));
}

function testOf(expr: ast.TestExpr, scope: EvaluationScope): Truth {
  switch (expr.kind) {
    case "not":
      return not(truth(expr.operand, scope));
    case "logic":
      return expr.op === "and" ? allTrue(expr.items, scope) : anyTrue(expr.items, scope);
    case "compare":
      return compareSides(expr, scope);
    case "in": {
      if (expr.right.kind === "range") return inRange(expr, expr.right, scope);
      const existsTruth = oneOf(equal, expr.left, expr.right, scope) ?? inList(expr.left, expr.right, scope);
      return expr.negated ? not(existsTruth.truth) : existsTruth.truth;
    }
    case "contains":
      return containing(expr, scope);
    case "item-test":
      return itemTruth(expr, scope);
    case "like":
      return onTexts(evaluate(expr.left, scope), evaluate(expr.pattern, scope), (a, b) => like(a, likeSteps(b)));
    case "matches":
      return onTexts(evaluate(expr.left, scope), expr.pattern.value, (text, pattern) => finds(pattern, text));
    case "presence": {
      const { value, failure } = valueAndFailure(expr.operand, scope);
      return failure !== undefined ? undefined : (value === undefined) === expr.missing;
    }
    case "exists":
      return scope.world.questions.factsFound([existsPart(expr)], scope);
    case "exists-in":
      return scope.world.questions.factsFound(innerParts(expr), scope);
    case "wait":
      return waitTruth(expr, scope);
    case "within":
      return windowTruth(expr, scope, evaluate);
    case "last":
      return inNestedQuestion(scope, () => lastTruth(expr, scope, evaluate));
    case "outcome":
      return outcomeTruth(expr, outcomeAnswerOf(expr, scope)?.outcome);
    case "quorum":
    case "fact-quorum":
      return undefined; // occur only in gates, which are explained from their own trees
  }
}

/** Returns the items of a list; undefined when there is no list. */
export function itemsOf({ list }: { readonly list: ast.Expr }, scope: EvaluationScope): readonly Value[] | undefined {
  const items = evaluate(list, scope);
  return Array.isArray(items) ? (items as readonly Value[]) : undefined;
}

/** Returns the scope of each item of a list; undefined when there is no list. */
export function itemScopes(
  expr: ast.ItemTestExpr | ast.ComprehensionExpr,
  scope: EvaluationScope,
): EvaluationScope[] | undefined {
  return itemsOf(expr, scope)?.map((value) => ({
    ...scope,
    chosen: scope.chosen.with(undefined, expr.variable.name, { value }),
  }));
}

function itemTruth(expr: ast.ItemTestExpr, scope: EvaluationScope): Truth {
  const decisive = expr.quantifier === "any";
  let result: Truth = !decisive;
  const scopes = itemScopes(expr, scope);
  for (const inside of scopes ?? []) {
    const one = truth(expr.test, inside);
    if (one === decisive) return decisive;
    if (one === undefined) result = undefined;
  }
  return scopes === undefined ? undefined : result;
}

/** Returns the values for the items of which the test is true; unknown when a test or a value is. */
function collected(expr: ast.ComprehensionExpr, scope: EvaluationScope): Maybe {
  const values: Maybe[] = [];
  const scopes = itemScopes(expr, scope);
  for (const inside of scopes ?? []) {
    const wanted = expr.test === null ? true : truth(expr.test, inside);
    if (wanted === false) continue;
    values.push(wanted === true ? evaluate(expr.value, inside) : undefined);
    if (values.at(-1) === undefined) return undefined;
  }
  return scopes === undefined ? undefined : (values as readonly Value[]);
}

function itemAt(list: Maybe, at: Maybe): Maybe {
  return Array.isArray(list) && typeof at === "number" ? (list as readonly Value[])[at] : undefined;
}

/** Returns the side of an `if` that its test chooses; undefined while the test is unknown. */
export function chosenSide(expr: ast.IfExpr, scope: EvaluationScope): ast.Expr | undefined {
  const test = truth(expr.test, scope);
  if (test === undefined) return undefined;
  return test ? expr.whenTrue : expr.whenFalse;
}

function chosenValue(expr: ast.IfExpr, scope: EvaluationScope): Maybe {
  const side = chosenSide(expr, scope);
  return side === undefined ? undefined : evaluate(side, scope);
}

/** Returns the truth of `wait until t`: true from then on, and unknown before. */
function waitTruth({ until }: ast.WaitExpr, scope: EvaluationScope): Truth {
  const kind = timeKind(scope.world.context.program, until);
  const now = clockValue(kind === "date" ? "today" : "now", scope.world);
  return compareBy(">=", ...compared(kind, now, evaluate(until, scope))) === true ? true : undefined;
}

/** Returns whether an outcome is the one that is asked for: unknown whether a gate that holds passes or fails. */
function outcomeTruth({ of, outcome }: ast.OutcomeExpr, now: OutcomeAnswer["outcome"] | undefined): Truth {
  return of === "gate" && now === "hold" && outcome !== "hold" ? undefined : now === outcome;
}

/** Returns the answer that `gate budget(q) passes` refers to; a gate without a subject is asked with an empty id. */
export function outcomeAnswerOf(expr: ast.OutcomeExpr, scope: EvaluationScope): OutcomeAnswer | undefined {
  const [arg] = expr.args;
  const subject = arg === undefined ? "" : evaluate(arg, scope);
  return scope.world.context.outcomeAnswer?.(expr.of, expr.name.name, typeof subject === "string" ? subject : "");
}

function allTrue(items: readonly ast.Expr[], scope: EvaluationScope): Truth {
  let result: Truth = true;
  for (const item of items) {
    const one = truth(item, scope);
    if (one === false) return false;
    if (one === undefined) result = undefined;
  }
  return result;
}

function anyTrue(items: readonly ast.Expr[], scope: EvaluationScope): Truth {
  let result: Truth = false;
  for (const item of items) {
    const one = truth(item, scope);
    if (one === true) return true;
    if (one === undefined) result = undefined;
  }
  return result;
}

// ---------------------------------------------------------------- names

/** Returns the value of a path such as `o.buyer.name` after its first `fields` fields. */
export function follow(path: ast.PathExpr, fields: number, scope: EvaluationScope): Maybe {
  let value = rootOf(path, scope);
  for (const [at, field] of path.fields.slice(0, fields).entries()) {
    value = readField(value, field.name, scope.world, isOfValue(path, at, scope));
  }
  return value;
}

function rootOf(path: ast.PathExpr, { world, chosen, ownFact, passed }: EvaluationScope): Maybe {
  const { name } = path.root;
  const { program, namedFacts } = world.context;
  switch (program.resolutions.get(path)) {
    case "own-field":
      return ownFact === undefined ? undefined : fieldOf(ownFact, name);
    case "variable":
    case "item":
    case "decision": {
      const argument = passed?.get(name);
      if (argument !== undefined) return evaluate(argument.value, argument.scope);
      const bound = chosen.get(name);
      if (bound === undefined) return undefined;
      if ("fact" in bound) return bound.fact.id;
      if (bound.doubt !== undefined) noteDoubt(bound.doubt, world);
      return bound.value;
    }
    case "fact":
      return namedFacts.get(name);
    case "constant": {
      const constant = program.symbols.constants.get(name)?.decl.value;
      return constant === undefined ? undefined : evaluate(constant, { world, chosen, ownFact: undefined });
    }
    case "word":
      return name;
    case "clock":
      return clockValue(name, world);
    default:
      return undefined;
  }
}

/** Returns whether a field is read off a value, and never leads to a fact. */
function isOfValue(expr: ast.PathExpr | ast.PropertyExpr, at: number, { world }: EvaluationScope): boolean {
  return world.context.program.valueFields.get(expr)?.[at] === true;
}

/** Returns a field of a value: a string is followed as the id of a fact, an object has its own properties. */
function readField(value: Maybe, field: string, world: World, ofValue: boolean): Maybe {
  if (typeof value === "string" && !ofValue) {
    const fact = world.get(value);
    return fact === undefined ? undefined : fieldOf(fact, field);
  }
  if (typeof value !== "object" || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, Value>>)[field];
}

// ---------------------------------------------------------------- values

function valuesOf(items: readonly ast.Value[], scope: EvaluationScope): Maybe[] {
  return items.map((item) => evaluate(item, scope));
}

/** Returns the list; unknown when an item is missing. */
function allPresent(values: readonly Maybe[]): Maybe {
  return values.includes(undefined) ? undefined : (values as readonly Value[]);
}

function objectOf(expr: ast.ObjectExpr, scope: EvaluationScope): Value {
  const entries = expr.entries.map((entry) => [entry.name.name, evaluate(entry.value, scope)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Value;
}

/** Returns the value of an expression and, when it is unknown because a function failed, the failure. */
export function valueAndFailure(expr: ast.Value, scope: EvaluationScope): ValueAndFailure {
  return withFailure(scope, () => evaluate(expr, scope));
}

/** Returns what an aggregate takes of a fact, with a key that is a time as a number: its text may have another order. */
function rankedParts({ value, key, count }: ast.RankedExpr, scope: EvaluationScope): Maybe {
  const parts: Maybe[] = [evaluate(value, scope)];
  if (key !== null) {
    const kind = timeKind(scope.world.context.program, key);
    const found = evaluate(key, scope);
    parts.push(kind === undefined ? found : timeNumbers(kind, found));
  }
  if (count !== null) parts.push(evaluate(count, scope));
  return allPresent(parts);
}

function chain(expr: ast.ChainExpr, scope: EvaluationScope): Maybe {
  const [first, ...rest] = valuesOf(expr.items, scope);
  const operators = scope.world.context.program.times.operators.get(expr);
  if (operators === undefined) {
    return rest.reduce((left, right, index) => compute(expr.ops[index] ?? "+", left, right), first);
  }
  return rest.reduce((left, right, index) => {
    const op = expr.ops[index] ?? "+";
    const operator = operators[index] ?? op;
    return operator === op ? compute(op, left, right) : timeStep(operator, left, right);
  }, first);
}

function compute(op: ast.SumOp | ast.ProductOp, left: Maybe, right: Maybe): Maybe {
  if (typeof left === "number" && typeof right === "number") return finite(ARITHMETIC[op](left, right));
  if (op !== "+" || (typeof left !== "string" && typeof right !== "string")) return undefined;
  const [first, second] = [toText(left), toText(right)];
  if (first === undefined || second === undefined) return undefined;
  return first.length + second.length > LONGEST_MADE_STRING ? undefined : first + second;
}

const ARITHMETIC: Readonly<Record<ast.SumOp | ast.ProductOp, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

// ---------------------------------------------------------------- tests

function compareSides({ op, left, right }: ast.CompareExpr, scope: EvaluationScope): Truth {
  const kind = timeKind(scope.world.context.program, left);
  return compareBy(op, ...compared(kind, evaluate(left, scope), evaluate(right, scope)));
}

interface Found {
  readonly truth: Truth;
}

/** Returns whether a value is in a range: not below its beginning, and not above its end. */
function inRange({ left, negated }: ast.InExpr, { from, to, open }: ast.RangeExpr, scope: EvaluationScope): Truth {
  const kind = timeKind(scope.world.context.program, left);
  const value = evaluate(left, scope);
  const side = (op: Comparator, end: ast.Expr): Truth => compareBy(op, ...compared(kind, value, evaluate(end, scope)));
  const truths = [side(">=", from), side(open ? "<" : "<=", to)];
  const both = truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
  return negated ? not(both) : both;
}

function inList(left: ast.Expr, right: ast.Expr, scope: EvaluationScope): Found {
  return { truth: isIn(evaluate(left, scope), evaluate(right, scope)) };
}

/** Tests a value against each item of a list literal: a missing item makes only its own test unknown. */
function oneOf(
  test: (value: Maybe, item: Maybe) => Truth,
  value: ast.Expr,
  list: ast.Expr,
  scope: EvaluationScope,
): Found | undefined {
  if (list.kind !== "list") return undefined;
  const left = evaluate(value, scope);
  const truths = valuesOf(list.items, scope).map((item) => test(left, item));
  return { truth: truths.includes(true) ? true : truths.includes(undefined) ? undefined : false };
}

function containing(expr: ast.ContainsExpr, scope: EvaluationScope): Truth {
  const { left, right } = expr;
  if (expr.all === true) return containingAll(expr, scope);
  if (expr.any) {
    const listed = oneOf(contains, left, right, scope);
    if (listed !== undefined) return listed.truth;
    return containsAny(evaluate(left, scope), evaluate(right, scope));
  }
  const listed = oneOf(equal, right, left, scope);
  return listed === undefined ? contains(evaluate(left, scope), evaluate(right, scope)) : listed.truth;
}

/** Returns the truth of `contains all`: a missing item of a list literal makes only its own test unknown. */
function containingAll({ left, right, span }: ast.ContainsExpr, scope: EvaluationScope): Truth {
  if (right.kind !== "list" || right.items.length === 0)
    return containsAll(evaluate(left, scope), evaluate(right, scope));
  const one = (item: ast.Value): Truth =>
    item.kind === "object"
      ? contains(evaluate(left, scope), evaluate(item, scope))
      : containing({ kind: "contains", left, right: item, any: false, span }, scope);
  const truths = right.items.map(one);
  return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
}

function onTexts(a: Maybe, b: Maybe, test: (a: string, b: string) => boolean): Truth {
  return typeof a === "string" && typeof b === "string" ? test(a, b) : undefined;
}

const compiled = new Map<string, RE2JS>();

function finds(pattern: string, text: string): boolean {
  let ready = compiled.get(pattern);
  if (ready === undefined) compiled.set(pattern, (ready = RE2JS.compile(pattern)));
  return ready.matcher(text).find();
}
