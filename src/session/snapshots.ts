/** Takes snapshots of a session, and continues from one. */
import { sorted, type Steps } from "../base/slices.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Fact } from "../rete/fact.ts";
import type { Activation } from "./agenda/activation.ts";
import { applyMarks, type FreshMatches, indexed, type Mark, markOf } from "./agenda/marks.ts";
import type { Changes } from "./changes/changes.ts";
import type { EffectKeys } from "./effect-keys.ts";
import type { Inspector } from "./inspector.ts";
import { migrated } from "./migration.ts";
import { type Migration, NO_MIGRATION } from "./migration-report.ts";
import { savedTypes } from "./migration-types.ts";
import type { SessionOptions, SessionSpec } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import { clockText, instantOf } from "./session-clock.ts";
import { doubtsOf, isOwnCopy, ownCopy, type Snapshot } from "./snapshot.ts";
import { restoreFacts, restoreSupports, savedFact } from "./snapshot-facts.ts";
import { doubtsIn, type SnapshotHead, VERSION, withChecksum } from "./snapshot-format.ts";
import type { SessionState } from "./state.ts";
import { fieldsOf } from "./views.ts";

/** What snapshots need besides the state. */
export interface SnapshotContext {
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly program: ProgramPort;
  readonly keys: EffectKeys;
  readonly outcomes: AtRestOutcomes;
}

/** What a session continues from. */
export type SnapshotContent = Pick<
  Snapshot,
  "counters" | "facts" | "matches" | "rules" | "groups" | "xuples" | "doubts" | "clock" | "id"
>;

/** Any match that has no mark is as old as its newest fact. */
const AS_OLD_AS_FACTS: FreshMatches = { stamp: undefined };

/** The types of the facts that outcomes are written to. */
const OUTCOME_TYPES = ["GateResult", "FlowStage", "Verdict"] as const;

export class Snapshots {
  readonly #state: SessionState;
  readonly #context: SnapshotContext;
  readonly #options: SessionOptions;

  constructor(state: SessionState, context: SnapshotContext, options: SessionOptions) {
    this.#state = state;
    this.#context = context;
    this.#options = options;
  }

  /** Returns the session as data that can be stored. */
  take(): Snapshot {
    this.#state.activity.refuseWhileWorking("take a snapshot");
    return withChecksum({ version: VERSION, ...this.head(), ...this.content() });
  }

  /** Returns the session as data for a copy inside the engine, of the same program. */
  copy(): Snapshot {
    this.#state.activity.refuseWhileWorking("take a snapshot");
    return ownCopy({ version: 1, ...this.content() });
  }

  /**
   * Returns what stands before the facts. It has the id of the session, also when no key was read yet: a handler that is called
   * after the snapshot, and again after a restore, is to see the same key.
   */
  head(): SnapshotHead {
    const { id } = this.#context.keys.scope.session;
    const { memory, agenda, xuples, admission } = this.#state;
    return {
      program: this.#context.program.hash,
      counters: this.#counters(),
      types: savedTypes(admission.schema, new Set([...memory.types(), ...xuples.types()].sort())),
      groups: agenda.activeGroups,
      ...this.doubts(),
      ...this.#waiting(),
      ...this.#clock(),
      id,
    };
  }

  /** Returns the session as it is now; the caller has made sure that nothing is under way. */
  content(): SnapshotContent {
    const { memory, agenda, support, xuples } = this.#state;
    const id = this.#context.keys.scope.session.known;
    const matches = Array.from(this.marks()).filter((mark) => mark !== undefined);
    return {
      counters: this.#counters(),
      facts: Array.from(memory.facts(), (fact) => savedFact(fact, support)),
      matches,
      rules: this.rulesOf(matches),
      groups: agenda.activeGroups,
      xuples: xuples.snapshot(),
      ...this.doubts(),
      ...this.#clock(),
      ...(id === undefined ? {} : { id }),
    };
  }

