/** Takes snapshots of a session, and continues from one. */
import { ActivationIndex, applyMarks, markOf } from "./agenda/marks.ts";
import type { Changes } from "./changes/changes.ts";
import type { EffectKeys } from "./effect-keys.ts";
import type { Inspector } from "./inspector.ts";
import type { SessionOptions } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import {
  doubtsIn,
  doubtsOf,
  refuseOtherVersions,
  restoreFacts,
  restoreSupports,
  saveFacts,
  type Snapshot,
} from "./snapshot.ts";
import type { SessionState } from "./state.ts";

/** What snapshots need besides the state. */
export interface SnapshotContext {
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly program: ProgramPort;
  readonly keys: EffectKeys;
}

export class Snapshots {
  readonly #state: SessionState;
  readonly #context: SnapshotContext;
  readonly #options: SessionOptions;

  constructor(state: SessionState, context: SnapshotContext, options: SessionOptions) {
    this.#state = state;
    this.#context = context;
    this.#options = options;
  }

  take(): Snapshot {
    const { activity, memory, support, agenda, xuples, fired, random } = this.#state;
    activity.refuseWhileWorking("take a snapshot");
    const id = this.#context.keys.scope.session.known;
    return {
      version: 1,
      counters: { ...memory.counters(), fired, random: random.state },
      facts: saveFacts(memory, support),
      matches: Array.from(this.#context.inspector.activations(), markOf),
      groups: agenda.activeGroups,
      xuples: xuples.snapshot(),
      ...this.doubts(),
      ...(id === undefined ? {} : { id }),
    };
  }

  /** Returns what a copy of the session must know of rules that are switched off, have failed, or have not fired. */
  doubts(): Pick<Snapshot, "doubts"> {
    return this.#doubts(this.#state.activity.stopped);
  }

  /** Returns the same for a copy of the session as it was in the middle of a run, when no run had stopped. */
  doubtsDuringRun(): Pick<Snapshot, "doubts"> {
    return this.#doubts(undefined);
  }

  #doubts(stopped: string | undefined): Pick<Snapshot, "doubts"> {
    const { actions = {}, from } = this.#options;
    const handled = new Set([...Object.keys(actions), ...doubtsIn(from).actions]);
    return doubtsOf(this.#state.problems.limits, this.#context.program.failedRules(), handled, stopped);
  }

  /** Fills a session that is still empty. */
  restore(snapshot: Snapshot): void {
    const state = this.#state;
    const context = this.#context;
    refuseOtherVersions(snapshot);
    const { limits, stopped } = doubtsIn(snapshot);
    for (const overflow of limits) state.noteOverflow(overflow);
    state.activity.stopped = stopped;
    restoreFacts(snapshot.facts, state.memory, state.admission);
    state.memory.restoreCounters(snapshot.counters);
    state.fired = snapshot.counters.fired;
    state.random.state = snapshot.counters.random;
    state.xuples.restore(snapshot.xuples);
    for (const group of snapshot.groups) state.agenda.focus(group);
    this.#feedNetwork(snapshot.counters.change);
    const activations = context.inspector.activations();
    applyMarks(state.agenda, activations, snapshot.matches);
    restoreSupports(snapshot.facts, state.memory, state.support, new ActivationIndex(activations));
    context.changes.propagate(context.changes.newStaging(), "support");
  }

  /** Adds the facts in the order of their last changes, so that a match without a mark is as old as its newest fact. */
  #feedNetwork(change: number): void {
    const { memory, activationListener } = this.#state;
    const { network } = this.#context.program;
    for (const fact of [...memory.facts()].sort((a, b) => a.tag - b.tag)) {
      memory.restoreChange(fact.tag);
      network.add(fact);
    }
    memory.restoreChange(change);
    activationListener.rebuilding = false;
  }
}
