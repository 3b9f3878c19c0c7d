/**
 * The keys by which the nodes of one program are found in another: what a node does to which inputs. Two nodes with the same key
 * are one node; without sharing a key names the rule as well.
 */
import type { PlanNode } from "../plan/plan.ts";
import type { MakingContext } from "./making-context.ts";

/** Returns the key of a node over its inputs; `inputs` are their numbers, undefined for the root and for types. */
export function nodeKey(node: PlanNode, inputs: readonly (number | undefined)[], context: MakingContext): string {
  const numbers = inputs.map((input) => input ?? "root");
  const type = node.kind === "alpha" ? `${node.type}|` : "";
  const inner = context.shortcuts.overOne.get(node.id);
  const text = inner === undefined ? node.text : `${node.text} ${inner.text}`;
  return `${node.kind}|${type}${numbers.join(",")}|${text}${context.owner(node)}`;
}
