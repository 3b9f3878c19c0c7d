/**
 * The text that a node is named by: the name ends in its hash. Two nodes of a plan have different texts, and the same node has
 * the same text in every program.
 */
import type { AlphaPlan, NewNode, PlanNode } from "../plan.ts";
import { inputsOf } from "./inputs.ts";
import { nodeWithId } from "./node-with-id.ts";

/**
 * Returns the text that is hashed: the type and all tests of the chain for an alpha node (`Person: .age > 18 AND .vip`), the
 * canonical text and the names of the inputs for every other node. `nodes` are those of the plan by id.
 */
export function hashedText(node: NewNode, nodes: readonly PlanNode[]): string {
  if (node.kind === "alpha") return `${node.type}: ${chainTests(node, nodes).join(" AND ")}`;
  const inputs = inputsOf(node).map(
    (input) => (input === undefined ? undefined : nodeWithId(nodes, input))?.name ?? "root",
  );
  return `${node.kind} ${node.text} of ${inputs.join(", ")}`;
}

/** Returns the tests that a fact has passed after an alpha node, the first first. */
export function chainTests(node: Pick<AlphaPlan, "input" | "text">, nodes: readonly PlanNode[]): string[] {
  const tests = [node.text];
  for (let { input } = node; input !== undefined;) {
    const before = nodeWithId(nodes, input);
    if (before?.kind !== "alpha") break;
    tests.unshift(before.text);
    ({ input } = before);
  }
  return tests;
}
