/**
 * The plan of a program that has some rules more and some rules less than one that is planned. Only those rules are planned: what
 * they share with others is found by its key, and all other nodes stay as they are, with their ids.
 */
import { finish } from "../base/slices.ts";
import type * as ast from "../language/ast.ts";
import type { CheckedProgram } from "../language/check/program.ts";
import type { PlanRule } from "./plan.ts";
import { planningTables } from "./tables.ts";
import { isDisabled, liveRules, planContext, type PlannedProgram, planRule, ruleOrder, rulesIn } from "./planner.ts";
import type { JoinChoice } from "./rule-body.ts";

/**
 * Returns the plan of a program whose last file was added to a planned one and has only rules, removals of rules, queries and tests.
 * Returns undefined when all of it must be planned: without sharing, with reactions, whose order follows that of all rules, and when
 * more ids are unused than used.
 */
export function plannedChange(
  before: PlannedProgram,
  was: CheckedProgram,
  program: CheckedProgram,
): PlannedProgram | undefined {
  const table = before.hasReactions ? undefined : before.table.continued();
  if (table === undefined || table.unusedIds > table.nodes.length) return undefined;
  const { arrange, joins, namedFacts } = before;
  const context = planContext(program, table, namedFacts);
  const declarations = program.files.at(-1)?.declarations ?? [];
  const rules = before.plan.rules.slice();
  const orders = before.orders.continued();
  const authors = new Set<string>();
  const removed = removedFrom(was, declarations);
  const again = (rule: ast.RuleDecl) => (): void => {
    planRule(context, rule, 0, { arrange, joins: orderBefore(before, rule.name.name) });
  };
  for (const rule of removed) {
    const { name } = rule.name;
    for (const author of table.remove(name, again(rule))) authors.add(author);
    rules.splice(placeOfOrder(rules, orders.get(name) ?? 0), 1);
    orders.delete(name);
  }
  for (const author of authors) {
    const rule = was.symbols.rules.get(author)?.decl;
    if (rule === undefined) return undefined; // what judges began the pattern
    if (removed.has(rule)) continue;
    table.reword(author, again(rule));
  }
  const declared = rulesIn(declarations);
  for (const { rule, order } of liveRules(program, declared, before.declared)) {
    rules.push(planRule(context, rule, order, ruleOrder(rule, arrange, joins)));
    orders.set(rule.name.name, order);
  }
  const plan = finish(planningTables(program, { nodes: table.nodes, rules }));
  return { ...before, plan, table, orders, declared: before.declared + declared.length };
}

/** Returns the order in which the patterns of a planned rule are joined: now, with other rules, another one might be chosen. */
function orderBefore({ plan, orders }: PlannedProgram, name: string): JoinChoice {
  const rule = plan.rules[placeOfOrder(plan.rules, orders.get(name) ?? 0)];
  return rule?.joined?.places ?? "written";
}

/** Returns the rules of a program that statements remove from it and that are planned. */
function removedFrom({ symbols }: CheckedProgram, declarations: readonly ast.Declaration[]): Set<ast.RuleDecl> {
  const removed = declarations.flatMap((decl) => {
    const rule = decl.kind === "remove-rule" ? symbols.rules.get(decl.rule.name)?.decl : undefined;
    return rule === undefined || isDisabled(rule) ? [] : [rule];
  });
  return new Set(removed);
}

/** Returns the place of the rule with an order among rules in program order. */
function placeOfOrder(rules: readonly PlanRule[], order: number): number {
  let low = 0;
  let high = rules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rules[middle] as PlanRule).order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
