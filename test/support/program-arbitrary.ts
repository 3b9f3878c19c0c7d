/**
 * Programs at random: trees that the parser could have made.
 *
 * Every kind of statement, element, action and expression comes up, in every nesting that parentheses allow. Names are
 * taken from several scripts and, wherever the grammar has a plain name, from its own words.
 */
import * as fc from "fast-check";
import type * as ast from "../../src/language/ast.ts";
import { readTime } from "../../src/base/time.ts";
import { RESERVED, UNITS, VERBS } from "../../src/language/lexemes.ts";

/** Spans of trees that were never read. */
const span = { start: 0, end: 0 } as const;

// ---------------------------------------------------------------- words

const ORDINARY = ["p", "o", "x", "age", "total", "Person", "Order", "_id", "a1", "tests_ok"];
const UNICODE = ["âge", "l'âge", "date-limite", "Aujourd'hui", "会員", "名前", "Größe"];
/** Words of the grammar that are names elsewhere, in one case and another. */
const CONTEXTUAL = (
  "type rule count from by as do when unless then on is missing present gate guardian stage step of least at most " +
  "contains like matches logical cast number string bool boolean any all require logic trust field passes holds fails " +
  "pass hold fail unknown final goto otherwise always track retry check risk exit never using need forbid use pipeline " +
  "before after else audit to block answer error list query test given expect no effect fires import option remove " +
  "date instant now today days min h s month over within expires late wait until after before " +
  "fact reset duration salience no-loop group disabled every latest for condition flow action RULE Then Count From " +
  "if const let function template for record infer private as " +
  "insert update retract halt decide verify xuple assert true false not and or in exists forall where"
).split(" ");

const isPlain = (word: string): boolean => !RESERVED.has(word.toLowerCase()) && !VERBS.has(word.toLowerCase());

const plainWord = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ORDINARY) },
  { weight: 1, arbitrary: fc.constantFrom(...UNICODE) },
  { weight: 2, arbitrary: fc.constantFrom(...CONTEXTUAL.filter(isPlain)) },
);
const anyWord = fc.oneof({ weight: 3, arbitrary: plainWord }, { weight: 1, arbitrary: fc.constantFrom(...CONTEXTUAL) });

/** A variable, a type, a function: any word that is not reserved. */
const name: fc.Arbitrary<ast.Ident> = plainWord.map((word) => ({ name: word, span }));
/** A name behind the name of an imported file: `billing.Invoice`, `a.b.c`. */
const dotted: fc.Arbitrary<ast.Ident> = few(plainWord, 2, 3).map((parts) => ({
  name: parts.join("."),
  module: parts.slice(0, -1).join("."),
  span,
}));
/** A name of this file or of another one. */
const known: fc.Arbitrary<ast.Ident> = fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: dotted });
/** A field: any word at all. */
const anyName: fc.Arbitrary<ast.Ident> = anyWord.map((word) => ({ name: word, span }));

const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "VIP", "a b", "p1", "it's", 'say "hi"', "日本", "😀", "// no comment") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\\d+", "\\\\", "\\", "a\\", "\\n", "\\u{41}", "\\u", "\\'", '\\"', "100\\%"),
  },
  { weight: 1, arbitrary: fc.constantFrom("\n", "\r\n", "\t", "\0", "\u2028", "\u202e", "\u200f", "\ufeff", "\u0085") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom("\\", '"', "'", "n", "u", "{", "4", "}", "\n"), maxLength: 8 }),
  },
);

const label: fc.Arbitrary<ast.Label> = fc.oneof(
  anyWord.map((word) => ({ name: word, quoted: false, span })),
  words.map((word) => ({ name: word, quoted: true, span })),
);

const dottedLabel: fc.Arbitrary<ast.Label> = fc.oneof(
  dotted.map((ident) => ({ ...ident, quoted: false })),
  fc.tuple(known, words).map(([{ name: module }, word]) => ({ name: `${module}.${word}`, module, quoted: true, span })),
);
const labelOf: fc.Arbitrary<ast.Label> = fc.oneof(
  { weight: 4, arbitrary: label },
  { weight: 1, arbitrary: dottedLabel },
);

