/** Makes alpha nodes: tests on single facts. */
import { AlphaNode } from "../rete/alpha.ts";
import type { AlphaPlan } from "../plan/plan.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MadeNode } from "./live-node.ts";
import type { MakingContext } from "./making-context.ts";

/** Makes an alpha node below the one that tests its facts before it, or below the node of their type. */
export function makeAlpha(plan: AlphaPlan, context: MakingContext, expressions: ExpressionCompiler): MadeNode {
  const type = context.network.type(plan.type);
  const above = plan.input === undefined ? type : (context.alive(plan.input) as AlphaNode);
  const reads = expressions.reads(plan.test).get(0) ?? new Set<number>();
  const access = context.indexing ? expressions.access(plan.test, plan.type) : undefined;
  const node = new AlphaNode(plan.text, expressions.factTest(plan.test), reads, above, access);
  expressions.noteAlpha(above, node);
  above.attach(node);
  for (const slot of reads) type.tested.add(slot);
  return { node, attachments: [], forget: () => above.detach(node) };
}
