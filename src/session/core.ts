/**
 * The parts of a session that need no compiler: one object for each thing that is done with it.
 *
 * `state` and `program` are there before, with the network assembled on the state.
 */
import { must } from "../base/invariant.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import { Changes } from "./changes/changes.ts";
import { PROGRAM } from "./changes/staging.ts";
import { Runner } from "./runner.ts";
import { Inspector } from "./inspector.ts";
import type { SessionOptions, SessionSpec } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import { Snapshots } from "./snapshots.ts";
import type { SessionState } from "./state.ts";

export class SessionCore {
  readonly state: SessionState;
  readonly program: ProgramPort;
  readonly outcomes: AtRestOutcomes;
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly runner: Runner;
  readonly snapshots: Snapshots;

  constructor(state: SessionState, program: ProgramPort, outcomes: AtRestOutcomes, options: SessionOptions) {
    this.state = state;
    this.program = program;
    this.outcomes = outcomes;
    this.changes = new Changes(state, program.network);
    this.inspector = new Inspector(state, program);
    this.runner = new Runner(state, this, options);
    this.snapshots = new Snapshots(state, this, options);
  }

  /** Begins with the facts of a snapshot, with those of the program, or with none. */
  begin({ initialFacts }: SessionSpec, { from, facts = "program" }: SessionOptions): void {
    if (from !== undefined) return this.snapshots.restore(from);
    const staging = this.changes.newStaging();
    if (facts === "program") for (const { type, fields } of initialFacts) staging.insert(type, fields, PROGRAM);
    this.changes.propagate(staging, "program");
  }

  /**
   * Continues with another program and the same facts. `apply` changes the network to that of the new program; matches that
   * it keeps do not fire again.
   */
  replaceProgram(spec: SessionSpec, apply: () => void): void {
    const { state, program } = this;
    const { agenda, support } = state;
    state.activity.refuseWhileWorking("replace the program");
    program.network.makeDeferred?.();
    const waiting = agenda.takeAll();
    state.declare(spec);
    this.runner.programReplaced();
    state.memory.beginChange();
    state.problems.forgetLimits();
    apply();
    for (const activation of this.inspector.activations()) {
      const { name, alternative = 0 } = activation.production;
      const production = program.productions.get(name)?.[alternative];
      activation.production = must(production, "a match belongs to a rule of the program");
    }
    support.programChanged();
    for (const activation of waiting) if (activation.alive) agenda.add(activation);
    this.changes.commit(this.changes.newStaging(), "support");
  }
}
