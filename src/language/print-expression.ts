/** Prints expressions and the patterns inside them, with parentheses only where the tree would differ without them. */
import { unreachable } from "../base/invariant.ts";
import type {
  AggregateInExpr,
  CallExpr,
  ChainExpr,
  Entry,
  Expr,
  FactQuorumExpr,
  LogicExpr,
  NumberExpr,
  OutcomeExpr,
  PathExpr,
  Pattern,
  QuorumExpr,
  SourceVar,
  Value,
} from "./ast.ts";
import type { Comments } from "./comments.ts";
import { type Doc, group, indent, line, softline } from "./layout.ts";
import { bracketed, enclosed, listed, parts } from "./place.ts";
import { entryWords, judgedWords, numberWords, textWords } from "./print-words.ts";

/** The precedence of expressions; a context requires at least one of these. */
export const LEVEL = {
  /** `a or b` */
  any: 0,
  /** `a and b` */
  conjunction: 1,
  /** `not a` */
  term: 2,
  /** `a == b`, `exists T(…)`, `all(…)` */
  test: 3,
  /** `a + b` */
  sum: 4,
  /** `a * b` */
  product: 5,
  /** `-a`, `(number) a` */
  operand: 6,
  /** `a`, `f(a)`, `[a]` */
  atom: 7,
} as const;

type Level = (typeof LEVEL)[keyof typeof LEVEL];

export function expression(comments: Comments, expr: Expr, level: Level = LEVEL.any): Doc {
  if (levelOf(expr) >= level) return bare(comments, expr);
  return group(["(", indent([softline, bare(comments, expr)]), softline, ")"]);
}

function levelOf(expr: Expr): Level {
  switch (expr.kind) {
    case "logic":
      return expr.listed ? LEVEL.test : expr.op === "or" ? LEVEL.any : LEVEL.conjunction;
    case "not":
      return LEVEL.term;
    case "compare":
    case "in":
    case "contains":
    case "like":
    case "matches":
    case "presence":
    case "exists":
    case "exists-in":
    case "quorum":
    case "fact-quorum":
    case "outcome":
      return LEVEL.test;
    case "chain":
      return isSum(expr) ? LEVEL.sum : LEVEL.product;
    case "negate":
    case "cast":
      return LEVEL.operand;
    case "number":
      return expr.value < 0 ? LEVEL.operand : LEVEL.atom;
    default:
      return LEVEL.atom;
  }
}

function isSum(chain: ChainExpr): boolean {
  return chain.ops[0] === "+" || chain.ops[0] === "-";
}

function bare(comments: Comments, expr: Expr): Doc {
  const arith = (operand: Expr): Doc => expression(comments, operand, LEVEL.sum);
  switch (expr.kind) {
    case "text":
      return textWords(expr.value);
    case "number":
      return numberWords(expr.value);
    case "bool":
      return String(expr.value);
    case "list":
      return bracketed(comments, ["[", "]"], expr.items, expr.span.end, (item) => value(comments, item));
    case "path":
      return pathWords(expr);
    case "call":
      return [expr.name.name, values(comments, expr)];
    case "negate":
      return ["-", expression(comments, expr.operand, LEVEL.operand)];
    case "not":
      return ["not ", expression(comments, expr.operand, COMPARISONS.has(expr.operand.kind) ? LEVEL.atom : LEVEL.term)];
    case "chain":
      return chain(comments, expr);
    case "compare":
      return [arith(expr.left), ` ${expr.op} `, arith(expr.right)];
    case "in":
      return [arith(expr.left), expr.negated ? " not in " : " in ", arith(expr.right)];
    case "contains":
      return [arith(expr.left), expr.any ? " contains any " : " contains ", arith(expr.right)];
    case "like":
      return [arith(expr.left), " like ", arith(expr.pattern)];
    case "matches":
      return [arith(expr.left), " matches ", textWords(expr.pattern.value)];
    case "presence":
      return [arith(expr.operand), expr.missing ? " is missing" : " is present"];
    case "logic":
      return expr.listed ? listedLogic(comments, expr) : logic(comments, expr);
    case "cast":
      return [`(${expr.to}) `, expression(comments, expr.operand, LEVEL.atom)];
    case "quorum":
      return quorum(comments, expr);
    case "fact-quorum":
      return factQuorum(comments, expr);
    case "exists":
      return ["exists ", pattern(comments, expr.pattern)];
    case "exists-in":
      return inside(comments, "EXISTS", { ...expr, value: null });
    case "aggregate-in":
      return inside(comments, expr.name.name, expr);
    case "outcome":
      return outcome(comments, expr);
    default:
      return unreachable(expr);
  }
}

