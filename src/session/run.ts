/** What one run has done so far, and how it ends early. */
import { ActionFailure } from "./actions.ts";
import type { Activation } from "./activation.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, RunLimitError } from "./errors.ts";
import type { Effect, Fired, RunResult } from "./results.ts";
import { bindingsOf } from "./views.ts";

const LAST_SHOWN = 10;

export class Run {
  halted = false;
  readonly #limit: number;
  readonly #fired: Fired[] = [];
  readonly #effects: Effect[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(fired: Fired, effects: readonly Effect[], halts: boolean): void {
    this.#fired.push(fired);
    for (const effect of effects) this.#effects.push(effect);
    if (halts) this.halted = true;
  }

  refuseBeyondLimit(): void {
    if (this.#fired.length < this.#limit) return;
    const cycle = findCycle(this.#fired.map((fired) => fired.rule));
    throw new RunLimitError(this.#limit, this.result(), this.#fired.slice(-LAST_SHOWN), cycle);
  }

  /** An action failed: the error that the caller of the run gets. Other errors are our own and pass. */
  failed(error: unknown, activation: Activation, effects: readonly Effect[]): unknown {
    if (!(error instanceof ActionFailure)) return error;
    const firing = { rule: activation.production.name, bindings: bindingsOf(activation), effects };
    return new ActionError(error.action, firing, this.result(), error.cause);
  }

  result(): RunResult {
    const { halted } = this;
    return { fired: this.#fired, effects: this.#effects, gates: [], verdicts: [], decisions: [], halted };
  }
}
