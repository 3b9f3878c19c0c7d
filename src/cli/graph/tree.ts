/**
 * The network as trees: below each type the tests on its facts, then the chains of joins, then the rules. Every node is in one
 * place, below the node whose facts or matches it takes; its other inputs are named, not repeated.
 */
import { type NetworkNode, type Plan, planInputs, type PlanNode } from "../../index.ts";

/** A node with what comes after it. */
export interface TreeNode {
  readonly node: NetworkNode;
  /** What the node itself does, without what its place in the tree says. */
  readonly words: string;
  /** The inputs that it is not below. */
  readonly others: readonly OtherInput[];
  /** Of a test: the joins elsewhere that take its facts. */
  readonly joinedBy: readonly NetworkNode[];
  readonly after: readonly TreeNode[];
  /** How many nodes after it are left out. */
  readonly hidden: number;
}

/** An input that is somewhere else in the trees. */
export interface OtherInput {
  readonly how: "joins" | "looks at" | "reads";
  readonly node: NetworkNode;
}

/** The trees of one type; of nodes that begin with no fact when there is no type. */
export interface TypeTree {
  readonly type: string | undefined;
  readonly after: readonly TreeNode[];
  readonly hidden: number;
}

/** Returns the trees of the nodes in `network`. At most `most` nodes are shown: those that most rules depend on. */
export function treesOf(plan: Plan, network: readonly NetworkNode[], most: number): TypeTree[] {
  return new Trees(plan, network, most).all();
}

class Trees {
  readonly #words: ReadonlyMap<number, NetworkNode>;
  readonly #shown: ReadonlySet<number>;
  /** The nodes below a node, by its id; those below a type, by its name; those below nothing, by undefined. */
  readonly #below = new Map<number | string | undefined, PlanNode[]>();

  /** The joins with other nodes that take the facts of an alpha node, by its id. */
  readonly #joins = new Map<number, NetworkNode[]>();

  constructor(plan: Plan, network: readonly NetworkNode[], most: number) {
    this.#words = new Map(network.map((node) => [node.id, node]));
    this.#shown = mostShared(network, most);
    for (const node of plan.nodes) {
      const words = this.#words.get(node.id);
      if (words === undefined) continue;
      if (node.kind === "join" && node.left !== undefined && node.right !== undefined) {
        this.#joins.set(node.right, [...(this.#joins.get(node.right) ?? []), words]);
      }
      const key = placeOf(node);
      const known = this.#below.get(key);
      if (known === undefined) this.#below.set(key, [node]);
      else known.push(node);
    }
  }

  all(): TypeTree[] {
    const roots = [...this.#below.keys()].filter((key) => typeof key !== "number");
    return roots
      .sort((a, b) => Number(a === undefined) - Number(b === undefined))
      .map((type) => ({ type, ...this.#after(type) }));
  }

  #after(key: number | string | undefined): Pick<TreeNode, "after" | "hidden"> {
    const below = this.#below.get(key) ?? [];
    const after = below.filter(({ id }) => this.#shown.has(id)).map((node) => this.#tree(node));
    const hidden = below.filter(({ id }) => !this.#shown.has(id)).reduce((sum, { id }) => sum + this.#size(id), 0);
    return { after, hidden };
  }

  #tree(plan: PlanNode): TreeNode {
    const node = this.#words.get(plan.id);
    if (node === undefined) throw new Error("only nodes of the network are in trees");
    const words = plan.kind === "alpha" ? plan.text : node.text;
    const joinedBy = plan.kind === "alpha" ? (this.#joins.get(plan.id) ?? []) : [];
    return { node, words, others: this.#others(plan), joinedBy, ...this.#after(plan.id) };
  }

  /** Returns how many nodes there are from a node on. */
  #size(id: number): number {
    return (this.#below.get(id) ?? []).reduce((sum, node) => sum + this.#size(node.id), 1);
  }

  #others(node: PlanNode): OtherInput[] {
    if (node.kind === "terminal" || node.kind === "alpha") return [];
    const place = placeOf(node);
    const ids = [...new Set(planInputs(node))].filter((id) => id !== undefined && id !== place);
    return ids.flatMap((id) => {
      const other = id === undefined ? undefined : this.#words.get(id);
      return other === undefined ? [] : [{ how: HOW[node.kind], node: other }];
    });
  }
}

const HOW = {
  join: "joins",
  lookup: "looks at",
  filter: "looks at",
  let: "looks at",
  items: "looks at",
  timer: "looks at",
  last: "looks at",
  aggregate: "looks at",
  condition: "looks at",
  watch: "looks at",
  gate: "reads",
  flow: "reads",
  guardian: "reads",
  pipeline: "reads",
} as const;

/** Returns the node or type that a node is below: where its facts come from, or the matches that it extends. */
function placeOf(node: PlanNode): number | string | undefined {
  if (node.kind === "alpha") return node.input ?? node.type;
  if (node.kind === "join") return node.left ?? node.right ?? node.type;
  return node.left;
}

/** What a node is below has at least its rules and a smaller id, so it is chosen before it. */
function mostShared(network: readonly NetworkNode[], most: number): Set<number> {
  const chosen = network.toSorted((a, b) => b.rules.length - a.rules.length || a.id - b.id).slice(0, most);
  return new Set(chosen.map(({ id }) => id));
}