/** The same where a word that is reserved must be quoted. */
const plainLabel: fc.Arbitrary<ast.Label> = fc.oneof(
  plainWord.map((word) => ({ name: word, quoted: false, span })),
  words.map((word) => ({ name: word, quoted: true, span })),
);

// ---------------------------------------------------------------- values

/** Zero or more; zero has no sign. */
const amount: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(0.5, 1.25, 1e6, 1e21, 5e-7, 2 ** 53, 2 ** 67, 123456789012345680000, 1e300) },
  { weight: 1, arbitrary: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs) },
);
const signed: fc.Arbitrary<number> = fc
  .tuple(amount, fc.boolean())
  .map(([value, minus]) => (minus && value > 0 ? -value : value));

const numberOf = (values: fc.Arbitrary<number>): fc.Arbitrary<ast.NumberExpr> =>
  values.map((value) => ({ kind: "number", value, span }));
const text: fc.Arbitrary<ast.TextExpr> = words.map((value) => ({ kind: "text", value, span }));
/** A date, an instant, a duration or months; a minus belongs to an amount. */
const point: fc.Arbitrary<ast.TimeExpr> = fc
  .constantFrom("2026-11-16", "2026-11-16T09:30:00Z", "2026-11-16T09:30:00.5+01:00")
  .map((written) => {
    const of = written.includes("T") ? "instant" : "date";
    const read = readTime(of, written);
    return { kind: "time", of, written, value: "value" in read ? read.value : 0, span };
  });
const unitAmount = (numbers: readonly number[]): fc.Arbitrary<ast.AmountExpr> =>
  fc.tuple(fc.constantFrom(...numbers), fc.constantFrom(...UNITS.keys(), "Days", "MIN")).map(([amount, unit]) => {
    const { of, size } = UNITS.get(unit.toLowerCase()) ?? { of: "duration", size: 1 };
    return { kind: "amount", of, amount, unit, value: amount * size + 0, span };
  });
const time: fc.Arbitrary<ast.Expr> = fc.oneof(point, unitAmount([0, 1, 90, 0.5, -5]));
const clockTime = fc.oneof(point, unitAmount([0, 1, 90, 0.5]));
const path: fc.Arbitrary<ast.PathExpr> = fc
  .tuple(name, few(anyName, 0, 2))
  .map(([root, fields]) => ({ kind: "path", root, fields, span }));

function few<T>(items: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> {
  return fc.array(items, { minLength: min, maxLength: max, size: "max" });
}

/** A node of one kind with its parts. */
function node<Kind extends string, Parts extends object>(
  kind: Kind,
  parts: { [Key in keyof Parts]: fc.Arbitrary<Parts[Key]> },
): fc.Arbitrary<{ readonly kind: Kind; readonly span: typeof span } & Parts> {
  const filled = fc.record(parts) as fc.Arbitrary<Parts>;
  return filled.map((given) => ({ kind, ...given, span }));
}
/** The same with `...` after the fields. */
const withMore = <Decl extends object>(
  declaration: fc.Arbitrary<Decl>,
): fc.Arbitrary<Decl & { readonly more: { readonly span: typeof span } }> =>
  declaration.map((one) => ({ ...one, more: { span } }));
const maybe = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(item, { nil: null, freq: 2 });

// ---------------------------------------------------------------- expressions and elements

/** A minus before a number without one is part of the number, so it is never a node of its own. */
const isSigned = (operand: ast.Expr): boolean => {
  if (operand.kind === "amount") return operand.amount < 0;
  return operand.kind !== "number" || operand.value < 0;
};

const isNoEmptyText = (item: ast.Expr): boolean => item.kind !== "text" || item.value !== "";

/** A pattern or subquery with a window now and then. */
const withWindow = <T extends object>(of: fc.Arbitrary<T>, window: fc.Arbitrary<ast.Window>): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3, arbitrary: of },
    { weight: 1, arbitrary: fc.tuple(of, window).map(([one, over]) => ({ ...one, window: over })) },
  );

