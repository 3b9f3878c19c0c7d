/** Draws what rules are made of: tests of single facts, joins, lookups, filters, aggregates, and the rules themselves. */
import type { Plan, PlanNode, PlanRule } from "../../index.ts";
import type { Drawing } from "./drawing.ts";
import { expressionText } from "./expression-text.ts";
import { type Alpha, type Aggregate, isPlain, type Items, type Join, type NodeIndex } from "./node-index.ts";
import type { PatternText } from "./pattern-text.ts";

export class RuleBoxes {
  readonly #drawing: Drawing;
  readonly #index: NodeIndex;
  readonly #text: PatternText;
  readonly #rules: ReadonlyMap<string, PlanRule>;

  constructor(drawing: Drawing, index: NodeIndex, text: PatternText, { rules }: Plan) {
    this.#drawing = drawing;
    this.#index = index;
    this.#text = text;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
  }

  alpha(node: Alpha): void {
    this.#drawing.node(node, "alpha", this.#text.alpha(node), { passed: this.#text.passed(node) });
    this.#drawing.arrow(this.#drawing.facts(node.type, node.input), node, "facts");
  }

  join(node: Join): void {
    if (isPlain(node) || this.#index.isMerged(node)) return;
    this.#drawing.node(node, "join", this.#text.join(node));
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
    this.#drawing.arrow(this.#drawing.facts(node.type, node.right), node, "facts");
  }

  lookup(node: Extract<PlanNode, { kind: "lookup" }>): void {
    if (this.#index.isMerged(node)) return;
    this.#drawing.node(node, "lookup", `follow ${expressionText(node.of, this.#text.naming(node))}`);
    if (node.type !== undefined) this.#drawing.arrow(this.#drawing.facts(node.type, undefined), node, "facts");
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  filter(node: Extract<PlanNode, { kind: "filter" }>): void {
    if (this.#index.isMerged(node)) return;
    this.#drawing.node(node, "filter", `where ${expressionText(node.test, this.#text.naming(node))}`);
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  let(node: Extract<PlanNode, { kind: "let" }>): void {
    if (this.#index.isMerged(node)) return;
    const text = `let ${node.words} = ${expressionText(node.value, this.#text.naming(node))}`;
    this.#drawing.node(node, "let", text);
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  items(node: Items): void {
    if (this.#index.isMerged(node)) return;
    this.#drawing.node(node, "items", this.#text.items(node));
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  timer(node: Extract<PlanNode, { kind: "timer" }>): void {
    if (this.#index.isMerged(node)) return;
    this.#drawing.node(node, "timer", node.words);
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  last(node: Extract<PlanNode, { kind: "last" }>): void {
    if (this.#index.isMerged(node)) return;
    this.#drawing.node(node, "last", node.words);
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
  }

  aggregate(node: Aggregate): void {
    const kind = node.aggregate === "not" ? "not" : node.aggregate.startsWith("exists") ? "exists" : "aggregate";
    const inner = this.#index.onlyInner(node);
    this.#drawing.node(node, kind, this.#text.aggregate(node, kind));
    this.#drawing.arrow(this.#drawing.source(node.left), node, "matches");
    if (inner !== undefined) this.#drawing.arrow(this.#drawing.facts(inner.type, inner.right), node, "inner");
    else for (const id of node.inner) this.#drawing.arrow(this.#drawing.source(id), node, "inner");
  }

  /** Draws a rule: its alternatives end in one box. */
  rule({ rule: name, left }: Extract<PlanNode, { kind: "terminal" }>): void {
    const id = `rule ${name}`;
    const rule = this.#rules.get(name);
    const notes = [
      ...(rule === undefined || rule.salience === 0 ? [] : [`salience ${rule.salience}`]),
      ...(rule?.group === undefined ? [] : [`group ${rule.group}`]),
    ];
    const { live } = this.#drawing;
    const counts = live === undefined ? {} : { count: live.matches.get(name) ?? 0, fires: live.fires.get(name) ?? 0 };
    const joins = rule?.joined;
    const joined = joins === undefined ? {} : { joined: { order: joins.patterns, because: joins.because } };
    const text = notes.join(", ");
    this.#drawing.box({ id, kind: "rule", name, text, rules: [name], shared: false, ...counts, ...joined });
    const from = this.#drawing.source(left);
    if (from !== undefined) this.#drawing.connect(from, id, "matches");
  }
}
