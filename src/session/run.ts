/** What one run has done so far, and the errors that end it early. */
import { ActionFailure } from "./action-failure.ts";
import { isThrown } from "../base/host-result.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Firing } from "./actions.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, RestlessError, RunLimitError } from "./errors.ts";
import type { Inspector } from "./inspector.ts";
import type { WaitOptions } from "./patience.ts";
import type { Conflict, Decision, Effect, Fired, RunResult } from "./results.ts";
import { bindingsOf } from "./views.ts";

/** Options of {@link Session.run}. */
export interface RunOptions {
  /** The number of firings after which the run stops with E510. Default: the limit of the session. */
  readonly limit?: number;
  /**
   * Whether firings and effects are kept for the result. Default: true. False only counts them, for programs that fire
   * a lot and leave everything to handlers and listeners.
   */
  readonly collect?: boolean;
}

/** Options of {@link Session.runAsync}. */
export interface RunAsyncOptions extends RunOptions, WaitOptions {}

/** The list of all results that have no entries; it cannot be changed. */
const EMPTY: readonly never[] = Object.freeze([]);
/** The number of last firings that the error at the limit shows. */
const SHOWN_AT_LIMIT = 10;
/** The number of last firings that are kept, also without `collect`, to find a cycle when the limit is reached. */
const KEPT_FOR_CYCLE = 1000;

export class Run {
  halted = false;
  count = 0;
  readonly #limit: number;
  readonly #collects: boolean;
  // Made when there is something to keep: many runs keep nothing.
  #fired: Fired[] | undefined = undefined;
  #effects: Effect[] | undefined = undefined;
  #decisions: Decision[] | undefined = undefined;
  #conflicts: Conflict[] | undefined = undefined;
  readonly #outcomes: AtRestOutcomes;
  readonly #inspector: Inspector;
  /** How often outcomes or flows changed since something fired. */
  #rounds = 0;

  constructor(limit: number, collects: boolean, outcomes: AtRestOutcomes, inspector: Inspector) {
    this.#limit = limit;
    this.#outcomes = outcomes;
    this.#inspector = inspector;
    this.#collects = collects;
  }

  /** Whether the next firing is kept: with `collect`, and without it the last 1,000 before the limit. */
  get collectsNext(): boolean {
    return this.uncollected <= 0;
  }

  /** The number of firings from now on that are not kept. */
  get uncollected(): number {
    return this.#collects ? 0 : this.#limit - KEPT_FOR_CYCLE - this.count;
  }

  /** Counts firings of which nothing is kept. */
  countMany(count: number): void {
    this.count += count;
    this.#rounds = 0;
  }

  /** Adds a firing. */
  add({ fired, effects, decisions, halts }: Pick<Firing, "fired" | "effects" | "decisions" | "halts">): void {
    this.countMany(1);
    if (halts) this.halted = true;
    if (decisions.length > 0) this.decided(decisions);
    if (!this.collectsNext) return;
    (this.#fired ??= []).push(fired);
    if (this.#collects) for (const effect of effects) (this.#effects ??= []).push(effect);
  }

  /** Adds a firing whose match ended while its handlers were awaited. It counts for the limit, and is no firing. */
  addConflict(conflict: Conflict): void {
    (this.#conflicts ??= []).push(conflict);
    this.#rounds = 0;
  }

  decided(decisions: readonly Decision[]): void {
    for (const decision of decisions) (this.#decisions ??= []).push(decision);
  }

  /** Throws E512 when outcomes changed more often, without a firing, than stable gates and flows can. */
  refuseRestless(): void {
    this.#rounds += 1;
    const outcomes = this.#outcomes;
    if (this.#rounds > outcomes.maxRounds()) throw new RestlessError(outcomes.lastChanged(), this.result());
  }

  /** Throws E510 when the limit of firings is reached. */
  refuseBeyondLimit(): void {
    if (this.count + (this.#conflicts?.length ?? 0) < this.#limit) return;
    const fired = this.#fired ?? [];
    const cycle = findCycle(fired.map(({ rule }) => rule));
    throw new RunLimitError(this.#limit, this.result(), fired.slice(-SHOWN_AT_LIMIT), cycle);
  }

  /** Returns the error for the caller of the run when an action failed; any other error is returned as it is. */
  failed(error: unknown, bound: Bound, effects: readonly Effect[]): unknown {
    if (!isThrown(error, ActionFailure)) return error;
    const firing = { rule: bound.production.name, bindings: bindingsOf(bound), effects };
    return new ActionError(error.action, firing, this.result(), error.cause);
  }

  result(): RunResult {
    const fired = (this.#collects ? this.#fired : undefined) ?? EMPTY;
    const { halted, count } = this;
    const effects = this.#effects ?? EMPTY;
    const decisions = this.#decisions ?? EMPTY;
    const outcomes = this.#outcomes;
    const failed = this.#inspector.problems;
    const conflicts = this.#conflicts === undefined ? undefined : { conflicts: this.#conflicts };
    // An object with a getter takes long to make, so only a run that may have gates gives one.
    if (outcomes.isEmpty) {
      const result = { fired, effects, gates: EMPTY, verdicts: EMPTY, decisions, halted, count };
      if (failed.length === 0 && conflicts === undefined) return result;
      return { ...result, ...(failed.length === 0 ? {} : { problems: failed }), ...conflicts };
    }
    const problems = [...failed, ...outcomes.problems()];
    const standing = outcomes.gates();
    let gates: RunResult["gates"] | undefined;
    return {
      fired,
      effects,
      get gates() {
        return (gates ??= standing());
      },
      verdicts: outcomes.verdicts(),
      decisions,
      halted,
      count,
      ...(problems.length === 0 ? {} : { problems }),
      ...conflicts,
    };
  }
}
