/** What a session is doing now, and what its last run left undone. */
import { isThrown } from "../base/host-result.ts";
import type { Agenda } from "./agenda/agenda.ts";
import type { OpenStaging } from "./changes/open-staging.ts";
import { SessionError } from "./errors.ts";
import type { Memory } from "./memory.ts";
import type { Saving } from "./saving.ts";

/** A run that stopped early: at its limit of firings, or because an action failed. */
export interface Unfinished {
  /** The code of the error that it ended with. */
  readonly code: string;
  /** The rules that wait to fire. */
  readonly rules: ReadonlySet<string>;
}

const RUNNING_HINT = "wait for the run, or put it into the queue: session.submit(changes), session.enqueue(() => …)";

export class Activity {
  /** Rules are firing. */
  running = false;
  /** The run awaits a handler: others can change the session meanwhile. */
  awaiting = false;
  /** A change is being propagated: the host must not be served before it is complete. */
  committing = false;
  /** The number of commits so far: what was staged before the last one may no longer be possible. */
  commits = 0;
  /** The snapshot that is being written: it is that of one moment, so nothing changes until it is complete. */
  saving: Saving | undefined = undefined;
  /** The code of the error that ended the last run, or of the first one that the run under way met; undefined when there was none. */
  stopped: string | undefined = undefined;
  readonly #memory: Memory;
  readonly #agenda: Agenda;
  readonly #open: OpenStaging;
  /** The last answer of `unfinished`, valid until the next change. */
  #unfinished: (Unfinished & { readonly change: number }) | undefined = undefined;

  constructor(memory: Memory, agenda: Agenda, open: OpenStaging) {
    this.#memory = memory;
    this.#agenda = agenda;
    this.#open = open;
  }

  /** Forgets how the last run ended. */
  clear(): void {
    this.stopped = undefined;
    this.#unfinished = undefined;
  }

  /** Forgets which rules wait: they were put on the agenda again without a change of facts, as in a reload. */
  agendaRefilled(): void {
    this.#unfinished = undefined;
  }

  /** Notes the error that ended a run. */
  stoppedBy(error: unknown): void {
    this.stop(isThrown(error, SessionError) ? error.code : "host error");
  }

  /** Notes that a run met an error: what the rules that still wait would write is missing until a run completes. */
  stop(code: string): void {
    this.stopped = code;
    this.#unfinished = undefined;
  }

  /** Returns what the last run, or the one that is under way, left undone because of an error; undefined when there was none. */
  unfinished(): Unfinished | undefined {
    const code = this.stopped;
    if (code === undefined) return undefined;
    const { change } = this.#memory;
    if (this.#unfinished?.change !== change) {
      this.#unfinished = { code, rules: this.#agenda.waitingRules(), change };
    }
    return this.#unfinished;
  }

  /** Throws E530 inside a host function that the network calls, and while a snapshot is written. */
  refuseWhileCommitting(): void {
    if (this.saving !== undefined) {
      const hint = "wait for the promise that snapshot() returned";
      throw new SessionError("E530", "the session cannot be changed while a snapshot of it is written", hint);
    }
    this.refuseWhileApplying();
  }

  /** Notes that facts are changed, until `committing` is false again. */
  beginCommit(): void {
    this.committing = true;
    this.commits += 1;
  }

  /** Throws E530 inside a host function that the network calls. */
  refuseWhileApplying(): void {
    if (!this.committing) return;
    const hint = "functions called by rules must be pure";
    throw new SessionError("E530", "the session cannot be used while it applies a change", hint);
  }

  /** Throws E530 during a run, inside a batch, and while a change is propagated. */
  refuseWhileWorking(what: string): void {
    this.refuseWhileCommitting();
    if (this.running) throw new SessionError("E530", `cannot ${what} during a run`, RUNNING_HINT);
    this.#refuseInBatch(what);
  }

  /** Throws E530 inside a batch, while a change is propagated, and during a run that does not await a handler. */
  refuseUnlessAwaiting(what: string): void {
    if (!this.awaiting) return this.refuseWhileWorking(what);
    this.refuseWhileCommitting();
    this.#refuseInBatch(what);
  }

  #refuseInBatch(what: string): void {
    if (this.#open.staging !== undefined) throw new SessionError("E530", `cannot ${what} inside a batch`);
  }
}
