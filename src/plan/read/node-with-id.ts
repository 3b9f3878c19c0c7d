/** Finds nodes by id among the nodes of a plan. They are in the order of their ids, of which some may be missing. */
import type { PlanNode } from "../plan.ts";

/** Returns the node with an id. Takes O(log n) steps; one when no id is missing. */
export function nodeWithId(nodes: readonly PlanNode[], id: number): PlanNode | undefined {
  const node = nodes[placeOf(nodes, id)];
  return node?.id === id ? node : undefined;
}

/** Returns the place of the first node whose id is not below the given one. */
export function placeOf(nodes: readonly PlanNode[], id: number): number {
  if (nodes[id]?.id === id) return id;
  let low = 0;
  let high = Math.min(id, nodes.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle] as PlanNode).id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
