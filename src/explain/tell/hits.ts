/** The items that a search for several found: `q.content contains "bomb", one of unsafe_terms`. */
import type { Maybe, Value } from "../../base/value.ts";
import { functionNamed } from "../../functions/functions.ts";
import { contains } from "../../functions/operator/contains.ts";
import type * as ast from "../../language/ast.ts";
import { evaluate } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { plural, type Words } from "../read/words.ts";
import { shown } from "./shown.ts";

/** The most hits that are named. */
const MAX_HITS = 3;

/**
 * Returns what a `contains any`, a search function, or the count of what it finds has found, in words; undefined for any
 * other expression, and when a value is missing.
 */
export function hitWords(expr: ast.Value, scope: EvaluationScope, words: Words): string | undefined {
  if (expr.kind === "contains" && expr.any) return containsAnyWords(expr, scope, words);
  if (expr.kind !== "call") return undefined;
  const called = functionNamed(expr.name.name);
  const [first, second] = expr.args;
  if (called?.counts === true && first !== undefined)
    return isSearch(first) ? hitWords(first, scope, words) : undefined;
  if (!isSearch(expr) || first === undefined || second === undefined) return undefined;
  const found = evaluate(expr, scope);
  return Array.isArray(found) ? foundWords(first, second, found as readonly Value[], scope, words) : undefined;
}

function isSearch(expr: ast.Value): boolean {
  return expr.kind === "call" && functionNamed(expr.name.name)?.finds === true;
}

function containsAnyWords({ left, right }: ast.ContainsExpr, scope: EvaluationScope, words: Words): string | undefined {
  const whole = evaluate(left, scope);
  const items = right.kind === "list" ? right.items.map((item) => evaluate(item, scope)) : evaluate(right, scope);
  if (!Array.isArray(items)) return undefined;
  const truths = (items as readonly Maybe[]).map((item) => contains(whole, item));
  const hits = (items as readonly Value[]).filter((_, index) => truths[index] === true);
  if (hits.length === 0 && truths.includes(undefined)) return undefined;
  return foundWords(left, right, hits, scope, words);
}

function foundWords(
  text: ast.Value,
  list: ast.Value,
  hits: readonly Value[],
  scope: EvaluationScope,
  words: Words,
): string | undefined {
  if (text.kind === "object" || text.kind === "text" || list.kind === "object") return undefined;
  const whole = words.expression(text);
  if (hits.length === 0) return `${whole} contains none of ${listName(list, scope, words)}`;
  const named = hits.slice(0, MAX_HITS).map((hit) => shown(hit, scope));
  const more = hits.length > MAX_HITS ? ` and ${hits.length - MAX_HITS} more` : "";
  const of = list.kind === "path" ? `, ${hits.length === 1 ? "one of" : "which are in"} ${words.expression(list)}` : "";
  return `${whole} contains ${named.join(", ")}${more}${of}`;
}

/** Returns a named list with its length, and a list that is written in the test as it is. */
function listName(list: ast.Expr, scope: EvaluationScope, words: Words): string {
  const value = list.kind === "path" ? evaluate(list, scope) : undefined;
  const size = Array.isArray(value) ? ` (${plural(value.length, "item")})` : "";
  return `${words.expression(list)}${size}`;
}
