/** Prepares the nodes of a plan: what a node is in all sessions, by its kind. */
import { type FailureSite, failureSite } from "../rete/failures.ts";
import type { PlanNode } from "../plan/plan.ts";
import { isAbsence } from "../plan/read/shortcuts.ts";
import { makeAlpha } from "./alpha-maker.ts";
import { makeAggregate, makeFilter, makeItems, makeLet, makeLookup } from "./beta-maker.ts";
import { ExpressionCompiler, type ExpressionContext } from "./expression-compiler.ts";
import { makeLast } from "./last-maker.ts";
import { makeJudge } from "./judge-maker.ts";
import type { MakingContext } from "./making-context.ts";
import { nodeKey } from "./node-keys.ts";
import type { Making, NodeSpec } from "./node-spec.ts";
import { makeAbsence, makeJoin, pairsAll } from "./pair-maker.ts";
import { type ActionSite, makeTerminal } from "./rule-maker.ts";
import { makeRunning } from "./running-maker.ts";
import { makeTimer } from "./timer-maker.ts";

/** Prepares a node. */
export function specOf(
  node: PlanNode,
  number: number,
  context: MakingContext,
  compiled: ExpressionContext,
  actions: ReadonlyMap<string, ActionSite>,
): NodeSpec {
  const inputs = context.inputsOf(node);
  const site = failureSite(node.rules, false);
  const making = makingOf(node, context, new ExpressionCompiler(compiled, site), site, actions);
  const left = "left" in node && !context.shortcuts.direct.has(node.id) ? context.left(node) : undefined;
  const atRoot = node.kind === "join" && node.left === undefined && !context.isQuestion;
  return {
    number,
    id: node.id,
    kind: node.kind,
    key: nodeKey(
      node,
      inputs.map((input) => input?.number),
      context,
    ),
    pattern: node.kind === "join" ? node.words : node.text,
    rules: node.rules,
    rank: node.kind === "alpha" ? 0 : 1 + Math.max(0, ...inputs.map((input) => input?.rank ?? 0)),
    inputs,
    left,
    making,
    site: site.calls ? site : undefined,
    rootMemory: atRoot ? context.memoryOf(node) : undefined,
    allOf: node.kind === "join" && pairsAll(node, context) ? node.type : undefined,
    dependents: [],
  };
}

function makingOf(
  plan: PlanNode,
  context: MakingContext,
  expressions: ExpressionCompiler,
  site: FailureSite,
  actions: ReadonlyMap<string, ActionSite>,
): Making {
  switch (plan.kind) {
    case "alpha":
      return { shared: makeAlpha(plan, context, expressions) };
    case "join":
      return { make: makeJoin(plan, context, expressions) };
    case "lookup":
      return { make: makeLookup(plan, context, expressions) };
    case "filter":
      return { make: makeFilter(plan, context, expressions) };
    case "let":
      return { make: makeLet(plan, context, expressions) };
    case "items":
      return { make: makeItems(plan, context, expressions) };
    case "timer":
      return { make: makeTimer(plan, context, expressions) };
    case "last":
      return { make: makeLast(plan, context, expressions) };
    case "aggregate": {
      const onePattern = context.shortcuts.overOne.get(plan.id);
      if (onePattern === undefined) return { make: makeAggregate(plan, context, expressions) };
      const makeOver = isAbsence(plan) ? makeAbsence : makeRunning;
      return { make: makeOver(plan, onePattern, context, expressions) };
    }
    case "terminal":
      return makeTerminal(plan, context, actions.get(plan.rule));
    default:
      return { make: makeJudge(plan, context, expressions) };
  }
}
