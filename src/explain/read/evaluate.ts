/**
 * The value of an expression, computed from the checked tree with the functions that the engine itself uses.
 *
 * Undefined is a missing value, and the truth value unknown. A fact as a value is its id.
 */
import { RE2JS } from "re2js";
import { callHost, lackingWords } from "../../base/host-call.ts";
import { valueInShort } from "../../base/host-types.ts";
import { not, type Truth } from "../../base/truth.ts";
import { equal, type Maybe, order, type Value } from "../../base/value.ts";
import { aggregateNamed } from "../../functions/aggregates.ts";
import { finite } from "../../functions/arguments.ts";
import { FUNCTIONS } from "../../functions/functions.ts";
import { cast, toText } from "../../functions/operator/cast.ts";
import { contains, containsAny, isIn } from "../../functions/operator/contains.ts";
import { like, likeSteps } from "../../functions/operator/like.ts";
import type * as ast from "../../language/ast.ts";
import type { FactView } from "../../session/results.ts";
import { type Chosen, chosenFor } from "./chosen.ts";
import { fieldOf } from "./field.ts";
import { type AggregatePart, innerParts, patternPart, type PatternPart } from "./parts.ts";
import type { Said, World } from "./world.ts";

/** The bindings that an expression is evaluated with. */
export interface Place {
  readonly world: World;
  readonly chosen: Chosen;
  /** The fact whose fields bare names mean. */
  readonly own: FactView | undefined;
}

/** Returns a boolean as it is; any other value is unknown. */
function truthOf(value: Maybe): Truth {
  return typeof value === "boolean" ? value : undefined;
}

export function truth(test: ast.Expr, place: Place): Truth {
  return truthOf(evaluate(test, place));
}

export function evaluate(expr: ast.Value, place: Place): Maybe {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
      return expr.value;
    case "list":
      return present(valuesOf(expr.items, place));
    case "object":
      return objectOf(expr, place);
    case "path":
      return follow(expr, expr.fields.length, place);
    case "call":
      return call(expr, place);
    case "negate": {
      const value = evaluate(expr.operand, place);
      return typeof value === "number" ? finite(-value) : undefined;
    }
    case "chain":
      return chain(expr, place);
    case "cast":
      return cast(expr.to, evaluate(expr.operand, place));
    case "aggregate-in":
      return aggregateOf(expr, place);
    default:
      return testOf(expr, place);
  }
}

type Test = Exclude<
  ast.Expr,
  { kind: "text" | "number" | "bool" | "list" | "path" | "call" | "negate" | "chain" | "cast" | "aggregate-in" }
>;

function testOf(expr: Test, place: Place): Truth {
  switch (expr.kind) {
    case "not":
      return not(truth(expr.operand, place));
    case "logic":
      return expr.op === "and" ? allTrue(expr.items, place) : anyTrue(expr.items, place);
    case "compare":
      return compare(expr.op, evaluate(expr.left, place), evaluate(expr.right, place));
    case "in": {
      const found = oneOf(equal, expr.left, expr.right, place) ?? inList(expr, place);
      return expr.negated ? not(found.truth) : found.truth;
    }
    case "contains":
      return containing(expr, place);
    case "like":
      return onTexts(evaluate(expr.left, place), evaluate(expr.pattern, place), (a, b) => like(a, likeSteps(b)));
    case "matches":
      return onTexts(evaluate(expr.left, place), expr.pattern.value, (text, pattern) => finds(pattern, text));
    case "presence": {
      const { value, failed } = tried(expr.operand, place);
      return failed ? undefined : (value === undefined) === expr.missing;
    }
    case "exists":
      return found([existsPart(expr)], place);
    case "exists-in":
      return found(innerParts(expr), place);
    case "outcome":
      return saidOf(expr, place)?.outcome === expr.outcome;
    case "quorum":
    case "fact-quorum":
      return undefined; // stand in gates, which are told from their own trees
  }
}

/** Returns the answer that `gate budget(q) passes` refers to; a gate without a subject is asked with an empty id. */
export function saidOf(expr: ast.OutcomeExpr, place: Place): Said | undefined {
  const [arg] = expr.args;
  const subject = arg === undefined ? "" : evaluate(arg, place);
  return place.world.ground.said?.(expr.of, expr.name.name, typeof subject === "string" ? subject : "");
}

function allTrue(items: readonly ast.Expr[], place: Place): Truth {
  let result: Truth = true;
  for (const item of items) {
    const one = truth(item, place);
    if (one === false) return false;
    if (one === undefined) result = undefined;
  }
  return result;
}

function anyTrue(items: readonly ast.Expr[], place: Place): Truth {
  let result: Truth = false;
  for (const item of items) {
    const one = truth(item, place);
    if (one === true) return true;
    if (one === undefined) result = undefined;
  }
  return result;
}

// ---------------------------------------------------------------- names

