/** Runs: fires rules until none is left, and says what the run has done. */
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Changes } from "./changes/changes.ts";
import type { Inspector } from "./inspector.ts";
import { Loop } from "./loop.ts";
import type { SessionOptions } from "./options.ts";
import type { ProgramPort } from "./ports.ts";
import type { RunResult } from "./results.ts";
import { Run, type RunOptions } from "./run.ts";
import type { SessionState } from "./state.ts";

/** Firings per run. */
export const DEFAULT_LIMIT = 100_000;

/** What firing needs besides the state. */
export interface RunnerContext {
  readonly changes: Changes;
  readonly inspector: Inspector;
  readonly program: ProgramPort;
  readonly outcomes: AtRestOutcomes;
}

export class Runner {
  readonly #state: SessionState;
  readonly #context: RunnerContext;
  readonly #limit: number;
  readonly #loop: Loop;

  constructor(state: SessionState, context: RunnerContext, { limit, actions }: SessionOptions) {
    const handlers = new Map(Object.entries(actions ?? {}));
    this.#state = state;
    this.#context = context;
    this.#limit = limit ?? DEFAULT_LIMIT;
    this.#loop = new Loop(state, context.changes, context.outcomes, handlers);
  }

  run(options: RunOptions = {}): RunResult {
    const loop = this.#loop;
    this.#begin();
    try {
      const run = this.#newRun(options);
      for (let next = loop.next(run); next !== undefined; next = loop.next(run)) loop.fire(next, run);
      return run.result();
    } catch (error) {
      this.#state.activity.stoppedBy(error);
      throw error;
    } finally {
      this.#end();
    }
  }

  async runAsync(options: RunOptions = {}): Promise<RunResult> {
    const loop = this.#loop;
    this.#begin();
    try {
      const run = this.#newRun(options);
      for (let next = loop.next(run); next !== undefined; next = loop.next(run)) await loop.fireAsync(next, run);
      return run.result();
    } catch (error) {
      this.#state.activity.stoppedBy(error);
      throw error;
    } finally {
      this.#end();
    }
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
  }
}
