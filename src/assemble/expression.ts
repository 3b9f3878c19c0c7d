/**
 * Turns expressions into functions, once, when a network is assembled. No code is made from text.
 *
 * A function takes a match and, at a join, the fact that would be added to it. Fields are read in
 * field-access.ts.
 */
import { must, unreachable } from "../base/invariant.ts";
import { LONGEST_MADE_STRING } from "../base/limits.ts";
import { FLIPPED } from "../base/comparator.ts";
import { timeTexts } from "../base/time.ts";
import { not, type Truth } from "../base/truth.ts";
import { equal, type Maybe, type Value } from "../base/value.ts";
import { zoneNamed } from "../base/zone.ts";
import type { Match } from "../rete/match.ts";
import { clashWords } from "../tables/clash-words.ts";
import type { DecisionTable } from "../tables/decide.ts";
import { callWords } from "./call-words.ts";
import { builtInCall, hostCall } from "./calls.ts";
import { compare, compareSlots, type TwoSlots } from "./comparison.ts";
import { finite } from "../functions/arguments.ts";
import { calledFunction } from "../functions/functions.ts";
import { cast, toText } from "../functions/operator/cast.ts";
import { contains, containsAll, containsAny, isIn } from "../functions/operator/contains.ts";
import { like, likeSteps } from "../functions/operator/like.ts";
import { TIME_ARITHMETIC, TIME_JOINS, TIME_SOLVING } from "../functions/operator/time.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { PlanExpr } from "../plan/plan.ts";
import { climb, factAt, fieldOfAny, property, readField } from "./field-access.ts";
import { collected, itemAt, ItemCells, quantified } from "./list-loops.ts";
import type { Evaluate, Scope } from "./scope.ts";
import { inDoubt } from "./unknown-reasons.ts";

/** Compiles an expression for a scope. */
export function compileExpr(expr: PlanExpr, scope: Scope): Evaluate {
  switch (expr.op) {
    case "const":
      return constant(expr.value === null ? undefined : expr.value);
    case "field":
      return readField(expr, scope);
    case "fact": {
      const fact = factAt(expr.level, scope);
      return (match, beside) => fact(match, beside)?.id;
    }
    case "value": {
      const up = scope.matchLevel - expr.level;
      return (match) => climb(match, up)?.value;
    }
    case "step":
      return readStep(expr, scope);
    case "follow":
      return follow(expr, scope);
    case "not": {
      const of = compileExpr(expr.of, scope);
      return (match, fact) => not(truth(of(match, fact)));
    }
    case "and":
      return all(expr.items.map((item) => compileExpr(item, scope)));
    case "or":
      return any(expr.items.map((item) => compileExpr(item, scope)));
    case "compare":
      return comparison(expr, scope);
    case "in":
      return oneOf(equal, expr.left, expr.right, scope) ?? binary(isIn, expr.left, expr.right, scope);
    case "contains":
      if (expr.any)
        return oneOf(contains, expr.left, expr.right, scope) ?? binary(containsAny, expr.left, expr.right, scope);
      if (expr.all === true) return containsEach(expr, scope);
      return oneOf(equal, expr.right, expr.left, scope) ?? binary(contains, expr.left, expr.right, scope);
    case "like":
      return likeTest(expr.left, expr.pattern, scope);
    case "matches":
      return matchesTest(expr.left, expr.pattern, scope);
    case "missing":
      return isMissing(expr.of, scope);
    case "nottrue": {
      const of = compileExpr(expr.of, scope);
      return (match, fact) => of(match, fact) !== true;
    }
    case "chain":
      return chain(expr, scope);
    case "negate": {
      const of = compileExpr(expr.of, scope);
      return (match, fact) => {
        const value = of(match, fact);
        return typeof value === "number" ? finite(-value) : undefined;
      };
    }
    case "cast": {
      const of = compileExpr(expr.of, scope);
      const { to } = expr;
      return (match, fact) => cast(to, of(match, fact));
    }
    case "table":
      return tableCall(expr, scope);
    case "call":
      return call(expr, scope);
    case "if":
      return choice(expr, scope);
    case "unmet": {
      const subject = compileExpr(expr.subject, scope);
      const { gate } = expr;
      return (match, fact) => scope.site(match, fact).gates.unmet(gate, subject(match, fact));
    }
    case "outcome": {
      const subject = compileExpr(expr.subject, scope);
      const { of, name, outcome } = expr;
      const isOpen = of === "gate" && outcome !== "hold";
      return (match, fact) => {
        const now = scope.site(match, fact).gates.outcome(of, name, subject(match, fact));
        return isOpen && now === "hold" ? undefined : now === outcome;
      };
    }
    case "decided": {
      const { shown } = scope;
      const { part } = expr;
      return () => shown?.current?.[part];
    }
    case "clock": {
      const { zone } = expr;
      return (match, fact) => {
        const { now } = scope.site(match, fact).clock;
        return now === undefined || zone === undefined ? now : zoneNamed(zone)?.dayAt(now);
      };
    }
    case "list": {
      const items = expr.items.map((item) => compileExpr(item, scope));
      return (match, fact) => present(items.map((item) => item(match, fact)));
    }
    case "object":
      return object(expr, scope);
    case "each":
    case "collect":
      return loop(expr, scope);
    case "item": {
      const cells = must(scope.items, "an item is read inside its loop");
      const { depth } = expr;
      return () => cells.at(depth);
    }
    case "at": {
      const list = compileExpr(expr.list, scope);
      const index = compileExpr(expr.index, scope);
      return (match, fact) => itemAt(list(match, fact), index(match, fact));
    }
    case "property": {
      const of = compileExpr(expr.of, scope);
      const { field } = expr;
      return (match, fact) => {
        const value = of(match, fact);
        return typeof value === "object" ? property(value, field) : undefined;
      };
    }
    default:
      return unreachable(expr);
  }
}

