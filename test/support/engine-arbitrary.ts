/**
 * Generates programs and histories of operations for comparing the engine with the naive matcher.
 *
 * Domains are tiny, so that facts meet. Near-copies (a rule copied with exactly one change) are what finds a wrong sharing
 * key: see `near` and near-copy.ts.
 */
import * as fc from "fast-check";
import type { Value } from "../../src/base/value.ts";
import type { Comparator } from "../../src/language/ast.ts";
import { withoutTies } from "./ties.ts";
import {
  aggregatesOver,
  capitals,
  NUMBER_AGGREGATES,
  NUMBER_FUNCTIONS,
  RANKED_AGGREGATES,
  RANKED_NUMBERS,
} from "./built-ins.ts";
import {
  type Alternative,
  COMPUTED,
  type Deed,
  type Element,
  type Operand,
  type Ranked,
  type Rule,
  type Test,
  type TypeName,
} from "./engine-program.ts";

// ---------------------------------------------------------------- what is generated

/** A rule of its own, or a near-copy of an earlier one. */
export type RuleGene =
  | { readonly is: "new"; readonly rule: Rule }
  | { readonly is: "near"; readonly of: number; readonly change: number; readonly rule: Rule };

export interface FactGene {
  readonly type: TypeName;
  /** Which of the keys, for `A`. */
  readonly key: number;
  readonly fields: Readonly<Record<string, Value>>;
  /** Which fact the field `r` points to: a number, or null for none. */
  readonly points: number | null;
}

/** Fields to change; null takes a value away. */
interface ChangeGene {
  readonly fields: Readonly<Record<string, Value | null>>;
  /** Undefined leaves `r` alone. */
  readonly points: number | null | undefined;
}

/** Facts and rules are chosen by number, modulo how many there are. */
export type Operation =
  | { readonly is: "assert"; readonly fact: FactGene }
  | { readonly is: "retract"; readonly which: number }
  | { readonly is: "update"; readonly which: number; readonly change: ChangeGene }
  /** An update that gives a field the value it has. */
  | { readonly is: "touch"; readonly which: number; readonly field: number }
  | { readonly is: "duplicate"; readonly which: number }
  | { readonly is: "add"; readonly gene: RuleGene }
  | { readonly is: "remove"; readonly which: number }
  | { readonly is: "run" };

export interface Case {
  readonly rules: readonly RuleGene[];
  readonly facts: readonly FactGene[];
  readonly operations: readonly Operation[];
}

/** What a generator draws from. */
export interface Domain {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
  /** Names for rules, used in turn. */
  readonly ruleNames?: readonly string[];
  /**
   * Keyless facts get new ids when asserted anew; where that is compared, no reference may depend on them. Nor may a value depend on
   * the order of facts with equal keys: the value is the key.
   */
  readonly stableReferences?: boolean;
  /** Rules that do more than `log`. */
  readonly deeds?: boolean;
}

export const SMALL: Domain = {
  texts: ["a", "a", "a", "b", "b", "", "__proto__", "1", "ab"],
  keys: ["a", "b", "__proto__", "", "a b", "c"],
};

// ---------------------------------------------------------------- values