/** `value by key`, with a number before it or without. */
const keyedOf = (inner: fc.Arbitrary<ast.Expr>): fc.Arbitrary<ast.RankedExpr> =>
  node("ranked", { count: maybe(inner), value: inner, key: inner });

/** What an aggregate takes of each fact. */
const takenOf = (inner: fc.Arbitrary<ast.Expr>): fc.Arbitrary<ast.Expr> =>
  fc.oneof(
    { weight: 4, arbitrary: inner },
    { weight: 1, arbitrary: keyedOf(inner) },
    { weight: 1, arbitrary: node("ranked", { count: inner, value: inner, key: fc.constant(null) }) },
  );

interface Trees {
  readonly expr: ast.Expr;
  readonly object: ast.ObjectExpr;
  readonly plainPattern: ast.Pattern;
  readonly pattern: ast.Pattern;
  readonly element: ast.Element;
}

const source: fc.Arbitrary<ast.SourceVar> = node("source", { variable: name, type: known });

/** A window of which it is not known yet over which facts. */
function windowOf(inner: fc.Arbitrary<ast.Expr>): fc.Arbitrary<Omit<ast.WithinExpr, "variable" | "type">> {
  return node("within", {
    length: inner,
    side: fc.constantFrom<("after" | "before")[]>("after", "before"),
    anchor: inner,
    by: maybe(path),
  });
}

/** Returns a pattern with a window that begins or ends with a time, unless it has another one. */
function inTime(one: ast.Pattern, window: Omit<ast.WithinExpr, "variable" | "type">): ast.Pattern {
  if (one.window !== undefined) return one;
  return { ...one, tests: [...one.tests, { ...window, variable: one.variable, type: one.type }] };
}

