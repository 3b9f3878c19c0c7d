/**
 * Collects the nodes of a plan and shares them: two nodes are one when they do the same, in canonical words, to the same
 * inputs. The hash is only a name.
 */
import type { Hash } from "./hash.ts";
import type { NewNode, PlanNode } from "./plan.ts";
import { hashedText } from "./read/hashed-text.ts";
import { inputsOf } from "./read/inputs.ts";

/** The nodes of a plan that is being made. */
export class NodeTable {
  readonly nodes: PlanNode[] = [];
  readonly #hash: Hash;
  readonly #sharing: boolean;
  readonly #byKey = new Map<string, PlanNode>();

  constructor(hash: Hash, sharing: boolean) {
    this.#hash = hash;
    this.#sharing = sharing;
  }

  /** Returns the node that does the same to the same inputs; adds the given one when there is none. `rule` depends on it. */
  add(node: NewNode, rule: string): PlanNode {
    const type = node.kind === "alpha" ? node.type : "";
    const inputs = inputsOf(node).map((input) => input ?? "root");
    const key = `${node.kind}|${type}|${inputs.join(",")}|${node.text}`;
    const known = this.#sharing ? this.#byKey.get(key) : undefined;
    if (known !== undefined) {
      if (known.rules.at(-1) !== rule) known.rules.push(rule);
      return known;
    }
    const digits = this.#hash(hashedText(node, this.nodes)).toString(16).padStart(16, "0");
    const name = `${prefixOf(node)}_${digits}`;
    // Not a copy: each copy of this kind gets a hidden class of its own, which takes more memory than the node.
    const made = Object.assign(node, { id: this.nodes.length, name, rules: [rule] }) as PlanNode;
    this.nodes.push(made);
    this.#byKey.set(key, made);
    return made;
  }

  /** Returns the node with an id. */
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
