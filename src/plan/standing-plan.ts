/**
 * Plans queries that stand in the network while questions come and go.
 *
 * The parameters are fields of a fact of a type of its own, the first level of the chain. A question is then one such fact:
 * it is added, and the joins below find its answers by key; it is removed, and they are gone. All questions of a plan share
 * its nodes.
 *
 *     root ── join parameters ── join Person[.id == $1.id] ── terminal
 *     level 0       level 1               level 2
 */
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import { planElements } from "./elements.ts";
import { type Hash, xxHash64 } from "./hash.ts";
import { NodeTable } from "./node-table.ts";
import { planTests } from "./patterns.ts";
import type { Plan, PlanExpr } from "./plan.ts";
import { planContext, type PlanOptions } from "./planner.ts";
import { RuleBuilder } from "./rule-builder.ts";
import { addTerminals } from "./rule-terminals.ts";
import { callsIn } from "./read/levels.ts";
import { nodeExpressions } from "./read/expressions.ts";
import { PARAMETER_LEVEL, standingNames, type StandingPlan } from "./standing.ts";

/** Returns the standing plan of a query. Plans with different `purpose` share no matches. */
export function planStandingQuery(
  program: CheckedProgram,
  query: ast.QueryDecl,
  purpose: string,
  options: PlanOptions,
): StandingPlan {
  const names = query.params.map(({ name }) => name.name);
  const { rule: name, parameters: type } = standingNames(query.name.name, purpose);
  const hash: Hash = options.hash ?? xxHash64;
  const table = new NodeTable(hash, options.sharing ?? true);
  const builder = new RuleBuilder(planContext(program, table), name);
  planTests(builder, { variable: undefined, type }, []);
  builder.eager = false;
  const parameter = (field: string): PlanExpr => ({ op: "field", level: PARAMETER_LEVEL, field, type });
  for (const field of names) builder.places.set(field, { kind: "expr", expr: parameter(field), type: undefined });
  const layouts = addTerminals(planElements(builder, query.elements), []);
  const rule = { name: builder.rule, order: 0, salience: 0, group: undefined, noLoop: false, layouts };
  const plan: Plan = { nodes: table.nodes, rules: [rule] };
  return { plan, parameters: type, names, calls: plan.nodes.some((node) => nodeExpressions(node).some(callsIn)) };
}
