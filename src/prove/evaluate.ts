/**
 * The value of an expression, computed directly from the tree: no plan, no closures, no caches.
 *
 * A condition is true, false or undefined, which is unknown; a value that is missing or cannot be computed is undefined
 * too. A fact as a value is its id.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { aggregate } from "./aggregates.ts";
import { allOf, anyOf, isEqual, negation, orderOf, truthOf } from "./compare.ts";
import { call, cast, compute, isRefused, negate } from "./functions.ts";
import { callHost } from "./host.ts";
import { findsPattern, isLike } from "./texts.ts";
import { fieldOf, type OracleFact, type World } from "./world.ts";

/** The fact or value of a variable. */
export type Bound = { readonly fact: string } | { readonly value: Value };

/** The variables bound so far, the newest first. A linked list: adding one leaves the shorter list valid. */
export class Bindings {
  static readonly none: Bindings = new Bindings(undefined, "", { fact: "" });
  readonly #older: Bindings | undefined;
  readonly #name: string;
  readonly #bound: Bound;

  private constructor(older: Bindings | undefined, name: string, bound: Bound) {
    this.#older = older;
    this.#name = name;
    this.#bound = bound;
  }

  with(name: string, bound: Bound): Bindings {
    return new Bindings(this, name, bound);
  }

