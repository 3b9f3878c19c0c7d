/** Tests on the items of lists in words: which item decides, and why. `lines[1]: l.qty is 200, which is over 100`. */
import type { Truth } from "../../base/truth.ts";
import type * as ast from "../../language/ast.ts";
import { itemScopes, truth } from "../read/evaluate.ts";
import type { EvaluationScope } from "../read/scope.ts";
import { plural, type Words } from "../read/words.ts";

/** Returns what was seen in a test of one item. */
export type ItemWords = (test: ast.Expr, outcome: Truth, scope: EvaluationScope) => string;

/** Returns why a test on items has its outcome; undefined when there is no list. */
export function itemTestWords(
  expr: ast.ItemTestExpr,
  scope: EvaluationScope,
  words: Words,
  itemWords: ItemWords,
): string | undefined {
  const scopes = itemScopes(expr, scope);
  if (scopes === undefined) return undefined;
  const list = words.expression(expr.list);
  if (scopes.length === 0) return `${list} is empty`;
  const truths = scopes.map((inside) => truth(expr.test, inside));
  const decisive = expr.quantifier === "any";
  const at = truths.includes(decisive) ? truths.indexOf(decisive) : truths.indexOf(undefined);
  const one = at === -1 && scopes.length === 1 ? 0 : at;
  const inside = scopes[one];
  if (inside !== undefined) return `${list}[${one}]: ${itemWords(expr.test, truths[one], inside)}`;
  const test = words.expression(expr.test);
  const all = plural(scopes.length, "item");
  return decisive ? `${test} holds for none of the ${all} of ${list}` : `${test} holds for all ${all} of ${list}`;
}
