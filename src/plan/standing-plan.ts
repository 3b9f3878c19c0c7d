/**
 * Plans that stand in the network while questions come and go: a query, or the facts of a type.
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

/** The plan of a question with parameters. */
export interface StandingPlan {
  readonly plan: Plan;
  /** The type of the facts that hold parameters. No program can name it. */
  readonly parameters: string;
  /** The names of the parameters: the fields of that type, in order. */
  readonly names: readonly string[];
  /** Whether a test calls a function. */
  readonly calls: boolean;
}

/** The level of the fact with the parameters, which is the first of the facts of every match. */
export const PARAMETER_LEVEL = 1;

/** Returns the standing plan of a query. Plans with different `purpose` share no matches. */
export function planStandingQuery(
  program: CheckedProgram,
  query: ast.QueryDecl,
  purpose: string,
  options: PlanOptions,
): StandingPlan {
  const names = query.params.map(({ name }) => name.name);
  return planStanding(program, { name: query.name.name, purpose, names }, options, (builder) =>
    planElements(builder, query.elements),
  );
}

/** Returns the standing plan of the facts of a type whose given fields equal the parameters. The variable is `fact`. */
export function planStandingType(
  program: CheckedProgram,
  type: string,
  fields: readonly string[],
  purpose: string,
  options: PlanOptions,
): StandingPlan {
  const name = `${type}(${fields.join(", ")})`;
  return planStanding(program, { name, purpose, names: fields }, options, (builder, parameter) => {
    const level = builder.level + 1;
    const tests = fields.map((field): PlanExpr => ({
      op: "compare",
      by: "==",
      left: { op: "field", level, field, type },
      right: parameter(field),
    }));
    builder.places.set("fact", { kind: "fact", level, type });
    planTests(builder, { variable: "fact", type }, tests);
    return [builder];
  });
}

interface Standing {
  readonly name: string;
  readonly purpose: string;
  readonly names: readonly string[];
}

type Elements = (builder: RuleBuilder, parameter: (name: string) => PlanExpr) => RuleBuilder[];

function planStanding(
  program: CheckedProgram,
  { name, purpose, names }: Standing,
  options: PlanOptions,
  elements: Elements,
): StandingPlan {
  const hash: Hash = options.hash ?? xxHash64;
  const table = new NodeTable(hash, options.sharing ?? true);
  const builder = new RuleBuilder(planContext(program, table), `\u0000query ${name}`);
  const type = `\u0000${purpose} ${name}`;
  planTests(builder, { variable: undefined, type }, []);
  builder.eager = false;
  const parameter = (field: string): PlanExpr => ({ op: "field", level: PARAMETER_LEVEL, field, type });
  for (const field of names) builder.places.set(field, { kind: "expr", expr: parameter(field), type: undefined });
  const layouts = addTerminals(elements(builder, parameter), []);
  const rule = { name: builder.rule, order: 0, salience: 0, group: undefined, noLoop: false, layouts };
  const plan: Plan = { nodes: table.nodes, rules: [rule] };
  return { plan, parameters: type, names, calls: plan.nodes.some((node) => nodeExpressions(node).some(callsIn)) };
}
