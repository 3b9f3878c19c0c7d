/**
 * The hash of a rule: equal exactly when the rule, planned as written, finds the same matches by the same nodes and does the same with
 * them. Other rules, the order in which its patterns are joined, the layout of the source and comments do not change it.
 */
import { digestOf } from "../../base/digest.ts";
import type { Plan, PlanNode, PlanRule } from "../plan.ts";
import { inputsOf } from "./inputs.ts";

/** Returns the hash of a rule of a plan. */
export type RuleHash = (rule: string) => string;

const HASHES = new WeakMap<Plan, RuleHash>();

/** Returns a function that returns the hash of each rule of a plan. A hash is computed when it is first asked for. */
export function ruleHashes(plan: Plan): RuleHash {
  const known = HASHES.get(plan);
  if (known !== undefined) return known;
  const hashes = new Map<string, string>();
  let parts: PlanParts | undefined;
  const hashOf: RuleHash = (rule) => {
    const hash = hashes.get(rule) ?? computeHash((parts ??= partsOf(plan)), rule);
    hashes.set(rule, hash);
    return hash;
  };
  HASHES.set(plan, hashOf);
  return hashOf;
}

/** A plan with what is looked up in it. */
interface PlanParts {
  readonly nodes: ReadonlyMap<number, PlanNode>;
  readonly rules: ReadonlyMap<string, PlanRule>;
  /** The terminals of each rule, one for each alternative. */
  readonly terminals: ReadonlyMap<string, readonly PlanNode[]>;
}

function partsOf(plan: Plan): PlanParts {
  const terminals = new Map<string, PlanNode[]>();
  for (const node of plan.nodes) {
    if (node.kind !== "terminal") continue;
    const known = terminals.get(node.rule);
    if (known === undefined) terminals.set(node.rule, [node]);
    else known.push(node);
  }
  return {
    nodes: new Map(plan.nodes.map((node) => [node.id, node])),
    rules: new Map(plan.rules.map((rule) => [rule.name, rule])),
    terminals,
  };
}

function computeHash({ nodes, rules, terminals }: PlanParts, name: string): string {
  const { joined } = rules.get(name) ?? {};
  if (joined !== undefined) return joined.hash;
  const slice = new Slice(nodes);
  const ends = (terminals.get(name) ?? []).map((node) => slice.add(node));
  const { layouts = [], noLoop = false } = rules.get(name) ?? {};
  return digestOf(JSON.stringify([slice.lines, ends, layouts, noLoop]));
}

/** The nodes that a rule stands on, numbered in the order in which they are reached. */
class Slice {
  readonly lines: (readonly unknown[])[] = [];
  readonly #nodes: ReadonlyMap<number, PlanNode>;
  readonly #numbers = new Map<number, number>();

  constructor(nodes: ReadonlyMap<number, PlanNode>) {
    this.#nodes = nodes;
  }

  /** Adds a node after its inputs; returns its number in the slice. */
  add(node: PlanNode): number {
    const known = this.#numbers.get(node.id);
    if (known !== undefined) return known;
    const inputs = inputsOf(node).map((input) => {
      const above = input === undefined ? undefined : this.#nodes.get(input);
      return above === undefined ? -1 : this.add(above);
    });
    const number = this.lines.push([node.kind, "type" in node ? (node.type ?? "") : "", node.text, inputs]) - 1;
    this.#numbers.set(node.id, number);
    return number;
  }
}
