/** Expressions over the fields of one fact `v`, and facts with values of every kind. The program is open: fields are `any`. */
import * as fc from "fast-check";
import type { HostParam, HostSignature } from "../../src/base/host-types.ts";
import { must } from "../../src/base/invariant.ts";
import { readTime } from "../../src/base/time.ts";
import type { Value } from "../../src/base/value.ts";
import { FUNCTIONS } from "../../src/functions/functions.ts";
import type * as ast from "../../src/language/ast.ts";
import { UNITS } from "../../src/language/lexemes.ts";

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

const DATES = ["2026-01-31", "2028-02-29", "2026-11-16", "0001-01-01", "9999-12-31"];
const INSTANTS = ["2026-03-29T00:59:59.999Z", "2026-10-25T01:30:00Z", "2010-11-07T02:30:00Z", "0001-01-01T00:00:00Z"];
const ZONES = ["Europe/Paris", "America/St_Johns", "Asia/Kolkata", "UTC", "No/Where", ""];
const AMOUNTS: readonly (readonly [number, string])[] = [
  [1, "day"],
  [36, "hours"],
  [0.5, "ms"],
  [90, "min"],
  [4, "weeks"],
];

/** A written date or instant. */
const time = (of: "date" | "instant", written: string): ast.TimeExpr => {
  const read = readTime(of, written);
  return { kind: "time", of, written, value: "value" in read ? read.value : 0, span };
};
const amountOf = (amount: number, unit: string): ast.AmountExpr => {
  const { of, size } = must(UNITS.get(unit), unit);
  return { kind: "amount", of, amount, unit, value: amount * size, span };
};

const FORMATS = [
  "#,##0.00",
  "0",
  "000.0##",
  "0%",
  "0,000.#%",
  "#",
  "yyyy-MM-dd",
  "d.M.yy 'at' HH:mm:ss.SSS",
  "H''",
  "MMM",
];

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

const callOf = (name: string, ...args: readonly ast.Expr[]): ast.CallExpr => {
  return { kind: "call", name: ident(name), args, span };
};

/** Returns a call whose result is not a time: what stands around it takes any value. */
function asText({ result }: HostSignature, call: ast.CallExpr): ast.Expr {
  const isTime = result !== "argument" && ["date", "instant", "duration"].includes(result.kind);
  return isTime ? { kind: "cast", to: "string", operand: call, span } : call;
}

const joined = (...items: readonly ast.Expr[]): ast.Expr => {
  return { kind: "chain", items, ops: items.slice(1).map(() => "+" as const), span };
};

interface Trees {
  readonly expr: ast.Expr;
}

