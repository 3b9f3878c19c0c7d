/** What properties of explanations have in common: sessions that have followed a history, and the form of a tree. */
import { type Explanation, explanationSteps, type RuleSession } from "../../src/index.ts";
import { type Case, SMALL } from "./engine-arbitrary.ts";
import { isFact, programOf, Rig } from "./rig.ts";

/** Thousands of these in every case: `expect` would take most of the time. */
export function claim(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** A session that has followed a history, with its program. */
export function rigOf(one: Case): Rig {
  const rig = new Rig(SMALL, one.rules);
  for (const fact of one.facts) rig.follow({ is: "assert", fact });
  for (const operation of one.operations) if (operation.is !== "run") rig.follow(operation);
  return rig;
}

/** Another session with the same facts. */
export function copyOf(rig: Rig): RuleSession {
  return programOf(rig.checked).session({ from: rig.session.snapshot() });
}

export type Bindings = Readonly<Record<string, unknown>>;

/** The variables of the matches of a rule, facts as ids. */
export function matchesOf(session: RuleSession, rule: string): string[] {
  return session.matches(rule).map(({ bindings }) => {
    const ids = Object.entries(bindings).map(([name, bound]) => [name, isFact(bound) ? bound.id : bound]);
    return bindingsText(Object.fromEntries(ids) as Bindings);
  });
}

export function bindingsText(bindings: Bindings): string {
  return JSON.stringify(Object.entries(bindings).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function checkForm(root: Explanation): void {
  const all = [...explanationSteps(root)];
  claim(new Set(all.map((step) => step.unit_id)).size === all.length, "ids are unique");
  for (const step of all) {
    for (const text of [step.observation, step.downward_rationale, step.upward_rationale]) {
      claim(text !== "", `no text is empty: ${step.unit_id}`);
    }
    claim((step.decision === "decompose") === step.children.length > 0, "decompose exactly where there are children");
    claim((step.method === undefined) === (step.decision !== "direct_method"), "a method exactly on tested leaves");
    for (const [index, child] of step.children.entries()) {
      claim(child.unit_id === `${step.unit_id}.${index + 1}`, "the number of the child is part of its id");
      claim(child.depth === step.depth + 1, "depth counts");
    }
  }
}