/** Returns the value of a path such as `o.buyer.name` after its first `fields` fields. */
export function follow(path: ast.PathExpr, fields: number, place: Place): Maybe {
  let value = rootOf(path, place);
  for (const field of path.fields.slice(0, fields)) value = stepTo(value, field.name, place.world);
  return value;
}

function rootOf(path: ast.PathExpr, { world, chosen, own }: Place): Maybe {
  const { name } = path.root;
  const { program, namedFacts } = world.ground;
  switch (program.resolutions.get(path)) {
    case "own-field":
      return own === undefined ? undefined : fieldOf(own, name);
    case "variable": {
      const bound = chosen.get(name);
      if (bound === undefined) return undefined;
      return "fact" in bound ? bound.fact.id : bound.value;
    }
    case "fact":
      return namedFacts.get(name);
    case "list":
      return valuesOf(program.symbols.lists.get(name)?.decl.items ?? [], { world, chosen, own: undefined }) as Value;
    case "word":
      return name;
    default:
      return undefined;
  }
}

/** Returns a field of a value: a string is followed as the id of a fact, an object has its own properties. */
function stepTo(value: Maybe, field: string, world: World): Maybe {
  if (typeof value === "string") {
    const fact = world.get(value);
    return fact === undefined ? undefined : fieldOf(fact, field);
  }
  if (typeof value !== "object" || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, Value>>)[field];
}

// ---------------------------------------------------------------- values

function valuesOf(items: readonly ast.Value[], place: Place): Maybe[] {
  return items.map((item) => evaluate(item, place));
}

/** Returns the list; unknown when an item is missing. */
function present(values: readonly Maybe[]): Maybe {
  return values.includes(undefined) ? undefined : (values as readonly Value[]);
}

