/**
 * The condition of a rule as parts, in the order of the program, whichever form it was written in.
 *
 * The slash form names its facts first and tests them in one expression at the end. There a pattern has `early` tests:
 * the conjuncts that can be decided as soon as its fact is chosen. They are used for searching; explanations show the
 * expression.
 */
import type * as ast from "../../language/ast.ts";
import { inlinedElements } from "../../language/check/lets.ts";
import { noteLast } from "./last-parts.ts";

export type Part = PatternPart | AbsencePart | OrPart | ForallPart | AggregatePart | WherePart | LetPart | ItemsPart;

export interface PatternPart {
  readonly kind: "pattern";
  readonly variable: string | null;
  readonly type: string;
  /** The tests, joined by and. */
  readonly tests: readonly ast.Expr[];
  readonly early: readonly ast.Expr[];
  /** The element in the program; undefined for the slash form, which has none. */
  readonly element: ast.Pattern | undefined;
}
export interface AbsencePart {
  readonly kind: "absence";
  readonly quantifier: "not" | "exists";
  readonly parts: readonly Part[];
  readonly element: ast.AbsenceElement;
}
export interface OrPart {
  readonly kind: "or";
  readonly alternatives: readonly (readonly Part[])[];
  readonly element: ast.OrElement;
}
export interface ForallPart {
  readonly kind: "forall";
  readonly pattern: PatternPart;
  readonly test: ast.Expr;
  readonly element: ast.ForallElement;
}
/** One or several aggregates over the same facts. */
export interface AggregatePart {
  readonly kind: "aggregate";
  readonly items: readonly AggregateItem[];
  readonly inner: readonly PatternPart[];
  readonly element: ast.AggregateElement | undefined;
}
interface AggregateItem {
  readonly name: string;
  readonly fn: string;
  readonly value: ast.Expr | null;
}
interface WherePart {
  readonly kind: "where";
  readonly test: ast.Expr;
  /** True for the expression of the slash form: its conjuncts are early tests of the patterns as well. */
  readonly slash: boolean;
}

/** A name for a value. Tests after it have its expression in place of the name, where only one `let` gives it. */
export interface LetPart {
  readonly kind: "let";
  readonly name: string;
  readonly value: ast.Expr;
  readonly element: ast.LetElement;
}

/** The items of a list. */
export interface ItemsPart {
  readonly kind: "items";
  readonly variable: string;
  readonly list: ast.Expr;
  readonly element: ast.ItemsElement;
}

const partsByNode = new WeakMap<object, readonly Part[]>();

function cached(key: object, make: () => readonly Part[]): readonly Part[] {
  let parts = partsByNode.get(key);
  if (parts === undefined) partsByNode.set(key, (parts = make()));
  return parts;
}

export function partsOfRule(rule: ast.RuleDecl): readonly Part[] {
  const { body } = rule;
  return cached(rule, () => (body.kind === "block" ? partsOf(inlinedElements(body.elements)) : slashParts(body)));
}

export function partsOfElements(key: object, elements: readonly ast.Element[]): readonly Part[] {
  return cached(key, () => partsOf(inlinedElements(elements)));
}

/** Returns the parts of elements; a row of a query is the elements of the query, which follow it. */
function partsOf(elements: readonly ast.Element[]): Part[] {
  return elements.flatMap((element) => (element.kind === "row" ? [] : [partOf(element)]));
}

function partOf(element: Exclude<ast.Element, ast.RowElement>): Part {
  switch (element.kind) {
    case "pattern":
      return patternPart(element);
    case "absence":
      return { kind: "absence", quantifier: element.quantifier, parts: partsOf(element.elements), element };
    case "or":
      return { kind: "or", alternatives: element.alternatives.map(partsOf), element };
    case "forall":
      return { kind: "forall", pattern: patternPart(element.pattern), test: element.test, element };
    case "aggregate": {
      const items = [{ name: element.name.name, fn: element.fn.name.toLowerCase(), value: element.value }];
      return { kind: "aggregate", items, inner: [patternPart(element.pattern)], element };
    }
    case "where":
      return { kind: "where", test: element.test, slash: false };
    case "let":
      return { kind: "let", name: element.name.name, value: element.value, element };
    case "items":
      return { kind: "items", variable: element.variable.name, list: element.list, element };
  }
}

export function patternPart(element: ast.Pattern): PatternPart {
  const tests = element.tests.flatMap(conjuncts);
  return noteLast({
    kind: "pattern",
    variable: element.variable?.name ?? null,
    type: element.type.name,
    tests: tests.length === element.tests.length ? element.tests : tests,
    early: [],
    element,
  });
}

/** The pattern of an `exists` is one part, however often it is read. */
const existsParts = new WeakMap<ast.ExistsExpr, PatternPart>();

