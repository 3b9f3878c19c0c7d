/**
 * The value of an expression, computed directly from the tree: no plan, no closures, no caches.
 *
 * A condition is true, false or undefined, which is unknown; a value that is missing or cannot be computed is undefined
 * too. A fact as a value is its id.
 */
import type { Truth } from "../base/truth.ts";
import type { Maybe, Value } from "../base/value.ts";
import type * as ast from "../language/ast.ts";
import { zoneOf } from "../language/check/clock.ts";
import type { Type } from "../language/check/types.ts";
import { aggregate } from "./aggregates.ts";
import { allOf, anyOf, isEqual, negation, truthOf } from "./compare.ts";
import { call, cast, compute, isRefused, negate } from "./functions.ts";
import { callHost } from "./host.ts";
import { findsPattern, isLike } from "./texts.ts";
import { conditionTruth, findings, partsOf, type SearchPart } from "./conditions.ts";
import { amongLast, parted } from "./last.ts";
import { Bindings, type Place } from "./place.ts";
import { tableValue } from "./tables.ts";
import { isOpen, isWithin, windowsAmong } from "./windows.ts";
import { dayOn, literalOf, millisecondsOf, negatedDuration, orderOfTimes, overTimes, timeStep } from "./times.ts";
import { fieldOf, type OracleFact, type World } from "./world.ts";

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
    case "time":
    case "amount":
      return literalOf(expr);
    case "list":
      return complete(valuesOf(expr.items, place));
    case "comprehension":
      return collected(expr, place);
    case "item":
      return itemAt(evaluate(expr.list, place), evaluate(expr.at, place));
    case "property":
      return step(evaluate(expr.of, place), expr.field.name, place.world, isOfValue(expr, 0, place));
    case "object":
      return objectOf(expr, place);
    case "path":
      return place.world.program.conditionUses.has(expr) ? asked(expr, place) : follow(expr, place);
    case "call":
      if (place.world.program.tables.uses.has(expr)) return tableValue(expr, place, evaluate);
      return place.world.program.conditionUses.has(expr) ? asked(expr, place) : called(expr, place);
    case "negate":
      return (place.world.program.times.types.has(expr) ? negatedDuration : negate)(evaluate(expr.operand, place));
    case "chain":
      return chain(expr, place);
    case "cast":
      return cast(expr.to, evaluate(expr.operand, place));
    case "aggregate-in":
      return aggregateIn(expr, place);
    case "ranked":
      return ranked(expr, place);
    case "if": {
      const truth = truthOf(evaluate(expr.test, place));
      return truth === undefined ? undefined : evaluate(truth ? expr.whenTrue : expr.whenFalse, place);
    }
    default:
      return test(expr, place);
  }
}

/** Returns the truth of a condition; failures in it do not count outside. */
function asked(use: ast.CallExpr | ast.PathExpr, place: Place): Truth {
  return apart(place.world, () => conditionTruth(use, place, evaluate));
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
  const declared = world.program.symbols.functions.get(name)?.decl;
  if (declared !== undefined && declared.body !== null) {
    return evaluate(declared.body, insideFunction(declared.params, expr.args, place));
  }
  const passed = declared === undefined ? expr.args : declared.params.map((one, at) => expr.args[at] ?? one.default);
  const args = passed.map((arg) => (arg === null ? undefined : evaluate(arg, place)));
  if (host === undefined) {
    if (declared !== undefined ? world.failures === before : isRefused(name, args)) world.failures += 1;
    return declared === undefined ? call(name, args) : undefined;
  }
  return world.failures > before ? undefined : callHost(host, name, args, world);
}

function insideFunction(params: readonly ast.FieldDecl[], args: readonly ast.Value[], place: Place): Place {
  const passed = params.flatMap(({ name, default: otherwise }, at) => {
    const value = args[at] ?? otherwise;
    return value === null ? [] : [[name.name, { value, place }] as const];
  });
  return { world: place.world, bindings: Bindings.none, passed: new Map(passed) };
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
  const operators = place.world.program.times.operators.get(expr) ?? expr.ops;
  return rest.reduce((left, right, index) => {
    const op = expr.ops[index] ?? "+";
    return operators[index] === op ? compute(op, left, right) : timeStep(operators[index] ?? op, left, right);
  }, first);
}