/** Compiles a choice. The side that is not chosen is not evaluated: a function in it is not called. */
function choice(expr: Extract<PlanExpr, { op: "if" }>, scope: Scope): Evaluate {
  const test = compileExpr(expr.test, scope);
  const whenTrue = compileExpr(expr.whenTrue, scope);
  const whenFalse = compileExpr(expr.whenFalse, scope);
  return (match, fact) => {
    const chosen = test(match, fact);
    if (chosen === true) return whenTrue(match, fact);
    return chosen === false ? whenFalse(match, fact) : undefined;
  };
}

/** Only true and false are truth values; anything else is unknown. */
function truth(value: Maybe): Truth {
  return typeof value === "boolean" ? value : undefined;
}

function constant(value: Maybe): Evaluate {
  return () => value;
}

/** Compiles `is missing`. A value that failed, or that is in doubt, is not missing: whether it is there is unknown. */
function isMissing(of: PlanExpr, scope: Scope): Evaluate {
  const value = compileExpr(of, scope);
  const inDoubt = doubtIn(valuesOf(of), scope);
  return (match, fact) => {
    const before = scope.failures(match, fact);
    if (value(match, fact) !== undefined) return false;
    return scope.failures(match, fact) === before && !inDoubt(match) ? true : undefined;
  };
}

/** Compiles `coalesce`: the first value that is there. When one before it failed or is in doubt, the result is unknown. */
function coalesce(args: readonly PlanExpr[], scope: Scope): Evaluate {
  const items = args.map((arg) => ({ value: compileExpr(arg, scope), inDoubt: doubtIn(valuesOf(arg), scope) }));
  return (match, fact) => {
    const before = scope.failures(match, fact);
    for (const { value, inDoubt } of items) {
      const found = value(match, fact);
      if (found !== undefined) return found;
      if (scope.failures(match, fact) !== before || inDoubt(match)) return undefined;
    }
    return undefined;
  };
}

/** Returns whether the value of an aggregate or name at one of these levels is missing because it is in doubt. */
function doubtIn(levels: ReadonlySet<number>, scope: Scope): (match: Match | undefined) => boolean {
  if (levels.size === 0) return () => false;
  const ups = [...levels].map((level) => scope.matchLevel - level);
  return (match) =>
    ups.some((up) => {
      const at = climb(match, up);
      return at !== undefined && inDoubt(at);
    });
}

/** Returns the list; unknown as a whole when an item is missing. */
function present(values: readonly Maybe[]): Maybe {
  return values.includes(undefined) ? undefined : (values as readonly Value[]);
}

// ---------------------------------------------------------------- reading

/** Compiles the reading of a property of an object, or of a field of the fact that a lookup found. */
function readStep(expr: Extract<PlanExpr, { op: "step" }>, scope: Scope): Evaluate {
  const of = compileExpr(expr.of, scope);
  const read = readField(expr, scope);
  const { field } = expr;
  return (match, fact) => {
    const value = of(match, fact);
    return typeof value === "object" ? property(value, field) : read(match, fact);
  };
}

function follow(expr: Extract<PlanExpr, { op: "follow" }>, scope: Scope): Evaluate {
  const of = compileExpr(expr.of, scope);
  const { field, timesAsText } = expr;
  return (match, beside) => {
    const value = of(match, beside);
    if (typeof value === "object") return property(value, field);
    const fact = typeof value === "string" ? scope.site(match, beside).facts.get(value) : undefined;
    return fieldOfAny(fact, field, timesAsText);
  };
}

// ---------------------------------------------------------------- logic

