/**
 * The changes of facts: each is staged first and then committed as a whole, so a call that fails changes nothing.
 *
 * While a handler is called, or inside `batch`, changes go into the open staging: those of a handler come after the
 * firing's own changes and share their fate. While a handler is awaited, nothing is open: changes of others are committed at
 * once, and those of the handler come through its context. Code of the host never runs in the middle of propagation.
 */
import type { Steps } from "../../base/slices.ts";
import type { Fact } from "../../rete/fact.ts";
import type { Admitted } from "../admission/admission.ts";
import { FactError, unknownName } from "../errors.ts";
import type { ChangeBy, FactRef } from "../options.ts";
import type { ProgramPort } from "../ports.ts";
import { asyncBatch, isPromise } from "../promise.ts";
import { FactHandle, type Fired } from "../results.ts";
import type { SessionState } from "../state.ts";
import { idOf } from "../views.ts";
import { Committer } from "./committer.ts";
import { viewOf } from "./memory-view.ts";
import { type Author, type Change, PROGRAM, Staging, type View } from "./staging.ts";

type Fields = Readonly<Record<string, unknown>>;

export class Changes {
  readonly #state: SessionState;
  readonly #committer: Committer;
  readonly #view: View;
  readonly #program: ProgramPort;

  constructor(state: SessionState, program: ProgramPort) {
    const { memory, support, xuples } = state;
    this.#state = state;
    this.#program = program;
    this.#committer = new Committer(state, program.network);
    this.#view = viewOf(memory, support, xuples);
  }

  assert(type: string, fields: Fields, by: ChangeBy = HOST): FactHandle {
    const id = this.#assertAlone(type, fields, by);
    return id === undefined
      ? this.#change((staging) => handleAfter(staging, staging.insert(type, fields, authorOf(by))))
      : new FactHandle(id);
  }

  update(fact: FactRef, fields: Fields, by: ChangeBy = HOST): boolean {
    return this.#change((staging) => staging.update(idOf(fact), fields, authorOf(by)));
  }

  retract(fact: FactRef, by: ChangeBy = HOST): boolean {
    return this.#retractAlone(idOf(fact)) || this.#change((staging) => staging.retract(idOf(fact), authorOf(by)));
  }

  upsert(type: string, fields: Fields, by: ChangeBy = HOST): FactHandle {
    return this.#change((staging) => handleAfter(staging, staging.upsert(type, fields, authorOf(by))));
  }

  batch<Result>(work: () => Result): Result {
    const { activity, open } = this.#state;
    activity.refuseWhileCommitting();
    if (typeof work !== "function") throw new FactError("E407", "batch needs a function", "such as batch(() => { … })");
    const outer = open.staging;
    const staging = outer?.nested() ?? this.newStaging();
    const result = open.collect(staging, work);
    if (isPromise(result)) throw asyncBatch(result);
    if (outer !== undefined) outer.absorb(staging);
    else this.commit(staging, "host");
    return result;
  }

  focus(group: string): void {
    const groups = this.#groups();
    if (!groups.has(group)) throw unknownName("group", "groups of rules", group, groups);
    this.#change((staging) => staging.focus(group));
  }