function test(expr: ast.TestExpr, place: Place): Truth {
  switch (expr.kind) {
    case "not":
      return negation(truthOf(evaluate(expr.operand, place)));
    case "logic":
      return (expr.op === "and" ? allOf : anyOf)(valuesOf(expr.items, place).map(truthOf));
    case "compare":
      return compare(
        expr.op,
        evaluate(expr.left, place),
        evaluate(expr.right, place),
        place.world.program.times.types.get(expr.left),
      );
    case "in": {
      if (expr.window !== undefined) return inWindow(expr, place);
      if (expr.right.kind === "range") {
        const { from, to, open } = expr.right;
        const value = evaluate(expr.left, place);
        const type = place.world.program.times.types.get(expr.left);
        const below = compare(">=", value, evaluate(from, place), type);
        const within = allOf([below, compare(open ? "<" : "<=", value, evaluate(to, place), type)]);
        return expr.negated ? negation(within) : within;
      }
      const found = isIn(evaluate(expr.left, place), searched(expr.right, place));
      return expr.negated ? negation(found) : found;
    }
    case "contains":
      if (expr.all === true) return containsAll(searched(expr.left, place), searched(expr.right, place));
      return expr.any
        ? containsAny(searched(expr.left, place), searched(expr.right, place))
        : contains(searched(expr.left, place), evaluate(expr.right, place));
    case "item-test": {
      const truths = itemPlaces(expr, place)?.map((inside) => truthOf(evaluate(expr.test, inside)));
      return truths === undefined ? undefined : (expr.quantifier === "any" ? anyOf : allOf)(truths);
    }
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
      if (place.constants !== undefined) return mayExist([partOf(expr.pattern)], place);
      return apart(place.world, () => orPending(factsOf(expr.pattern, place).length > 0, expr.pattern.tests, place));
    case "exists-in":
      if (place.constants !== undefined) return mayExist(partsOf(expr.sources, expr.test, place.world.program), place);
      return apart(place.world, () => {
        const isThere = tuplesOf(expr.sources, expr.test, place).length > 0;
        return orPending(isThere, expr.test === null ? [] : [expr.test], place);
      });
    case "within":
      return isWithin(expr, place, evaluate);
    case "wait": {
      const type = place.world.program.times.types.get(expr.until);
      const now = type?.kind === "date" ? dayOn(place.world.clock, zoneOf(place.world.program)) : place.world.clock;
      return compare(">=", now, evaluate(expr.until, place), type) === true ? true : undefined;
    }
    case "last":
    case "quorum":
    case "fact-quorum":
    case "outcome":
      return undefined; // occur in gates and pipelines, never in rules; a window is about all facts of its pattern
  }
}

/** Returns a place for each item of a list, with the item bound; undefined when there is no list. */
function itemPlaces({ variable, list }: ast.ItemTestExpr | ast.ComprehensionExpr, place: Place): Place[] | undefined {
  const items = evaluate(list, place);
  if (!Array.isArray(items)) return undefined;
  return items.map((value: Value) => ({ ...place, bindings: place.bindings.with(variable.name, { value }) }));
}

/** Returns the values for the items of which the test is true; unknown when one of the tests or values is. */
function collected(expr: ast.ComprehensionExpr, place: Place): Maybe {
  const values = itemPlaces(expr, place)?.flatMap((inside): Maybe[] => {
    const wanted = expr.test === null ? true : truthOf(evaluate(expr.test, inside));
    return wanted === false ? [] : [wanted === true ? evaluate(expr.value, inside) : undefined];
  });
  return values === undefined ? undefined : complete(values);
}

function itemAt(list: Maybe, at: Maybe): Maybe {
  return Array.isArray(list) && typeof at === "number" ? (list as Readonly<Record<number, Value>>)[at] : undefined;
}

/** Returns whether there is a fact; while a window is open one may come. */
function orPending(isThere: boolean, tests: readonly ast.Expr[], place: Place): Truth {
  return isThere ? true : windowsAmong(tests).some((one) => isOpen(one, place, evaluate)) ? undefined : false;
}

function partOf({ variable, type, tests }: ast.Pattern): SearchPart {
  return { variable, type: type.name, tests };
}