/** Returns the pattern of an `exists` in an expression as a part. */
export function existsPart(expr: ast.ExistsExpr): PatternPart {
  let part = existsParts.get(expr);
  if (part === undefined) existsParts.set(expr, (part = patternPart(expr.pattern)));
  return part;
}

/** Returns a pattern with one more test, or with its negation. */
export function withTest(part: PatternPart, test: ast.Expr, want: boolean): PatternPart {
  const more: ast.Expr = want ? test : { kind: "not", operand: test, span: test.span };
  return { ...part, tests: [...part.tests, more] };
}

// ---------------------------------------------------------------- the slash form

function slashParts(body: ast.SlashBody): Part[] {
  const all = body.sources.flat();
  const aggregates = all.filter((source) => source.kind === "aggregate-source");
  const [first = [], ...later] = body.sources;
  const matched = (aggregates.length === 0 ? all : first).filter(isSource);
  const over = aggregates.length === 0 ? [] : later.flat().filter(isSource);
  const tests = body.test === null ? [] : conjuncts(body.test);
  const values = new Set(aggregates.map(({ variable }) => variable.name));
  const inner = new Set(over.map(({ variable }) => variable.name));
  const selects = (test: ast.Expr): boolean => !mentions(test, values) && mentions(test, inner);
  const shown = tests.filter((test) => !selects(test));
  const parts: Part[] = sourceParts(
    matched,
    shown.filter((test) => !mentions(test, values)),
  );
  if (aggregates.length > 0) {
    const items = aggregates.map(({ variable, fn, value }) => {
      return { name: variable.name, fn: fn.name.toLowerCase(), value };
    });
    parts.push({ kind: "aggregate", items, inner: sourceParts(over, tests.filter(selects)), element: undefined });
  }
  const test = shown.length === tests.length ? body.test : conjunction(shown);
  return test === null ? parts : [...parts, { kind: "where", test, slash: true }];
}

/** Returns the patterns that EXISTS or an aggregate inside an expression ranges over. */
export function innerParts(expr: ast.ExistsInExpr | ast.AggregateInExpr): readonly PatternPart[] {
  return cached(expr, () =>
    sourceParts(expr.sources, expr.test === null ? [] : conjuncts(expr.test)),
  ) as readonly PatternPart[];
}

/** Stores the patterns of an aggregate that are written elsewhere. */
export function setInnerParts(expr: ast.AggregateInExpr, parts: readonly PatternPart[]): void {
  partsByNode.set(expr, parts);
}

/** Returns the sources as patterns; each test belongs to the last source that it mentions. */
function sourceParts(sources: readonly ast.SourceVar[], tests: readonly ast.Expr[]): PatternPart[] {
  const place = (test: ast.Expr): number =>
    Math.max(
      0,
      sources.findLastIndex(({ variable }) => mentions(test, new Set([variable.name]))),
    );
  return sources.map(({ variable, type }, index) =>
    noteLast({
      kind: "pattern",
      variable: variable.name,
      type: type.name,
      tests: [],
      early: tests.filter((test) => place(test) === index),
      element: undefined,
    }),
  );
}

function isSource(source: ast.SourceVar | ast.AggregateSource): source is ast.SourceVar {
  return source.kind === "source";
}

function conjunction(tests: readonly ast.Expr[]): ast.Expr | null {
  const [first, second] = tests;
  if (first === undefined || second === undefined) return first ?? null;
  return { kind: "logic", op: "and", items: tests, listed: false, span: { start: 0, end: 0 } };
}

/** Returns `a and b and c` as a list; also the items of `all(…)`. */
export function conjuncts(test: ast.Expr): ast.Expr[] {
  return test.kind === "logic" && test.op === "and" ? test.items.flatMap(conjuncts) : [test];
}

/** Returns whether one of the names occurs free: EXISTS and aggregates inside an expression bind names of their own. */
export function mentions(node: unknown, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  if (Array.isArray(node)) return node.some((item) => mentions(item, names));
  if (typeof node !== "object" || node === null) return false;
  const expr = node as Partial<ast.Expr>;
  if (expr.kind === "path") return names.has((expr as ast.PathExpr).root.name);
  const bound = boundBy(expr);
  const free = bound.length === 0 ? names : new Set([...names].filter((name) => !bound.includes(name)));
  return Object.entries(node).some(([key, child]) => key !== "span" && mentions(child, free));
}

function boundBy(expr: Partial<ast.Expr>): readonly string[] {
  if (expr.kind === "exists-in" || expr.kind === "aggregate-in") {
    return (expr as ast.ExistsInExpr).sources.map(({ variable }) => variable.name);
  }
  const variable = expr.kind === "exists" ? (expr as ast.ExistsExpr).pattern.variable : null;
  return variable === null ? [] : [variable.name];
}