function isFormatted(called: string, { name }: HostParam): boolean {
  return called === "format" && name === "value";
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
  const argument = ({ name, type }: HostParam): fc.Arbitrary<ast.Expr> => {
    switch (type.kind) {
      case "number":
        return fc.oneof(inner, fc.constantFrom(0, 1, 2, 0.5, 7).map(number), casted("number"));
      case "string":
        if (name === "zone") return fc.constantFrom(...ZONES).map(text);
        // A pattern that is written out is checked with the program: this one is computed.
        if (name === "pattern") return fc.constantFrom(...FORMATS).map((given) => joined(text(""), text(given)));
        return fc.oneof(inner, fc.constantFrom(...TEXTS, UNFOLDABLE).map(text), casted("string"));
      case "date":
        return fc.oneof(
          fc.constantFrom(...DATES).map((written) => time("date", written)),
          fc.constantFrom(...TEXTS, ...DATES).map((given) => callOf("parse_date", text(given))),
        );
      case "instant":
        return fc.constantFrom(...INSTANTS).map((written) => time("instant", written));
      case "months":
        return fc.constantFrom(1, 11, 0).map((months) => amountOf(months, "months"));
      case "union":
        return fc.constantFrom(...type.options).map((option) => text(String(option)));
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
  /** What `format` takes. */
  const formatted: fc.Arbitrary<ast.Expr> = fc.oneof(
    inner,
    fc.constantFrom(0, 0.125, 0.995, 1234567.895).map(number),
    fc.constantFrom(...DATES).map((written) => time("date", written)),
    fc.constantFrom(...INSTANTS).map((written) => time("instant", written)),
  );
  const call: fc.Arbitrary<ast.Expr> = fc
    .tuple(fc.constantFrom(...FUNCTIONS.values()), fc.nat(2))
    .chain(([{ name, signature }, more]) =>
      fc
        .tuple(...argumentsOf(signature, more).map((param) => (isFormatted(name, param) ? formatted : argument(param))))
        .map((args): ast.Expr => asText(signature, callOf(name, ...args))),
    );
  /** What is said of an item: of itself, of its fields, of its own items, and of what is outside. */
  const loopOver = (variable: string, more: fc.Arbitrary<ast.Expr>): fc.Arbitrary<ast.Expr> => {
    const item = fc
      .constantFrom<readonly string[]>([], [], ["a"], ["b", "c"])
      .map((names): ast.Expr => ({ kind: "path", root: ident(variable), fields: names.map(ident), span }));
    const compared = fc
      .tuple(fc.constantFrom<ast.Comparator[]>("==", "!=", "<", ">="), item, fc.oneof(leaf, item))
      .map(([op, left, right]): ast.Expr => ({ kind: "compare", op, left, right, span }));
    const said: fc.Arbitrary<ast.Expr> = fc.oneof(
      { weight: 3, arbitrary: compared },
      { weight: 1, arbitrary: item },
      { weight: 1, arbitrary: more },
      item.map((operand): ast.Expr => ({ kind: "presence", operand, missing: true, span })),
      fc.tuple(inner, item).map(([left, right]): ast.Expr => ({ kind: "contains", left, right, any: false, span })),
      fc
        .tuple(item, inner)
        .map(([left, right]): ast.Expr => ({ kind: "chain", items: [left, right], ops: ["+"], span })),
      fc.tuple(item, leaf).map(([list, at]): ast.Expr => ({ kind: "item", list, at, span })),
      fc.tuple(compared, compared).map(([first, second]): ast.Expr => {
        return { kind: "logic", op: "or", items: [first, second], listed: false, span };
      }),
    );
    const over = fc.oneof(leaf, list, inner);
    return fc.oneof(
      fc.tuple(fc.constantFrom<("any" | "all")[]>("any", "all"), over, said).map(([quantifier, of, test]): ast.Expr => {
        return { kind: "item-test", quantifier, variable: ident(variable), list: of, test, span };
      }),
      fc.tuple(said, over, fc.option(said, { nil: null })).map(([given, of, test]): ast.Expr => {
        return { kind: "comprehension", value: given, variable: ident(variable), list: of, test, span };
      }),
    );
  };
  const loop = loopOver("i", loopOver("j", leaf));
  /** A list whose items are all there. */
  const whole: fc.Arbitrary<ast.Expr> = fc
    .array(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 3 })
    .map((values): ast.Expr => ({ kind: "list", items: values.map(number), span }));
  const indexed: fc.Arbitrary<ast.Expr> = fc
    .tuple(fc.oneof(leaf, list, loop, whole), fc.oneof(leaf, fc.constantFrom(0, 0, 1, -1, 0.5).map(number)))
    .map(([of, at]) => ({ kind: "item", list: of, at, span }));
  const amount = fc.constantFrom(...AMOUNTS).map(([size, unit]) => amountOf(size, unit));
  /** Sums, differences and comparisons of times: their values are text, numbers or truth. */
  const timed: fc.Arbitrary<ast.Expr> = fc
    .tuple(
      fc.constantFrom("date" as const, "instant" as const),
      fc.constantFrom<ast.Comparator[]>("==", "<", ">="),
      fc.constantFrom<ast.SumOp[]>("+", "-"),
      fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
      amount,
    )
    .map(([of, op, sum, [first = 0, second = 0, shape = 0], by]): ast.Expr => {
      const known = of === "date" ? DATES : INSTANTS;
      const a = time(of, known[first % known.length] ?? "");
      const b = time(of, known[second % known.length] ?? "");
      const moved: ast.Expr = { kind: "chain", items: [a, by], ops: [sum], span };
      const apart: ast.Expr = { kind: "chain", items: [a, b], ops: ["-"], span };
      if (shape === 0) return { kind: "compare", op, left: moved, right: b, span };
      if (shape === 1) return { kind: "compare", op, left: apart, right: by, span };
      if (shape === 2) return { kind: "cast", to: "string", operand: moved, span };
      if (shape === 3) return { kind: "chain", items: [apart, by], ops: ["/"], span };
      return { kind: "chain", items: [text("at "), moved], ops: ["+"], span };
    });
  const trees: readonly fc.Arbitrary<ast.Expr>[] = [
    call,
    call,
    timed,
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
      .tuple(
        inner.filter(({ kind }) => kind !== "list"),
        fc.oneof(list, leaf),
      )
      .map(([left, right]) => ({ kind: "contains", left, right, any: false, all: true, span })),
    loop,
    loop,
    indexed,
    indexed,
    fc.tuple(indexed, field).map(([of, name]) => ({ kind: "property", of, field: ident(name), span })),
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
    fc.tuple(inner, leaf, leaf, fc.boolean(), fc.boolean()).map(([left, from, to, open, negated]) => ({
      kind: "in",
      left,
      right: { kind: "range", from, to, open, span },
      negated,
      span,
    })),
    fc.tuple(fc.constantFrom(...TEXTS).map(text), inner, inner).map(([first, second, third]) => ({
      kind: "chain",
      items: [first, second, third],
      ops: ["+", "+"],
      template: true,
      span,
    })),
    fc
      .tuple(inner, inner, inner)
      .map(([test, whenTrue, whenFalse]) => ({ kind: "if", test, whenTrue, whenFalse, span })),
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