/** Returns whether facts match inside a condition: unknown when some only may match. */
function mayExist(parts: readonly SearchPart[], place: Place): Truth {
  return apart(place.world, () => {
    const found = findings(parts, place, evaluate);
    return found.some(({ sure }) => sure) ? true : found.length === 0 ? false : undefined;
  });
}

// ---------------------------------------------------------------- names

/** Returns the value of a path such as `o.buyer.name`: the value of the first name, then field after field. */
function follow(path: ast.PathExpr, place: Place): Maybe {
  let value = rootOf(path, place);
  for (const [at, field] of path.fields.entries()) {
    value = step(value, field.name, place.world, isOfValue(path, at, place));
  }
  return value;
}

function rootOf(path: ast.PathExpr, { world, bindings, own, passed }: Place): Maybe {
  const { name } = path.root;
  switch (world.program.resolutions.get(path)) {
    case "own-field":
      return own === undefined ? undefined : fieldOf(own, name);
    case "item":
    case "variable": {
      const argument = passed?.get(name);
      if (argument !== undefined) return evaluate(argument.value, argument.place);
      const bound = bindings.get(name);
      if (bound === undefined) return undefined;
      return "fact" in bound ? bound.fact : bound.value;
    }
    case "fact":
      return world.named(name);
    case "constant": {
      const constant = world.constant(name);
      return constant === undefined ? undefined : evaluate(constant, { world, bindings: Bindings.none });
    }
    case "word":
      return name;
    case "clock":
      return name === "now" ? world.clock : dayOn(world.clock, zoneOf(world.program));
    default:
      return undefined;
  }
}

/** Returns whether a field is read off a value, and never leads to a fact. */
function isOfValue(expr: ast.PathExpr | ast.PropertyExpr, at: number, { world }: Place): boolean {
  return world.program.valueFields.get(expr)?.[at] === true;
}

/** Returns a field of a value: a string is followed as the id of a fact, an object has its own properties. */
function step(value: Maybe, field: string, world: World, ofValue: boolean): Maybe {
  if (typeof value === "string" && !ofValue) {
    const fact = world.get(value);
    return fact === undefined ? undefined : fieldOf(fact, field);
  }
  if (typeof value !== "object" || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, Value>>)[field];
}

