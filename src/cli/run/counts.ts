/** Counts the nodes of a network by kind, and those that more than one rule shares. */
import type { Plan, PlanNode } from "../../index.ts";

interface NodeCounts {
  readonly type: number;
  readonly alpha: number;
  readonly join: number;
  readonly not: number;
  readonly exists: number;
  readonly aggregate: number;
  readonly lookup: number;
  readonly filter: number;
  /** Only where there are any, as the kinds below. */
  readonly let?: number;
  readonly items?: number;
  readonly timer?: number;
  readonly last?: number;
  readonly terminal: number;
  /** Present only where there are any. */
  readonly condition?: number;
  readonly gate?: number;
  readonly flow?: number;
  readonly watch?: number;
  readonly guardian?: number;
  readonly pipeline?: number;
}

export interface NetworkCounts {
  readonly nodes: NodeCounts;
  readonly shared: { readonly alpha: number; readonly join: number };
}

export function countNodes({ nodes }: Plan): NetworkCounts {
  const count = (kind: keyof NodeCounts): number => nodes.filter((node) => kindOf(node) === kind).length;
  const sharedOf = (kind: keyof NodeCounts): number =>
    nodes.filter((node) => kindOf(node) === kind && new Set(node.rules).size > 1).length;
  return {
    nodes: {
      type: new Set(nodes.flatMap(typesOf)).size,
      alpha: count("alpha"),
      join: count("join"),
      not: count("not"),
      exists: count("exists"),
      aggregate: count("aggregate"),
      lookup: count("lookup"),
      filter: count("filter"),
      terminal: count("terminal"),
      ...judges(count),
    },
    shared: { alpha: sharedOf("alpha"), join: sharedOf("join") },
  };
}

const JUDGES = ["let", "items", "timer", "last", "condition", "gate", "flow", "watch", "guardian", "pipeline"] as const;

function judges(count: (kind: keyof NodeCounts) => number): Pick<NodeCounts, (typeof JUDGES)[number]> {
  return Object.fromEntries(JUDGES.map((kind) => [kind, count(kind)] as const).filter(([, many]) => many > 0));
}

/** Returns the kind to count a node as; undefined for the node of a rule's first pattern, which joins nothing. */
function kindOf(node: PlanNode): keyof NodeCounts | undefined {
  if (node.kind === "join" && node.left === undefined) return undefined;
  if (node.kind !== "aggregate") return node.kind;
  if (node.aggregate === "not") return "not";
  return node.aggregate === "exists" || node.aggregate === "exists-value" ? "exists" : "aggregate";
}

/** Returns the types whose facts a node reads. */
function typesOf(node: PlanNode): string[] {
  if (node.kind !== "alpha" && node.kind !== "join" && node.kind !== "lookup") return [];
  return node.type === undefined ? [] : [node.type];
}
