/** D4: a session that gets its rules while it has facts, and what it must find. */
import { compile, type Program, type RuleSession } from "../../src/index.ts";
import { type Case, SMALL } from "./engine-arbitrary.ts";
import { type Rule, rulesSource, TYPES } from "./engine-program.ts";
import type { Step } from "./history.ts";
import { engineTexts, expectSame, programOfRules, Rig } from "./rig.ts";

type Rules = ReadonlyMap<string, Rule>;

/** How a session begins, and how it gets one more rule. */
interface Growth {
  begin(): RuleSession;
  add(session: RuleSession, all: Rules, added: string): void;
  /** Learns the program of all rules, which need not be checked and planned again. */
  learn(rules: Rules, program: Program): void;
}

/** Programs that were checked and planned before are used again: both schedules add the same rules in the same order. */
export function byTree(): Growth {
  const programs = new Map<string, Program>();
  const programWith = (rules: Rules): Program => {
    const names = [...rules.keys()].join(" ");
    const known = programs.get(names) ?? programOfRules(rules);
    programs.set(names, known);
    return known;
  };
  return {
    begin: () => programWith(new Map()).session({ facts: "none" }),
    add: (session, all) => session.reload(programWith(all)),
    learn: (rules, program) => void programs.set([...rules.keys()].join(" "), program),
  };
}

export function byText(): Growth {
  return {
    begin: () => compile(TYPES).session({ facts: "none" }),
    add: (session, all, added) => {
      const rule = all.get(added);
      if (rule !== undefined) session.reload(session.program.extend(rulesSource(new Map([[added, rule]]))));
    },
    learn: () => {},
  };
}

export function ruleTimesAgree(one: Case, growth: Growth): void {
  const rig = new Rig(SMALL, one.rules);
  const steps = one.facts.flatMap((fact) => takeStep(rig, fact));
  const rules = [...rig.history.rules];
  const expected = rig.texts();
  growth.learn(rig.history.rules, rig.program());
  for (const early of [0, 1]) {
    const session = growth.begin();
    const known = new Map<string, Rule>();
    const schedule = interleave(steps, rules, early);
    for (const event of schedule) {
      if ("step" in event) session.assert(event.step.type, event.step.fields);
      else growth.add(session, known.set(...event.rule), event.rule[0]);
    }
    expectSame(expected, engineTexts(session, rig.history.rules.keys()), () => `${rig.story()}\nrules from ${early}`);
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
