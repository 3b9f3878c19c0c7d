/** Expressions over the fields of one fact `v`, and facts with values of every kind. The program is open: fields are `any`. */
import * as fc from "fast-check";
import type { HostParam, HostSignature } from "../../src/base/host-types.ts";
import type { Value } from "../../src/base/value.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";
import type * as ast from "../../src/language/ast.ts";

const span = { start: 0, end: 0 };
const ident = (name: string): ast.Ident => ({ name, span });

const FIELDS = ["a", "b", "c", "d"];

const TEXTS = [
  "",
  "a",
  "ab",
  "A_%",
  " 12 ",
  "1e2",
  "-0",
  "0x1",
  "true",
  "FALSE",
  " true ",
  "1.",
  " .5",
  "\u{1F600}b",
  "\uFF5E",
  "two words",
  "T~@1",
];
/** Half a character: facts cannot have it, and what folds a string refuses it. */
const UNFOLDABLE = "\uD83D";
const NUMBERS = [0, 1, 2, -1, 0.5, -2.5, 7, 1e308, 2 ** 53, 1e-320];
const PATTERNS = ["a%", "_", "%b", "\\_", "A\\_\\%", "%", "", "_%_", "\\"];
const REGEXPS = ["^a", "b$", "", "\\d+", "(?i)A", "[^a-z]", "."];

const text = (value: string): ast.TextExpr => ({ kind: "text", value, span });
const number = (value: number): ast.NumberExpr => ({ kind: "number", value, span });
const path = (...names: readonly string[]): ast.PathExpr => ({
  kind: "path",
  root: ident("v"),
  fields: names.map(ident),
  span,
});

const plain: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(1, "1", true, false),
);
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 8, arbitrary: plain },
  { weight: 2, arbitrary: fc.array(plain, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ a: plain }) },
);

/** The fields of a fact; about one in five is missing. */
export const fields: fc.Arbitrary<Readonly<Record<string, Value>>> = fc
  .tuple(...FIELDS.map(() => fc.option(value, { nil: undefined, freq: 4 })))
  .map((values) => {
    const entries = FIELDS.map((name, index) => [name, values[index]] as const);
    return Object.fromEntries(entries.filter(([, given]) => given !== undefined)) as Record<string, Value>;
  });

interface Trees {
  readonly expr: ast.Expr;
}

/** The parameters of one call: `more` asks for those that may be left out or repeated. */
function argumentsOf({ params, repeats }: HostSignature, more: number): readonly HostParam[] {
  const given = params.filter(({ optional }) => !optional || more > 0);
  const last = params.at(-1);
  return repeats === true && last !== undefined ? [...given, ...Array.from({ length: more }, () => last)] : given;
}

