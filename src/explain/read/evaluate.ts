/**
 * The value of an expression, computed from the checked tree with the functions that the engine itself uses.
 *
 * Undefined is a missing value, and the truth value unknown. A fact as a value is its id.
 */
import { RE2JS } from "re2js";
import { callHost, missingFunctionWords } from "../../base/host-call.ts";
import { compareBy } from "../../base/comparator.ts";
import { not, type Truth } from "../../base/truth.ts";
import { timeNumbers } from "../../base/time.ts";
import { equal, type Maybe, type Value } from "../../base/value.ts";
import { finite } from "../../functions/arguments.ts";
import { calledFunction } from "../../functions/functions.ts";
import { cast, toText } from "../../functions/operator/cast.ts";
import { contains, containsAll, containsAny, isIn } from "../../functions/operator/contains.ts";
import { like, likeSteps } from "../../functions/operator/like.ts";
import type * as ast from "../../language/ast.ts";
import { windowsIn } from "../../language/check/within.ts";
import { passedTo } from "../../language/passed.ts";
import type { ComputedFunction } from "../../language/check/symbols.ts";
import type { TableUse } from "../../language/check/table-uses.ts";
import type { FactView } from "../../session/results.ts";
import { Chosen, chosenFor } from "./chosen.ts";
import { computedCall } from "./computed-call.ts";
import { fieldOf } from "./field.ts";
import { type AggregatePart, innerParts, patternPart, type PatternPart } from "./parts.ts";
import {
  aggregateValue,
  argumentsInside,
  compared,
  literalText,
  negated,
  resultOutside,
  timeKind,
  timeStep,
} from "./times.ts";
import { clockValue } from "./clock.ts";
import { clashWords } from "../../tables/clash-words.ts";
import type { Decision } from "../../tables/decide.ts";
import { tableDecision } from "./tables.ts";
import { failureWords, noteDoubt, recordFailure } from "./failure.ts";
import { openWindow, windowTruth } from "./within.ts";
import type { OutcomeAnswer, World } from "./world.ts";

/** The bindings that an expression is evaluated with. */
export interface EvaluationScope {
  readonly world: World;
  readonly chosen: Chosen;
  /** The fact whose fields bare names mean. */
  readonly ownFact: FactView | undefined;
  /** Inside a function: what is passed for each parameter, and where. It is evaluated whenever the parameter is read. */
  readonly passed?: ReadonlyMap<string, { readonly value: ast.Value; readonly scope: EvaluationScope }>;
}

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
      return scope.world.context.program.tables.uses.has(expr) ? tableValue(expr, scope) : call(expr, scope);
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
      return aggregateOf(expr, scope);
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
      return found([existsPart(expr)], scope);
    case "exists-in":
      return found(innerParts(expr), scope);
    case "wait":
      return waitTruth(expr, scope);
    case "within":
      return windowTruth(expr, scope, evaluate);
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
export function valueAndFailure(
  expr: ast.Value,
  scope: EvaluationScope,
): { readonly value: Maybe; readonly failure: string | undefined } {
  const { calls } = scope.world;
  const before = calls.failed;
  const value = evaluate(expr, scope);
  return { value, failure: value === undefined && calls.failed !== before ? calls.lastFailure : undefined };
}

/**
 * Calls a function. A host function that fails is unknown; it is not called with an argument that is missing, failed or
 * of another type.
 */
function call(expr: ast.CallExpr, scope: EvaluationScope): Maybe {
  const { name } = expr.name;
  const { functions, program } = scope.world.context;
  const computed = computedCall(program, expr);
  if (computed !== undefined) return evaluate(computed.body, insideFunction(expr, computed, scope));
  const known = program.symbols.functionName(name);
  const host = functions.get(known);
  if (host === undefined && known === "coalesce") return coalesce(expr.args, scope);
  const { calls } = scope.world;
  const before = calls.failed;
  const args = valuesPassed(expr, scope);
  if (host === undefined) return builtIn(known, args, scope);
  const signature = program.symbols.function(name);
  if (calls.failed !== before || signature === undefined) return undefined;
  if (typeof (host as unknown) !== "function")
    return recordFailure(failureWords(name, args, missingFunctionWords(host)), scope);
  return callHost(host, signature, args, (how) => recordFailure(failureWords(name, args, how), scope));
}

