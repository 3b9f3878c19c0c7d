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
import { isThrown } from "../base/host-result.ts";
import { RestlessError, RunAbortedError, RunLimitError, sessionClosed } from "./errors.ts";
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
        run.movedClock(clock.text);
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
    return this.#runAwaiting(options, false);
  }

  /**
   * Runs after a submission. Who submits is answerable for the changes alone: what fails is in the result and in `error` events, and
   * the other rules fire.
   */
  async runSubmitted(options: RunAsyncOptions): Promise<RunResult> {
    return this.#runAwaiting(options, true);
  }

  async #runAwaiting(options: RunAsyncOptions, goesOn: boolean): Promise<RunResult> {
    const patience = new Patience(options);
    const run = this.#newRun(options, goesOn);
    try {
      this.#begin();
    } catch (error) {
      patience.dispose();
      throw error;
    }
    this.#patience = patience;
    try {
      await this.#fireAll(run, patience);
      return this.#resultOf(run);
    } catch (error) {
      return this.#endedBy(error, run);
    } finally {
      patience.dispose();
      this.#patience = undefined;
      this.#state.agenda.release();
      this.#end();
      if (run.hasFailed) this.#state.listeners.deliver();
    }
  }

  async #fireAll(run: Run, patience: Patience): Promise<void> {
    const loop = this.#loop;
    patience.refuseWhenOver();
    for (let next = loop.next(run); next !== undefined; next = loop.next(run)) {
      await (run.goesOn ? loop.fireOrHold(next, run, patience) : loop.fireAsync(next, run, patience));
      patience.refuseWhenOver();
    }
  }

  /** Returns the result of a run that goes on and met its limit; throws any other error that ended a run. */
  #endedBy(error: unknown, run: Run): RunResult {
    const { activity } = this.#state;
    if (error instanceof GivenUp && error.why === "aborted") {
      activity.stop("E524");
      throw new RunAbortedError(this.#resultOf(run), error.cause);
    }
    if (run.goesOn && (isThrown(error, RunLimitError) || isThrown(error, RestlessError))) {
      run.addFailure(error);
      return this.#resultOf(run);
    }
    const thrown = error instanceof GivenUp ? sessionClosed() : error;
    activity.stoppedBy(thrown);
    throw thrown;
  }

  /** Returns the result of a run, and posts what failed in it. */
  #resultOf(run: Run): RunResult {
    const result = run.result();
    for (const { error } of result.failed ?? []) this.#state.listeners.fail("submit", error);
    return result;
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

  #newRun({ limit, collect }: RunOptions, goesOn = false): Run {
    const { inspector, outcomes } = this.#context;
    const { activity } = this.#state;
    return new Run(limit ?? this.#limit, collect ?? true, goesOn, { activity, outcomes, inspector });
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