  get(name: string): Bound | undefined {
    if (this.#older === undefined) return undefined;
    return this.#name === name ? this.#bound : this.#older.get(name);
  }

  /** Returns each variable once, in the order in which they were bound. */
  entries(): Map<string, Bound> {
    return this.#older === undefined ? new Map() : this.#older.entries().set(this.#name, this.#bound);
  }
}

/** The bindings that an expression is evaluated with. */
export interface Place {
  readonly world: World;
  readonly bindings: Bindings;
  /** The fact whose fields bare names mean. */
  readonly own?: OracleFact;
}

/** Returns whether a test is true: false and unknown do not pass. */
export function passes(test: ast.Expr, place: Place): boolean {
  return evaluate(test, place) === true;
}

export function evaluate(expr: ast.Value, place: Place): Maybe {
  switch (expr.kind) {
    case "text":
    case "number":
    case "bool":
      return expr.value;
    case "list":
      return complete(valuesOf(expr.items, place));
    case "object":
      return objectOf(expr, place);
    case "path":
      return follow(expr, place);
    case "call":
      return called(expr, place);
    case "negate":
      return negate(evaluate(expr.operand, place));
    case "chain":
      return chain(expr, place);
    case "cast":
      return cast(expr.to, evaluate(expr.operand, place));
    case "aggregate-in":
      return aggregateIn(expr, place);
    default:
      return test(expr, place);
  }
}

/**
 * Calls a function. A failed argument is not a missing one: no default replaces it, and no function is called with it.
 */
function called(expr: ast.CallExpr, place: Place): Maybe {
  const { world } = place;
  const { name } = expr.name;
  const host = world.functions.get(name);
  const before = world.failures;
  if (host === undefined && name.toLowerCase() === "coalesce") return firstOf(expr.args, place);
  const args = valuesOf(expr.args, place);
  if (host === undefined) {
    if (isRefused(name, args)) world.failures += 1;
    return call(name, args);
  }
  return world.failures > before ? undefined : callHost(host, name, args, world);
}

function firstOf(args: readonly ast.Value[], place: Place): Maybe {
  const before = place.world.failures;
  for (const arg of args) {
    const value = evaluate(arg, place);
    if (value !== undefined) return value;
    if (place.world.failures > before) return undefined;
  }
  return undefined;
}

/** Answers a nested question about facts; failures in it do not count outside. */
function apart<Result>(world: World, question: () => Result): Result {
  const before = world.failures;
  const result = question();
  world.failures = before;
  return result;
}

/** Returns the list; undefined when an item is missing. */
function complete(items: readonly Maybe[]): Maybe {
  return items.includes(undefined) ? undefined : (items as readonly Value[]);
}

/** Returns what `in` and `contains` search. A missing item of a list literal makes one comparison unknown. */
function searched(expr: ast.Expr, place: Place): Searched {
  return expr.kind === "list" ? valuesOf(expr.items, place) : evaluate(expr, place);
}

type Searched = Maybe | readonly Maybe[];

function valuesOf(items: readonly ast.Value[], place: Place): Maybe[] {
  return items.map((item) => evaluate(item, place));
}

function chain(expr: ast.ChainExpr, place: Place): Maybe {
  const [first, ...rest] = valuesOf(expr.items, place);
  return rest.reduce((left, right, index) => compute(expr.ops[index] ?? "+", left, right), first);
}

type Test = Exclude<
  ast.Expr,
  { kind: "text" | "number" | "bool" | "list" | "path" | "call" | "negate" | "chain" | "cast" | "aggregate-in" }
>;

function test(expr: Test, place: Place): Truth {
  switch (expr.kind) {
    case "not":
      return negation(truthOf(evaluate(expr.operand, place)));
    case "logic":
      return (expr.op === "and" ? allOf : anyOf)(valuesOf(expr.items, place).map(truthOf));
    case "compare":
      return compare(expr.op, evaluate(expr.left, place), evaluate(expr.right, place));
    case "in": {
      const found = isIn(evaluate(expr.left, place), searched(expr.right, place));
      return expr.negated ? negation(found) : found;
    }
    case "contains":
      return expr.any
        ? containsAny(searched(expr.left, place), searched(expr.right, place))
        : contains(searched(expr.left, place), evaluate(expr.right, place));
    case "like":
      return onTexts(evaluate(expr.left, place), evaluate(expr.pattern, place), isLike);
    case "matches":
      return onTexts(evaluate(expr.left, place), expr.pattern.value, findsPattern);
    case "presence": {
      const before = place.world.failures;
      const missing = evaluate(expr.operand, place) === undefined;
      return missing && place.world.failures > before ? undefined : missing === expr.missing;
    }
    case "exists":
      return apart(place.world, () => factsOf(expr.pattern, place).length > 0);
    case "exists-in":
      return apart(place.world, () => tuplesOf(expr.sources, expr.test, place).length > 0);
    case "quorum":
    case "fact-quorum":
    case "outcome":
      return undefined; // occur in gates and pipelines, never in rules
  }
}

// ---------------------------------------------------------------- names

/** Returns the value of a path such as `o.buyer.name`: the value of the first name, then field after field. */
function follow(path: ast.PathExpr, place: Place): Maybe {
  let value = rootOf(path, place);
  for (const field of path.fields) value = step(value, field.name, place.world);
  return value;
}

function rootOf(path: ast.PathExpr, { world, bindings, own }: Place): Maybe {
  const { name } = path.root;
  switch (world.program.resolutions.get(path)) {
    case "own-field":
      return own === undefined ? undefined : fieldOf(own, name);
    case "variable": {
      const bound = bindings.get(name);
      if (bound === undefined) return undefined;
      return "fact" in bound ? bound.fact : bound.value;
    }
    case "fact":
      return world.named(name);
    case "list":
      return valuesOf(world.list(name) ?? [], { world, bindings: Bindings.none }) as Value;
    case "word":
      return name;
    default:
      return undefined;
  }
}

/** Returns a field of a value: a string is followed as the id of a fact, an object has its own properties. */
function step(value: Maybe, field: string, world: World): Maybe {
  if (typeof value === "string") {
    const fact = world.get(value);
    return fact === undefined ? undefined : fieldOf(fact, field);
  }
  if (typeof value !== "object" || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, Value>>)[field];
}

function objectOf(expr: ast.ObjectExpr, place: Place): Value {
  const entries = expr.entries.map((entry) => [entry.name.name, evaluate(entry.value, place)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Value;
}

// ---------------------------------------------------------------- tests

function compare(op: ast.Comparator, left: Maybe, right: Maybe): Truth {
  if (op === "==") return isEqual(left, right);
  if (op === "!=") return negation(isEqual(left, right));
  const order = orderOf(left, right);
  if (order === undefined) return undefined;
  switch (op) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function isIn(item: Maybe, list: Searched): Truth {
  return Array.isArray(list) ? anyOf(list.map((other: Maybe) => isEqual(item, other))) : undefined;
}

function contains(whole: Searched, part: Maybe): Truth {
  return typeof whole === "string" ? onTexts(whole, part, (a, b) => a.includes(b)) : isIn(part, whole);
}

/** Returns whether any part is contained; unknown when there is nothing to search, even for an empty list. */
function containsAny(whole: Searched, parts: Searched): Truth {
  if (typeof whole !== "string" && !Array.isArray(whole)) return undefined;
  return Array.isArray(parts) ? anyOf(parts.map((part: Maybe) => contains(whole, part))) : undefined;
}

function onTexts(a: Maybe, b: Maybe, test: (a: string, b: string) => boolean): Truth {
  return typeof a === "string" && typeof b === "string" ? test(a, b) : undefined;
}

// ---------------------------------------------------------------- facts

/** Returns the live facts for which every test of the pattern is true. */
export function factsOf(pattern: ast.Pattern, place: Place): OracleFact[] {
  return place.world.ofType(pattern.type.name).filter((own) => {
    const inside = { world: place.world, bindings: withFact(place.bindings, pattern.variable, own), own };
    return pattern.tests.every((test) => passes(test, inside));
  });
}

export function withFact(bindings: Bindings, variable: ast.Ident | null, fact: OracleFact): Bindings {
  return variable === null ? bindings : bindings.with(variable.name, { fact: fact.id });
}

/** Returns the bindings for which the test is true, one for each combination of facts of the sources. */
export function tuplesOf(sources: readonly ast.SourceVar[], test: ast.Expr | null, place: Place): Bindings[] {
  let tuples: Bindings[] = [place.bindings];
  for (const { variable, type } of sources) {
    tuples = tuples.flatMap((tuple) => place.world.ofType(type.name).map((fact) => withFact(tuple, variable, fact)));
  }
  return tuples.filter((bindings) => test === null || passes(test, { world: place.world, bindings }));
}

function aggregateIn(expr: ast.AggregateInExpr, place: Place): Maybe {
  return apart(place.world, () => {
    const tuples = tuplesOf(expr.sources, expr.test, place);
    return aggregate(expr.name.name, valuesFor(expr.value, tuples, place.world));
  });
}

/** Returns the value of an expression for each tuple; `count()` has no value to compute. */
export function valuesFor(value: ast.Expr | null, tuples: readonly Bindings[], world: World): Maybe[] {
  return tuples.map((bindings) => (value === null ? undefined : evaluate(value, { world, bindings })));
}