/** Returns the object without the properties that are missing; undefined when one of them failed. */
function objectOf(expr: ast.ObjectExpr, place: Place): Maybe {
  const before = place.world.failures;
  const entries = expr.entries.map((entry) => [entry.name.name, evaluate(entry.value, place)] as const);
  if (place.world.failures > before && entries.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Value;
}

// ---------------------------------------------------------------- tests

function compare(op: ast.Comparator, left: Maybe, right: Maybe, type: Type | undefined): Truth {
  if (op === "==") return isEqual(left, right);
  if (op === "!=") return negation(isEqual(left, right));
  const order = orderOfTimes(type, left, right);
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

/** Returns whether a fact is in a window: `now - last < t` and `t <= now`, in milliseconds. There is no window of length 0, or below. */
function inWindow({ left, right }: ast.InExpr, place: Place): Truth {
  if (left.kind !== "chain" || right.kind !== "range") throw new Error("a window is written as the age of a fact");
  const length = right.to.kind === "call" ? right.to.args[0] : right.to;
  const [now, at, last] = [left.items[0], left.items[1], length].map((one) =>
    one === undefined ? undefined : millisecondsOf(evaluate(one, place)),
  );
  if (now === undefined || at === undefined) return undefined;
  if (at > now) return false;
  return last === undefined || last <= 0 ? undefined : now - last < at;
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

/** Returns whether every part is contained; unknown when there is nothing to search, even for an empty list. */
function containsAll(whole: Searched, parts: Searched): Truth {
  if (typeof whole !== "string" && !Array.isArray(whole)) return undefined;
  return Array.isArray(parts) ? allOf(parts.map((part: Maybe) => contains(whole, part))) : undefined;
}

function onTexts(a: Maybe, b: Maybe, test: (a: string, b: string) => boolean): Truth {
  return typeof a === "string" && typeof b === "string" ? test(a, b) : undefined;
}

// ---------------------------------------------------------------- facts

/** Returns the live facts for which every test of the pattern is true. */
export function factsOf(pattern: ast.Pattern, place: Place): OracleFact[] {
  const { last, others } = parted(pattern.tests);
  const facts = place.world.ofType(pattern.type.name).filter((own) => {
    const inside = { world: place.world, bindings: withFact(place.bindings, pattern.variable, own), own };
    return others.every((test) => passes(test, inside));
  });
  return last === undefined ? facts : lastFacts(last, facts, place);
}

/** Returns the facts that are among the last ones for certain, where nothing is judged: what is unknown is left out beforehand. */
function lastFacts(last: ast.LastExpr, facts: readonly OracleFact[], place: Place): OracleFact[] {
  const isKnown = (own: OracleFact): boolean =>
    amongLast(last, [{ own, sure: true }], place, evaluate)[0]?.sure === true;
  const counted = facts.filter(isKnown).map((own) => ({ own, sure: true }));
  return amongLast(last, counted, place, evaluate).flatMap(({ own, sure }) => (sure ? [own] : []));
}

export function withFact(bindings: Bindings, variable: ast.Ident | null, fact: OracleFact): Bindings {
  return variable === null ? bindings : bindings.with(variable.name, { fact: fact.id });
}

/** Returns the bindings for which the test is true, one for each combination of facts of the sources. */
export function tuplesOf(sources: readonly ast.SourceVar[], test: ast.Expr | null, place: Place): Bindings[] {
  const { last, others } = parted(test === null ? [] : [test]);
  const [source] = sources;
  if (last !== undefined && source !== undefined) {
    const pattern: ast.Pattern = { ...source, kind: "pattern", tests: [...others, last] };
    return factsOf(pattern, place).map((fact) => withFact(place.bindings, source.variable, fact));
  }
  let tuples: Bindings[] = [place.bindings];
  for (const { variable, type } of sources) {
    tuples = tuples.flatMap((tuple) => place.world.ofType(type.name).map((fact) => withFact(tuple, variable, fact)));
  }
  return tuples.filter((bindings) => test === null || passes(test, { world: place.world, bindings }));
}

/** Returns an aggregate inside a condition: unknown, which is not missing, when a fact only may count or its value fails. */
function judgedAggregate(expr: ast.AggregateInExpr, place: Place): Maybe {
  const { world } = place;
  const before = world.failures;
  const found = findings(partsOf(expr.sources, expr.test, world.program), place, evaluate);
  let isKnown = found.every(({ sure }) => sure);
  const values = found.map(({ place: inside }) => {
    const start = world.failures;
    const value = expr.value === null || !isKnown ? undefined : evaluate(expr.value, inside);
    if (value === undefined && world.failures > start) isKnown = false;
    return value;
  });
  world.failures = isKnown ? before : before + 1;
  return isKnown ? aggregateOver(expr.name, values, world) : undefined;
}

function aggregateIn(expr: ast.AggregateInExpr, place: Place): Maybe {
  if (place.constants !== undefined) return judgedAggregate(expr, place);
  return apart(place.world, () => {
    const tuples = tuplesOf(expr.sources, expr.test, place);
    return aggregateOver(expr.name, valuesFor(expr.value, tuples, place.world), place.world);
  });
}

/** Returns what an aggregate takes of a fact: a value, its key and a number, all of which must be there. A key that is a time is a number. */
function ranked({ value, key, count }: ast.RankedExpr, place: Place): Maybe {
  const parts = [evaluate(value, place)];
  if (key !== null) {
    const isTime = place.world.program.times.types.has(key);
    const found = evaluate(key, place);
    parts.push(isTime ? millisecondsOf(found) : found);
  }
  if (count !== null) parts.push(evaluate(count, place));
  return complete(parts);
}

/** Returns the value of an aggregate; the smallest, largest or summed time is found among numbers. */
export function aggregateOver(fn: ast.Ident, values: readonly Maybe[], { program }: World): Maybe {
  const type = program.times.aggregates.get(fn);
  const over = (all: readonly Maybe[]): Maybe => aggregate(fn.name, all);
  if (type === undefined || type.kind === "list" || /^(first|last)$/iu.test(fn.name)) return over(values);
  return overTimes(type, values, over);
}

/** Returns the value of an expression for each tuple; `count()` has no value to compute. */
export function valuesFor(value: ast.Expr | null, tuples: readonly Bindings[], world: World): Maybe[] {
  return tuples.map((bindings) => (value === null ? undefined : evaluate(value, { world, bindings })));
}
