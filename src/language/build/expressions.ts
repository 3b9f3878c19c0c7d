/** Expressions; flat lists of operators become trees here, by precedence. */
import type * as ast from "../ast.ts";
import { OUTCOMES } from "./outcomes.ts";
import { type Parts, span } from "./parts.ts";

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

export const not = (d: Parts): ast.NotExpr => ({ kind: "not", operand: d[1], span: span(d) });
/** Builds a negation. A minus before a number belongs to the number; zero has no sign. */
export const negate = (d: Parts): ast.Expr =>
  d[1].kind === "number" && d[1].value >= 0
    ? { kind: "number", value: 0 - d[1].value, span: span(d) }
    : { kind: "negate", operand: d[1], span: span(d) };
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
  test: d[3],
  span: span(d),
});
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
  test: d[3],
  value: d[4],
  span: span(d),
});
export const path = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: [], span: span(d) });
export const dottedPath = (d: Parts): ast.PathExpr => ({ kind: "path", root: d[0], fields: d[1], span: span(d) });
export const list = (d: Parts): ast.ListExpr => ({ kind: "list", items: d[1], span: span(d) });
export const object = (d: Parts): ast.ObjectExpr => ({ kind: "object", entries: d[1], span: span(d) });
export const entry = (d: Parts): ast.Entry => ({ name: d[0][0], value: d[2], span: span(d) });
export const text = (d: Parts): ast.TextExpr => ({ kind: "text", value: d[0].value, span: span(d) });
export const number = (d: Parts): ast.NumberExpr => ({ kind: "number", value: d[0].value, span: span(d) });
