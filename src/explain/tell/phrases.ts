/**
 * The reason of a single test as a clause for a headline: `age is 16, which is not over 18`, `status is "Regular", not
 * "VIP"`.
 *
 * A clause is exact: it names the values that were read and how they compare, and is true whether the test is or not.
 */
import { equal, type Maybe } from "../../base/value.ts";
import type { Truth } from "../../base/truth.ts";
import type * as ast from "../../language/ast.ts";
import { FLIPPED } from "../../base/comparator.ts";
import { evaluate } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { knownValues } from "../read/members.ts";
import type { Reason } from "../read/draft.ts";
import { innerParts } from "../read/parts.ts";
import { plural, seenValue, type Words } from "../read/words.ts";
import { hitWords } from "./hits.ts";
import { timeKind } from "../read/times.ts";
import { shown } from "./shown.ts";
import { rowNames } from "./tables.ts";

/** Returns the reason that a test has its outcome; undefined when its sentence says it best. */
export function testReason(test: ast.Expr, outcome: Truth, scope: EvaluationScope, words: Words): Reason | undefined {
  if (outcome === undefined) return undefined;
  switch (test.kind) {
    case "compare":
      return comparison(test, outcome, scope, words);
    case "in":
      return membership(test, outcome, scope, words);
    case "contains":
      return containment(test, outcome, scope, words);
    case "path":
      return { words: `${words.expression(test)} is ${String(outcome)}` };
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------- comparisons

/** The relation of two numbers in words. */
const RELATIONS = { "<": "under", "<=": "at most", ">": "over", ">=": "at least" } as const;

interface Side {
  /** The text in the program; undefined for a value that is written in the test. */
  readonly name: string | undefined;
  readonly value: Maybe;
  /** The value in words. */
  readonly words: string;
  /** True for a variable that stands for a fact. */
  readonly isFact: boolean;
}

function comparison(test: ast.CompareExpr, outcome: boolean, scope: EvaluationScope, words: Words): Reason | undefined {
  const hits = [test.left, test.right].flatMap((side) => hitWords(side, scope, words) ?? []);
  if (hits[0] !== undefined) return { words: hits[0] };
  const sides = [sideOf(test.left, scope, words), sideOf(test.right, scope, words)] as const;
  const isFlipped = sides[0].name === undefined && sides[1].name !== undefined;
  const [left, right] = isFlipped ? [sides[1], sides[0]] : sides;
  const op = isFlipped ? FLIPPED[test.op] : test.op;
  if (left.name === undefined || left.value === undefined || right.value === undefined) return undefined;
  if (op === "==" || op === "!=") return equality(left, right, op === "==" ? outcome : !outcome, outcome);
  const kind = timeKind(scope.world.context.program, test.left);
  if (kind !== undefined) return timeOrder(left, right, (kind === "duration" ? LENGTHS : MOMENTS)[op], outcome);
  return order(left, right, RELATIONS[op], outcome);
}

/** Returns the reason of a test of equality; `same` tells whether the values are equal. */
function equality(left: Side, right: Side, same: boolean, outcome: boolean): Reason | undefined {
  if (same !== outcome && same) return undefined; // "x is 1" alone would not say that x must not be 1
  if (right.name === undefined || right.isFact) {
    return { words: `${left.name} is ${left.words}${same ? "" : `, not ${right.words}`}`, minor: right.isFact && same };
  }
  return same
    ? { words: `${left.name} and ${right.name} are both ${left.words}`, minor: true }
    : { words: `${left.name} is ${left.words}, but ${right.name} is ${right.words}` };
}

const MOMENTS = { "<": "before", "<=": "at or before", ">": "after", ">=": "at or after" } as const;
const LENGTHS = { "<": "shorter than", "<=": "at most", ">": "longer than", ">=": "at least" } as const;

function timeOrder(left: Side, right: Side, relation: string, outcome: boolean): Reason {
  const bound = right.name === undefined ? right.words : `${right.name} (${right.words})`;
  return { words: `${left.name} is ${left.words}, which is ${outcome ? "" : "not "}${relation} ${bound}` };
}

function order(left: Side, right: Side, relation: string, outcome: boolean): Reason | undefined {
  if (typeof left.value !== "number" || typeof right.value !== "number") return undefined;
  const bound = right.name === undefined ? right.words : `${right.name} (${right.words})`;
  return { words: `${left.name} is ${left.words}, which is ${outcome ? "" : "not "}${relation} ${bound}` };
}

function sideOf(expr: ast.Expr, scope: EvaluationScope, words: Words): Side {
  const value = evaluate(expr, scope);
  const resolution = expr.kind === "path" ? scope.world.context.program.resolutions.get(expr) : undefined;
  const isWritten =
    ["text", "number", "bool", "time", "amount", "list", "negate"].includes(expr.kind) || resolution === "word";
  const bound = expr.kind === "path" && expr.fields.length === 0 ? scope.chosen.get(expr.root.name) : undefined;
  const isFact = resolution === "variable" && bound !== undefined && "fact" in bound;
  const name = isWritten ? undefined : words.expression(expr);
  return { name, value, words: sideWords(expr, value, scope), isFact };
}

/** Returns a value in words; for an aggregate also the number of facts, for a decision table the row. */
function sideWords(expr: ast.Expr, value: Maybe, scope: EvaluationScope): string {
  const rows = value === undefined ? undefined : rowNames(expr, scope);
  if (rows !== undefined) return `${shown(value, scope)} (${rows})`;
  if (expr.kind !== "aggregate-in" || value === undefined) return shown(value, scope);
  const count = knownValues(innerParts(expr), expr.value, scope)?.length ?? 0;
  return `${seenValue(value)} (over ${plural(count, "fact")})`;
}

// ---------------------------------------------------------------- lists

function membership(test: ast.InExpr, outcome: boolean, scope: EvaluationScope, words: Words): Reason | undefined {
  const left = sideOf(test.left, scope, words);
  if (left.name === undefined || left.value === undefined) return undefined;
  const isIn = outcome !== test.negated;
  if (test.right.kind === "range") {
    const { from, to, open } = test.right;
    const range = `${words.expression(from)}..${words.expression(to)}`;
    const shown = open ? `[${range})` : range;
    return { words: `${left.name} is ${left.words}, which is ${isIn ? "in" : "not in"} ${shown}` };
  }
  const list = words.expression(test.right);
  return { words: `${left.name} is ${left.words}, ${isIn ? "one of" : "which is not in"} ${list}` };
}

function containment(test: ast.ContainsExpr, outcome: boolean, scope: EvaluationScope, words: Words): Reason {
  const hits = hitWords(test, scope, words);
  if (hits !== undefined) return { words: hits };
  if (test.all === true) {
    const parts = `all of ${words.expression(test.right)}`;
    return { words: `${words.expression(test.left)} ${outcome ? "contains" : "does not contain"} ${parts}` };
  }
  const item = evaluate(test.right, scope);
  const what = equal(item, item) === true ? shown(item, scope) : words.expression(test.right);
  return { words: `${words.expression(test.left)} ${outcome ? "contains" : "does not contain"} ${what}` };
}
