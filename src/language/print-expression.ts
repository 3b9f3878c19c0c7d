/** Prints expressions and the patterns inside them, with parentheses only where the tree would differ without them. */
import { unreachable } from "../base/invariant.ts";
import type {
  AggregateInExpr,
  CallExpr,
  ChainExpr,
  ComprehensionExpr,
  ContainsExpr,
  Entry,
  Expr,
  FactQuorumExpr,
  IfExpr,
  InExpr,
  ItemTestExpr,
  LogicExpr,
  NumberExpr,
  OutcomeExpr,
  PathExpr,
  Pattern,
  QuorumExpr,
  RankedExpr,
  SourceVar,
  Value,
  Window,
  WithinExpr,
} from "./ast.ts";
import type { Comments } from "./comments.ts";
import { type Doc, group, indent, line, softline } from "./layout.ts";
import { bracketed, enclosed, listed, parts } from "./place.ts";
import { entryWords, judgedWords, numberWords, templateWords, textWords } from "./print-words.ts";

/** The precedence of expressions; a context requires at least one of these. */
export const LEVEL = {
  /** `if a then b else c` */
  choice: 0,
  /** `a or b` */
  any: 1,
  /** `a and b` */
  conjunction: 2,
  /** `not a` */
  term: 3,
  /** `a == b`, `exists T(…)`, `all(…)` */
  test: 4,
  /** `a + b` */
  sum: 5,
  /** `a * b` */
  product: 6,
  /** `-a`, `(number) a` */
  operand: 7,
  /** `a`, `f(a)`, `[a]` */
  atom: 8,
} as const;

type Level = (typeof LEVEL)[keyof typeof LEVEL];

export function expression(comments: Comments, expr: Expr, level: Level = LEVEL.choice): Doc {
  if (levelOf(expr) >= level) return bare(comments, expr);
  return group(["(", indent([softline, bare(comments, expr)]), softline, ")"]);
}

