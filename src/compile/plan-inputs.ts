/** What each node of a plan stands on. */
import type { PlanNode } from "./plan.ts";
import { watchesOf } from "./plan-guardians.ts";
import { stepWatches } from "./plan-pipelines.ts";

/** By their ids; undefined is the root, or all facts of a type. */
export function inputsOf(node: PlanNode): readonly (number | undefined)[] {
  switch (node.kind) {
    case "alpha":
      return [node.input];
    case "join":
      return [node.left, node.right];
    case "fold":
      return [node.left, ...node.inner];
    case "terminal":
      return [node.left, ...node.ends];
    case "condition":
    case "watch":
      return [node.left, node.inner, ...node.gaps.map((gap) => gap.end)];
    case "gate":
      return [node.left, ...node.leaves.map((leaf) => leaf.condition)];
    case "guardian":
      return [node.left, ...watchesOf(node)];
    case "pipeline":
      return [node.left, ...stepWatches(node)];
    default:
      return [node.left];
  }
}
