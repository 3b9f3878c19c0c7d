/** Prepares the node that lets the last facts of a pattern pass. */
import { LastNode } from "../rete/last.ts";
import type { LastPlan } from "../plan/plan.ts";
import { valuesOf } from "../plan/read/levels.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import type { MakingContext } from "./making-context.ts";
import type { MakeNode } from "./node-spec.ts";
import { matchTruth, unknownReason } from "./unknown-reasons.ts";

/** Prepares the node that lets the matches pass whose fact is among the last ones. */
export function makeLast(plan: LastPlan, context: MakingContext, expressions: ExpressionCompiler): MakeNode {
  const above = context.left(plan);
  const { name, from, passUnknown } = plan;
  const exprs = [plan.count, ...(plan.key === undefined ? [] : [plan.key])];
  const all = [...exprs, ...(plan.fits === undefined ? [] : [plan.fits.test])];
  const spec = {
    name,
    from,
    passUnknown,
    count: expressions.matchValue(plan.count, plan.level - 1),
    key: plan.key === undefined ? undefined : expressions.matchValue(plan.key, plan.level - 1),
    fits: plan.fits === undefined ? undefined : matchTruth(plan.fits, expressions),
    reads: expressions.reads(...all),
    values: new Set(all.flatMap((expr) => [...valuesOf(expr)])),
    unknownCount: unknownReason([plan.count]),
    unknownKey: unknownReason(exprs.slice(1)),
  };
  return (live) => {
    const { flushQueue, tally } = live.network;
    const left = live.beta(above);
    const node = new LastNode({ ...spec, left }, flushQueue, tally);
    return { node, attachments: [{ above: left, input: node }] };
  };
}