function all(items: readonly Evaluate[]): Evaluate {
  return (match, fact) => {
    let result: Truth = true;
    for (const item of items) {
      const value = item(match, fact);
      if (value === false) return false;
      if (value !== true) result = undefined;
    }
    return result;
  };
}

function any(items: readonly Evaluate[]): Evaluate {
  return (match, fact) => {
    let result: Truth = false;
    for (const item of items) {
      const value = item(match, fact);
      if (value === true) return true;
      if (value !== false) result = undefined;
    }
    return result;
  };
}

/** Compiles a comparison. For two fields at a join nothing is called to read them. */
function comparison({ by, left, right }: Extract<PlanExpr, { op: "compare" }>, scope: Scope): Evaluate {
  const factSlot = slotBeside(left, scope);
  const other = slotAbove(right, scope);
  if (factSlot !== undefined && other !== undefined) return compareSlots(by, { factSlot, ...other });
  const flipped = slotBeside(right, scope);
  const above = slotAbove(left, scope);
  if (flipped !== undefined && above !== undefined) return compareSlots(FLIPPED[by], { factSlot: flipped, ...above });
  return compare(by, compileExpr(left, scope), compileExpr(right, scope));
}

function slotBeside(expr: PlanExpr, { factLevel, shapes }: Scope): number | undefined {
  if (expr.op !== "field" || expr.type === undefined || expr.level !== factLevel) return undefined;
  return shapes.of(expr.type).slot(expr.field);
}

function slotAbove(expr: PlanExpr, { matchLevel, factLevel, shapes }: Scope): Omit<TwoSlots, "factSlot"> | undefined {
  if (expr.op !== "field" || expr.type === undefined || expr.level === factLevel) return undefined;
  return { up: matchLevel - expr.level, matchSlot: shapes.of(expr.type).slot(expr.field) };
}

function binary(test: (a: Maybe, b: Maybe) => Truth, left: PlanExpr, right: PlanExpr, scope: Scope): Evaluate {
  const a = compileExpr(left, scope);
  const b = compileExpr(right, scope);
  return (match, fact) => test(a(match, fact), b(match, fact));
}

/** Compiles a test against each item of a written list: a missing item makes only its own test unknown. */
function oneOf(
  test: (value: Maybe, item: Maybe) => Truth,
  value: PlanExpr,
  list: PlanExpr,
  scope: Scope,
): Evaluate | undefined {
  if (list.op !== "list") return undefined;
  const of = compileExpr(value, scope);
  const items = list.items.map((item) => compileExpr(item, scope));
  return any(items.map((item) => (match, fact) => test(of(match, fact), item(match, fact))));
}

/** Compiles `contains all`: a missing item of a written list makes only its own test unknown. */
function containsEach({ left, right }: Extract<PlanExpr, { op: "contains" }>, scope: Scope): Evaluate {
  if (right.op !== "list") return binary(containsAll, left, right, scope);
  return all(right.items.map((item) => compileExpr({ op: "contains", left, right: item, any: false }, scope)));
}

/** Compiles a loop over items. Loops inside it use the same cells. */
function loop(expr: Extract<PlanExpr, { op: "each" | "collect" }>, scope: Scope): Evaluate {
  const cells = scope.items ?? new ItemCells();
  const inner = { ...scope, items: cells };
  const parts = { depth: expr.depth, cells, list: compileExpr(expr.list, scope), failed: scope.failed };
  if (expr.op === "each") return quantified(expr.quantifier, compileExpr(expr.test, inner), parts);
  const test = expr.test === undefined ? undefined : compileExpr(expr.test, inner);
  return collected(compileExpr(expr.value, inner), test, parts);
}

function likeTest(left: PlanExpr, pattern: PlanExpr, scope: Scope): Evaluate {
  const text = compileExpr(left, scope);
  if (pattern.op === "const" && typeof pattern.value === "string") {
    const steps = likeSteps(pattern.value);
    return (match, fact) => {
      const value = text(match, fact);
      return typeof value === "string" ? like(value, steps) : undefined;
    };
  }
  const wanted = compileExpr(pattern, scope);
  return (match, fact) => {
    const value = text(match, fact);
    const written = wanted(match, fact);
    return typeof value === "string" && typeof written === "string" ? like(value, likeSteps(written)) : undefined;
  };
}

function matchesTest(left: PlanExpr, pattern: string, scope: Scope): Evaluate {
  const text = compileExpr(left, scope);
  const finds = must(scope.regex, "a plan with `matches` is not opened without regular expressions").compile(pattern);
  return (match, fact) => {
    const value = text(match, fact);
    return typeof value === "string" ? finds(value) : undefined;
  };
}

// ---------------------------------------------------------------- computing

