/** D9: adding a rule never changes another rule's matches, and removing it restores everything exactly. */
import { test } from "vitest";
import { compile } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { Difference } from "../support/difference.ts";
import { type Case, SMALL } from "../support/engine-arbitrary.ts";
import { rulesSource, sourceOf } from "../support/engine-program.ts";
import { History } from "../support/history.ts";
import { forAllCases } from "../support/minimise.ts";
import { engineTexts, expectSame, Rig } from "../support/rig.ts";

/** The last of the rules comes and goes again, with the first facts and at the end. */
function rulesStayApart(one: Case): void {
  const last = one.rules.at(-1);
  if (last === undefined) return;
  const rig = new Rig(SMALL, one.rules.slice(0, -1));
  for (const fact of one.facts) rig.follow({ is: "assert", fact });
  comeAndGo(rig, last);
  for (const operation of one.operations) rig.follow(operation);
  comeAndGo(rig, last);
}

function comeAndGo(rig: Rig, gene: Case["rules"][number]): void {
  const before = rig.texts();
  const counters = countersOf(rig);
  const step = rig.history.plan({ is: "add", gene });
  if (step?.is !== "add") return;
  rig.apply(step);
  expectSame(before, rig.texts(), () => `a rule was added\n${rig.story()}`);
  rig.apply({ is: "remove", name: step.name });
  expectSame(before, rig.texts(), () => `a rule was removed\n${rig.story()}`);
  if (countersOf(rig) !== counters) throw new Difference(`${counters} became ${countersOf(rig)}\n${rig.story()}`);
}

function countersOf(rig: Rig): string {
  return JSON.stringify(rig.session.counters());
}

test(
  "rules do not touch each other",
  () => {
    forAllCases(SMALL, runs(), rulesStayApart);
  },
  PATIENT,
);

test(
  "also through extend and without",
  () => {
    forAllCases(SMALL, runs(1_000), (one) => {
      const history = new History(SMALL, one.rules);
      const [last] = [...history.rules].slice(-1);
      if (last === undefined) return;
      const others = new Map([...history.rules].slice(0, -1));
      const session = compile(sourceOf(others)).session({ facts: "none" });
      for (const operation of History.operations(one)) {
        const step = history.plan(operation);
        if (step?.is !== "assert") continue;
        history.note(step, session.assert(step.type, step.fields).id);
      }
      const before = engineTexts(session, others.keys());
      const counters = JSON.stringify(session.counters());
      session.reload(session.program.extend(rulesSource(new Map([last]))));
      expectSame(before, engineTexts(session, others.keys()), () => `with ${last[0]}\n${sourceOf(history.rules)}`);
      session.reload(session.program.without(last[0]));
      expectSame(
        before,
        engineTexts(session, others.keys()),
        () => `without ${last[0]} again\n${sourceOf(history.rules)}`,
      );
      if (JSON.stringify(session.counters()) !== counters)
        throw new Difference(`${counters}\n${sourceOf(history.rules)}`);
    });
  },
  PATIENT,
);