/** Repetitions are weights: small numbers, few types and few texts make facts meet. */
const number = fc.constantFrom(1, 1, 1, 0, 0, 2, 3);
const typeName = fc.constantFrom<TypeName[]>("B", "B", "B", "B", "B", "A", "A", "A", "C");
const factType = fc.constantFrom<TypeName[]>("B", "B", "B", "B", "A", "A", "A", "C");
const equality = fc.constantFrom<("==" | "!=")[]>("==", "!=");
const comparator = fc.constantFrom<Comparator[]>("==", "==", "!=", "!=", "<", "<=", "<=", "<=", ">", ">=", ">=", ">=");
const few = <T>(item: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength: min, maxLength: max, size: "max" });
/** None or one, seldom two: every test makes a match less likely. */
const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  weighted<T[]>([6, few(item, 0, 0)], [5, few(item, 1, 1)], [1, few(item, 2, 2)]);
const weighted = <T>(...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Values that are equal only to those who compare them as texts. */
const MIXED: readonly Value[] = [1, "1", 1, "1", 1, "1", 0, "", true, "true", [1, "a"], "a"];

const constant = (values: fc.Arbitrary<Value>): fc.Arbitrary<Operand> =>
  values.map((value) => ({ is: "constant", value }));

const field = (...fields: readonly string[]): fc.Arbitrary<Operand> =>
  fc.record({
    is: fc.constant("field" as const),
    of: fc.constantFrom(0, 0, 0, 1, 1, 2),
    via: fc.constantFrom(...Array.from({ length: 16 }, () => 0), 1, 1, 2),
    field: fc.constantFrom(...fields),
    bare: fc.boolean(),
  });
/** What orders the facts of a group, by a field of theirs, and the number for `top` and `percentile`. */
const rankedBy = (count: fc.Arbitrary<Operand>, ...fields: readonly string[]): fc.Arbitrary<Ranked> =>
  fc.record({ key: field(...fields).map((operand) => ({ ...operand, of: 0 })), count });

const written: fc.Arbitrary<Operand> = fc.constantFrom(1, 2, 50, 75, 0, 100).map((value) => ({
  is: "constant" as const,
  value,
}));

/** A field of another fact than the own one; a constant where there is no other. */
const otherField = (...fields: readonly string[]): fc.Arbitrary<Operand> =>
  fc
    .record({
      of: fc.constantFrom(1, 1, 2),
      via: fc.constantFrom(0, 0, 0, 0, 0, 1),
      field: fc.constantFrom(...fields),
    })
    .map((given) => ({ is: "field", bare: false, other: true, ...given }));

/** A test on items cannot ask a decision table. */
const isAskedOfItems = (operand: Operand): boolean => operand.is !== "table";

interface Arbitraries {
  readonly rule: fc.Arbitrary<Rule>;
  readonly fact: fc.Arbitrary<FactGene>;
  readonly change: fc.Arbitrary<ChangeGene>;
}

interface Trees {
  readonly test: Test;
  readonly leaf: Test;
  readonly numeric: Operand;
  readonly element: Element;
}

function arbitrariesOf(domain: Domain): Arbitraries {
  const textValue = fc.constantFrom(...domain.texts);
  const mixedValue = fc.constantFrom<Value[]>(...MIXED, ...domain.texts.slice(0, 2));

  const { test, element } = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
    const inner = tie("test");
    const numberField = field(...Array<string>(14).fill("n"), "o", "o", "o", "o", "w.n", "w.v.n");
    const compare = (
      kind: "number" | "text" | "bool" | "any",
      op: fc.Arbitrary<Comparator>,
      left: fc.Arbitrary<Operand>,
      right: fc.Arbitrary<Operand>,
    ): fc.Arbitrary<Test> =>
      fc
        .record({ op, left, right, turned: fc.constantFrom(false, false, false, true) })
        .map(({ turned, ...given }) =>
          turned
            ? { is: "compare", kind, op: given.op, left: given.right, right: given.left }
            : { is: "compare", kind, ...given },
        );
    const numeric: fc.Arbitrary<Operand> = weighted<Operand>(
      [6, constant(number)],
      [6, otherField(...Array<string>(8).fill("n"), "o", "o", "o", "w.n")],
      [2, fc.nat(2).map((index) => ({ is: "value", index }))],
      [
        1,
        fc.record({
          is: fc.constant("table" as const),
          index: fc.nat(7),
          counted: field("n", "n", "o"),
          worded: field("s"),
          loose: field("x"),
        }),
      ],
      [
        1,
        fc.record({
          is: fc.constant("sum" as const),
          op: fc.constantFrom<("+" | "-" | "*" | "/" | "%")[]>("+", "-", "*", "/", "%"),
          left: numberField,
          right: weighted<Operand>([1, constant(number)], [1, numberField]),
        }),
      ],
      [
        1,
        fc
          .constantFrom("length", "coalesce", ...NUMBER_FUNCTIONS.keys(), ...COMPUTED.keys())
          .chain((name) =>
            (name === "length"
              ? fc.tuple(field("s", "k"))
              : fc.tuple(
                  field("o"),
                  ...Array.from(
                    { length: (NUMBER_FUNCTIONS.get(name) ?? COMPUTED.get(name) ?? 2) - 1 },
                    () => numberField,
                  ),
                )
            ).map((args): Operand => ({ is: "call", name, args })),
          ),
      ],
    );
    const listed = weighted<Operand>([3, constant(number)], [1, otherField("n", "o")]);
    const counted: fc.Arbitrary<Operand> = fc.record({
      is: fc.constant("aggregate" as const),
      fn: fc.constantFrom(
        ...["COUNT", "COUNT", "COUNT", "COUNT"],
        ...capitals([...NUMBER_AGGREGATES, ...RANKED_NUMBERS]),
      ),
      type: typeName,
      test: fc.option(inner, { nil: null }),
      value: field("n", "o"),
      ranked: rankedBy(written, "n", "o", "s"),
    });
    const text = weighted<Operand>([3, constant(textValue)], [2, otherField("s", "k")]);
    const item = weighted<Operand>([5, constant(mixedValue)], [1, otherField("x", "n", "s")]);
    const leaf = weighted<Test>(
      [14, compare("number", comparator, numberField, numeric)],
      [2, compare("number", comparator, counted, constant(number))],
      [3, compare("text", comparator, field("s", "s", "s", "s", "k", "k", "w.s"), text)],
      [2, compare("bool", equality, field("b"), weighted<Operand>([1, constant(fc.boolean())], [1, otherField("b")]))],
      [
        4,
        compare(
          "any",
          equality,
          field("x"),
          weighted<Operand>([1, constant(mixedValue.filter(isPlain))], [1, otherField("x", "x", "n", "s")]),
        ),
      ],
      [
        1,
        compare(
          "any",
          comparator,
          field("x"),
          weighted<Operand>([1, constant(number)], [1, otherField("x", "n", "s")]),
        ),
      ],
      [
        4,
        fc.record({
          is: fc.constant("same" as const),
          op: fc.constantFrom<("==" | "!=")[]>("==", "!=", "!="),
          of: fc.constantFrom(0, 0, 1),
          via: fc.constantFrom(1, 1, 0, 2),
          with: fc.nat(1),
        }),
      ],
      [1, fc.record({ is: fc.constant("holds" as const), operand: field("b", "b", "x") })],
      [
        1,
        fc.record({
          is: fc.constant("in" as const),
          negated: fc.boolean(),
          left: numberField,
          items: weighted([1, few(listed, 0, 0)], [9, few(listed, 1, 3)]),
        }),
      ],
      [
        1,
        fc.record({ is: fc.constant("in" as const), negated: fc.boolean(), left: field("x"), items: few(item, 0, 3) }),
      ],
      [
        1,
        weighted<Test>(
          [1, fc.record({ is: fc.constant("contains" as const), left: field("s"), right: text })],
          [1, fc.record({ is: fc.constant("contains" as const), left: field("x"), right: item.filter(isScalar) })],
          [1, fc.record({ is: fc.constant("contains-any" as const), left: field("x", "s"), items: few(text, 0, 2) })],
          [
            1,
            fc.record({
              is: fc.constant("items" as const),
              quantifier: fc.constantFrom<("any" | "all")[]>("any", "all"),
              over: weighted<Operand | Operand[]>([1, field("x")], [1, few(tie("numeric"), 0, 2)]),
              op: comparator,
              right: tie("numeric").filter(isAskedOfItems),
            }),
          ],
          [1, fc.record({ is: fc.constant("listed" as const), index: fc.nat(1), item: constant(number) })],
        ),
      ],
      [
        1,
        weighted<Test>(
          [
            1,
            fc.record({
              is: fc.constant("like" as const),
              left: field("s", "x"),
              pattern: fc.constantFrom("a%", "_", "%", "\\_%", "%b"),
            }),
          ],
          [
            1,
            fc.record({
              is: fc.constant("matches" as const),
              left: field("s", "x"),
              pattern: fc.constantFrom("^a", "b$", "", "_", "[ab]+"),
            }),
          ],
        ),
      ],
      [
        2,
        fc.record({
          is: fc.constant("presence" as const),
          missing: fc.boolean(),
          operand: field("o", "x", "r", "n", "o", "w", "w.s", "w.v.n"),
        }),
      ],
    );
    const deep = weighted<Test>(
      [
        1,
        fc.record({
          is: fc.constant("exists" as const),
          type: typeName,
          named: fc.boolean(),
          tests: few(inner, 0, 1),
        }),
      ],
      [
        1,
        fc.record({
          is: fc.constant("exists-in" as const),
          types: weighted([3, few(typeName, 1, 1)], [1, few(typeName, 2, 2)]),
          test: fc.option(inner, { nil: null, freq: 4 }),
        }),
      ],
    );
    const tree = weighted<Test>(
      [1, fc.record({ is: fc.constant("not" as const), test: inner })],
      [1, fc.record({ is: fc.constant("and" as const), tests: few(inner, 2, 3) })],
      [4, fc.record({ is: fc.constant("or" as const), tests: few(inner, 2, 3) })],
    );
    const factElement = fc.record({
      is: fc.constant("fact" as const),
      type: typeName,
      named: fc.constantFrom(true, true, true, false),
      tests: some(inner),
    });
    // What a `not` looks for must be rare, or it never holds.
    const rareFact = fc.record({
      is: fc.constant("fact" as const),
      type: typeName,
      named: fc.constantFrom(true, true, true, false),
      tests: weighted([1, few(inner, 1, 1)], [2, few(inner, 2, 2)]),
    });
    const nested = (fact: fc.Arbitrary<Element>): fc.Arbitrary<readonly Element[]> =>
      weighted<readonly Element[]>(
        [6, few(fact, 1, 1)],
        [2, fc.tuple(fact, tie("element"))],
        [1, fc.tuple(tie("element"))],
        [1, fc.tuple(fact, fact, tie("element"))],
      );
    const absence = (quantifier: "not" | "exists", fact: fc.Arbitrary<Element>): fc.Arbitrary<Element> =>
      fc.record({ is: fc.constant("absence" as const), quantifier: fc.constant(quantifier), elements: nested(fact) });
    const gathering = weighted<{ fn: string; value: Operand | null }>(
      [2, fc.record({ fn: fc.constant("count"), value: fc.option(field("o", "n"), { nil: null }) })],
      [
        3,
        fc.record({
          fn: fc.constantFrom(...NUMBER_AGGREGATES),
          value: field("n", "n", "n", "n", "o", "x").map((operand) => ({ ...operand, of: 0 })),
        }),
      ],
      [
        1,
        fc.record({
          fn: fc.constantFrom(...aggregatesOver("ordered")),
          value: field("s").map((operand) => ({ ...operand, of: 0 })),
        }),
      ],
      [
        3,
        fc.record({
          fn: fc.constantFrom(...RANKED_AGGREGATES),
          value: field("n", "n", "n", "o", "x").map((operand) => ({ ...operand, of: 0 })),
          ranked: rankedBy(weighted<Operand>([4, written], [1, otherField("n")]), "n", "n", "s", "o", "x"),
        }),
      ],
      [
        2,
        fc.record({
          fn: fc.constantFrom(...aggregatesOver("values")),
          value: field("n", "o", "s", "x").map((operand) => ({ ...operand, of: 0 })),
        }),
      ],
    );
    const alternative: fc.Arbitrary<Alternative> = fc.record({
      tests: few(inner, 0, 1),
      elements: weighted<readonly Element[]>([3, few(tie("element"), 0, 1)], [1, few(tie("element"), 2, 2)]),
    });
    return {
      leaf,
      numeric,
      test: fc.oneof(
        { maxDepth: 3, depthSize: "small", withCrossShrink: true, depthIdentifier: "test" },
        { weight: 12, arbitrary: leaf },
        { weight: 4, arbitrary: tree },
        { weight: 1, arbitrary: deep },
      ),
      element: fc.oneof(
        { maxDepth: 3, depthSize: "small", withCrossShrink: true, depthIdentifier: "element" },
        { weight: 8, arbitrary: factElement },
        { weight: 2, arbitrary: fc.record({ is: fc.constant("where" as const), test: inner }) },
        { weight: 3, arbitrary: fc.record({ is: fc.constant("let" as const), value: tie("numeric") }) },
        {
          weight: 4,
          arbitrary: fc.record({
            is: fc.constant("each" as const),
            over: weighted<Operand | readonly Operand[]>(
              [6, field("l").map((operand) => ({ ...operand, bare: false }))],
              [1, field("x").map((operand) => ({ ...operand, bare: false }))],
              [3, few(weighted<Operand>([2, constant(number)], [3, numberField]), 1, 3)],
            ),
          }),
        },
        {
          weight: 2,
          arbitrary: fc
            .record({ type: typeName, tests: some(inner), gathering })
            .map(({ gathering: { fn, value }, ...given }) => ({ is: "gather" as const, fn, value, ...given })),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            is: fc.constant("forall" as const),
            type: typeName,
            tests: few(inner, 1, 2),
            test: inner,
          }),
        },
        { weight: 6, arbitrary: absence("not", rareFact) },
        { weight: 4, arbitrary: absence("exists", factElement) },
        {
          weight: 3,
          arbitrary: fc.record({
            is: fc.constant("choice" as const),
            type: fc.option(typeName, { nil: null, freq: 2 }),
            alternatives: few(alternative, 2, 3),
          }),
        },
      ),
    };
  });

  const deed: fc.Arbitrary<Deed> =
    domain.deeds === true
      ? weighted<Deed>(
          [5, fc.constant({ is: "log" })],
          [1, fc.nat(2).map((of) => ({ is: "retract", of }))],
          [
            2,
            fc.record({
              is: fc.constant("update" as const),
              of: fc.nat(2),
              field: fc.constantFrom("n", "o", "u"),
              value: number,
            }),
          ],
          [
            1,
            fc.record({
              is: fc.constant("insert" as const),
              type: fc.constantFrom<("B" | "C")[]>("B", "C"),
              n: number,
              logical: fc.boolean(),
            }),
          ],
        )
      : fc.constant({ is: "log" });

  const firstFact: fc.Arbitrary<Element> = fc.record({
    is: fc.constant("fact" as const),
    type: typeName,
    named: fc.constantFrom(true, true, true, true, false),
    tests: some(test),
  });
  const rule = weighted<Rule>(
    [
      7,
      fc
        .record({
          first: weighted<Element>([5, firstFact], [1, element]),
          rest: weighted<readonly Element[]>([4, few(element, 0, 0)], [4, few(element, 1, 1)], [1, few(element, 2, 2)]),
          deed,
        })
        .map(({ first, rest, deed: does }) => ({ is: "block", elements: [first, ...rest], deed: does })),
    ],
    [
      3,
      fc.record({
        is: fc.constant("slash" as const),
        types: few(typeName, 1, 2),
        tests: weighted([6, some(test)], [1, few(test, 2, 3)]),
        deed,
      }),
    ],
    [
      1,
      fc
        .record({
          types: few(typeName, 1, 1),
          gathered: few(
            fc.record({
              fn: fc.constantFrom(
                ...["COUNT", "SUM", "COUNT", "COLLECT"],
                ...capitals([...NUMBER_AGGREGATES, ...RANKED_AGGREGATES]),
              ),
              value: field("n", "n", "n", "n", "o").map((operand) => ({ ...operand, of: 0 })),
              ranked: rankedBy(written, "n", "n", "s", "o"),
            }),
            1,
            2,
          ),
          over: few(typeName, 1, 2),
          tests: some(test),
          after: few(
            fc.record({ op: comparator, index: fc.nat(1), right: number }).map(({ op, index, right }): Test => ({
              is: "compare",
              kind: "number",
              op,
              left: { is: "value", index },
              right: { is: "constant", value: right },
            })),
            0,
            1,
          ),
          deed,
        })
        .map((given) => ({ is: "grouped", ...given })),
    ],
  );

  const points = fc.option(fc.constantFrom(0, 0, 0, 1, 1, 2, 3), { nil: null, freq: 4 });
  const required = { n: number, s: textValue, b: fc.boolean() };
  const optional = { u: number };
  const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(value, { nil: undefined, freq: 4 });
  const inner = fc.option(fc.record({ n: mostly(number) }).map(present), { nil: undefined, freq: 4 });
  const nested: fc.Arbitrary<Value> = fc
    .record({ n: number, s: mostly(textValue), v: inner })
    .map((given) => present(given as Readonly<Record<string, Value | undefined>>));
  /** Few values, so that items are equal, stay, and change places. */
  const itemsOfFact: fc.Arbitrary<Value> = few(
    fc.constantFrom<Value[]>({ n: 1 }, { n: 1 }, { n: 0 }, { n: 2 }, { n: 1, s: "a" }),
    0,
    3,
  );
  const fact: fc.Arbitrary<FactGene> = fc.record({
    type: factType,
    key: fc.nat(domain.keys.length - 1),
    fields: fc
      .record(
        {
          ...required,
          ...optional,
          o: mostly(number),
          x: mostly(mixedValue),
          w: fc.option(nested, { nil: undefined, freq: 9 }),
          l: fc.option(itemsOfFact, { nil: undefined, freq: 5 }),
        },
        { requiredKeys: ["n", "s", "b", "o", "x", "w", "l"] },
      )
      .map(present),
    points,
  });
  const change: fc.Arbitrary<ChangeGene> = fc.record({
    fields: fc.record(
      {
        ...required,
        o: fc.option(number, { nil: null, freq: 2 }),
        x: fc.option(mixedValue, { nil: null, freq: 2 }),
        u: fc.option(number, { nil: null }),
        w: fc.option(nested, { nil: null, freq: 2 }),
        l: fc.option(itemsOfFact, { nil: null, freq: 4 }),
      },
      { requiredKeys: [] },
    ),
    points: fc.option(points, { nil: undefined, freq: 1 }),
  });
  return { rule: rule.filter(isSmall), fact, change };
}

