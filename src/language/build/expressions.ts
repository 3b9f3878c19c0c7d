/** Expressions; flat lists of operators become trees here, by precedence. */
import { must } from "../../base/invariant.ts";
import { readTime } from "../../base/time.ts";
import type * as ast from "../ast.ts";
import { UNITS } from "../lexemes.ts";
import type { Lexeme } from "../lexer.ts";
import { OUTCOMES } from "./outcomes.ts";
import { type Parts, span } from "./parts.ts";
import { timely } from "./within.ts";

/** Builds a tree from operands with `and` and `or` between them: AND binds tighter, so the list is cut at each `or`. */
export const logic = (d: Parts): ast.Expr => {
  const alternatives: ast.Expr[][] = [[d[0][0]]];
  for (let index = 1; index < d[0].length; index += 2) {
    if (d[0][index] === "or") alternatives.push([]);
    alternatives.at(-1)?.push(d[0][index + 1]);
  }
  return joined(
    "or",
    alternatives.map((terms) => joined("and", terms)),
  );
};

function joined(op: "and" | "or", items: readonly ast.Expr[]): ast.Expr {
  const only = items[0];
  if (items.length === 1 && only !== undefined) return only;
  return { kind: "logic", op, items, listed: false, span: span([items]) };
}

/** Builds a tree from operands with operators between them: products first, then their sum, each from left to right. */
export const arith = (d: Parts): ast.Expr => {
  const sum: Chain<ast.SumOp> = { items: [], ops: [] };
  let product: Chain<ast.ProductOp> = { items: [d[0][0]], ops: [] };
  for (let index = 1; index < d[0].length; index += 2) {
    const op = d[0][index];
    if (op === "+" || op === "-") {
      sum.items.push(chained(product));
      sum.ops.push(op);
      product = { items: [d[0][index + 1]], ops: [] };
    } else {
      product.items.push(d[0][index + 1]);
      product.ops.push(op);
    }
  }
  sum.items.push(chained(product));
  return chained(sum);
};

interface Chain<Op> {
  readonly items: ast.Expr[];
  readonly ops: Op[];
}

function chained(chain: Chain<ast.SumOp | ast.ProductOp>): ast.Expr {
  const only = chain.items[0];
  if (chain.ops.length === 0 && only !== undefined) return only;
  return { kind: "chain", items: chain.items, ops: chain.ops, span: span([chain.items]) };
}

export const choice = (d: Parts): ast.IfExpr => ({
  kind: "if",
  test: d[1],
  whenTrue: d[3],
  whenFalse: d[5],
  span: span(d),
});
export const templateStart = (d: Parts): unknown[] => [d[0], d[1]];
/** Builds a template: its strings and values, joined. An empty string is left out, except the first, which makes it a string. */
export const template = (d: Parts): ast.ChainExpr => {
  const parts: readonly (Lexeme | ast.Expr)[] = [...d[0], d[1]];
  const items = parts
    .map((part): ast.Expr => ("kind" in part ? part : { kind: "text", value: String(part.value), span: span([part]) }))
    .filter((item, at) => at === 0 || item.kind !== "text" || item.value !== "" || "kind" in (parts[at] ?? {}));
  return { kind: "chain", items, ops: items.slice(1).map(() => "+"), template: true, span: span(d) };
};
const rangeOf = (from: ast.Expr, to: ast.Expr, open: boolean, d: Parts): ast.RangeExpr => ({
  kind: "range",
  from,
  to,
  open,
  span: span(d),
});
export const range = (d: Parts): ast.RangeExpr => rangeOf(d[0], d[2], false, d);
export const shutRange = (d: Parts): ast.RangeExpr => rangeOf(d[1], d[3], false, d);
export const openRange = (d: Parts): ast.RangeExpr => rangeOf(d[1], d[3], true, d);
export const not = (d: Parts): ast.NotExpr => ({ kind: "not", operand: d[1], span: span(d) });
/** Builds a negation. A minus before a number belongs to the number, also in `-5 min`; zero has no sign. */
export const negate = (d: Parts): ast.Expr => {
  if (d[1].kind === "number" && d[1].value >= 0) return { kind: "number", value: 0 - d[1].value, span: span(d) };
  if (d[1].kind === "amount" && d[1].amount >= 0) {
    return { ...d[1], amount: 0 - d[1].amount, value: 0 - d[1].value, span: span(d) };
  }
  return { kind: "negate", operand: d[1], span: span(d) };
};

