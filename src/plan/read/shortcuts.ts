/**
 * Parts of a plan for which there are faster nodes than the general ones, with the same result.
 *
 * - A rule with a single pattern needs no matches: it ends at the alpha node (rete/direct-terminal.ts). Rules for which more
 *   than the fact is kept (a group, no-loop, logical facts) have a general terminal.
 * - A `not` or `exists` over one pattern that comes directly after the match needs no inner matches (rete/absence.ts).
 * - A control fact that is the last pattern of a rule is not paired before one of the pairs fires (rete/deferred-pairs.ts).
 *
 * A join that no other node depends on is then not made at all.
 */
import type { AggregatePlan, JoinPlan, Plan, PlanNode, PlanRule, TerminalPlan } from "../plan.ts";
import { inputsOf } from "./inputs.ts";

/** Where the shortcuts of a plan are, by the ids of nodes. */
export interface Shortcuts {
  /** Terminals of rules with a single pattern. */
  readonly direct: ReadonlySet<number>;
  /** A `not` or `exists` over one pattern, with the join that finds its facts. */
  readonly absences: ReadonlyMap<number, JoinPlan>;
  /** Joins that are not made. */
  readonly skipped: ReadonlySet<number>;
  /** Joins with a control fact, which pair it late. */
  readonly controls: ReadonlySet<number>;
}

/** Which shortcuts are taken. */
export interface ShortcutOptions {
  readonly direct: boolean;
  readonly absence: boolean;
  readonly control: boolean;
}

/** Returns the shortcuts of a plan. */
export function shortcutsOf(plan: Plan, wanted: ShortcutOptions): Shortcuts {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const rules = new Map(plan.rules.map((rule) => [rule.name, rule]));
  const direct = new Set<number>();
  const absences = new Map<number, JoinPlan>();
  const needed = new Set<number>();
  for (const node of plan.nodes) {
    const inner = wanted.absence && node.kind === "aggregate" ? onePattern(nodes, node) : undefined;
    if (inner !== undefined) {
      absences.set(node.id, inner);
      if (inner.left !== undefined) needed.add(inner.left);
    } else if (wanted.direct && node.kind === "terminal" && isDirect(nodes, node, rules.get(node.rule)))
      direct.add(node.id);
    else for (const input of inputsOf(node)) if (input !== undefined) needed.add(input);
  }
  const skipped = plan.nodes.filter((node) => node.kind === "join" && !needed.has(node.id)).map(({ id }) => id);
  const controls = wanted.control ? controlsOf(plan, nodes, rules) : [];
  return { direct, absences, skipped: new Set(skipped), controls: new Set(controls) };
}

/** Returns the joins with a control fact: one rule ends there, and it switches the fact when it fires. */
function controlsOf({ nodes: all }: Plan, nodes: Nodes, rules: ReadonlyMap<string, PlanRule>): number[] {
  const controls = all.flatMap((node) => {
    if (node.kind !== "terminal" || node.ends.length !== 1 || node.left === undefined) return [];
    const join = nodes.get(node.left);
    const rule = rules.get(node.rule);
    return join?.kind === "join" && rule !== undefined && isControl(join, rule) ? [join.id] : [];
  });
  const users = new Map<number | undefined, number>();
  for (const node of all) for (const id of new Set(inputsOf(node))) users.set(id, (users.get(id) ?? 0) + 1);
  return controls.filter((id) => users.get(id) === 1);
}

function isControl({ left, level, keys, tests }: JoinPlan, rule: PlanRule): boolean {
  if (left === undefined || keys.length > 0 || tests.length > 0) return false;
  if (rule.reaction === true || rule.noLoop || rule.group !== undefined) return false;
  return rule.layouts.every(({ actions }) =>
    actions.some(
      (one) =>
        (one.kind === "retract" || one.kind === "update") && one.target.op === "fact" && one.target.level === level,
    ),
  );
}

type Nodes = ReadonlyMap<number, PlanNode>;

function onePattern(nodes: Nodes, { aggregate, inner, left }: AggregatePlan): JoinPlan | undefined {
  if (aggregate !== "not" && aggregate !== "exists") return undefined;
  const [end, ...others] = inner.map((id) => nodes.get(id));
  return end?.kind === "join" && others.length === 0 && end.left === left ? end : undefined;
}

function isDirect(nodes: Nodes, { left, ends }: TerminalPlan, rule: PlanRule | undefined): boolean {
  if (rule === undefined || rule.reaction === true || rule.noLoop || rule.group !== undefined || ends.length !== 1)
    return false;
  const join = left === undefined ? undefined : nodes.get(left);
  if (join?.kind !== "join" || join.left !== undefined || join.keys.length > 0 || join.tests.length > 0) return false;
  return rule.layouts.every(({ actions }) => actions.every((one) => one.kind !== "insert" || !one.logical));
}