/** Returns the bindings that the expression of a function is evaluated with. */
export function insideFunction(
  { args }: ast.CallExpr,
  { params }: ComputedFunction,
  scope: EvaluationScope,
): EvaluationScope {
  const passed = params.flatMap(({ name, default: otherwise }, index) => {
    const value = args[index] ?? otherwise;
    return value === null ? [] : [[name.name, { value, scope }] as const];
  });
  return { world: scope.world, chosen: Chosen.nothing, ownFact: undefined, passed: new Map(passed) };
}

/** Returns the arguments of a call, with the defaults of parameters that it leaves out. */
function valuesPassed({ name, args }: ast.CallExpr, scope: EvaluationScope): Maybe[] {
  const declared = scope.world.context.program.symbols.declaredFunction(name.name);
  if (declared === undefined) return valuesOf(args, scope);
  return passedTo(declared.params, args).map((arg) => (arg === null ? undefined : evaluate(arg, scope)));
}

/** What a decision table decides for a call, and about which inputs. */
export interface TableAnswer {
  readonly use: TableUse;
  readonly inputs: readonly Maybe[];
  readonly decision: Decision;
}

/** Returns what a decision table decides for a call; undefined when the call is of none. */
export function tableAnswer(expr: ast.CallExpr, scope: EvaluationScope): TableAnswer | undefined {
  const use = scope.world.context.program.tables.uses.get(expr);
  if (use === undefined) return undefined;
  const inputs = valuesOf(use.inputs, scope);
  return { use, inputs, decision: tableDecision(use, inputs, (output) => evaluate(output, scope)) };
}

/** Returns what a decision table gives. */
function tableValue(expr: ast.CallExpr, scope: EvaluationScope): Maybe {
  const answer = tableAnswer(expr, scope);
  if (answer === undefined) return undefined;
  const { use, inputs, decision } = answer;
  if (decision.clash !== undefined) {
    const [how] = clashWords(use.table.data, decision.clash);
    recordFailure(failureWords(expr.name.name, inputs, how), scope);
  }
  return decision.value;
}

/** Computes a built-in function; a function of the program that the host did not pass in has failed. */
function builtIn(name: string, args: readonly Maybe[], scope: EvaluationScope): Maybe {
  const entry = calledFunction(name);
  if (entry === undefined) return recordFailure(failureWords(name, args, missingFunctionWords(undefined)), scope);
  const inside = argumentsInside(name, args);
  const value = entry.compute(...inside);
  const refusal = value === undefined ? entry.refuses?.(inside) : undefined;
  return refusal === undefined
    ? resultOutside(name, value)
    : recordFailure(failureWords(name, args, refusal.how), scope);
}

function coalesce(args: readonly ast.Value[], scope: EvaluationScope): Maybe {
  for (const arg of args) {
    const { value, failure } = valueAndFailure(arg, scope);
    if (value !== undefined || failure !== undefined) return value;
  }
  return undefined;
}

/**
 * Returns a test's truth and whether a function failed in it. A failure in a nested question counts only when it leaves
 * the test unknown.
 */
export function truthAndFailed(world: World, test: () => Truth): { readonly truth: Truth; readonly failed: boolean } {
  const { count, inside } = world.context.failures ?? NO_FAILURES;
  const truth = test();
  const now = world.context.failures ?? NO_FAILURES;
  return { truth, failed: now.count > count || (truth === undefined && now.inside > inside) };
}

const NO_FAILURES = { count: 0, inside: 0 } as const;