export const time = (d: Parts): ast.TimeExpr => {
  const written: string = d[0].value;
  const of = /T/iu.test(written) ? "instant" : "date";
  const read = readTime(of, written);
  return { kind: "time", of, written, value: "value" in read ? read.value : 0, span: span(d) };
};

export const amount = (d: Parts): ast.AmountExpr => {
  const [digits = "", unit = ""] = String(d[0].value).split(/[ \t]+/u);
  const { of, size } = must(UNITS.get(unit.toLowerCase()), "a unit that the lexer knows");
  return { kind: "amount", of, amount: Number(digits), unit, value: Number(digits) * size, span: span(d) };
};
export const compare = (d: Parts): ast.CompareExpr => ({
  kind: "compare",
  op: d[1],
  left: d[0],
  right: d[2],
  span: span(d),
});
const inList = (d: Parts): ast.InExpr => ({ kind: "in", left: d[0], right: d[2], negated: false, span: span(d) });
export { inList as in };
export const notIn = (d: Parts): ast.InExpr => ({
  kind: "in",
  left: d[0],
  right: d[3],
  negated: true,
  span: span(d),
});
export const contains = (d: Parts): ast.ContainsExpr => ({
  kind: "contains",
  left: d[0],
  right: d[2],
  any: false,
  span: span(d),
});
export const containsAny = (d: Parts): ast.ContainsExpr => ({
  kind: "contains",
  left: d[0],
  right: d[3],
  any: true,
  span: span(d),
});
export const containsAll = (d: Parts): ast.ContainsExpr => ({
  kind: "contains",
  left: d[0],
  right: d[3],
  any: false,
  all: true,
  span: span(d),
});
export const like = (d: Parts): ast.LikeExpr => ({ kind: "like", left: d[0], pattern: d[2], span: span(d) });
export const matches = (d: Parts): ast.MatchesExpr => ({ kind: "matches", left: d[0], pattern: d[2], span: span(d) });
export const missing = (d: Parts): ast.PresenceExpr => ({
  kind: "presence",
  operand: d[0],
  missing: true,
  span: span(d),
});
export const present = (d: Parts): ast.PresenceExpr => ({
  kind: "presence",
  operand: d[0],
  missing: false,
  span: span(d),
});
export const existsExpr = (d: Parts): ast.ExistsExpr => ({ kind: "exists", pattern: d[1], span: span(d) });
export const existsIn = (d: Parts): ast.ExistsInExpr => ({
  kind: "exists-in",
  sources: d[2],
  test: testWithin(d[2], d[3], d[4]),
  ...(d[4] !== null && d[4].kind !== "within" && { window: d[4] }),
  span: span(d),
});
/** Returns the test of an aggregate or EXISTS, with that of its window. */
function testWithin(
  sources: readonly ast.SourceVar[],
  test: ast.Expr | null,
  window: ast.WithinExpr | ast.Window | null,
): ast.Expr | null {
  const [only] = sources;
  if (only === undefined || window?.kind !== "within") return test;
  const within = timely(only, window, window.by);
  if (test === null) return within;
  return { kind: "logic", op: "and", items: [test, within], listed: false, span: span([test, within]) };
}
export const allOf = (d: Parts): ast.LogicExpr => ({
  kind: "logic",
  op: "and",
  items: d[2],
  listed: true,
  span: span(d),
});
export const anyOf = (d: Parts): ast.LogicExpr => ({
  kind: "logic",
  op: "or",
  items: d[2],
  listed: true,
  span: span(d),
});
const itemTest = (quantifier: "any" | "all", d: Parts): ast.ItemTestExpr => ({
  kind: "item-test",
  quantifier,
  variable: d[2],
  list: d[4],
  test: d[6],
  span: span(d),
});
export const allItems = (d: Parts): ast.ItemTestExpr => itemTest("all", d);
export const anyItem = (d: Parts): ast.ItemTestExpr => itemTest("any", d);
export const comprehension = (d: Parts): ast.ComprehensionExpr => ({
  kind: "comprehension",
  value: d[1],
  variable: d[3],
  list: d[5],
  test: d.length > 7 ? d[7] : null,
  span: span(d),
});
export const item = (d: Parts): ast.ItemExpr => ({ kind: "item", list: d[0], at: d[2], span: span(d) });
export const property = (d: Parts): ast.PropertyExpr => ({ kind: "property", of: d[0], field: d[2], span: span(d) });
export const propertyOfParens = (d: Parts): ast.PropertyExpr => property([parens(d.slice(0, 3)), d[3], d[4]]);
export const quorum = (d: Parts): ast.QuorumExpr => ({ kind: "quorum", count: d[2], items: d[5], span: span(d) });
export const factQuorum = (d: Parts): ast.FactQuorumExpr => ({
  kind: "fact-quorum",
  count: d[2],
  closed: false,
  pattern: d[4],
  test: d[6],
  span: span(d),
});
export const closedQuorum = (d: Parts): ast.FactQuorumExpr => ({
  kind: "fact-quorum",
  count: d[2],
  closed: true,
  pattern: d[5],
  test: d[7],
  span: span(d),
});
export const outcome = (d: Parts): ast.OutcomeExpr => ({
  kind: "outcome",
  of: d[0].text,
  name: d[1],
  args: d[3],
  outcome: OUTCOMES[d[5].text as keyof typeof OUTCOMES],
  span: span(d),
});
export const waitUntil = (d: Parts): ast.WaitExpr => ({ kind: "wait", until: d[1], span: span(d) });
export const bool = (d: Parts): ast.BoolExpr => ({ kind: "bool", value: d[0].text === "true", span: span(d) });
/** Builds no node for parentheses, but extends the span of what they hold. */
export const parens = (d: Parts): ast.Expr => ({ ...d[1], span: span(d) });
export const cast = (d: Parts): ast.CastExpr => ({
  kind: "cast",
  to: castTarget(d[1]),
  operand: d[3],
  span: span(d),
});
export const castCall = (d: Parts): ast.CastExpr => ({
  kind: "cast",
  to: castTarget(d[4]),
  operand: d[2],
  span: span(d),
  legacy: "cast",
});
const castTarget = (name: string): ast.CastTarget => (name === "boolean" ? "bool" : (name as ast.CastTarget));
/** Builds a call; `at_least(2, a, b)` and `require_group(2, a, b)` are other spellings of `at least 2 of (a, b)`. */
export const call = (d: Parts): ast.Expr => {
  const [count, ...items] = d[2];
  const isQuorum = QUORUM_CALLS.has(d[0].name.toLowerCase()) && count?.kind === "number";
  if (isQuorum && items.every((item: ast.Value) => item.kind !== "object")) {
    return { kind: "quorum", count, items, span: span(d) };
  }
  return { kind: "call", name: d[0], args: d[2], span: span(d) };
};
const QUORUM_CALLS = new Set(["at_least", "require_group"]);
export const aggregateIn = (d: Parts): ast.AggregateInExpr => ({
  kind: "aggregate-in",
  name: d[0],
  sources: d[2],
  test: testWithin(d[2], d[3], d[4]),
  ...(d[4] !== null && d[4].kind !== "within" && { window: d[4] }),
  value: d[5],
  span: span(d),
});
const ranked = (d: Parts, count: ast.Expr | null, value: ast.Expr, key: ast.Expr | null): ast.RankedExpr => {
  return { kind: "ranked", count, value, key, span: span(d) };
};
export const numbered = (d: Parts): ast.RankedExpr => ranked(d, d[0], d[2], null);
export const keyed = (d: Parts): ast.RankedExpr => ranked(d, null, d[0], d[2]);
export const numberedKeyed = (d: Parts): ast.RankedExpr => ranked(d, d[0], d[2], d[4]);
/** Builds an aggregate over the facts of `using`: `last(e.value by e.at)`. */
export const keyedCall = (d: Parts): ast.CallExpr => ({ kind: "call", name: d[0], args: [d[2]], span: span(d) });
export const path = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: [], span: span(d) });
export const dottedPath = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: d[1], span: span(d) });
export const list = (d: Parts): ast.ListExpr => ({ kind: "list", items: d[1], span: span(d) });
export const object = (d: Parts): ast.ObjectExpr => ({ kind: "object", entries: d[1], span: span(d) });
export const entry = (d: Parts): ast.Entry => ({ name: d[0][0], value: d[2], span: span(d) });
export const text = (d: Parts): ast.TextExpr => ({ kind: "text", value: d[0].value, span: span(d) });
export const number = (d: Parts): ast.NumberExpr => ({ kind: "number", value: d[0].value, span: span(d) });