const { expr, object, plainPattern, pattern, element } = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const inner = tie("expr");
  const pair = { left: inner, right: inner };
  const window = node("window", { last: inner, by: maybe(path) });
  const chain = (...ops: readonly (ast.SumOp | ast.ProductOp)[]): fc.Arbitrary<ast.ChainExpr> =>
    fc.tuple(inner, few(fc.tuple(fc.constantFrom(...ops), inner), 1, 3)).map(([first, rest]) => ({
      kind: "chain",
      items: [first, ...rest.map(([, item]) => item)],
      ops: rest.map(([op]) => op),
      span,
    }));
  const value: fc.Arbitrary<ast.Value> = fc.oneof({ weight: 5, arbitrary: inner }, tie("object"));

  const leaves: fc.Arbitrary<ast.Expr>[] = [
    path,
    text,
    numberOf(signed),
    node("bool", { value: fc.boolean() }),
    time,
    path,
  ];
  const trees: fc.Arbitrary<ast.Expr>[] = [
    node("list", { items: few(value, 0, 3) }),
    node("call", { name: known, args: few(value, 0, 3) }),
    node("negate", { operand: inner.filter(isSigned) }),
    node("not", { operand: inner }),
    chain("+", "-"),
    chain("*", "/", "%"),
    node("compare", { op: fc.constantFrom<ast.Comparator[]>("==", "!=", "<", "<=", ">", ">="), ...pair }),
    node("in", { ...pair, negated: fc.boolean() }),
    node("in", {
      left: inner,
      right: node("range", { from: inner, to: inner, open: fc.boolean() }),
      negated: fc.boolean(),
    }),
    fc.tuple(text, few(inner.filter(isNoEmptyText), 1, 3)).map(([first, rest]) => ({
      kind: "chain",
      items: [first, ...rest],
      ops: rest.map(() => "+" as const),
      template: true,
      span,
    })),
    node("contains", { ...pair, any: fc.boolean() }),
    node("contains", { ...pair, any: fc.constant(false), all: fc.constant(true) }),
    node("item-test", {
      quantifier: fc.constantFrom<("any" | "all")[]>("any", "all"),
      variable: name,
      list: fc.oneof(path, node("list", { items: few(value, 0, 2) }), node("item", { list: inner, at: inner })),
      test: inner,
    }),
    node("comprehension", { value, variable: name, list: inner, test: maybe(inner) }),
    node("item", { list: inner, at: inner }),
    node("property", { of: inner, field: anyName }),
    node("like", { left: inner, pattern: inner }),
    node("matches", { left: inner, pattern: text }),
    node("presence", { operand: inner, missing: fc.boolean() }),
    node("logic", { op: fc.constantFrom("and", "or"), items: few(inner, 2, 4), listed: fc.constant(false) }),
    node("logic", { op: fc.constantFrom("and", "or"), items: few(inner, 0, 3), listed: fc.constant(true) }),
    node("cast", { to: fc.constantFrom<ast.CastTarget[]>("number", "string", "bool"), operand: inner }),
    node("if", { test: inner, whenTrue: inner, whenFalse: inner }),
    node("quorum", { count: numberOf(signed), items: few(inner, 0, 3) }),
    node("fact-quorum", { count: numberOf(signed), closed: fc.boolean(), pattern: tie("pattern"), test: inner }),
    node("exists", { pattern: tie("pattern") }),
    withWindow(node("exists-in", { sources: few(source, 1, 2), test: maybe(inner) }), window),
    withWindow(
      node("aggregate-in", { name, sources: few(source, 1, 2), test: maybe(inner), value: maybe(takenOf(inner)) }),
      window,
    ),
    node("call", { name, args: fc.tuple(keyedOf(inner)) }),
    node("outcome", {
      of: fc.constantFrom("gate", "guardian"),
      name: fc.oneof({ weight: 4, arbitrary: plainLabel }, { weight: 1, arbitrary: dottedLabel }),
      args: few(inner, 0, 2),
      outcome: fc.constantFrom<ast.GateOutcome[]>("pass", "hold", "fail"),
    }),
    node("wait", { until: inner }),
    fc
      .tuple(source, maybe(inner), windowOf(inner), maybe(inner), name, fc.boolean())
      .map(([one, tested, window, counted, fn, isExists]): ast.Expr => {
        const within: ast.WithinExpr = { ...window, variable: one.variable, type: one.type };
        const test: ast.Expr =
          tested === null ? within : { kind: "logic", op: "and", items: [tested, within], listed: false, span };
        if (isExists) return { kind: "exists-in", sources: [one], test, span };
        return { kind: "aggregate-in", name: fn, sources: [one], test, value: counted, span };
      }),
  ];
  return {
    expr: fc.oneof({ maxDepth: 4, depthSize: "small", withCrossShrink: true }, ...leaves, ...trees),
    object: node("object", {
      entries: few(
        fc
          .tuple(
            fc.oneof(
              anyName,
              words.map((word) => ({ name: word, span })),
            ),
            value,
          )
          .map(([entryName, given]) => ({ name: entryName, value: given, span })),
        0,
        2,
      ),
    }),
    plainPattern: fc.oneof(
      node("pattern", { variable: name, type: known, tests: few(inner, 0, 2) }),
      node("pattern", { variable: fc.constant(null), type: known, tests: few(inner, 0, 2) }),
    ),
    pattern: fc
      .tuple(withWindow(tie("plainPattern"), window), fc.option(windowOf(inner), { nil: undefined, freq: 4 }))
      .map(([one, within]): ast.Pattern => (within === undefined ? one : inTime(one, within))),
    element: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      tie("pattern"),
      node("where", { test: inner }),
      node("let", { name, value: inner }),
      node("forall", { pattern: tie("pattern"), test: inner }),
      node("aggregate", { name, fn: name, value: maybe(takenOf(inner)), pattern: tie("pattern") }),
      node("absence", { quantifier: fc.constantFrom("not", "exists"), elements: few(tie("element"), 1, 3) }),
      node("row", { variable: name, query: known, args: few(inner, 0, 2) }),
      node("items", { variable: name, list: fc.oneof(path, path, inner) }),
      node("or", { alternatives: few(few(tie("element"), 1, 2), 2, 3) }),
    ),
  };
});

const value: fc.Arbitrary<ast.Value> = fc.oneof({ weight: 5, arbitrary: expr }, object);
const elements: fc.Arbitrary<ast.Element[]> = few(element, 0, 4);

const letNode: fc.Arbitrary<ast.LetElement> = node("let", { name, value: expr });

