/** What one run has done so far, and how it ends early. */
import type { Bound } from "../rete/rule-matches.ts";
import { ActionFailure } from "./actions.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, RunLimitError } from "./errors.ts";
import type { Effect, Fired, RunResult } from "./results.ts";
import { bindingsOf } from "./views.ts";

/** How a run is to go. */
export interface RunOptions {
  /** Firings at most. */
  readonly limit?: number;
  /**
   * False: firings and effects are only counted, not kept for the result. For programs that leave everything to handlers and
   * listeners, and fire a lot.
   */
  readonly collect?: boolean;
}

const LAST_SHOWN = 10;
/** So many of the last firings are looked through for a cycle. */
const REMEMBERED = 1000;

export class Run {
  halted = false;
  count = 0;
  readonly #limit: number;
  readonly #collects: boolean;
  readonly #fired: Fired[] = [];
  readonly #effects: Effect[] = [];

  constructor(limit: number, collects: boolean) {
    this.#limit = limit;
    this.#collects = collects;
  }

  /** Whether the next firing is kept: also, without `collect`, the last ones before the limit, for its message. */
  get keeps(): boolean {
    return this.#collects || this.count + REMEMBERED >= this.#limit;
  }

  add(fired: Fired, effects: readonly Effect[], halts: boolean): void {
    this.count += 1;
    if (halts) this.halted = true;
    if (!this.keeps) return;
    this.#fired.push(fired);
    if (this.#collects) for (const effect of effects) this.#effects.push(effect);
  }

  refuseBeyondLimit(): void {
    if (this.count < this.#limit) return;
    const cycle = findCycle(this.#fired.map((fired) => fired.rule));
    throw new RunLimitError(this.#limit, this.result(), this.#fired.slice(-LAST_SHOWN), cycle);
  }

  /** An action failed: the error that the caller of the run gets. Other errors are our own and pass. */
  failed(error: unknown, bound: Bound, effects: readonly Effect[]): unknown {
    if (!(error instanceof ActionFailure)) return error;
    const firing = { rule: bound.production.name, bindings: bindingsOf(bound), effects };
    return new ActionError(error.action, firing, this.result(), error.cause);
  }

  result(): RunResult {
    const fired = this.#collects ? this.#fired : [];
    const { halted, count } = this;
    return { fired, effects: this.#effects, gates: [], verdicts: [], decisions: [], halted, count };
  }
}
