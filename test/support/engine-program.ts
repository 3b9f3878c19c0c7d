/**
 * Small programs as data, for generating, copying and changing them, and their translation to declarations.
 *
 * A program in this form has no names: a field is "of the n-th fact that can be seen from here", counted from the
 * innermost and taken modulo their number. So every part can be changed, moved or left out, and it stays a program.
 * All three types have the same fields; `A` also has a key.
 */
import { Report } from "../../src/base/diagnostic.ts";
import { Source } from "../../src/base/source.ts";
import type { Value } from "../../src/base/value.ts";
import { aggregateNamed } from "../../src/functions/aggregates.ts";
import type * as ast from "../../src/language/ast.ts";
import { type CheckedProgram, checkProgram } from "../../src/language/check/program.ts";
import { parseSource } from "../../src/language/parse.ts";
import { printFile } from "../../src/language/print.ts";

export type TypeName = "A" | "B" | "C";

export const TYPES = `record W(n: number, s: string?, v: V?)
record V(n: number?)
type A(#k: string, n: number, s: string, o: number?, b: bool, x: any?, r: B?, u: number?, w: W?, l: W[]?)
type B(n: number, s: string, o: number?, b: bool, x: any?, r: C?, u: number?, w: W?, l: W[]?)
type C(n: number, s: string, o: number?, b: bool, x: any?, r: A?, u: number?, w: W?, l: W[]?)
function twice(x: number): number = x + x
function or_else(x: number, y: number): number = coalesce(x, y)
function larger(x: number, y: number): number = if x > y then x else twice(y)
table pick(n: number, s: string, x: any) first {
    | n           | s        | x      || rate: number | size: number |
    | 1           | "a"      | -      || 1            | 1            |
    | >= 2        | -        | not 1  || 2            | 1            |
    | not [0..1]  | "b", ""  | -      || 1            | n            |
    | 0..1        | in ["b"] | 1, "1" || n + 1        | 2            |
    | -           | > "a"    | -      || 3            | 1            |
}
table only(n: number, s: string, x: any) unique {
    | n    | s     | x    || number |
    | 0, 1 | "a"   | -    || 1      |
    | < 1  | -     | 1    || 0      |
    | > 1  | != "" | -    || n      |
    | -    | "b"   | "1"  || 2      |
}
table agree(n: number, s: string, x: any) any {
    | n    | s   || size: number | rate: number |
    | <= 1 | -   || 1            | 0            |
    | -    | "a" || 1            | 1            |
    | 2..3 | -   || 2            | n            |
}
table total(n: number, s: string, x: any) collect sum {
    | n    | s   | x    || rate: number | size: number |
    | >= 1 | -   | -    || 1            | 0            |
    | -    | "a" | -    || 0.1          | 1            |
    | -    | -   | 1    || 0            | 0.2          |
}
table most(n: number, s: string, x: any) collect max {
    | n    | s           || number |
    | >= 1 | -           || 1      |
    | 2    | -           || 3      |
    | -    | "a", "ab"   || n      |
}
`;

/** The functions of every program, and how many numbers each takes. */
export const COMPUTED: ReadonlyMap<string, number> = new Map([
  ["twice", 1],
  ["or_else", 2],
  ["larger", 2],
]);

/** The tables of the types, with the output that is a number of its own; undefined where the table is one. */
const TABLES: readonly (readonly [table: string, output: string | undefined])[] = [
  ["pick", "rate"],
  ["pick", "size"],
  ["only", undefined],
  ["agree", "size"],
  ["agree", "rate"],
  ["total", "rate"],
  ["total", "size"],
  ["most", undefined],
];

/** What the field `r` of each type points to. */
export const POINTS_TO: Readonly<Record<TypeName, TypeName>> = { A: "B", B: "C", C: "A" };

// ---------------------------------------------------------------- programs as data

/** The kinds of value that can be compared with each other. */
type Kind = "number" | "text" | "bool" | "any";