// ---------------------------------------------------------------- actions

const fact: fc.Arbitrary<ast.FactLiteral> = node("fact-literal", {
  type: known,
  args: few(
    fc.tuple(maybe(anyName), value).map(([argName, given]) => ({ name: argName, value: given, span })),
    0,
    3,
  ),
});

const call: fc.Arbitrary<ast.CallAction> = node("call", { name: known, args: few(value, 0, 3) });
const decide: fc.Arbitrary<ast.DecideAction> = node("decide", { gate: labelOf, args: few(expr, 0, 2) });

const action: fc.Arbitrary<ast.Action> = fc.oneof(
  call,
  call,
  node("insert", { logical: fc.boolean(), fact }),
  node("update", { target: path, changes: object }),
  node("assign", { target: path, value }),
  node("assign", { target: path, value }),
  node("retract", { target: path }),
  node("halt", {}),
  node("xuple", { space: text, fact: fc.oneof<fc.Arbitrary<ast.FactLiteral | ast.PathExpr>[]>(fact, path) }),
  decide,
  node("verify", { guardian: labelOf, args: few(expr, 0, 2) }),
  letNode,
);
const actions: fc.Arbitrary<ast.Action[]> = few(action, 1, 3);

// ---------------------------------------------------------------- declarations

const PRIMITIVE = /^(?:string|number|bool|boolean|any)$/i;
const namedType: fc.Arbitrary<ast.NamedTypeRef> = fc
  .oneof(
    fc.constantFrom("string", "number", "bool", "any"),
    plainWord.filter((word) => !PRIMITIVE.test(word)),
    dotted.map(({ name: both }) => both),
  )
  .map((word) => ({ kind: "named", name: word, span }));
const typeRef: fc.Arbitrary<ast.TypeRef> = fc.oneof(
  { weight: 3, arbitrary: namedType },
  { weight: 1, arbitrary: node("list-of", { item: namedType }) },
  { weight: 1, arbitrary: node("union", { options: few(fc.oneof(text, numberOf(signed)), 1, 3) }) },
);
const fieldWith = (mark: fc.Arbitrary<"#" | "@" | "">): fc.Arbitrary<ast.FieldDecl> =>
  fc
    .record({ name: anyName, mark, type: typeRef, optional: fc.boolean(), default: maybe(value) })
    .map(({ mark: written, ...given }) => ({
      ...given,
      key: written === "#",
      ...(written === "@" && { at: true as const }),
      span,
    }));
const params: fc.Arbitrary<ast.FieldDecl[]> = few(fieldWith(fc.constant("")), 0, 3);

const attribute: fc.Arbitrary<ast.Attribute> = fc.oneof(
  node("salience", { value: signed }),
  node("no-loop", {}),
  node("group", { name: words }),
  node("disabled", {}),
);
const aggregateSource: fc.Arbitrary<ast.AggregateSource> = node("aggregate-source", {
  variable: name,
  fn: name,
  value: takenOf(expr),
});
const slashBody: fc.Arbitrary<ast.SlashBody> = node("slash", {
  sources: few(few(fc.oneof({ weight: 3, arbitrary: source }, aggregateSource), 1, 2), 1, 2),
  test: maybe(expr),
  actions,
});
const blockBody: fc.Arbitrary<ast.BlockBody> = node("block", { elements, actions: few(action, 0, 4) });
const ruleWith = (body: fc.Arbitrary<ast.BlockBody | ast.SlashBody>): fc.Arbitrary<ast.RuleDecl> =>
  node("rule", { name: label, attributes: few(attribute, 0, 2), body });

const outcome = fc.constantFrom<ast.GateOutcome[]>("pass", "hold", "fail");
const gate: fc.Arbitrary<ast.GateDecl> = node("gate", {
  name: label,
  subject: maybe(pattern),
  settings: few(
    fc.oneof(
      node("require", { test: expr }),
      node("require", { test: maybe(expr) }),
      node("logic-of", { logic: fc.constantFrom("kleene", "bochvar") }),
      node("trust", { level: fc.constantFrom("asserted", "verified") }),
      node("trust-field", { field: anyName }),
      letNode,
    ),
    0,
    3,
  ),
  reactions: few(node("gate-reaction", { outcome, actions }), 0, 2),
});