function chain(expr: Extract<PlanExpr, { op: "chain" }>, scope: Scope): Evaluate {
  const items = expr.items.map((item) => compileExpr(item, scope));
  const steps = expr.ops.map((op) => ARITHMETIC.get(op) ?? (() => undefined));
  const divides = expr.ops.map((op) => op.includes("/") || op.includes("%"));
  return (match, fact) => {
    let result = items[0]?.(match, fact);
    for (let index = 1; index < items.length; index++) {
      const item = items[index]?.(match, fact);
      if (item === 0 && divides[index - 1] === true) scope.dividedByZero(match, fact);
      const left = result;
      result = steps[index - 1]?.(left, item);
      if (result === undefined && isTooLong(left, item)) scope.tooLong(match, fact);
    }
    return result;
  };
}

const ARITHMETIC: ReadonlyMap<string, (a: Maybe, b: Maybe) => Maybe> = new Map<string, (a: Maybe, b: Maybe) => Maybe>([
  ["+", plus],
  ["-", onNumbers((a, b) => a - b)],
  ["*", onNumbers((a, b) => a * b)],
  ["/", onNumbers((a, b) => a / b)],
  ["%", onNumbers((a, b) => a % b)],
  ...TIME_ARITHMETIC,
  ...TIME_JOINS,
  ...TIME_SOLVING,
]);

function onNumbers(compute: (a: number, b: number) => number): (a: Maybe, b: Maybe) => Maybe {
  return (a, b) => (typeof a === "number" && typeof b === "number" ? finite(compute(a, b)) : undefined);
}

/** Adds numbers; joins strings when either side is one. */
function plus(a: Maybe, b: Maybe): Maybe {
  if (typeof a === "number" && typeof b === "number") return finite(a + b);
  if (typeof a !== "string" && typeof b !== "string") return undefined;
  const left = toText(a);
  const right = toText(b);
  return left === undefined || right === undefined || isTooLong(left, right) ? undefined : left + right;
}

/** Returns whether two values are too long to be joined as strings. */
function isTooLong(a: Maybe, b: Maybe): boolean {
  if (typeof a !== "string" && typeof b !== "string") return false;
  return (toText(a)?.length ?? 0) + (toText(b)?.length ?? 0) > LONGEST_MADE_STRING;
}

function call(expr: Extract<PlanExpr, { op: "call" }>, scope: Scope): Evaluate {
  const builtIn = scope.functions.has(expr.name) ? undefined : calledFunction(expr.name);
  if (builtIn !== undefined && expr.name === "coalesce") return coalesce(expr.args, scope);
  const args = expr.args.map((arg) => compileExpr(arg, scope));
  const words = callWords(expr);
  if (builtIn !== undefined) return builtInCall(builtIn, expr, args, words, scope);
  return hostCall(expr, args, words, doubtIn(new Set(expr.args.flatMap((arg) => [...valuesOf(arg)])), scope), scope);
}

/**
 * Compiles the call of a decision table. One whose hit policy is broken, because two rows apply, has failed: its value is unknown, and
 * no default replaces it.
 */
function tableCall(expr: Extract<PlanExpr, { op: "table" }>, scope: Scope): Evaluate {
  const table = scope.table(expr.table);
  const inputs = expr.inputs.map((input) => compileExpr(input, scope));
  const computed = expr.computed.map((output) => compileExpr(output, scope));
  const words = callWords({ name: table.data.name, args: expr.inputs });
  return (match, fact) => {
    const values = inputs.map((input) => input(match, fact));
    const { value, clash } = table.decide(values, (index) => computed[index]?.(match, fact));
    if (clash !== undefined)
      scope.failed(words(inputsOutside(table, values), ...clashWords(table.data, clash)), match, fact);
    return value;
  };
}

/** Returns inputs as people read them: times as ISO 8601 text. */
function inputsOutside({ data }: DecisionTable, inputs: readonly Maybe[]): Maybe[] {
  return inputs.map((input, column) => {
    const time = data.columns[column]?.time;
    return time === undefined ? input : timeTexts(time, input);
  });
}

/** Compiles an object, without the properties that are missing. When one failed, or is in doubt, it is unknown as a whole: that is not missing. */
function object(expr: Extract<PlanExpr, { op: "object" }>, scope: Scope): Evaluate {
  const entries = expr.entries.map(({ name, value }) => {
    return { name, value: compileExpr(value, scope), inDoubt: doubtIn(valuesOf(value), scope) };
  });
  return (match, fact) => {
    const made: [string, Value][] = [];
    const before = scope.failures(match, fact);
    for (const { name, value, inDoubt } of entries) {
      const found = value(match, fact);
      if (found !== undefined) made.push([name, found]);
      else if (scope.failures(match, fact) !== before || inDoubt(match)) return undefined;
    }
    return Object.fromEntries(made);
  };
}
