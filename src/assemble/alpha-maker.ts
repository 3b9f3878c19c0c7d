/** Makes alpha nodes: tests on single facts. All sessions of a program share them. */
import { AlphaNode } from "../rete/alpha.ts";
import type { AlphaPlan } from "../plan/plan.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MakingContext } from "./making-context.ts";

/**
 * Makes an alpha node below the one that tests its facts before it, or below the node of their type. One of a question is not
 * found by facts that come: no fact comes while it is answered.
 */
export function makeAlpha(plan: AlphaPlan, context: MakingContext, expressions: ExpressionCompiler): AlphaNode {
  const above = context.above(plan);
  const type = context.type(plan.type);
  const reads = expressions.reads(plan.test).get(0) ?? new Set<number>();
  const access = context.indexing ? expressions.access(plan.test, plan.type) : undefined;
  const node = new AlphaNode(plan.text, expressions.factTest(plan.test), reads, above.testAlone, access);
  expressions.noteAlpha(above, node);
  if (context.isQuestion) return node;
  above.attach(node);
  for (const slot of reads) type.tested.add(slot);
  return node;
}
