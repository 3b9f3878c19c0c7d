/** Runs: fires rules until none is left, and says what the run has done. */
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Changes } from "./changes/changes.ts";
import type { Inspector } from "./inspector.ts";
import { Loop } from "./loop.ts";
import type { SessionOptions } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import type { RunResult } from "./results.ts";
import type { ActionHandler } from "./actions.ts";
import type { EffectKeys } from "./effect-keys.ts";
import { RunAbortedError, sessionClosed } from "./errors.ts";
import { GivenUp, Patience } from "./patience.ts";
import { Run, type RunAsyncOptions, type RunOptions } from "./run.ts";
import type { InstantInput, SessionClock } from "./session-clock.ts";
import type { SessionState } from "./state.ts";

/** Firings per run. */
export const DEFAULT_LIMIT = 100_000;

/** What firing needs besides the state. */
export interface RunnerContext {
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly program: ProgramPort;
  readonly outcomes: AtRestOutcomes;
  readonly keys: EffectKeys;
  readonly clock: SessionClock;
}

export class Runner {
  readonly #state: SessionState;
  readonly #context: RunnerContext;
  readonly #limit: number;
  readonly #loop: Loop;
  /** The patience of the run that awaits handlers now. */
  #patience: Patience | undefined = undefined;
  /** Called when the run that is under way ends. */
  #waiting: (() => void)[] = [];

  constructor(state: SessionState, context: RunnerContext, { limit, actions }: SessionOptions) {
    this.#state = state;
    this.#context = context;
    this.#limit = limit ?? DEFAULT_LIMIT;
    this.#loop = new Loop(state, context.changes, context.outcomes, context.keys, handlersOf(actions));
  }

  run(options: RunOptions = {}): RunResult {
    this.#begin();
    try {
      const run = this.#newRun(options);
      this.#fireHere(run);
      return run.result();
    } catch (error) {
      this.#state.activity.stoppedBy(error);
      throw error;
    } finally {
      this.#end();
    }
  }

  /** Fires all rules, then moves the clock from instant to instant and fires at each, until `to` or a `halt`. */
  runUntil(to: InstantInput, options: RunOptions = {}): RunResult {
    const { clock } = this.#context;
    const end = clock.instantOf(to);
    this.#begin();
    try {
      const run = this.#newRun(options);
      this.#fireHere(run);
      while (this.#state.clock !== end && !run.halted) {
        const { next } = clock;
        clock.step(next === undefined || next > end ? end : next);
        this.#fireHere(run);
      }
      return run.result();
    } catch (error) {
      this.#state.activity.stoppedBy(error);
      throw error;
    } finally {
      this.#end();
    }
  }

  /** Fires until no rule is left at this instant. */
  #fireHere(run: Run): void {
    const loop = this.#loop;
    for (let next = loop.next(run); next !== undefined; next = loop.next(run)) loop.fire(next, run);
  }

  async runAsync(options: RunAsyncOptions = {}): Promise<RunResult> {
    const patience = new Patience(options);
    const run = this.#newRun(options);
    try {
      this.#begin();
    } catch (error) {
      patience.dispose();
      throw error;
    }
    this.#patience = patience;
    try {
      await this.#fireAll(run, patience);
      return run.result();
    } catch (error) {
      const thrown = error instanceof GivenUp ? errorOf(error, run) : error;
      this.#state.activity.stoppedBy(thrown);
      throw thrown;
    } finally {
      patience.dispose();
      this.#patience = undefined;
      this.#end();
    }
  }

  async #fireAll(run: Run, patience: Patience): Promise<void> {
    const loop = this.#loop;
    patience.refuseWhenOver();
    for (let next = loop.next(run); next !== undefined; next = loop.next(run)) {
      await loop.fireAsync(next, run, patience);
      patience.refuseWhenOver();
    }
  }

  /** Whether the run that is under way awaits handlers. */
  get isAwaiting(): boolean {
    return this.#patience !== undefined;
  }

  /** Ends the run that awaits handlers: it rejects with E535. */
  close(): void {
    this.#patience?.close();
  }

  /** Waits until the run that is under way has ended. */
  async ended(): Promise<void> {
    if (!this.#state.activity.running) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Replaces the handlers by others with the same names; for sessions that collect every firing. */
  replaceHandlers(actions: SessionOptions["actions"]): void {
    this.#loop.replaceHandlers(handlersOf(actions));
  }

  /** Drops what was prepared for the next firing: it belongs to the program before. */
  programReplaced(): void {
    this.#loop.dropSpareStaging();
  }

  #newRun({ limit, collect }: RunOptions): Run {
    const { inspector, outcomes } = this.#context;
    return new Run(limit ?? this.#limit, collect ?? true, outcomes, inspector);
  }

  #begin(): void {
    const { activity } = this.#state;
    activity.refuseWhileWorking("start a run");
    activity.running = true;
    activity.stopped = undefined;
    this.#context.program.runBegan();
  }

  #end(): void {
    this.#context.program.runEnded();
    this.#state.activity.running = false;
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function handlersOf(actions: SessionOptions["actions"]): ReadonlyMap<string, ActionHandler> {
  return actions === undefined ? NO_HANDLERS : new Map(Object.entries(actions));
}

/** The handlers of sessions whose host gives none. */
const NO_HANDLERS: ReadonlyMap<string, ActionHandler> = new Map();

function errorOf({ why, cause }: GivenUp, run: Run): Error {
  return why === "closed" ? sessionClosed() : new RunAbortedError(run.result(), cause);
}