/** Every pattern that no test connects multiplies the partial matches: a few such rules would take all the time. */
function isSmall(rule: Rule): boolean {
  const types = JSON.stringify(rule).match(/"[ABC]"/gu)?.length ?? 0;
  return types <= 5 || (types === 6 && multiplied(rule) <= 5);
}

/** How many patterns multiply: all of them, but of alternatives only the largest. */
function multiplied(tree: unknown): number {
  if (tree === "A" || tree === "B" || tree === "C") return 1;
  if (typeof tree !== "object" || tree === null) return 0;
  if ("alternatives" in tree) {
    const { alternatives, ...rest } = tree;
    return multiplied(rest) + Math.max(0, ...(alternatives as readonly unknown[]).map(multiplied));
  }
  return Object.values(tree).reduce((sum: number, part) => sum + multiplied(part), 0);
}

/** Without the fields that are missing. */
function present(fields: Readonly<Record<string, Value | undefined>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, Value>;
}

function isPlain(value: Value): boolean {
  return typeof value !== "object";
}

/** Lists can be searched, not compared. */
function isScalar(operand: Operand): boolean {
  return operand.is !== "constant" || isPlain(operand.value);
}

// ---------------------------------------------------------------- cases

export function caseOf(domain: Domain = SMALL): fc.Arbitrary<Case> {
  const { rule, fact, change } = arbitrariesOf(domain);
  const gene = geneOf(rule);
  const which = fc.nat(7);
  const operation = weighted<Operation>(
    [6, fact.map((given) => ({ is: "assert", fact: given }))],
    [6, which.map((index) => ({ is: "retract", which: index }))],
    [6, fc.record({ is: fc.constant("update" as const), which, change })],
    [1, fc.record({ is: fc.constant("touch" as const), which, field: fc.nat(4) })],
    [1, which.map((index) => ({ is: "duplicate", which: index }))],
    [1, gene.map((given) => ({ is: "add", gene: given }))],
    [1, which.map((index) => ({ is: "remove", which: index }))],
    [1, fc.constant({ is: "run" })],
  );
  const whole: fc.Arbitrary<Case> = fc.record({
    rules: fc.tuple(rule, few(gene, 0, 3)).map(([first, rest]) => [{ is: "new" as const, rule: first }, ...rest]),
    facts: few(fact, 6, 11),
    operations: few(operation, 4, 12),
  });
  return domain.stableReferences === true ? whole.map((one) => withoutTies(one) as Case) : whole;
}

function geneOf(rule: fc.Arbitrary<Rule>): fc.Arbitrary<RuleGene> {
  return weighted<RuleGene>(
    [2, rule.map((given) => ({ is: "new", rule: given }))],
    [
      3,
      fc.record({
        is: fc.constant("near" as const),
        of: fc.nat(3),
        change: fc.nat(1_000),
        // Takes the place of the copy when there is no rule to copy.
        rule: rule,
      }),
    ],
  );
}
