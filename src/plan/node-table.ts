/**
 * Collects the nodes of a plan and shares them: two nodes are one when they do the same, in canonical words, to the same
 * inputs. The hash is only a name.
 */
import type { Hash } from "./hash.ts";
import type { PlanNode } from "./plan.ts";

/** A node before it has an identity. */
export type NewNode = PlanNode extends infer Node
  ? Node extends PlanNode
    ? Omit<Node, "id" | "name" | "rules">
    : never
  : never;

export class NodeTable {
  readonly nodes: PlanNode[] = [];
  readonly #hash: Hash;
  readonly #sharing: boolean;
  readonly #byKey = new Map<string, PlanNode>();

  constructor(hash: Hash, sharing: boolean) {
    this.#hash = hash;
    this.#sharing = sharing;
  }

  /** The node that does this, which becomes the given one when there is none yet; `fullText` is its canonical text with that of its inputs. */
  add(node: NewNode, inputs: readonly (number | string | undefined)[], fullText: string, rule: string): PlanNode {
    const key = `${node.kind}|${inputs.map((input) => input ?? "root").join(",")}|${node.text}`;
    const known = this.#sharing ? this.#byKey.get(key) : undefined;
    if (known !== undefined) {
      if (known.rules.at(-1) !== rule) known.rules.push(rule);
      return known;
    }
    const name = `${prefixOf(node)}_${this.#hash(fullText).toString(16).padStart(16, "0")}`;
    // Not a copy: each copy of this kind gets a hidden class of its own, which takes more memory than the node.
    const made = Object.assign(node, { id: this.nodes.length, name, rules: [rule] }) as PlanNode;
    this.nodes.push(made);
    this.#byKey.set(key, made);
    return made;
  }

  get(id: number): PlanNode | undefined {
    return this.nodes[id];
  }
}

/** Returns how the name of a node begins: its kind, and for groups of matches what the author asks of them. */
function prefixOf(node: NewNode): string {
  if (node.kind !== "aggregate") return node.kind;
  if (node.aggregate === "not") return "not";
  return node.aggregate.startsWith("exists") ? "exists" : "aggregate";
}
