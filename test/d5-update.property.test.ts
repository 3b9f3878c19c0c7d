/** D5: to update a fact gives the same matches as to retract it and assert it with the new values. */
import { test } from "vitest";
import { PATIENT, runs } from "./support/cases.ts";
import { type Case, type Domain, SMALL } from "./support/engine-arbitrary.ts";
import { History, merge, type Step } from "./support/history.ts";
import { labelledTexts } from "./support/labels.ts";
import { forAllCases } from "./support/minimise.ts";
import { expectSame, Rig } from "./support/rig.ts";

const STABLE: Domain = { ...SMALL, stableReferences: true };

/** A session that does what another does, but never updates. */
class WithoutUpdates {
  readonly #rig: Rig;
  /** From the ids of the other session to those of this one, and the other way round. */
  readonly #ids = new Map<string, string>();
  readonly labels = new Map<string, string>();

  constructor(rig: Rig) {
    this.#rig = rig;
  }

  apply(step: Step, id: string): void {
    if (step.is === "update") return this.#replace(step);
    if (step.is === "assert") return this.#learn(id, this.#rig.session.assert(step.type, step.fields).id);
    if (step.is === "retract") this.#rig.session.retract(this.#ids.get(step.id) ?? "");
    else this.#rig.apply(step);
  }

  #replace(step: Extract<Step, { is: "update" }>): void {
    const { session } = this.#rig;
    const fact = session.fact(this.#ids.get(step.id) ?? "");
    if (fact === undefined) throw new Error(`no fact ${step.id}`);
    session.retract(fact.id);
    this.#learn(step.id, session.assert(fact.type, merge(fact.fields, step.changes)).id);
  }

  #learn(theirs: string, ours: string): void {
    this.#ids.set(theirs, ours);
    this.labels.set(ours, theirs);
  }

  get rig(): Rig {
    return this.#rig;
  }
}

function updatesAreReplacements(one: Case): void {
  const rig = new Rig(STABLE, one.rules);
  const other = new WithoutUpdates(new Rig(STABLE, one.rules));
  for (const operation of History.operations(one)) {
    const step = rig.history.plan(operation);
    if (step === undefined || step.is === "refuse") continue;
    const id = rig.history.nextId(step);
    rig.apply(step);
    other.apply(step, id);
    if (step.is !== "update") continue;
    const rules = [...rig.history.rules.keys()];
    const expected = labelledTexts(other.rig.session, rules, other.labels);
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