function levelOf(expr: Expr): Level {
  switch (expr.kind) {
    case "logic":
      return expr.listed ? LEVEL.test : expr.op === "or" ? LEVEL.any : LEVEL.conjunction;
    case "if":
      return LEVEL.choice;
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
    case "item-test":
    case "wait":
    case "within":
    case "last":
      return LEVEL.test;
    case "chain":
      if (expr.template === true) return LEVEL.atom;
      return isSum(expr) ? LEVEL.sum : LEVEL.product;
    case "negate":
    case "cast":
      return LEVEL.operand;
    case "number":
      return expr.value < 0 ? LEVEL.operand : LEVEL.atom;
    case "amount":
      return expr.amount < 0 ? LEVEL.operand : LEVEL.atom;
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
    case "time":
      return `@${expr.written}`;
    case "amount":
      return `${numberWords(expr.amount)} ${expr.unit}`;
    case "list":
      return bracketed(comments, ["[", "]"], expr.items, expr.span.end, (item) => value(comments, item));
    case "comprehension":
      return comprehension(comments, expr);
    case "item":
      return [base(comments, expr.list, INDEXED), "[", expression(comments, expr.at), "]"];
    case "property":
      return [base(comments, expr.of, WITH_FIELDS), ".", expr.field.name];
    case "item-test":
      return itemTest(comments, expr);
    case "path":
      return pathWords(expr);
    case "call":
      return [expr.name.written ?? expr.name.name, values(comments, expr)];
    case "negate":
      return ["-", expression(comments, expr.operand, LEVEL.operand)];
    case "not":
      return ["not ", expression(comments, expr.operand, COMPARISONS.has(expr.operand.kind) ? LEVEL.atom : LEVEL.term)];
    case "chain":
      return expr.template === true ? template(comments, expr) : chain(comments, expr);
    case "compare":
      return [arith(expr.left), ` ${expr.op} `, arith(expr.right)];
    case "in":
      if (expr.window !== undefined) return windowDoc(comments, expr.window);
      return [arith(expr.left), expr.negated ? " not in " : " in ", searched(comments, expr.right)];
    case "contains":
      return [arith(expr.left), ` ${containsWords(expr)} `, arith(expr.right)];
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
    case "if":
      return choice(comments, expr);
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
    case "ranked":
      return ranked(comments, expr);
    case "outcome":
      return outcome(comments, expr);
    case "wait":
      return ["wait until ", arith(expr.until)];
    case "within":
      return withinDoc(comments, expr);
    case "last":
      return windowDoc(comments, expr.window);
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

/** The expressions that `[n]` and a field can follow without parentheses. */
const INDEXED: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>([
  "path",
  "call",
  "list",
  "comprehension",
  "item",
  "property",
]);
const LISTED: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>([
  "path",
  "list",
  "comprehension",
  "item",
  "property",
  "aggregate-in",
]);
const WITH_FIELDS: ReadonlySet<Expr["kind"]> = new Set<Expr["kind"]>(["call", "item", "property"]);

function base(comments: Comments, expr: Expr, plain: ReadonlySet<Expr["kind"]>): Doc {
  if (plain.has(expr.kind)) return bare(comments, expr);
  return group(["(", indent([softline, bare(comments, expr)]), softline, ")"]);
}

/** Returns the operator of a `contains`. */
export function containsWords({ any, all }: Pick<ContainsExpr, "any" | "all">): string {
  return any ? "contains any" : all === true ? "contains all" : "contains";
}

/** Prints `any(l in lines : l.qty > 100)`. */
function itemTest(comments: Comments, expr: ItemTestExpr): Doc {
  const { quantifier, variable, list, test } = expr;
  const items = [
    { span: list.span, word: `${variable.name} in `, print: () => expression(comments, list, LEVEL.sum) },
    { span: test.span, word: ": ", print: () => expression(comments, test) },
  ];
  return [quantifier, enclosed(comments, ["(", ")"], items, expr.span.end)];
}

/** Prints the list of `l in o.lines`. A call alone is in parentheses: without them it would be a row of a query. */
export function itemsList(comments: Comments, list: Expr): Doc {
  return base(comments, list, LISTED);
}

/** Prints `[x.qty for x in lines if x.qty > 0]`. */
function comprehension(comments: Comments, expr: ComprehensionExpr): Doc {
  const { variable, list, test } = expr;
  const items = [
    { span: expr.value.span, word: "", print: () => value(comments, expr.value) },
    { span: list.span, word: `for ${variable.name} in `, print: () => expression(comments, list, LEVEL.sum) },
  ];
  if (test !== null) items.push({ span: test.span, word: "if ", print: () => expression(comments, test) });
  return enclosed(comments, ["[", "]"], items, expr.span.end);
}

/** Prints a value: an expression or an object. */
export function value(comments: Comments, data: Value): Doc {
  if (data.kind !== "object") return expression(comments, data);
  return bracketed(comments, ["{", "}"], data.entries, data.span.end, (one) => entry(comments, one));
}

function entry(comments: Comments, one: Entry): Doc {
  return [entryWords(one.name), ": ", value(comments, one.value)];
}

export function pathWords(path: PathExpr): string {
  return [path.root, ...path.fields].map((one) => one.written ?? one.name).join(".");
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

/** Prints a template. Between two values there is a string in the text, if only an empty one. */
function template(comments: Comments, { items }: ChainExpr): Doc {
  const parts = items.map((item, at) =>
    item.kind === "text" && (at === 0 || items[at - 1]?.kind !== "text")
      ? templateWords(item.value)
      : ["{", expression(comments, item), "}"],
  );
  return ['$"', parts, '"'];
}

export function searched(comments: Comments, right: InExpr["right"]): Doc {
  if (right.kind !== "range") return expression(comments, right, LEVEL.sum);
  const [from, to] = [right.from, right.to].map((end) => expression(comments, end, LEVEL.sum));
  return right.open ? ["[", from ?? "", "..", to ?? "", ")"] : [from ?? "", "..", to ?? ""];
}

function choice(comments: Comments, expr: IfExpr): Doc {
  const items = [
    ["if ", expr.test] as const,
    ["then ", expr.whenTrue] as const,
    ["else ", expr.whenFalse] as const,
  ].map(([word, one]) => ({ span: one.span, word, print: () => expression(comments, one) }));
  return parts(comments, items, expr.span.end);
}

/** Returns whether `name (…)` after an expression would be read as a part of it: `if (a) then (b)`, `exists A() within (b) after (c)`. */
export function continuesExpression(name: string): boolean {
  return /^(?:then|else|within)$/iu.test(name);
}

function listedLogic(comments: Comments, expr: LogicExpr): Doc {
  return [expr.op === "and" ? "all" : "any", expressions(comments, expr.items, expr.span.end)];
}

function quorum(comments: Comments, expr: QuorumExpr): Doc {
  return [atLeast(expr.count), expressions(comments, expr.items, expr.span.end)];
}

function factQuorum(comments: Comments, expr: FactQuorumExpr): Doc {
  const facts = pattern(comments, expr.pattern, true);
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
  const { window, value: of } = expr;
  const { test, within } =
    window === undefined ? partedTest(expr.test) : { test: withoutWindow(expr.test), within: undefined };
  const level = (window ?? within) !== undefined && couldTakeWindow(test) ? LEVEL.sum : LEVEL.choice;
  if (test !== null) items.push({ span: test.span, word: "/ ", print: () => expression(comments, test, level) });
  if (window !== undefined) items.push({ span: window.span, word: "", print: () => windowDoc(comments, window) });
  if (within !== undefined) items.push({ span: within.span, word: "", print: () => withinDoc(comments, within) });
  if (of !== null) items.push({ span: of.span, word: "; ", print: () => expression(comments, of) });
  return [name, enclosed(comments, ["(", ")"], items, expr.span.end)];
}

/** Returns whether a test ends in a pattern that a window after it would belong to: `a.n > 1 and exists B()`. */
function couldTakeWindow(test: Expr | null | undefined): boolean {
  switch (test?.kind) {
    case "exists":
      return test.pattern.window === undefined && withinOf(test.pattern.tests.at(-1)) === undefined;
    case "logic":
      return !test.listed && couldTakeWindow(test.items.at(-1));
    case "not":
      return couldTakeWindow(test.operand);
    case "if":
      return couldTakeWindow(test.whenFalse);
    case "fact-quorum":
      return couldTakeWindow(test.test);
    default:
      return false;
  }
}

/** Prints what an aggregate takes of each fact: `3, o.total by o.at`. */
function ranked(comments: Comments, { count, value: taken, key }: RankedExpr): Doc {
  const before = count === null ? [] : [expression(comments, count), ", "];
  const after = key === null ? [] : [" by ", expression(comments, key)];
  return [...before, expression(comments, taken, key === null ? LEVEL.choice : LEVEL.sum), ...after];
}

/** Returns the test of an aggregate or EXISTS without that of its window. */
function partedTest(test: Expr | null): { readonly test: Expr | null; readonly within: WithinExpr | undefined } {
  if (test?.kind === "within") return { test: null, within: test };
  const [first, second, third] = test?.kind === "logic" && test.op === "and" && !test.listed ? test.items : [];
  const within = third === undefined ? withinOf(second) : undefined;
  return within === undefined ? { test, within } : { test: first ?? null, within };
}

export function sourceWords(source: SourceVar): string {
  return `${source.variable.name}: ${source.type.name}`;
}

/**
 * Prints a pattern, `v: Type(test, test)`; without tests a variable needs no parentheses. Before ":" the unit of a duration would
 * be read as a name, unless it stands alone.
 */
export function pattern(comments: Comments, one: Pattern, beforeColon = false): Doc {
  const head = one.variable === null ? one.type.name : `${one.variable.name}: ${one.type.name}`;
  const { window } = one;
  const within = withinOf(one.tests.at(-1));
  const end = (window ?? within)?.span.start ?? one.span.end;
  const written = one.tests.filter((test) => test !== within && (window === undefined || !isWindow(test)));
  const isBare = one.variable !== null && written.length === 0;
  const tests = isBare ? head : [head, expressions(comments, written, end)];
  if (within !== undefined) return [tests, " ", withinDoc(comments, within, beforeColon)];
  return window === undefined ? tests : [tests, " ", windowDoc(comments, window, beforeColon)];
}

function withinOf(test: Expr | null | undefined): WithinExpr | undefined {
  return test?.kind === "within" ? test : undefined;
}

/** Prints a window: `within 30 days after i.issued by p.received`. */
function withinDoc(comments: Comments, { length, side, anchor, by }: WithinExpr, beforeColon = false): Doc {
  return [
    "within ",
    expression(comments, length, LEVEL.sum),
    ` ${side} `,
    beforeColon && by === null && endsInUnit(anchor)
      ? group(["(", indent([softline, expression(comments, anchor)]), softline, ")"])
      : expression(comments, anchor, LEVEL.sum),
    by === null ? "" : ` by ${pathWords(by)}`,
  ];
}

/** Returns whether an expression ends in a duration, whose unit would be read as a name before ":". */
function endsInUnit(expr: Expr): boolean {
  if (expr.kind === "amount") return true;
  if (expr.kind === "negate" || expr.kind === "cast") return endsInUnit(expr.operand);
  const last = expr.kind === "chain" && expr.template !== true ? expr.items.at(-1) : undefined;
  return last !== undefined && endsInUnit(last);
}

/** Prints a window: `over last 10 min by p.received`. */
function windowDoc(comments: Comments, { last, by }: Window, beforeColon = false): Doc {
  return [
    "over last ",
    beforeColon && last.kind === "amount" && last.of === "months"
      ? ["(", expression(comments, last), ")"]
      : expression(comments, last, beforeColon ? LEVEL.atom : LEVEL.sum),
    by === null ? "" : ` by ${pathWords(by)}`,
  ];
}

/** Returns whether a test was written out from a window. */
function isWindow(test: Expr): boolean {
  return test.kind === "last" || (test.kind === "in" && test.window !== undefined);
}

/** Returns the test of a subquery without the one that was written out from its window. */
function withoutWindow(test: Expr | null): Expr | null {
  if (test?.kind !== "logic" || !isWindow(test.items.at(-1) ?? test)) return test;
  return test.items.length > 1 ? (test.items[0] ?? null) : null;
}

/** Returns whether a pattern does not end in parentheses, so that what follows could be read as part of it. */
export function isOpen(one: Pattern): boolean {
  if (one.window !== undefined || withinOf(one.tests.at(-1)) !== undefined) return true;
  return one.variable !== null && one.tests.length === 0;
}
