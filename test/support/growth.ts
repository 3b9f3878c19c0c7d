/** D4: a session that gets its rules while it has facts, and what it must find. */
import { compile, type RuleSession } from "../../src/index.ts";
import { type Case, SMALL } from "./engine-arbitrary.ts";
import { checkRules, type Rule, rulesSource, TYPES } from "./engine-program.ts";
import type { Step } from "./history.ts";
import { engineTexts, expectSame, programOf, Rig } from "./rig.ts";

type Rules = ReadonlyMap<string, Rule>;

/** How a session begins, and how it gets one more rule. */
interface Growth {
  begin(): RuleSession;
  add(session: RuleSession, all: Rules, added: string): void;
}

export const BY_TREE: Growth = {
  begin: () => programOf(checkRules(new Map())).session({ facts: "none" }),
  add: (session, all) => session.reload(programOf(checkRules(all))),
};

export const BY_TEXT: Growth = {
  begin: () => compile(TYPES).session({ facts: "none" }),
  add: (session, all, added) => {
    const rule = all.get(added);
    if (rule !== undefined) session.reload(session.program.extend(rulesSource(new Map([[added, rule]]))));
  },
};

export function ruleTimesAgree(one: Case, growth: Growth): void {
  const rig = new Rig(SMALL, one.rules);
  const steps = one.facts.flatMap((fact) => takeStep(rig, fact));
  const rules = [...rig.history.rules];
  for (const early of [0, 1]) {
    const session = growth.begin();
    const known = new Map<string, Rule>();
    const schedule = interleave(steps, rules, early);
    for (const event of schedule) {
      if ("step" in event) session.assert(event.step.type, event.step.fields);
      else growth.add(session, known.set(...event.rule), event.rule[0]);
    }
    expectSame(
      rig.texts(),
      engineTexts(session, rig.history.rules.keys()),
      () => `${rig.story()}\nrules from ${early}`,
    );
  }
}

function takeStep(rig: Rig, fact: Case["facts"][number]): Extract<Step, { is: "assert" }>[] {
  const step = rig.history.plan({ is: "assert", fact });
  if (step?.is !== "assert") return [];
  rig.apply(step);
  return [step];
}

type Event = { readonly step: Extract<Step, { is: "assert" }> } | { readonly rule: readonly [string, Rule] };

/** The rules behind the facts, or spread between them. */
function interleave(
  steps: readonly Extract<Step, { is: "assert" }>[],
  rules: readonly (readonly [string, Rule])[],
  early: number,
): Event[] {
  const events: Event[] = steps.map((step) => ({ step }));
  for (const [index, rule] of rules.entries()) {
    const at = early === 0 ? events.length : Math.min(events.length, 1 + index * 3);
    events.splice(at, 0, { rule });
  }
  return events;
}