export type Operand =
  | {
      readonly is: "field";
      readonly of: number;
      readonly via: number;
      readonly field: string;
      readonly bare: boolean;
      /** Only of another fact than the innermost; where there is none, a constant stands instead. */
      readonly other?: boolean;
    }
  | { readonly is: "constant"; readonly value: Value }
  /** The value of an aggregate that can be seen from here. */
  | { readonly is: "value"; readonly index: number }
  | { readonly is: "sum"; readonly op: "+" | "-" | "*" | "/" | "%"; readonly left: Operand; readonly right: Operand }
  | { readonly is: "call"; readonly name: string; readonly args: readonly Operand[] }
  /** An output of one of TABLES, for a number, a string and any value: not a list, whose items could change places. */
  | {
      readonly is: "table";
      readonly index: number;
      readonly counted: Operand;
      readonly worded: Operand;
      readonly loose: Operand;
    }
  | {
      readonly is: "aggregate";
      readonly fn: string;
      readonly type: TypeName;
      readonly test: Test | null;
      readonly value: Operand;
      readonly ranked?: Ranked;
    };

/** Besides the value: its key, for aggregates that take one, and the number of others. */
export interface Ranked {
  readonly key: Operand;
  readonly count: Operand;
}

export type Test =
  | {
      readonly is: "compare";
      readonly kind: Kind;
      readonly op: ast.Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  /** `v.r == w`, `v.r == w.r` or `v == w`, where types allow. */
  | { readonly is: "same"; readonly op: "==" | "!="; readonly of: number; readonly via: number; readonly with: number }
  | { readonly is: "holds"; readonly operand: Operand }
  | { readonly is: "in"; readonly negated: boolean; readonly left: Operand; readonly items: readonly Operand[] }
  | { readonly is: "contains"; readonly left: Operand; readonly right: Operand }
  | { readonly is: "contains-any"; readonly left: Operand; readonly items: readonly Operand[] }
  /** `any(item in [..] : item < right)`, over a written list, or over a field that may be one. */
  | {
      readonly is: "items";
      readonly quantifier: "any" | "all";
      readonly over: Operand | readonly Operand[];
      readonly op: ast.Comparator;
      readonly right: Operand;
    }
  | { readonly is: "like"; readonly left: Operand; readonly pattern: string }
  | { readonly is: "matches"; readonly left: Operand; readonly pattern: string }
  | { readonly is: "presence"; readonly missing: boolean; readonly operand: Operand }
  | { readonly is: "exists"; readonly type: TypeName; readonly named: boolean; readonly tests: readonly Test[] }
  | { readonly is: "exists-in"; readonly types: readonly TypeName[]; readonly test: Test | null }
  /** A test on a collected list that can be seen from here. */
  | { readonly is: "listed"; readonly index: number; readonly item: Operand }
  | { readonly is: "not"; readonly test: Test }
  | { readonly is: "and" | "or"; readonly tests: readonly Test[] };

export type Element =
  | { readonly is: "fact"; readonly type: TypeName; readonly named: boolean; readonly tests: readonly Test[] }
  | { readonly is: "absence"; readonly quantifier: "not" | "exists"; readonly elements: readonly Element[] }
  | { readonly is: "forall"; readonly type: TypeName; readonly tests: readonly Test[]; readonly test: Test }
  | {
      readonly is: "gather";
      readonly fn: string;
      readonly type: TypeName;
      readonly tests: readonly Test[];
      readonly value: Operand | null;
      readonly ranked?: Ranked;
    }
  | { readonly is: "where"; readonly test: Test }
  /** A number with a name. */
  | { readonly is: "let"; readonly value: Operand }
  /** One match for each item: of the field `l`, whose items have numbers, of a field that may be a list, or of a written list of numbers. */
  | { readonly is: "each"; readonly over: Operand | readonly Operand[] }
  | { readonly is: "choice"; readonly type: TypeName | null; readonly alternatives: readonly Alternative[] };

/** When the choice has a type, every alternative begins with a fact of it, bound to one name. */
export interface Alternative {
  readonly tests: readonly Test[];
  readonly elements: readonly Element[];
}

export type Deed =
  | { readonly is: "log" }
  | { readonly is: "retract"; readonly of: number }
  | { readonly is: "update"; readonly of: number; readonly field: string; readonly value: Value }
  | { readonly is: "insert"; readonly type: "B" | "C"; readonly n: number; readonly logical: boolean };

export type Rule =
  | { readonly is: "block"; readonly elements: readonly Element[]; readonly deed: Deed }
  | { readonly is: "slash"; readonly types: readonly TypeName[]; readonly tests: readonly Test[]; readonly deed: Deed }
  /** `{d: A, m: AVG(e.n)} / {e: B} / …`. */
  | {
      readonly is: "grouped";
      readonly types: readonly TypeName[];
      readonly gathered: readonly { readonly fn: string; readonly value: Operand; readonly ranked?: Ranked }[];
      readonly over: readonly TypeName[];
      readonly tests: readonly Test[];
      readonly after: readonly Test[];
      readonly deed: Deed;
    };

// ---------------------------------------------------------------- declarations

const span = { start: 0, end: 0 };
const ident = (name: string): ast.Ident => ({ name, span });

const typeDeclarations: readonly ast.Declaration[] = parseSource(
  new Report(new Source("types.tsd", TYPES)),
).declarations;

/** A rule with its name, as a declaration. Built anew each time: what names mean is kept by node. */
function declare(name: string, rule: Rule): ast.RuleDecl {
  return new RuleBuilder(name).declare(rule);
}

/** The generator, or what makes its cases smaller, went wrong. */
export class InvalidProgram extends Error {}

export function checkRules(rules: ReadonlyMap<string, Rule>): CheckedProgram {
  const source = new Source("rules.tsd", "");
  const declarations = [...typeDeclarations, ...[...rules].map(([name, rule]) => declare(name, rule))];
  const program = checkProgram([{ file: { source, declarations, comments: [] }, report: new Report(source) }]);
  const wrong = program.diagnostics.find(({ severity }) => severity === "error");
  if (wrong !== undefined) throw new InvalidProgram(`${wrong.code} ${wrong.message}\n${sourceOf(rules)}`);
  return program;
}

export function sourceOf(rules: ReadonlyMap<string, Rule>): string {
  return TYPES + rulesSource(rules);
}

/** The rules without the types, as `program.extend` takes them. */
export function rulesSource(rules: ReadonlyMap<string, Rule>): string {
  return printFile({ declarations: [...rules].map(([name, rule]) => declare(name, rule)), comments: [] });
}

interface SeenFact {
  /** Null: the pattern has no variable, so only bare names reach it. */
  readonly name: string | null;
  readonly type: TypeName;
}

interface SeenValue {
  readonly name: string;
  readonly kind: Kind | "list";
  /** The field of the value that is of this kind. */
  readonly field?: string;
}

/** What can be named at a place, innermost first. */
interface Sight {
  readonly facts: readonly SeenFact[];
  readonly values: readonly SeenValue[];
  /** The first of the facts is the pattern's own: its fields may be written bare. */
  readonly own: boolean;
}

const NOWHERE: Sight = { facts: [], values: [], own: false };

const seeing = (sight: Sight, name: string | null, type: TypeName): Sight => ({
  facts: name === null ? sight.facts : [{ name, type }, ...sight.facts],
  values: sight.values,
  own: false,
});
const inside = (sight: Sight, name: string | null, type: TypeName): Sight => ({
  facts: [{ name, type }, ...sight.facts],
  values: sight.values,
  own: true,
});
/** Outside its pattern a fact without a variable cannot be named. */
const outside = (sight: Sight): Sight => ({
  facts: sight.facts.filter(({ name }) => name !== null),
  values: sight.values,
  own: false,
});

class RuleBuilder {
  readonly #rule: string;
  #names = 0;

  constructor(rule: string) {
    this.#rule = rule;
  }

  /** Rules use different names for their variables, so that sharing has to see through them. */
  #name(): string {
    this.#names += 1;
    return `${/^[a-z]/u.test(this.#rule) ? this.#rule : "v"}_${this.#names}`;
  }

  declare(rule: Rule): ast.RuleDecl {
    const name = { name: this.#rule, quoted: !/^[a-z]\w*$/u.test(this.#rule), span };
    return { kind: "rule", name, attributes: [], body: this.#body(rule), span };
  }

  #body(rule: Rule): ast.BlockBody | ast.SlashBody {
    switch (rule.is) {
      case "block": {
        const { elements, sight } = this.#elements(rule.elements, NOWHERE);
        return { kind: "block", elements, actions: this.#actions(rule.deed, sight), span };
      }
      case "slash": {
        const { sources, sight } = this.#sources(rule.types, NOWHERE);
        const test = conjunction(rule.tests.map((one) => this.#test(one, sight)));
        return { kind: "slash", sources: [sources], test, actions: this.#actions(rule.deed, sight), span };
      }
      case "grouped":
        return this.#grouped(rule);
    }
  }

  #grouped(rule: Extract<Rule, { is: "grouped" }>): ast.SlashBody {
    const { sources, sight } = this.#sources(rule.types, NOWHERE);
    const over = this.#sources(rule.over, sight);
    const gathered = rule.gathered.map(({ fn, value, ranked }) => ({
      kind: "aggregate-source" as const,
      variable: ident(this.#name()),
      fn: ident(fn),
      value: this.#taken(fn, value, ranked, over.sight),
      span,
    }));
    const values = rule.gathered.map(({ fn, value }, index) => {
      return { name: gathered[index]?.variable.name ?? "", kind: kindGathered(fn, value) };
    });
    const after = rule.after.map((one) => this.#test(one, { ...sight, values }));
    const test = conjunction([...rule.tests.map((one) => this.#test(one, over.sight)), ...after]);
    const actions = this.#actions(rule.deed, { ...sight, values });
    return {
      kind: "slash",
      sources: [[...sources, ...gathered], over.sources],
      test,
      actions,
      span,
    };
  }

  #sources(types: readonly TypeName[], from: Sight): { readonly sources: ast.SourceVar[]; readonly sight: Sight } {
    let sight = from;
    const sources = types.map((type) => {
      const name = this.#name();
      sight = seeing(sight, name, type);
      return { kind: "source" as const, variable: ident(name), type: ident(type), span };
    });
    return { sources, sight };
  }

  // ------------------------------------------------------------ elements

  #elements(elements: readonly Element[], from: Sight): { readonly elements: ast.Element[]; readonly sight: Sight } {
    let sight = from;
    const built = elements.map((element) => {
      const next = this.#element(element, sight);
      sight = next.sight;
      return next.element;
    });
    return { elements: built, sight };
  }

  #element(element: Element, sight: Sight): { readonly element: ast.Element; readonly sight: Sight } {
    switch (element.is) {
      case "fact": {
        const name = element.named ? this.#name() : null;
        return {
          element: this.#pattern(element.type, name, element.tests, sight),
          sight: seeing(sight, name, element.type),
        };
      }
      case "absence": {
        const { elements } = this.#elements(element.elements, sight);
        return { element: { kind: "absence", quantifier: element.quantifier, elements, span }, sight };
      }
      case "forall": {
        const name = this.#name();
        const pattern = this.#pattern(element.type, name, element.tests, sight);
        const test = this.#test(element.test, seeing(sight, name, element.type));
        return { element: { kind: "forall", pattern, test, span }, sight };
      }
      case "gather":
        return this.#gather(element, sight);
      case "where":
        return { element: { kind: "where", test: this.#test(element.test, sight), span }, sight };
      case "let":
        return this.#let(element, sight);
      case "each":
        return this.#each(element, sight);
      case "choice":
        return this.#choice(element, sight);
    }
  }

  #let(
    element: Extract<Element, { is: "let" }>,
    sight: Sight,
  ): { readonly element: ast.Element; readonly sight: Sight } {
    const one: ast.Expr = { kind: "number", value: 1, span };
    const value = sight.facts.length === 0 ? one : this.#operand(element.value, sight);
    const name = this.#name();
    const made: ast.Element = { kind: "let", name: ident(name), value, span };
    return { element: made, sight: { ...sight, values: [{ name, kind: "number" }, ...sight.values] } };
  }

  #each(
    element: Extract<Element, { is: "each" }>,
    sight: Sight,
  ): { readonly element: ast.Element; readonly sight: Sight } {
    const { over } = element;
    const isWritten = !("is" in over);
    const list =
      sight.facts.length === 0 ? constant([1, 1]) : isWritten ? this.#list(over, sight) : this.#operand(over, sight);
    const name = this.#name();
    const made: ast.Element = { kind: "items", variable: ident(name), list, span };
    const seen: SeenValue =
      isWritten || sight.facts.length === 0
        ? { name, kind: "number" }
        : over.is === "field" && over.field === "l"
          ? { name, kind: "number", field: "n" }
          : { name, kind: "any" };
    return { element: made, sight: { ...sight, values: [seen, ...sight.values] } };
  }

  #pattern(type: TypeName, name: string | null, tests: readonly Test[], sight: Sight): ast.Pattern {
    const inner = inside(sight, name, type);
    return {
      kind: "pattern",
      variable: name === null ? null : ident(name),
      type: ident(type),
      tests: tests.map((test) => this.#test(test, inner)),
      span,
    };
  }

  #gather(
    element: Extract<Element, { is: "gather" }>,
    sight: Sight,
  ): { readonly element: ast.Element; readonly sight: Sight } {
    const name = this.#name();
    const pattern = this.#pattern(element.type, name, element.tests, sight);
    const value =
      element.value === null
        ? null
        : this.#taken(element.fn, element.value, element.ranked, seeing(sight, name, element.type));
    const result = this.#name();
    const built = { kind: "aggregate" as const, name: ident(result), fn: ident(element.fn), value, pattern, span };
    const kind = element.value === null ? "number" : kindGathered(element.fn, element.value);
    return { element: built, sight: { ...sight, values: [{ name: result, kind }, ...sight.values] } };
  }

  #choice(
    element: Extract<Element, { is: "choice" }>,
    sight: Sight,
  ): { readonly element: ast.Element; readonly sight: Sight } {
    const { type } = element;
    if (element.alternatives.length < 2) throw new InvalidProgram("an or needs two alternatives");
    const name = type === null ? null : this.#name();
    const alternatives = element.alternatives.map((alternative) => {
      if (type === null) return this.#elements(alternative.elements, sight).elements;
      const pattern = this.#pattern(type, name, alternative.tests, sight);
      return [pattern, ...this.#elements(alternative.elements, seeing(sight, name, type)).elements];
    });
    const filled = alternatives.map((one) => (one.length === 0 ? [this.#pattern("B", null, [], sight)] : one));
    return {
      element: { kind: "or", alternatives: filled, span },
      sight: type === null ? sight : seeing(sight, name, type),
    };
  }

  // ------------------------------------------------------------ tests

  #test(test: Test, sight: Sight): ast.Expr {
    const operand = (one: Operand): ast.Expr => this.#operand(one, sight);
    if (sight.facts.length === 0 && namesFields(test)) return ALWAYS;
    switch (test.is) {
      case "compare":
        return { kind: "compare", op: test.op, left: operand(test.left), right: operand(test.right), span };
      case "same":
        return this.#same(test, sight);
      case "holds":
        return operand(test.operand);
      case "in":
        return {
          kind: "in",
          negated: test.negated,
          left: operand(test.left),
          right: this.#list(test.items, sight),
          span,
        };
      case "contains":
        return { kind: "contains", any: false, left: operand(test.left), right: operand(test.right), span };
      case "contains-any":
        return { kind: "contains", any: true, left: operand(test.left), right: this.#list(test.items, sight), span };
      case "items": {
        const list = "is" in test.over ? operand(test.over) : this.#list(test.over, sight);
        const item: ast.PathExpr = { kind: "path", root: ident("item_of_list"), fields: [], span };
        const said: ast.Expr = { kind: "compare", op: test.op, left: item, right: operand(test.right), span };
        return {
          kind: "item-test",
          quantifier: test.quantifier,
          variable: ident("item_of_list"),
          list,
          test: said,
          span,
        };
      }
      case "like":
        return { kind: "like", left: operand(test.left), pattern: text(test.pattern), span };
      case "matches":
        return { kind: "matches", left: operand(test.left), pattern: text(test.pattern), span };
      case "presence":
        return { kind: "presence", missing: test.missing, operand: operand(test.operand), span };
      case "exists":
        return {
          kind: "exists",
          pattern: this.#pattern(test.type, test.named ? this.#name() : null, test.tests, outside(sight)),
          span,
        };
      case "exists-in": {
        const { sources, sight: inner } = this.#sources(test.types, outside(sight));
        return { kind: "exists-in", sources, test: test.test === null ? null : this.#test(test.test, inner), span };
      }
      case "listed":
        return this.#listed(test, sight);
      case "not":
        return { kind: "not", operand: this.#test(test.test, sight), span };
      case "and":
      case "or":
        return junction(
          test.is,
          test.tests.map((one) => this.#test(one, sight)),
        );
    }
  }

  #same(test: Extract<Test, { is: "same" }>, sight: Sight): ast.Expr {
    const from = sight.facts[test.of % sight.facts.length];
    if (from === undefined) return ALWAYS;
    const start = step(this.#path(sight, from, test.via, null), test.via, from.type);
    const others = sight.facts.filter((other) => other !== from && other.name !== null && other.type === start.type);
    const other = others[test.with % others.length];
    if (other !== undefined && start.path !== null) {
      return { kind: "compare", op: test.op, left: start.path, right: path([other.name ?? ""]), span };
    }
    const operand = this.#path(sight, from, test.via, "r");
    return { kind: "presence", missing: test.op === "!=", operand, span };
  }

  #listed(test: Extract<Test, { is: "listed" }>, sight: Sight): ast.Expr {
    const lists = sight.values.filter(({ kind }) => kind === "list");
    const list = lists[test.index % lists.length];
    if (list === undefined) return ALWAYS;
    return { kind: "contains", any: false, left: path([list.name]), right: this.#operand(test.item, sight), span };
  }

  #list(items: readonly Operand[], sight: Sight): ast.ListExpr {
    return { kind: "list", items: items.map((item) => this.#operand(item, sight)), span };
  }

  // ------------------------------------------------------------ operands

  #operand(operand: Operand, sight: Sight): ast.Expr {
    switch (operand.is) {
      case "constant":
        return constant(operand.value);
      case "field":
        return this.#field(operand, sight);
      case "value": {
        const numbers = sight.values.filter(({ kind }) => kind === "number");
        const value = numbers[operand.index % numbers.length];
        if (value === undefined) return constant(operand.index);
        return path([value.name, ...(value.field === undefined ? [] : [value.field])]);
      }
      case "sum":
        return {
          kind: "chain",
          ops: [operand.op],
          items: [this.#operand(operand.left, sight), this.#operand(operand.right, sight)],
          span,
        };
      case "call":
        return {
          kind: "call",
          name: ident(operand.name),
          args: operand.args.map((arg) => this.#operand(arg, sight)),
          span,
        };
      case "table": {
        const [name, output] = TABLES[operand.index % TABLES.length] ?? ["pick", "rate"];
        const { counted, worded, loose } = operand;
        const args = [counted, worded, loose].map((arg) => this.#operand(arg, sight));
        const call: ast.CallExpr = { kind: "call", name: ident(name), args, span };
        return output === undefined ? call : { kind: "property", of: call, field: ident(output), span };
      }
      case "aggregate": {
        const { sources, sight: inner } = this.#sources([operand.type], outside(sight));
        const test = operand.test === null ? null : this.#test(operand.test, inner);
        const value = this.#taken(operand.fn, operand.value, operand.ranked, inner);
        return { kind: "aggregate-in", name: ident(operand.fn), sources, test, value, span };
      }
    }
  }

  /** Returns what an aggregate takes of each fact: the value, with a key and a number if it takes them. */
  #taken(fn: string, operand: Operand, ranked: Ranked | undefined, sight: Sight): ast.Expr {
    const value = this.#operand(operand, sight);
    const { takes, count } = aggregateNamed(fn);
    if (takes !== "keyed" && count === undefined) return value;
    const constant: Operand = { is: "constant", value: 1 };
    return {
      kind: "ranked",
      count: count === undefined ? null : this.#operand(ranked?.count ?? constant, sight),
      value,
      // Without a key of its own the value is the key, so that the order of facts with equal keys does not matter.
      key: takes === "keyed" ? this.#operand(ranked?.key ?? operand, sight) : null,
      span,
    };
  }

  #field(operand: Extract<Operand, { is: "field" }>, sight: Sight): ast.Expr {
    const from = sight.facts[operand.of % sight.facts.length];
    if (from === undefined) throw new Error("a field of no fact");
    if (operand.other === true && sight.facts.length === 1) return constant(SAMPLE[kindOfField(operand.field)]);
    const end = steps(from.type, operand.via);
    const field = operand.field === "k" && end !== "A" ? "s" : operand.field;
    const bare = from.name === null || (operand.bare && sight.own && operand.of % sight.facts.length === 0);
    return path([
      ...(bare ? [] : [from.name ?? ""]),
      ...Array.from({ length: operand.via }, () => "r"),
      ...field.split("."),
    ]);
  }

  /** The path to a fact that is reached by references; with a field, to that field of it. */
  #path(sight: Sight, from: SeenFact, via: number, field: string | null): ast.PathExpr {
    const bare = from.name === null;
    const names = [...(bare ? [] : [from.name ?? ""]), ...Array.from({ length: via }, () => "r")];
    return path([...names, ...(field === null ? (names.length === 0 ? ["r"] : []) : [field])]);
  }

  // ------------------------------------------------------------ actions

  #actions(deed: Deed, sight: Sight): ast.Action[] {
    const facts = sight.facts.filter(({ name }) => name !== null);
    const target = "of" in deed ? facts[deed.of % facts.length] : undefined;
    if (deed.is === "retract" && target !== undefined) {
      return [{ kind: "retract", target: path([target.name ?? ""]), span }];
    }
    if (deed.is === "update" && target !== undefined) {
      const value = constant(deed.value);
      return [{ kind: "assign", target: path([target.name ?? "", deed.field]), value, span }];
    }
    if (deed.is === "insert") return [insert(deed)];
    const args = [text(this.#rule), ...facts.map(({ name }) => path([name ?? ""]))];
    return [{ kind: "call", name: ident("log"), args, span }];
  }
}

// ---------------------------------------------------------------- small parts

function steps(type: TypeName, via: number): TypeName {
  return via === 0 ? type : steps(POINTS_TO[type], via - 1);
}

/** Where a path of references ends; an own fact without a name is only reached through its fields. */
function step(
  built: ast.PathExpr,
  via: number,
  type: TypeName,
): { readonly path: ast.PathExpr | null; readonly type: TypeName } {
  const ownReference = via === 0 && built.root.name === "r";
  return { path: built, type: steps(type, ownReference ? 1 : via) };
}

function kindOfField(field: string): Kind {
  if (["n", "o", "u", "w.n", "w.v.n"].includes(field)) return "number";
  if (["s", "k", "w.s"].includes(field)) return "text";
  return field === "b" ? "bool" : "any";
}

function kindGathered(fn: string, value: Operand): Kind | "list" {
  const { takes } = aggregateNamed(fn);
  if (takes === "values" || fn.toLowerCase() === "top") return "list";
  if (takes !== "ordered" && takes !== "keyed") return "number";
  return value.is === "field" ? kindOfField(value.field) : "number";
}

const SAMPLE: Readonly<Record<Kind, Value>> = { number: 1, text: "a", bool: true, any: 1 };

/** Whether a test speaks of a fact that must be there. */
function namesFields(test: Test): boolean {
  return Object.values(test).some((part) => isField(part) || (Array.isArray(part) && part.some(isField)));
}

function isField(part: unknown): boolean {
  if (typeof part !== "object" || part === null || !("is" in part)) return false;
  if (part.is === "field") return true;
  return (part.is === "call" || part.is === "table" || part.is === "sum") && Object.values(part).flat().some(isField);
}

const text = (value: string): ast.TextExpr => ({ kind: "text", value, span });

function constant(value: Value): ast.Expr {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return { kind: "number", value, span };
  if (typeof value === "boolean") return { kind: "bool", value, span };
  return { kind: "list", items: (value as readonly Value[]).map(constant), span };
}

function path(names: readonly string[]): ast.PathExpr {
  const [root = "", ...fields] = names;
  return { kind: "path", root: ident(root), fields: fields.map(ident), span };
}

const ALWAYS: ast.Expr = { kind: "compare", op: "==", left: constant(1), right: constant(1), span };

function junction(op: "and" | "or", items: readonly ast.Expr[]): ast.Expr {
  const [first = ALWAYS] = items;
  return items.length < 2 ? first : { kind: "logic", op, items, listed: false, span };
}

function conjunction(items: readonly ast.Expr[]): ast.Expr | null {
  return items.length === 0 ? null : junction("and", items);
}

function insert(deed: Extract<Deed, { is: "insert" }>): ast.InsertAction {
  const args = Object.entries({ n: deed.n, s: "a", b: false }).map(([name, value]) => ({
    name: ident(name),
    value: constant(value),
    span,
  }));
  return {
    kind: "insert",
    logical: deed.logical,
    fact: { kind: "fact-literal", type: ident(deed.type), args, span },
    span,
  };
}