/** The operands of `not` that are easier to read in parentheses. */
const COMPARISONS: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>([
  "compare",
  "in",
  "contains",
  "like",
  "matches",
  "presence",
]);

/** Prints a value: an expression or an object. */
export function value(comments: Comments, data: Value): Doc {
  if (data.kind !== "object") return expression(comments, data);
  return bracketed(comments, ["{", "}"], data.entries, data.span.end, (one) => entry(comments, one));
}

function entry(comments: Comments, one: Entry): Doc {
  return [entryWords(one.name), ": ", value(comments, one.value)];
}

export function pathWords(path: PathExpr): string {
  return [path.root, ...path.fields].map((one) => one.name).join(".");
}

/** Prints the arguments of a call, in parentheses. */
export function values(comments: Comments, call: Pick<CallExpr, "args" | "span">): Doc {
  return bracketed(comments, ["(", ")"], call.args, call.span.end, (arg) => value(comments, arg));
}

/** Prints expressions in parentheses, up to `end`. */
export function expressions(comments: Comments, items: readonly Expr[], end: number): Doc {
  return bracketed(comments, ["(", ")"], items, end, (item) => expression(comments, item));
}

function chain(comments: Comments, expr: ChainExpr): Doc {
  const level = isSum(expr) ? LEVEL.product : LEVEL.operand;
  const [first, ...others] = expr.items.map((item) => expression(comments, item, level));
  return group([first ?? "", indent(others.map((item, index) => [line, expr.ops[index] ?? "", " ", item]))]);
}

function logic(comments: Comments, expr: LogicExpr): Doc {
  // AND inside OR needs no parentheses for a parser; readers benefit from them
  const level = LEVEL.term;
  const items = expr.items.map((item, index) => ({
    span: item.span,
    word: index === 0 ? "" : `${expr.op} `,
    print: () => expression(comments, item, level),
  }));
  return parts(comments, items, expr.span.end);
}

function listedLogic(comments: Comments, expr: LogicExpr): Doc {
  return [expr.op === "and" ? "all" : "any", expressions(comments, expr.items, expr.span.end)];
}

function quorum(comments: Comments, expr: QuorumExpr): Doc {
  return [atLeast(expr.count), expressions(comments, expr.items, expr.span.end)];
}

function factQuorum(comments: Comments, expr: FactQuorumExpr): Doc {
  const facts = pattern(comments, expr.pattern);
  return [atLeast(expr.count), expr.closed ? "all " : "", facts, " : ", expression(comments, expr.test, LEVEL.test)];
}

function atLeast(count: NumberExpr): string {
  return `at least ${numberWords(count.value)} of `;
}

function outcome(comments: Comments, expr: OutcomeExpr): Doc {
  const judge = `${expr.of} ${judgedWords(expr.name)}`;
  const end = comments.find(")", expr.args.at(-1)?.span.end ?? expr.name.span.end) + 1;
  return [judge, expressions(comments, expr.args, end), ` ${VERBS[expr.outcome]}`];
}

const VERBS = { pass: "passes", hold: "holds", fail: "fails" } as const;

/** Prints an aggregate or EXISTS inside an expression: `AVG(e: Emp / e.dept == d.id ; e.salary)`. */
function inside(comments: Comments, name: string, expr: Omit<AggregateInExpr, "kind" | "name">): Doc {
  const items = listed(expr.sources, sourceWords);
  for (const [word, one] of [["/ ", expr.test] as const, ["; ", expr.value] as const]) {
    if (one !== null) items.push({ span: one.span, word, print: () => expression(comments, one) });
  }
  return [name, enclosed(comments, ["(", ")"], items, expr.span.end)];
}

export function sourceWords(source: SourceVar): string {
  return `${source.variable.name}: ${source.type.name}`;
}

/** Prints a pattern, `v: Type(test, test)`; without tests a variable needs no parentheses. */
export function pattern(comments: Comments, one: Pattern): Doc {
  const head = one.variable === null ? one.type.name : `${one.variable.name}: ${one.type.name}`;
  return isOpen(one) ? head : [head, expressions(comments, one.tests, one.span.end)];
}

/** Returns whether a pattern is printed without parentheses, so that what follows could be read as part of it. */
export function isOpen(one: Pattern): boolean {
  return one.variable !== null && one.tests.length === 0;
}