function objectOf(expr: ast.ObjectExpr, place: Place): Value {
  const entries = expr.entries.map((entry) => [entry.name.name, evaluate(entry.value, place)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Value;
}

/** Returns the value of an expression and, when it is unknown because a function failed, the failure. */
export function accounted(
  expr: ast.Value,
  place: Place,
): { readonly value: Maybe; readonly failure: string | undefined } {
  const { calls } = place.world;
  const before = calls.failed;
  const value = evaluate(expr, place);
  return { value, failure: value === undefined && calls.failed !== before ? calls.lastFailure : undefined };
}

function tried(expr: ast.Value, place: Place): { readonly value: Maybe; readonly failed: boolean } {
  const { calls } = place.world;
  const before = calls.failed;
  const value = evaluate(expr, place);
  return { value, failed: value === undefined && calls.failed !== before };
}

/**
 * Calls a function. A host function that fails is unknown; it is not called with an argument that is missing, failed or
 * of another type.
 */
function call(expr: ast.CallExpr, place: Place): Maybe {
  const { name } = expr.name;
  const { functions, program } = place.world.ground;
  const known = program.symbols.functionName(name);
  const host = functions.get(known);
  if (host === undefined && known === "coalesce") return coalesce(expr.args, place);
  const { calls } = place.world;
  const before = calls.failed;
  const args = valuesOf(expr.args, place);
  if (host === undefined) return builtIn(known, args, place);
  const signature = program.symbols.function(name);
  if (calls.failed !== before || signature === undefined) return undefined;
  if (typeof (host as unknown) !== "function") return failed(name, args, lackingWords(host), place);
  return callHost(host, signature, args, (how) => failed(name, args, how, place));
}

/** Computes a built-in function; a function of the program that the host did not pass in has failed. */
function builtIn(name: string, args: readonly Maybe[], place: Place): Maybe {
  const entry = FUNCTIONS.get(name);
  if (entry === undefined) return failed(name, args, lackingWords(undefined), place);
  const value = entry.compute(...args);
  const refusal = value === undefined ? entry.refuses?.(args) : undefined;
  return refusal === undefined ? value : failed(name, args, refusal.how, place);
}

function coalesce(args: readonly ast.Value[], place: Place): Maybe {
  for (const arg of args) {
    const { value, failed } = tried(arg, place);
    if (value !== undefined || failed) return value;
  }
  return undefined;
}

/** Records a failed call. */
function failed(name: string, args: readonly Maybe[], how: string, { world }: Place): undefined {
  world.calls.failed += 1;
  world.calls.lastFailure = `${name}(${args.map(valueInShort).join(", ")}) ${how}`;
  if (world.ground.failures !== undefined) world.ground.failures.count += 1;
}

/**
 * Returns a test's truth and whether a function failed in it. A failure in a nested question counts only when it leaves
 * the test unknown.
 */
export function heeding(world: World, test: () => Truth): { readonly truth: Truth; readonly failed: boolean } {
  const { count, inside } = world.ground.failures ?? NO_FAILURES;
  const truth = test();
  const now = world.ground.failures ?? NO_FAILURES;
  return { truth, failed: now.count > count || (truth === undefined && now.inside > inside) };
}

const NO_FAILURES = { count: 0, inside: 0 } as const;

/** Runs a nested question about facts, and counts the failures in it separately. */
function questioned<Result>({ world }: Place, question: () => Result): Result {
  const { failures } = world.ground;
  if (failures === undefined) return question();
  const { count, inside } = failures;
  const result = question();
  failures.inside = result === undefined ? failures.inside + failures.count - count : inside;
  failures.count = count;
  return result;
}

function chain(expr: ast.ChainExpr, place: Place): Maybe {
  const [first, ...rest] = valuesOf(expr.items, place);
  return rest.reduce((left, right, index) => compute(expr.ops[index] ?? "+", left, right), first);
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

function compare(op: ast.Comparator, left: Maybe, right: Maybe): Truth {
  if (op === "==") return equal(left, right);
  if (op === "!=") return not(equal(left, right));
  const difference = order(left, right);
  if (difference === undefined) return undefined;
  switch (op) {
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

interface Found {
  readonly truth: Truth;
}

function inList(expr: ast.InExpr, place: Place): Found {
  return { truth: isIn(evaluate(expr.left, place), evaluate(expr.right, place)) };
}

/** Tests a value against each item of a list literal: a missing item makes only its own test unknown. */
function oneOf(
  test: (value: Maybe, item: Maybe) => Truth,
  value: ast.Expr,
  list: ast.Expr,
  place: Place,
): Found | undefined {
  if (list.kind !== "list") return undefined;
  const given = evaluate(value, place);
  const truths = valuesOf(list.items, place).map((item) => test(given, item));
  return { truth: truths.includes(true) ? true : truths.includes(undefined) ? undefined : false };
}

function containing(expr: ast.ContainsExpr, place: Place): Truth {
  const { left, right } = expr;
  if (expr.any) {
    const listed = oneOf(contains, left, right, place);
    if (listed !== undefined) return listed.truth;
    return containsAny(evaluate(left, place), evaluate(right, place));
  }
  const listed = oneOf(equal, right, left, place);
  return listed === undefined ? contains(evaluate(left, place), evaluate(right, place)) : listed.truth;
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
function found(parts: readonly PatternPart[], place: Place): Truth {
  const { world, chosen } = place;
  if (world.ground.judging !== true) {
    const before = world.calls.failed;
    const there = world.questions.isFound(parts, world, chosen);
    world.calls.failed = before; // what fails leaves a fact out, and the question has its answer
    return there;
  }
  return questioned(place, () => world.questions.foundTruth(parts, world, chosen));
}

function aggregateOf(expr: ast.AggregateInExpr, place: Place): Maybe {
  const { calls } = place.world;
  const before = calls.failed;
  const values = questioned(place, () => knownValues(innerParts(expr), expr.value, place));
  if (values === undefined) {
    calls.failed = before + 1;
    return undefined;
  }
  if (place.world.ground.judging !== true) calls.failed = before;
  return aggregateNamed(expr.name.name).compute(values);
}

/** Returns the values of the members; undefined in judging when it is unknown whether one of them counts. */
export function knownValues(
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  place: Place,
): readonly Maybe[] | undefined {
  if (place.world.ground.judging !== true) return memberValues(inner, value, place);
  const ways: Chosen[] = [];
  for (const { chosen, sure } of place.world.questions.findings(inner, place.world, place.chosen)) {
    if (!sure) return undefined;
    ways.push(chosen);
  }
  return valuesFor(ways, inner, value, place.world);
}

/** Returns the value of an expression for each solution of the parts; `count()` has no value to compute. */
export function memberValues(inner: readonly PatternPart[], value: ast.Expr | null, place: Place): Maybe[] {
  return valuesFor(place.world.questions.solutions(inner, place.world, place.chosen), inner, value, place.world);
}

/**
 * Returns the values of the members. A failure while facts are searched only leaves facts out: failures in values alone
 * count.
 */
function valuesFor(
  ways: Iterable<Chosen>,
  inner: readonly PatternPart[],
  value: ast.Expr | null,
  world: World,
): Maybe[] {
  const values: Maybe[] = [];
  const { calls } = world;
  const before = calls.failed;
  let missed = 0;
  for (const chosen of ways) {
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
  const own = first !== undefined && second === undefined ? chosenFor(chosen, first) : undefined;
  return evaluate(value, { world, chosen, own });
}

/** Returns the value of an aggregate; missing in judging when it is unknown whether one of the members counts. */
export function valueOfAggregate(
  { inner }: AggregatePart,
  { fn, value }: AggregatePart["items"][number],
  world: World,
  from: Chosen,
): Maybe {
  const values = knownValues(inner, value, { world, chosen: from, own: undefined });
  return values === undefined ? undefined : aggregateNamed(fn).compute(values);
}
