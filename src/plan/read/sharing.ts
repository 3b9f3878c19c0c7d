/**
 * What sharing does in a plan: every node with the rules that depend on it, how the nodes came about as the rules were
 * planned, and how many there would be without sharing. Everything is read from plans; nothing is planned here.
 */
import type { ConditionPlan, Plan, PlanNode } from "../plan.ts";
import { canonicalText } from "./canonical.ts";
import { conditionWords } from "./condition-words.ts";
import { chainTests, hashedText } from "./hashed-text.ts";

/**
 * What a node is. `entry` makes matches of the facts of a rule's first pattern: it joins nothing, so it is no `join`. `not`
 * and `exists` are aggregates with a kind of their own.
 */
export type NodeKind = Exclude<PlanNode["kind"], "aggregate"> | "entry" | "not" | "exists" | "aggregate";

/** A node of the network, in words. */
export interface NetworkNode {
  /** The id of the node in {@link Program.network}. */
  readonly id: number;
  /** Its name: `alpha_` or another kind, and 16 hex digits. */
  readonly name: string;
  /** The 16 hex digits: the xxHash64 of `hashed`. */
  readonly hash: string;
  /** What it is. */
  readonly kind: NodeKind;
  /**
   * Its canonical text: `Person[.age > 18]` for a test, with all tests of the chain; `Order[$2.buyer == $1#id]` for a
   * join, where `$1` and `$2` are the facts and values of a match, in order. A terminal is `rule "adult"`.
   */
  readonly text: string;
  /** The string whose hash names the node. */
  readonly hashed: string;
  /** The rules, gates, flows, guardians and pipelines that depend on it, in the order in which they are planned. */
  readonly rules: readonly string[];
}

/** A node of a rule, as the rule is loaded: created by it, or shared with one before. */
export interface LoadedNode {
  /** The rule that is loaded: `adult`, or `gate "deploy"` for what is no rule. */
  readonly rule: string;
  /** The node. */
  readonly node: NetworkNode;
  /** The rules before this one that have the same node, the one that created it first; empty when this rule creates it. */
  readonly earlier: readonly string[];
}

/** Numbers of nodes with sharing and without. */
export interface NodeGain {
  /** How many nodes there are. */
  readonly nodes: number;
  /** How many there would be if every rule had nodes of its own. */
  readonly without: number;
}

/** What sharing does in a network. */
export interface Sharing extends NodeGain {
  /** The part of the nodes that sharing saves, from 0 to 1. */
  readonly saved: number;
  /** The same numbers for each kind that there is. */
  readonly kinds: readonly (NodeGain & { readonly kind: NodeKind })[];
  /** Every node, by id. */
  readonly network: readonly NetworkNode[];
}

/** Returns what sharing does in a plan. `apart` is the plan of the same program without sharing. */
export function sharingOf(plan: Plan, apart: Plan): Sharing {
  const counts = countKinds(plan);
  const countsApart = countKinds(apart);
  const nodes = plan.nodes.length;
  const without = apart.nodes.length;
  return {
    nodes,
    without,
    saved: without === 0 ? 0 : (without - nodes) / without,
    kinds: KINDS.flatMap((kind) => {
      const many = counts.get(kind);
      return many === undefined ? [] : [{ kind, nodes: many, without: countsApart.get(kind) ?? 0 }];
    }),
    network: plan.nodes.map((node) => networkNode(node, plan.nodes)),
  };
}

/** Returns the nodes of each rule as the rules were planned: in program order, what judges last. */
export function* loadedNodes({ network }: Pick<Sharing, "network">): Generator<LoadedNode, undefined> {
  const byRule = new Map<string, NetworkNode[]>();
  for (const node of network) for (const rule of node.rules) listed(byRule, rule).push(node);
  // Every rule creates a node of its own, its terminal: the order of these is that of the rules.
  const created = new Map<string, number>();
  for (const { id, rules } of network) if (!created.has(rules[0] ?? "")) created.set(rules[0] ?? "", id);
  const order = [...byRule].sort(([a], [b]) => (created.get(a) ?? 0) - (created.get(b) ?? 0));
  for (const [rule, nodes] of order) {
    for (const node of nodes) yield { rule, node, earlier: node.rules.slice(0, node.rules.indexOf(rule)) };
  }
}

function listed<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}

const KINDS: readonly NodeKind[] = [
  "alpha",
  "entry",
  "join",
  "not",
  "exists",
  "aggregate",
  "lookup",
  "filter",
  "let",
  "items",
  "timer",
  "last",
  "condition",
  "watch",
  "terminal",
  "gate",
  "flow",
  "guardian",
  "pipeline",
];

function countKinds({ nodes }: Plan): Map<NodeKind, number> {
  const counts = new Map<NodeKind, number>();
  for (const node of nodes) counts.set(kindOf(node), (counts.get(kindOf(node)) ?? 0) + 1);
  return counts;
}

/** Returns what a node is. */
function kindOf(node: PlanNode): NodeKind {
  if (node.kind === "join") return node.left === undefined ? "entry" : "join";
  if (node.kind !== "aggregate") return node.kind;
  if (node.aggregate === "not") return "not";
  return node.aggregate === "exists" || node.aggregate === "exists-value" ? "exists" : "aggregate";
}

/** Returns a node of a plan in words; `nodes` are all nodes of the plan. */
export function networkNode(node: PlanNode, nodes: readonly PlanNode[]): NetworkNode {
  return {
    id: node.id,
    name: node.name,
    hash: node.name.slice(-HASH_DIGITS),
    kind: kindOf(node),
    text: textOf(node, nodes),
    hashed: hashedText(node, nodes),
    rules: [...new Set(node.rules)],
  };
}

const HASH_DIGITS = 16;

/** Returns the canonical text of a node; of what ends a rule or judges, its name. */
function textOf(node: PlanNode, nodes: readonly PlanNode[]): string {
  switch (node.kind) {
    case "alpha":
      return `${node.type}[${chainTests(node, nodes).join(" AND ")}]`;
    case "terminal": {
      const { length } = node.ends;
      return `rule ${quoted(node.rule)}${length > 1 ? ` (alternative ${node.layout + 1} of ${length})` : ""}`;
    }
    case "condition":
      return conditionText(node);
    case "gate":
      return `gate ${JSON.stringify(node.gate)}`;
    case "flow":
      return `flow ${JSON.stringify(node.flow)}`;
    case "guardian":
      return `guardian ${JSON.stringify(node.guardian)}`;
    case "pipeline":
      return `pipeline ${JSON.stringify(node.pipeline)}`;
    default:
      return node.text;
  }
}

/** Returns a name in quotes; `gate "deploy" on pass`, which is the name of a reaction, keeps its own. */
function quoted(name: string): string {
  return name.includes('"') ? name : `"${name}"`;
}

/** Returns `$2.ok == true from latest $2 by $2.at` or the like: `$2` is the evidence. */
function conditionText(node: ConditionPlan): string {
  const { level, innerLevel, reading, trust } = node;
  const evidence = Array.from({ length: innerLevel - level }, (_, index) => `$${level + index + 1}`);
  const words = [conditionWords(node, evidence.join(", "), canonicalText)];
  if (reading.kind === "quorum" && reading.logic !== "kleene") words.push(`logic ${reading.logic}`);
  if (trust !== undefined) words.push(`trusted if ${canonicalText(trust)}`);
  return words.join(" ");
}