  /** Returns the groups of the rules of now. */
  #groups(): ReadonlySet<string> {
    const groups = new Set<string>();
    for (const alternatives of this.#program.productions.values()) {
      const group = alternatives[0]?.group;
      if (group !== undefined) groups.add(group);
    }
    return groups;
  }

  /** Returns an empty staging over working memory. */
  newStaging(): Staging {
    return new Staging(this.#view, this.#state.admission, this.#state.xuples);
  }

  /** Makes the staged changes and delivers events. `by` is the author that events name. */
  commit(staging: Staging, by: string, fired?: Fired): void {
    this.propagate(staging, by, fired);
    this.#state.listeners.deliver();
  }

  /** Makes the changes of a firing. A `no-loop` rule is not activated by its own changes. */
  commitFiring(staging: Staging, rule: string, fired?: Fired): void {
    const { activationListener } = this.#state;
    activationListener.firing = rule;
    try {
      this.propagate(staging, `rule ${rule}`, fired);
    } finally {
      activationListener.firing = undefined;
    }
    this.#state.listeners.deliver();
  }

  /** Makes the staged changes without delivering events. */
  propagate({ changes }: Staging, by: string, fired?: Fired): void {
    this.#committing(commitAll, { changes, by, fired });
  }

  /** Makes the staged changes with which a session begins, one in a step, without delivering events. */
  *beginning({ changes }: Staging, by: string): Steps<void> {
    const { activity } = this.#state;
    activity.beginCommit();
    try {
      yield* this.#committer.beginning(changes, by);
    } finally {
      activity.committing = false;
    }
  }

  /** Moves the clock to an instant that is not after the next one at which something turns, without delivering events. */
  moveClock(to: number): void {
    this.#state.clock = to;
    this.#state.clockHistory.moved(this.#state.memory.change + 1, to);
    this.#program.clockMoves();
    this.#committing(moveClock, to);
    this.#program.clockMoved();
  }

  /** Does something with the committer; nothing else may change facts meanwhile. `work` is one function for all calls: this is called for every change. */
  #committing<Given, Result>(work: (committer: Committer, given: Given) => Result, given: Given): Result {
    const { activity } = this.#state;
    activity.beginCommit();
    try {
      return work(this.#committer, given);
    } finally {
      activity.committing = false;
    }
  }

  /** Makes one change: in the open staging, or staged and committed at once. */
  #change<Result>(want: (staging: Staging) => Result): Result {
    const { activity, open } = this.#state;
    activity.refuseWhileCommitting();
    if (open.staging !== undefined) return want(open.staging);
    const staging = this.newStaging();
    const result = want(staging);
    this.commit(staging, "host");
    return result;
  }

  /** Asserts a single fact of the host without staging; undefined when staging is needed. */
  #assertAlone(type: string, fields: Fields, by: ChangeBy): string | undefined {
    const { activity, open, admission, memory, listeners } = this.#state;
    activity.refuseWhileCommitting();
    if (open.staging !== undefined) return undefined;
    const admitted = admission.admit(type, fields, authorOf(by));
    if (admission.hasExpired(admitted)) return undefined;
    if (admitted.id !== undefined && memory.get(admitted.id) !== undefined) return undefined;
    const made = this.#committing(assert, admitted);
    listeners.deliver();
    return made;
  }

  /** Retracts a single fact that is only what the host asserted, without staging; false when staging is needed. */
  #retractAlone(id: string): boolean {
    const { activity, open, admission, memory, support, listeners } = this.#state;
    activity.refuseWhileCommitting();
    const fact = open.staging === undefined ? memory.get(id) : undefined;
    if (fact === undefined || support.isLogical(fact) || !admission.isUnguarded(fact.shape.type)) return false;
    this.#committing(retract, fact);
    listeners.deliver();
    return true;
  }
}

interface AllChanges {
  readonly changes: readonly Change[];
  readonly by: string;
  readonly fired: Fired | undefined;
}

function commitAll(committer: Committer, { changes, by, fired }: AllChanges): void {
  committer.commit(changes, by, fired);
}

function moveClock(committer: Committer, to: number): void {
  committer.moveClock(to);
}

function assert(committer: Committer, { shape, values, id }: Admitted): string {
  return committer.assert(shape, values, id);
}

function retract(committer: Committer, fact: Fact): void {
  committer.retract(fact);
}

/** Returns the handle of the fact that was staged last; it says when the fact has expired. */
function handleAfter({ changes }: Staging, id: string): FactHandle {
  return new FactHandle(id, changes.at(-1)?.kind === "expired");
}

const HOST: ChangeBy = {};
const BY_HOST: Author = {};

/** Returns the author of a change by the host. Only the role counts: no host writes facts of engine-kept types. */
function authorOf({ role }: ChangeBy): Author {
  return role === "policy" ? PROGRAM : BY_HOST;
}