/** Runs a nested question about facts, and counts the failures in it separately. */
function inNestedQuestion<Result>({ world }: EvaluationScope, question: () => Result): Result {
  const { failures } = world.context;
  if (failures === undefined) return question();
  const { count, inside } = failures;
  const result = question();
  failures.inside = result === undefined ? failures.inside + failures.count - count : inside;
  failures.count = count;
  return result;
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
  return first === undefined || second === undefined ? undefined : first + second;
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
  const side = (op: ast.Comparator, end: ast.Expr): Truth =>
    compareBy(op, ...compared(kind, value, evaluate(end, scope)));
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

// ---------------------------------------------------------------- facts

const existsParts = new WeakMap<ast.ExistsExpr, PatternPart>();

export function existsPart(expr: ast.ExistsExpr): PatternPart {
  let part = existsParts.get(expr);
  if (part === undefined) existsParts.set(expr, (part = patternPart(expr.pattern)));
  return part;
}

/** Returns whether some facts fulfil the parts. In judging, a fact that may match makes "no" unknown. */
function found(parts: readonly PatternPart[], scope: EvaluationScope): Truth {
  const { world, chosen } = scope;
  if (world.context.judging !== true) {
    const before = world.calls.failed;
    const isFound = world.questions.isFound(parts, world, chosen);
    world.calls.failed = before; // a failure only leaves a fact out: the question still has an answer
    if (isFound) return true;
    const windows = parts.flatMap(({ tests, early }) => windowsIn([...tests, ...early]));
    return openWindow(windows, scope, evaluate) === undefined ? false : undefined;
  }
  return inNestedQuestion(scope, () => world.questions.foundTruth(parts, world, chosen));
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

function aggregateOf(expr: ast.AggregateInExpr, scope: EvaluationScope): Maybe {
  const { calls } = scope.world;
  const before = calls.failed;
  const values = inNestedQuestion(scope, () => knownValues(innerParts(expr), expr.value, scope));
  if (values === undefined) {
    calls.failed = before + 1;
    return undefined;
  }
  if (scope.world.context.judging !== true) calls.failed = before;
  return aggregateValue(scope.world.context.program, expr.name.name, expr.value, values);
}

/** Returns the values of the members; undefined in judging when it is unknown whether one of them counts. */
export function knownValues(
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  scope: EvaluationScope,
): readonly Maybe[] | undefined {
  if (scope.world.context.judging !== true) return memberValues(inner, value, scope);
  const solutions: Chosen[] = [];
  for (const { chosen, sure } of scope.world.questions.findings(inner, scope.world, scope.chosen)) {
    if (!sure) return undefined;
    solutions.push(chosen);
  }
  return valuesFor(solutions, inner, value, scope.world);
}

/** Returns the value of an expression for each solution of the parts; `count()` has no value to compute. */
export function memberValues(inner: readonly PatternPart[], value: ast.Expr | null, scope: EvaluationScope): Maybe[] {
  return valuesFor(scope.world.questions.solutions(inner, scope.world, scope.chosen), inner, value, scope.world);
}

/**
 * Returns the values of the members. A failure while facts are searched only leaves facts out: failures in values alone
 * count.
 */
function valuesFor(
  solutions: Iterable<Chosen>,
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  world: World,
): Maybe[] {
  const values: Maybe[] = [];
  const { calls } = world;
  const before = calls.failed;
  let missed = 0;
  for (const chosen of solutions) {
    const start = calls.failed;
    const one = memberValue(inner, value, chosen, world);
    if (one === undefined && calls.failed !== start) missed += 1;
    values.push(one);
  }
  calls.failed = before + missed;
  return values;
}

function memberValue(
  [first, second]: readonly PatternPart[],
  value: ast.Expr | null,
  chosen: Chosen,
  world: World,
): Maybe {
  if (value === null) return undefined;
  const ownFact = first !== undefined && second === undefined ? chosenFor(chosen, first) : undefined;
  return evaluate(value, { world, chosen, ownFact });
}

/** Returns the value of an aggregate; missing in judging when it is unknown whether one of the members counts. */
export function valueOfAggregate(
  { inner }: AggregatePart,
  { fn, value }: AggregatePart["items"][number],
  world: World,
  from: Chosen,
): Maybe {
  const values = knownValues(inner, value, { world, chosen: from, ownFact: undefined });
  return values === undefined ? undefined : aggregateValue(world.context.program, fn, value, values);
}
