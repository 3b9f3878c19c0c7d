/** What one run has done so far, and how it ends early. */
import { isThrown } from "../base/host-result.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import { ActionFailure, type Firing } from "./actions.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, RestlessError, RunLimitError } from "./errors.ts";
import type { Inspector } from "./inspector.ts";
import type { Decision, Effect, Fired, RunResult } from "./results.ts";
import { bindingsOf } from "./views.ts";

/** Options of {@link Session.run} and {@link Session.runAsync}. */
export interface RunOptions {
  /** The number of firings after which the run stops with E510. Default: the limit of the session. */
  readonly limit?: number;
  /**
   * Whether firings and effects are kept for the result. Default: true. False only counts them, for programs that fire
   * a lot and leave everything to handlers and listeners.
   */
  readonly collect?: boolean;
}

/** Many runs have nothing to tell: all of them give the same list, which cannot be changed. */
const NONE: readonly never[] = Object.freeze([]);
const LAST_SHOWN = 10;
/** So many of the last firings are looked through for a cycle. */
const REMEMBERED = 1000;

export class Run {
  halted = false;
  count = 0;
  readonly #limit: number;
  readonly #collects: boolean;
  // Made when there is something to keep: many runs keep nothing.
  #fired: Fired[] | undefined = undefined;
  #effects: Effect[] | undefined = undefined;
  #decisions: Decision[] | undefined = undefined;
  readonly #outcomes: AtRestOutcomes;
  readonly #inspector: Inspector;
  /** How often gates or flows moved since something fired. */
  #rounds = 0;

  constructor(limit: number, collects: boolean, outcomes: AtRestOutcomes, inspector: Inspector) {
    this.#limit = limit;
    this.#outcomes = outcomes;
    this.#inspector = inspector;
    this.#collects = collects;
  }

  /** Whether the next firing is kept: also, without `collect`, the last ones before the limit, for its message. */
  get collectsNext(): boolean {
    return this.uncollected <= 0;
  }

  /** How many firings from now on are not kept. */
  get uncollected(): number {
    return this.#collects ? 0 : this.#limit - REMEMBERED - this.count;
  }

  /** Firings of which nothing is kept. */
  countMany(count: number): void {
    this.count += count;
    this.#rounds = 0;
  }

  add({ fired, effects, decisions, halts }: Pick<Firing, "fired" | "effects" | "decisions" | "halts">): void {
    this.countMany(1);
    if (halts) this.halted = true;
    if (decisions.length > 0) this.decided(decisions);
    if (!this.collectsNext) return;
    (this.#fired ??= []).push(fired);
    if (this.#collects) for (const effect of effects) (this.#effects ??= []).push(effect);
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

  refuseBeyondLimit(): void {
    if (this.count < this.#limit) return;
    const fired = this.#fired ?? [];
    const cycle = findCycle(fired.map(({ rule }) => rule));
    throw new RunLimitError(this.#limit, this.result(), fired.slice(-LAST_SHOWN), cycle);
  }

  /** An action failed: the error that the caller of the run gets. Other errors are our own and pass. */
  failed(error: unknown, bound: Bound, effects: readonly Effect[]): unknown {
    if (!isThrown(error, ActionFailure)) return error;
    const firing = { rule: bound.production.name, bindings: bindingsOf(bound), effects };
    return new ActionError(error.action, firing, this.result(), error.cause);
  }

  result(): RunResult {
    const fired = (this.#collects ? this.#fired : undefined) ?? NONE;
    const { halted, count } = this;
    const effects = this.#effects ?? NONE;
    const decisions = this.#decisions ?? NONE;
    const outcomes = this.#outcomes;
    const failed = this.#inspector.problems;
    // An object with a getter takes long to make, so only a run that may have gates gives one.
    if (outcomes.isEmpty) {
      const result = { fired, effects, gates: NONE, verdicts: NONE, decisions, halted, count };
      return failed.length === 0 ? result : { ...result, problems: failed };
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
    };
  }
}