/** A name that is quoted where it is no plain word. */
const stageName: fc.Arbitrary<ast.Ident> = fc.oneof(
  name,
  words.map((word) => ({ name: word, span })),
);
const stage: fc.Arbitrary<ast.StageDecl> = fc.oneof(
  node("stage", { name: stageName, final: fc.constant(true), decide: fc.constant(null), branches: fc.constant([]) }),
  node("stage", {
    name: stageName,
    final: fc.constant(false),
    decide: maybe(decide),
    branches: few(
      fc.oneof(
        node("branch", { on: fc.constantFrom("pass", "hold", "fail", "otherwise"), goto: stageName }),
        node("branch", { on: fc.constant("always"), goto: maybe(stageName) }),
      ),
      0,
      3,
    ),
  }),
);
const flow: fc.Arbitrary<ast.FlowDecl> = node("flow", {
  name: label,
  subject: maybe(pattern),
  stages: few(stage, 0, 3),
});

const onTrack: fc.Arbitrary<ast.OnTrack> = node("on-track", { track: name });
const limit: fc.Arbitrary<ast.WhenModifier | ast.UnlessModifier> = fc.oneof(
  node("when", { test: expr }),
  node("unless", { test: expr }),
);
const modifier: fc.Arbitrary<ast.CheckModifier> = fc.oneof(
  onTrack,
  node("risk", { level: fc.constantFrom("high", "med", "low") }),
  node("exit", { action: name }),
  node("never-retry", {}),
  node("using", { pattern }),
  limit,
);
const checkLine: fc.Arbitrary<ast.CheckLine> = fc.oneof(
  node("line", {
    track: maybe(onTrack),
    polarity: fc.constantFrom("need", "forbid"),
    test: expr,
    limits: few(limit, 0, 2),
    reason: text,
    sentence: maybe(text),
    actions: few(name, 1, 3),
  }),
  node("line", {
    track: maybe(onTrack),
    polarity: fc.constantFrom("warn", "flag"),
    test: expr,
    limits: few(limit, 0, 2),
    reason: text,
    sentence: maybe(text),
    actions: fc.constant([]),
  }),
);
const guardian: fc.Arbitrary<ast.GuardianDecl> = node("guardian", {
  name: label,
  subject: pattern,
  settings: few(
    fc.oneof(node("track", { value: expr }), node("retry", { most: amount }), node("report", {}), letNode),
    0,
    2,
  ),
  checks: few(
    node("check", { name, modifiers: few(modifier, 0, 3), lets: few(letNode, 0, 1), lines: few(checkLine, 0, 2) }),
    0,
    2,
  ),
  reactions: few(
    node("verdict-reaction", { verdict: fc.constantFrom<ast.VerdictName[]>("PASS", "RETRY", "FAIL"), actions }),
    0,
    2,
  ),
});

const STEP_ACTIONS: ast.StepAction[] = ["ALLOW", "NOTE", "BLOCK", "ANSWER", "FORWARD", "ERROR"];
const result = { action: fc.constantFrom(...STEP_ACTIONS), value: maybe(expr) };
const boundPattern: fc.Arbitrary<ast.Pattern> = withWindow(
  node("pattern", { variable: name, type: known, tests: few(expr, 0, 2) }),
  node("window", { last: expr, by: maybe(path) }),
);
const stepCondition: fc.Arbitrary<ast.StepCondition> = fc.oneof(
  node("test-condition", { test: expr }),
  node("pattern-condition", {
    elements: fc.tuple(boundPattern, few(element, 0, 2)).map(([first, rest]) => [first, ...rest]),
  }),
);
const pipeline: fc.Arbitrary<ast.PipelineDecl> = node("pipeline", {
  name: label,
  subject: pattern,
  items: few(
    fc.oneof(
      node("before", { test: expr, ...result }),
      node("after", { test: expr, ...result }),
      node("step", { name, ...result, when: maybe(stepCondition), unless: maybe(expr) }),
      node("step", { name, ...result, when: maybe(stepCondition), unless: maybe(expr) }),
      node("otherwise", result),
      node("audit", { to: words }),
      letNode,
    ) as fc.Arbitrary<ast.PipelineItem>,
    0,
    4,
  ),
});

