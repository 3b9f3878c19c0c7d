/** Patterns and chains of a plan as source text: `o: Order(buyer == p.id, total > 100)`. */
import type { Plan, PlanNode, PlanRule } from "../../index.ts";
import { expressionText, type Naming } from "./expression-text.ts";
import type { Alpha, Aggregate, Items, Join, NodeIndex } from "./node-index.ts";

export class PatternText {
  readonly #index: NodeIndex;
  readonly #rules: ReadonlyMap<string, PlanRule>;
  readonly #valueNames = new Map<PlanRule, ReadonlyMap<number, string>>();

  constructor(index: NodeIndex, { rules }: Plan) {
    this.#index = index;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
  }

  /** Returns the test of an alpha node: `Order(total > 100)`. */
  alpha(node: Alpha): string {
    return `${node.type}(${this.#alphaTest(node)})`;
  }

  /** Returns an alpha node with all tests of its chain, which the facts that leave it have passed. */
  passed(node: Alpha): string {
    return `${node.type}(${this.#passedTests(node).join(", ")})`;
  }

  #alphaTest(node: Alpha): string {
    return expressionText(node.test, this.naming(node, 0));
  }

  #passedTests(node: Alpha): string[] {
    const tests: string[] = [];
    for (let at: PlanNode | undefined = node; at?.kind === "alpha"; at = this.#index.get(at.input)) {
      tests.unshift(this.#alphaTest(at));
    }
    return tests;
  }

  /** Returns a pattern with the tests of its join. */
  join(node: Join): string {
    return withTests(node, this.#joinTests(node));
  }

  /** Returns a pattern with all its tests, also those of the alpha nodes above it. */
  pattern(node: Join): string {
    const alpha = this.#index.get(node.right);
    const passed = alpha?.kind === "alpha" ? this.#passedTests(alpha) : [];
    return withTests(node, [...this.#joinTests(node), ...passed]);
  }

  #joinTests(node: Join): string[] {
    const naming = this.naming(node, node.level);
    const keys = node.keys.map(
      ({ field, equals }) => `${expressionText(field, naming)} == ${expressionText(equals, naming)}`,
    );
    return [...keys, ...node.tests.map((test) => expressionText(test, naming))];
  }

  /** Returns the items of a list: `l in o.lines`. */
  items(node: Items): string {
    return `${node.words} in ${expressionText(node.list, this.naming(node))}`;
  }

  /** Returns the patterns of a chain between its end and `outer`, with all their tests. */
  patternsBetween(outer: number | undefined, end: number): string[] {
    return this.#index
      .partsBetween(outer, end)
      .map((part) => (part.kind === "items" ? this.items(part) : this.pattern(part)));
  }

  /** Returns a `not`, `exists` or aggregate: `total: sum(o.amount) from o: Order(buyer == p.id)`. */
  aggregate(node: Aggregate, kind: "not" | "exists" | "aggregate"): string {
    const verb = kind === "aggregate" ? this.#aggregateCall(node) : kind;
    const inner = this.#index.onlyInner(node);
    return `${verb} ${inner === undefined ? this.#innerPatterns(node) : this.join(inner)}`;
  }

  #aggregateCall(node: Aggregate): string {
    const inner = node.inner.map((id) => this.#index.get(id)).find((found) => found !== undefined);
    const counted = inner?.kind === "join" && inner.words.includes(":") ? inner.words.split(":")[0] : "";
    const value =
      node.value === undefined || inner === undefined
        ? (counted ?? "")
        : expressionText(node.value, this.naming(inner));
    const named = this.#valueName(this.#rules.get(node.rules[0] ?? ""), node.level);
    return `${named === undefined ? "" : `${named}: `}${node.aggregate}(${value}) from`;
  }

  /** Returns the patterns that an aggregate looks at when these have boxes of their own. */
  #innerPatterns(aggregate: Aggregate): string {
    const parts = aggregate.inner.flatMap((id) => this.#index.partsBetween(aggregate.left, id));
    return [...new Set(parts.map((part) => (part.kind === "items" ? this.items(part) : part.words)))].join(", ");
  }

  /** Returns names for the levels of a chain: the variables of the first rule that depends on it. */
  naming(node: PlanNode, own?: number): Naming {
    const rule = node.rules.map((name) => this.#rules.get(name)).find((found) => found !== undefined);
    const name = (level: number): string | undefined => {
      const at = [...this.#index.chain(node.id)].find((one) => one.level === level);
      if (at?.kind === "join") return at.words.split(":")[0];
      if (at?.kind === "let" || at?.kind === "items") return at.words;
      if (at?.kind !== "aggregate") return undefined;
      return this.#valueName(rule, level) ?? this.#unnamedAggregate(at);
    };
    return { own, name };
  }

  /** Returns the pattern itself for an `exists` or aggregate inside a test, which has no name; a condition as it is written. */
  #unnamedAggregate(aggregate: Aggregate): string {
    if (aggregate.asked !== undefined) return aggregate.asked;
    const what = aggregate.inner.flatMap((id) => this.patternsBetween(aggregate.left, id)).join(", ");
    return aggregate.aggregate === "exists-value" ? `exists ${what}` : `${aggregate.aggregate}(${what})`;
  }

  /** Returns the name of the value at a level. A rule has as many layouts as alternatives, so they are read once. */
  #valueName(rule: PlanRule | undefined, level: number): string | undefined {
    if (rule === undefined) return undefined;
    const known = this.#valueNames.get(rule) ?? valueNames(rule);
    this.#valueNames.set(rule, known);
    return known.get(level);
  }
}

function withTests({ words }: Join, tests: readonly string[]): string {
  return tests.length === 0 ? words : `${words}(${tests.join(", ")})`;
}

/** Returns the first name for each level. */
function valueNames({ layouts }: PlanRule): Map<number, string> {
  const names = new Map<number, string>();
  for (const { bindings } of layouts) {
    for (const one of bindings) if (one.kind === "value" && !names.has(one.level)) names.set(one.level, one.name);
  }
  return names;
}
