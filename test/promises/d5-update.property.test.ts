/** D5: updating a fact gives the same matches as retracting it and asserting it with the new values. */
import { test } from "vitest";
import type { RuleSession } from "../../src/index.ts";
import { PATIENT, runs } from "../support/cases.ts";
import { type Case, type Domain, SMALL } from "../support/engine-arbitrary.ts";
import { History, merge, type Step } from "../support/history.ts";
import { labelledTexts } from "../support/labels.ts";
import { forAllCases } from "../support/minimise.ts";
import { expectSame, Rig } from "../support/rig.ts";

const STABLE: Domain = { ...SMALL, stableReferences: true };

/** A session that does what that of a rig does, but never updates. */
class WithoutUpdates {
  readonly #rig: Rig;
  readonly session: RuleSession;
  /** From the ids of the other session to those of this one, and the other way round. */
  readonly #ids = new Map<string, string>();
  readonly labels = new Map<string, string>();

  constructor(rig: Rig) {
    this.#rig = rig;
    this.session = rig.open();
  }

  /** After the rig has done it. */
  apply(step: Step, id: string): void {
    switch (step.is) {
      case "update":
        return this.#replace(step);
      case "assert":
        return this.#learn(id, this.session.assert(step.type, step.fields).id);
      case "retract":
        this.session.retract(this.#ids.get(step.id) ?? "");
        return;
      case "run":
        this.session.run();
        return;
      case "add":
      case "remove":
        this.session.reload(this.#rig.program());
        return;
      case "refuse":
        return;
    }
  }

  #replace(step: Extract<Step, { is: "update" }>): void {
    const fact = this.session.fact(this.#ids.get(step.id) ?? "");
    if (fact === undefined) throw new Error(`no fact ${step.id}`);
    this.session.retract(fact.id);
    this.#learn(step.id, this.session.assert(fact.type, merge(fact.fields, step.changes)).id);
  }

  #learn(theirs: string, ours: string): void {
    this.#ids.set(theirs, ours);
    this.labels.set(ours, theirs);
  }
}

function updatesAreReplacements(one: Case): void {
  const rig = new Rig(STABLE, one.rules);
  const other = new WithoutUpdates(rig);
  for (const operation of History.operations(one)) {
    const step = rig.history.plan(operation);
    if (step === undefined || step.is === "refuse") continue;
    const id = rig.history.nextId(step);
    rig.apply(step);
    other.apply(step, id);
    if (step.is !== "update") continue;
    const rules = [...rig.history.rules.keys()];
    const expected = labelledTexts(other.session, rules, other.labels);
    expectSame(expected, labelledTexts(rig.session, rules, new Map()), () => rig.story());
  }
}

test(
  "an update is a retraction and an assertion, also when it changes nothing or only what nobody reads",
  () => {
    forAllCases(STABLE, runs(), updatesAreReplacements);
  },
  PATIENT,
);