const asked = { args: few(expr, 0, 2) };
const testItem: fc.Arbitrary<ast.TestItem> = fc.oneof(
  node("given", { name: maybe(name), fact }),
  node("given-call", { call, value }),
  node("clock", { at: clockTime }),
  node("advance", { by: clockTime }),
  node("expect-rule", { rule: labelOf, times: maybe(amount) }),
  node("expect-effect", { isAbsent: fc.boolean(), effect: call }),
  node("expect-gate", { gate: labelOf, ...asked, outcome }),
  node("expect-verdict", { guardian: labelOf, ...asked, verdict: fc.constantFrom("PASS", "RETRY", "FAIL") }),
  node("expect-decision", { pipeline: labelOf, ...asked, decision: fc.constantFrom(...STEP_ACTIONS) }),
  node("expect-facts", { count: maybe(amount), pattern }),
);

const setting: fc.Arbitrary<ast.XupleSetting> = node("xuple-setting", {
  name,
  value: fc.oneof(
    name,
    numberOf(amount),
    node("limited", { count: amount }),
    node("duration", { text: fc.constantFrom("10m", "1.5h", "20ms", "3s", "1d") }),
  ),
});

/** Returns evidence in which one "by" serves both a window and "latest". */
function oneBy(evidence: ast.Evidence): ast.Evidence {
  const { mode, by, pattern: one } = evidence;
  const window = one.tests.at(-1);
  if (window?.kind !== "within") return evidence;
  const isLatest = mode.endsWith("latest");
  const shared = { ...one, tests: [...one.tests.slice(0, -1), { ...window, by: isLatest ? by : window.by }] };
  return { ...evidence, pattern: shared, by: isLatest ? by : null };
}

const condition: fc.Arbitrary<ast.ConditionDecl> = node("condition", {
  name,
  params,
  lets: few(letNode, 0, 2),
  test: expr,
  evidence: maybe(
    node("evidence", {
      mode: fc.constantFrom<ast.Evidence["mode"][]>("agree", "any", "every", "latest", "any latest", "every latest"),
      pattern: fc
        .tuple(
          withWindow(plainPattern, node("window", { last: expr, by: fc.constant(null) })),
          fc.option(windowOf(expr), { nil: undefined, freq: 4 }),
        )
        .map(([one, within]): ast.Pattern => (within === undefined ? one : inTime(one, within))),
      by: maybe(path),
      per: maybe(path),
    }).map(oneBy),
  ),
});

const range: fc.Arbitrary<ast.RangeExpr> = node("range", { from: expr, to: expr, open: fc.boolean() });
const unary: fc.Arbitrary<ast.UnaryTest> = fc.oneof(
  node("unary", { op: fc.constantFrom<ast.UnaryTest["op"][]>("==", "in"), right: expr, negated: fc.boolean() }),
  node("unary", { op: fc.constantFrom<ast.UnaryTest["op"][]>("!=", "<", ">="), right: expr, negated: fc.boolean() }),
  node("unary", { op: fc.constant("in"), right: range, negated: fc.boolean() }),
);
const tablePolicy = fc.constantFrom<ast.TablePolicy[]>("first", "unique", "any", "sum", "min", "max", "list");
/** A table in a file; without parameters of its own they are in the file. */
const tableFrom: fc.Arbitrary<ast.TableDecl> = fc
  .record({
    name,
    params: maybe(params),
    policy: tablePolicy,
    path: node("text", { value: fc.constantFrom("a.csv", "b/c.csv") }),
  })
  .map(({ name, params, policy, path }) => ({
    kind: "table",
    name,
    params: params ?? [],
    policy,
    hit: { span },
    head: { span },
    inputs: [],
    outputs: [],
    rows: [],
    from: { path, hasParams: params !== null, file: undefined },
    span,
  }));