export const { expr: expression } = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const inner = tie("expr");
  const field = fc.constantFrom(...FIELDS);
  const literal: fc.Arbitrary<ast.Expr> = fc.oneof(
    fc.constantFrom(...TEXTS).map(text),
    fc.constantFrom(0, 1, 2, 0.5, 7).map(number),
    fc.boolean().map((given): ast.Expr => ({ kind: "bool", value: given, span })),
  );
  const leaf: fc.Arbitrary<ast.Expr> = fc.oneof(
    { weight: 8, arbitrary: field.map((name) => path(name)) },
    { weight: 1, arbitrary: fc.tuple(field, field).map((names) => path(...names)) },
    { weight: 2, arbitrary: literal },
  );
  const items = fc.array(fc.oneof(leaf, inner), { maxLength: 3 });
  const list: fc.Arbitrary<ast.Expr> = items.map((given) => ({ kind: "list", items: given, span }));
  const pair = fc.tuple(inner, inner);
  const chain = (...ops: readonly (ast.SumOp | ast.ProductOp)[]): fc.Arbitrary<ast.Expr> =>
    fc
      .tuple(inner, fc.constantFrom(...ops), inner, fc.option(fc.tuple(fc.constantFrom(...ops), inner), { nil: null }))
      .map(([left, op, right, more]): ast.Expr => ({
        kind: "chain",
        items: more === null ? [left, right] : [left, right, more[1]],
        ops: more === null ? [op] : [op, more[0]],
        span,
      }));
  const casted = (to: ast.CastTarget): fc.Arbitrary<ast.Expr> =>
    field.map((name) => ({ kind: "cast", to, operand: path(name), span }));
  const texts = fc.array(fc.constantFrom(...TEXTS).map(text), { maxLength: 3 });
  /** Two of three arguments are of the type that the function takes, or missing. */
  const argument = ({ type }: HostParam): fc.Arbitrary<ast.Expr> => {
    switch (type.kind) {
      case "number":
        return fc.oneof(inner, fc.constantFrom(0, 1, 2, 0.5, 7).map(number), casted("number"));
      case "string":
        return fc.oneof(inner, fc.constantFrom(...TEXTS, UNFOLDABLE).map(text), casted("string"));
      case "list":
        return fc.oneof(
          inner,
          list,
          texts.map((given): ast.Expr => ({ kind: "list", items: given, span })),
        );
      default:
        return inner;
    }
  };
  const call: fc.Arbitrary<ast.Expr> = fc
    .tuple(fc.constantFrom(...FUNCTIONS.values()), fc.nat(2))
    .chain(([{ name, signature }, more]) =>
      fc
        .tuple(...argumentsOf(signature, more).map(argument))
        .map((args): ast.Expr => ({ kind: "call", name: ident(name), args, span })),
    );
  const trees: readonly fc.Arbitrary<ast.Expr>[] = [
    call,
    call,
    chain("+", "-"),
    chain("*", "/", "%"),
    inner.map((operand) => ({ kind: "negate", operand, span })),
    inner.map((operand) => ({ kind: "not", operand, span })),
    fc
      .tuple(fc.constantFrom<ast.Comparator[]>("==", "!=", "<", "<=", ">", ">="), pair)
      .map(([op, [left, right]]) => ({ kind: "compare", op, left, right, span })),
    fc
      .tuple(inner, fc.oneof(list, leaf), fc.boolean())
      .map(([left, right, negated]) => ({ kind: "in", left, right, negated, span })),
    pair.map(([left, right]) => ({ kind: "contains", left, right, any: false, span })),
    // Nobody looks into a list that stands there for one of several: what a missing item means in it is not settled.
    fc
      .tuple(
        inner.filter(({ kind }) => kind !== "list"),
        fc.oneof(list, leaf),
      )
      .map(([left, right]) => ({ kind: "contains", left, right, any: true, span })),
    fc
      .tuple(inner, fc.oneof(leaf, fc.constantFrom(...PATTERNS).map(text)))
      .map(([left, pattern]) => ({ kind: "like", left, pattern, span })),
    fc
      .tuple(inner, fc.constantFrom(...REGEXPS).map(text))
      .map(([left, pattern]) => ({ kind: "matches", left, pattern, span })),
    fc.tuple(inner, fc.boolean()).map(([operand, missing]) => ({ kind: "presence", operand, missing, span })),
    fc
      .tuple(fc.constantFrom<("and" | "or")[]>("and", "or"), fc.array(inner, { minLength: 2, maxLength: 3 }))
      .map(([op, parts]) => ({ kind: "logic", op, items: parts, listed: false, span })),
    fc
      .tuple(fc.constantFrom<ast.CastTarget[]>("number", "string", "bool"), inner)
      .map(([to, operand]) => ({ kind: "cast", to, operand, span })),
    list,
  ];
  return {
    expr: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      { weight: 12, arbitrary: leaf },
      ...trees.map((arbitrary) => ({ weight: 1, arbitrary })),
    ),
  };
});

/** A rule that hands the value on, one for the test being true and one for it being false. */
export function rulesFor(expr: ast.Expr): readonly ast.RuleDecl[] {
  const pattern = (tests: readonly ast.Expr[]): ast.Pattern => ({
    kind: "pattern",
    variable: ident("v"),
    type: ident("T"),
    tests,
    span,
  });
  return [
    rule("value", [
      { kind: "aggregate", name: ident("all_of"), fn: ident("collect"), value: expr, pattern: pattern([]), span },
    ]),
    rule("is_true", [pattern([expr])]),
    rule("is_false", [pattern([{ kind: "not", operand: expr, span }])]),
  ];
}

function rule(name: string, elements: readonly ast.Element[]): ast.RuleDecl {
  return {
    kind: "rule",
    name: { name, quoted: false, span },
    attributes: [],
    body: { kind: "block", elements, actions: [], span },
    span,
  };
}
