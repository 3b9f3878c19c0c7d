/** The expressions that nodes and actions of a plan evaluate. */
import { unreachable } from "../../base/invariant.ts";
import type { PlanAction, PlanExpr, PlanNode } from "../plan.ts";

/** Returns what a node evaluates itself, without what its inputs do. Guardians and pipelines evaluate through their watches. */
export function nodeExpressions(node: PlanNode): readonly PlanExpr[] {
  switch (node.kind) {
    case "alpha":
    case "filter":
      return [node.test];
    case "join":
      return [...node.keys.flatMap(({ field, equals }) => [field, equals]), ...node.tests];
    case "lookup":
      return [node.of];
    case "let":
      return [node.value];
    case "items":
      return [node.list];
    case "timer":
      return node.until === undefined ? [node.from.at] : [node.from.at, node.until.at];
    case "last":
      return [node.count, node.key, node.fits?.test].filter((one) => one !== undefined);
    case "aggregate":
      return [node.value, ...(node.fits ?? []).map((fits) => fits?.test)].filter((one) => one !== undefined);
    case "condition":
      return [node.test, node.by, node.per, node.trust, node.fits?.test].filter((one) => one !== undefined);
    case "watch":
      return node.exprs;
    default:
      return [];
  }
}

/** Returns the expressions that an action evaluates. */
export function actionExpressions(action: PlanAction): readonly PlanExpr[] {
  switch (action.kind) {
    case "effect":
      return action.args;
    case "focus":
      return [action.group];
    case "insert":
    case "xuple":
      return action.fields.map(({ value }) => value);
    case "update":
      return [action.target, ...action.fields.map(({ value }) => value)];
    case "retract":
    case "xuple-fact":
      return [action.target];
    case "decide":
    case "verify":
      return action.subject === undefined ? [] : [action.subject];
    case "halt":
      return [];
    default:
      return unreachable(action);
  }
}