/** A type without bars: a union is in parentheses in any case. */
const tableHere: fc.Arbitrary<ast.TableDecl> = node("table", {
  name,
  params,
  policy: tablePolicy,
  from: fc.constant(null),
  hit: fc.constant({ span }),
  head: fc.constant({ span }),
  inputs: few(expr, 1, 3),
  outputs: few(fc.record({ name: maybe(anyName), type: typeRef, span: fc.constant(span) }), 1, 2),
  rows: few(
    fc.record({
      cells: few(fc.record({ tests: few(unary, 0, 2), span: fc.constant(span) }), 1, 3),
      outputs: few(expr, 1, 2),
      span: fc.constant(span),
    }),
    0,
    3,
  ),
});

const table: fc.Arbitrary<ast.TableDecl> = fc.oneof(
  { weight: 4, arbitrary: tableHere },
  { weight: 1, arbitrary: tableFrom },
);

const factDeclaration: fc.Arbitrary<ast.FactDecl> = node("fact", { name: maybe(name), fact });

const anyDeclaration: fc.Arbitrary<ast.Declaration> = fc.oneof(
  fc
    .tuple(
      node("type", {
        name,
        fields: few(fieldWith(fc.constantFrom<("#" | "@" | "")[]>("#", "@", "", "")), 0, 4),
        protected: fc.boolean(),
      }),
      maybe(unitAmount([0, 1, 90, 0.5])),
    )
    .map(([decl, expires]) => (expires === null ? decl : { ...decl, expires })),
  withMore(
    node("type", {
      name,
      fields: few(fieldWith(fc.constantFrom<("#" | "@" | "")[]>("#", "@", "", "")), 0, 2),
      protected: fc.boolean(),
    }),
  ),
  node("record", { name, fields: few(fieldWith(fc.constantFrom<("#" | "@" | "")[]>("#", "@", "", "")), 0, 4) }),
  withMore(
    node("record", { name, fields: few(fieldWith(fc.constantFrom<("#" | "@" | "")[]>("#", "@", "", "")), 0, 2) }),
  ),
  factDeclaration,
  factDeclaration,
  node("action", { name, params }),
  ruleWith(blockBody),
  ruleWith(blockBody),
  ruleWith(slashBody),
  ruleWith(slashBody),
  condition,
  condition,
  gate,
  flow,
  guardian,
  node("use", { name }),
  pipeline,
  node("const", { name, value: node("list", { items: few(value, 0, 4) }), spelling: fc.constant("list") }),
  node("const", { name, value, spelling: fc.constant("const") }),
  node("alias", { name, type: typeRef }),
  node("param", { name, type: typeRef, default: maybe(value) }),
  node("function", { name, params, result: typeRef, optional: fc.boolean(), body: maybe(expr) }),
  node("query", { name, params, elements }),
  table,
  node("test", { name: label, items: few(testItem, 0, 3) }),
  node("import", { path: text, alias: maybe(name) }),
  node("option", { name, value: fc.oneof<fc.Arbitrary<ast.OptionDecl["value"]>[]>(name, numberOf(signed), text) }),
  node("remove-rule", { rule: labelOf }),
  node("remove-fact", { type: known, keys: few(expr, 1, 2) }),
  node("reset", {}),
  node("xuple-space", { name, settings: few(setting, 0, 3) }),
);

/** What a private statement cannot be: it declares no name that another file could use. */
const SHOWN: ReadonlySet<string> = new Set(["use", "import", "option", "remove-rule", "remove-fact", "reset"]);
const canBePrivate = (one: ast.Declaration): boolean =>
  !SHOWN.has(one.kind) && (one.kind !== "fact" || one.name !== null);

const declaration: fc.Arbitrary<ast.Declaration> = fc.oneof(
  { weight: 5, arbitrary: anyDeclaration },
  { weight: 1, arbitrary: anyDeclaration.filter(canBePrivate).map((one) => ({ ...one, private: true as const })) },
);

/** A few statements after each other: where one ends and the next begins is part of what is tried. */
export const program: fc.Arbitrary<readonly ast.Declaration[]> = few(declaration, 1, 3);