  /** Returns the subjects and requests that wait. */
  #waiting(): Pick<Snapshot, "waiting"> {
    const { outcomes } = this.#context;
    const { memory } = this.#state;
    if (outcomes.isEmpty) return {};
    const waiting = outcomes.waiting(OUTCOME_TYPES.some((type) => memory.count(type) > 0));
    return waiting === undefined ? {} : { waiting };
  }

  #clock(): Pick<Snapshot, "clock"> {
    const clock = clockText(this.#context.program.network.clock.now);
    return clock === undefined ? {} : { clock };
  }

  #counters(): Snapshot["counters"] {
    const { memory, fired, random } = this.#state;
    return { ...memory.counters(), fired, random: random.state };
  }

  /** Finds the marks of all matches one by one; undefined is a place to pause. */
  *marks(): Generator<Mark | undefined, void, undefined> {
    for (const activation of this.#context.inspector.eachActivation()) {
      yield activation === undefined ? undefined : markOf(activation);
    }
  }

  /** Returns the hashes of the rules of marks. */
  rulesOf(marks: Iterable<Mark>): Record<string, string> {
    const rules: Record<string, string> = {};
    const hashOf = this.#context.program.ruleHashes();
    for (const { rule } of marks) if (!Object.hasOwn(rules, rule)) rules[rule] = hashOf(rule);
    return rules;
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

  /** Fills a session that is still empty from a snapshot that is known to be readable. Facts are migrated first. */
  *restoring(snapshot: Snapshot, spec: SessionSpec): Steps<Migration> {
    if (isOwnCopy(snapshot)) {
      yield* this.filling(snapshot, AS_OLD_AS_FACTS);
      return NO_MIGRATION;
    }
    // Version 1 says nothing of types and rules, whatever stands there.
    const { types, rules, ...rest } = snapshot;
    const known = snapshot.version === VERSION && types !== undefined ? { ...rest, types } : rest;
    const { parts, migration } = yield* migrated(known, spec, this.#options.migrate ?? {});
    const sameRules = snapshot.version === VERSION && rules !== undefined ? { rules } : {};
    yield* this.filling({ ...rest, ...sameRules, ...parts }, AS_OLD_AS_FACTS);
    this.#restoreWaiting(snapshot, migration);
    return migration;
  }

  /** Lets subjects wait as in the session before, when it had the same judges and the same ids. */
  #restoreWaiting({ program, waiting }: Snapshot, { renamed }: Migration): void {
    if (waiting === undefined || program !== this.#context.program.hash || Object.keys(renamed).length > 0) return;
    this.#context.outcomes.restoreWaiting(waiting);
  }

  /** Fills a session that is still empty with content that fits its program. */
  *filling(content: SnapshotContent, fresh: FreshMatches): Steps<void> {
    const state = this.#state;
    const context = this.#context;
    const { limits, stopped } = doubtsIn(content);
    for (const overflow of limits) state.noteOverflow(overflow);
    const { network } = context.program;
    // A session that continues with another program has its clock already.
    if (content.clock !== undefined && network.clock.now === undefined) {
      state.clock = instantOf(content.clock);
      network.advance(state.clock);
      state.clockHistory.moved(0, state.clock);
    }
    state.activity.stopped = stopped;
    const saved = yield* sorted(content.facts, (a, b) => a.order - b.order);
    const facts = yield* restoreFacts(saved, state.memory, state.admission);
    state.memory.restoreCounters(content.counters);
    state.fired = content.counters.fired;
    state.random.state = content.counters.random;
    state.xuples.restore(content.xuples, (type, fields) => {
      const { shape, values } = state.admission.admit(type, fields, { byEngine: true, withoutDefaults: true });
      return fieldsOf(shape, values);
    });
    for (const group of content.groups) state.agenda.focus(group);
    yield* this.#feedNetwork(facts, content.counters.change);
    const index = yield* indexed(context.inspector.eachActivation());
    yield* applyMarks(state.agenda, index, this.#marksOfSameRules(content), fresh);
    const find = (rule: string, identity: string): Activation | undefined =>
      this.#isSameRule(rule, content.rules) ? index.find(rule, identity) : undefined;
    yield* restoreSupports(saved, state.memory, state.support, find);
    state.activity.agendaRefilled();
    context.changes.propagate(context.changes.newStaging(), "support");
    context.program.restored();
  }

  /** Finds the marks of rules that are as they were: a rule that changed starts again. Undefined is a place to pause. */
  *#marksOfSameRules({ matches, rules }: SnapshotContent): Iterable<Mark | undefined> {
    for (const mark of matches) yield this.#isSameRule(mark.rule, rules) ? mark : undefined;
  }

  #isSameRule(rule: string, rules: Snapshot["rules"]): boolean {
    return rules === undefined || rules[rule] === this.#context.program.ruleHashes()(rule);
  }

  /** Adds the facts in the order of their last changes, so that a match without a mark is as old as its newest fact. */
  *#feedNetwork(facts: readonly Fact[], change: number): Steps<void> {
    const { memory, expiry, activationListener } = this.#state;
    const { network } = this.#context.program;
    for (const fact of expiry.concerned(facts)) {
      expiry.added(fact);
      yield;
    }
    for (const fact of yield* sorted(facts, (a, b) => a.tag - b.tag)) {
      memory.restoreChange(fact.tag);
      network.add(fact);
      yield;
    }
    memory.restoreChange(change);
    activationListener.rebuilding = false;
  }
}
