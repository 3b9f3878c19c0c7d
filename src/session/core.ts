/**
 * The parts of a session that need no compiler: one object for each thing that is done with it.
 *
 * `state` and `program` are there before, with the network assembled on the state.
 */
import { eachSmall, finish, type Steps } from "../base/slices.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import { activationsOf } from "./agenda/marks.ts";
import { Changes } from "./changes/changes.ts";
import { EffectKeys } from "./effect-keys.ts";
import { Submissions } from "./submissions.ts";
import { PROGRAM } from "./changes/staging.ts";
import { Runner } from "./runner.ts";
import { SessionClock } from "./session-clock.ts";
import { Inspector } from "./inspector.ts";
import type { SessionOptions, SessionSpec } from "./options.ts";
import { type Migration, NO_MIGRATION } from "./migration-report.ts";
import type { ProgramPort } from "./ports.ts";
import { type NextProgram, replaceProgram } from "./replace-program.ts";
import { Snapshots } from "./snapshots.ts";
import { SessionError } from "./errors.ts";
import type { SessionState } from "./state.ts";

export class SessionCore {
  readonly state: SessionState;
  readonly program: ProgramPort;
  readonly outcomes: AtRestOutcomes;
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly runner: Runner;
  readonly snapshots: Snapshots;
  readonly keys: EffectKeys;
  readonly submissions: Submissions;
  readonly clock: SessionClock;
  readonly #options: SessionOptions;
  /** The rules that match without any fact; undefined until they are needed. */
  #factless: readonly string[] | undefined = undefined;
  /** Whether the session runs another program than it was opened with. */
  #replaced = false;
  /** The number of slots of all types when the session was opened. */
  #slots = 0;

  constructor(state: SessionState, program: ProgramPort, outcomes: AtRestOutcomes, options: SessionOptions) {
    this.state = state;
    this.program = program;
    this.outcomes = outcomes;
    state.expiry.use(program.network.clock);
    this.changes = new Changes(state, program);
    this.clock = new SessionClock(state, this.changes, program);
    this.inspector = new Inspector(state, program);
    this.keys = new EffectKeys(options.id, () => program.ruleHashes());
    this.runner = new Runner(state, this, options);
    this.snapshots = new Snapshots(state, this, options);
    this.submissions = new Submissions(state.activity, this);
    this.#options = options;
  }

  /** What happened to the facts of the snapshot that the session began with. */
  migration: Migration = NO_MIGRATION;

  /** Begins with the facts of a snapshot that is known to be readable, with those of the program, or with none; step by step. */
  *beginning(spec: SessionSpec, options: SessionOptions): Steps<void> {
    if (options.from !== undefined) this.keys.restore(options.from.id);
    yield* this.#beginning(spec, options);
    this.#slots = this.state.shapes.slots;
  }

  *#beginning(spec: SessionSpec, { from, facts = "program", clock }: SessionOptions): Steps<void> {
    if (from !== undefined) {
      this.migration = yield* this.snapshots.restoring(from, spec);
      if (clock !== undefined) this.clock.advance(clock);
      return;
    }
    if (clock !== undefined) this.clock.step(this.clock.instantOf(clock));
    const { initialFacts } = spec;
    const staging = this.changes.newStaging();
    if (facts === "program") {
      yield* eachSmall(initialFacts, ({ type, fields }) => staging.insert(type, fields, PROGRAM));
    }
    yield* this.changes.beginning(staging, "program");
  }

  /** Whether the session begins again with the snapshot that it was opened with: it is one of the program before a reload. */
  get restores(): boolean {
    return this.#options.from !== undefined && !this.#replaced;
  }

  /**
   * Empties the session and begins again, with the network as it is. The cost is that of what the session holds. Returns false
   * when the network cannot be used again; the session is then empty and must be opened again. `outcomesReset` forgets the
   * outcomes.
   */
  reset(spec: SessionSpec, outcomesReset: () => void): boolean {
    const { state, program } = this;
    state.activity.refuseWhileWorking("reset the session");
    if (!this.submissions.isEmpty) throw new SessionError("E530", "cannot reset the session while changes are queued");
    const restores = this.restores;
    this.#removeFacts();
    if (!program.reset(restores) || state.problems.limits.length > 0 || state.shapes.slots !== this.#slots)
      return false;
    if (!program.network.unsetClock()) return false;
    state.clear(restores);
    this.migration = NO_MIGRATION;
    this.keys.reset();
    outcomesReset();
    const { facts, clock } = this.#options;
    state.activationListener.rebuilding = restores;
    if (!restores) this.#activateFactless(); // else the snapshot says which matches wait
    if (restores) finish(this.#beginning(spec, this.#options));
    else if (spec.initialFacts.length > 0 || clock !== undefined) {
      finish(this.#beginning(spec, { ...(facts && { facts }), ...(clock !== undefined && { clock }) }));
    }
    return true;
  }

  /** Waits until nothing is queued, no run is under way and no snapshot is being written. */
  async idle(): Promise<void> {
    const { activity } = this.state;
    for (;;) {
      if (!this.submissions.isIdle) await this.submissions.drained();
      else if (activity.running) await this.runner.ended();
      else if (activity.saving !== undefined) await activity.saving.ended();
      else return;
    }
  }

  /** Ends the session: the run that awaits handlers, the changes that are queued and a snapshot that is written are given up. */
  close(): void {
    const { activity, open, listeners } = this.state;
    activity.refuseWhileApplying();
    const busy = open.staging !== undefined || (activity.running && !this.runner.isAwaiting);
    if (busy) throw new SessionError("E530", "cannot close the session during a run or inside a batch");
    this.submissions.close();
    this.runner.close();
    activity.saving?.close();
    listeners.clear();
  }

  /** Takes all facts out of the network, newest first, without events and history. */
  #removeFacts(): void {
    const { memory, expiry, activity, activationListener, listeners } = this.state;
    const { network } = this.program;
    listeners.clear();
    expiry.clear();
    activity.committing = true;
    try {
      memory.restoreChange(0); // a match that comes back is as old as in a new session
      for (const fact of [...memory.facts()].toReversed()) {
        memory.remove(fact);
        network.remove(fact);
        activationListener.factGone(fact);
      }
    } finally {
      activity.committing = false;
    }
  }

  /** Lets the matches that need no fact wait again, as in a new session. */
  #activateFactless(): void {
    const { network, productions } = this.program;
    const { agenda } = this.state;
    this.#factless ??= [...productions.keys()].filter((rule) => activationsOf(network, agenda, [rule]).size > 0);
    if (this.#factless.length === 0) return;
    for (const activation of activationsOf(network, agenda, this.#factless)) {
      activation.changeNumber = 0;
      activation.forgetFacts();
      agenda.add(activation);
    }
  }

  /** Continues with another program and the same facts; matches that stay do not fire again. */
  replaceProgram(next: NextProgram): Migration {
    const migration = replaceProgram(this, next);
    this.keys.programReplaced();
    this.#factless = undefined;
    this.#replaced = true;
    this.#slots = this.state.shapes.slots;
    return migration;
  }
}
