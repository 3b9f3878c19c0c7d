/**
 * The keys by which live nodes are found again: what a node does to which live inputs. Two nodes with the same key are one
 * node; without sharing a key names the rule as well.
 */
import type { PlanNode } from "../plan/plan.ts";
import type { LiveNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";

/** Makes the keys of a network's nodes. */
export class NodeKeys {
  readonly #numbers = new Map<LiveNode, number>();
  #count = 0;

  /** Returns the key of a node of a plan over its live inputs. */
  of(node: PlanNode, inputs: readonly (LiveNode | undefined)[], context: MakingContext): string {
    const numbers = inputs.map((input) => (input === undefined ? "root" : this.#number(input)));
    const type = node.kind === "alpha" ? `${node.type}|` : "";
    const inner = context.shortcuts.absences.get(node.id);
    const text = inner === undefined ? node.text : `${node.text} ${inner.text}`;
    return `${node.kind}|${type}${numbers.join(",")}|${text}${context.owner(node)}`;
  }

  /** Removes a node that is no longer part of the network. */
  forget(node: LiveNode): void {
    this.#numbers.delete(node);
  }

  #number(node: LiveNode): number {
    const known = this.#numbers.get(node);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#numbers.set(node, this.#count);
    return this.#count;
  }
}
