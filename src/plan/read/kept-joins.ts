/**
 * Compares the orders of joining of two plans. A rule that is in both, and is joined in another order in the second (another rule with
 * which it shared a join is gone, or `option order` is new), is the same rule with other nodes.
 */
import type { Plan, PlanRule } from "../plan.ts";
import { ruleHashes } from "./rule-hash.ts";

/** Returns whether the rules that both plans have are joined in the same order. */
export function keepsJoins(before: Plan, next: Plan): boolean {
  const old = joinedRules(before);
  const now = joinedRules(next);
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [placesOf(old.get(name)), placesOf(now.get(name))];
    if (from === to || !isRule(before, name) || !isRule(next, name)) continue;
    if (ruleHashes(before)(name) === ruleHashes(next)(name)) return false;
  }
  return true;
}

/** Returns the rules that are joined in another order than the written one, by name. */
function joinedRules({ rules }: Plan): Map<string, PlanRule> {
  return new Map(rules.flatMap((rule) => (rule.joined === undefined ? [] : [[rule.name, rule]])));
}

function placesOf(rule: PlanRule | undefined): string | undefined {
  return rule?.joined?.places.join();
}

function isRule({ rules }: Plan, name: string): boolean {
  return rules.some((rule) => rule.name === name);
}
