/** What one run has done so far, and the errors that end it early. */
import { ActionFailure } from "./action-failure.ts";
import { isThrown } from "../base/host-result.ts";
import type { Bound } from "../rete/rule-matches.ts";
import type { Problem } from "../base/answers.ts";
import type { AtRestOutcomes } from "../rete/at-rest.ts";
import type { Firing } from "./actions.ts";
import type { Activity } from "./activity.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, codeOfFailure, type FailedFiring, RestlessError, RunLimitError } from "./errors.ts";
import type { Inspector } from "./inspector.ts";
import type { WaitOptions } from "./patience.ts";
import type { Conflict, Decision, Effect, Fired, RunFailure, RunResult } from "./results.ts";
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

/** What a run works on. */
export interface RunContext {
  readonly activity: Activity;
  readonly outcomes: AtRestOutcomes;
  readonly inspector: Inspector;
}

/** A firing that failed in a run that goes on. Its error is made with the result of the whole run. */
export class HeldFiring {
  readonly firing: FailedFiring;
  readonly #failure: ActionFailure;

  constructor(failure: ActionFailure, firing: FailedFiring) {
    this.#failure = failure;
    this.firing = firing;
  }

  error(result: RunResult): ActionError {
    return new ActionError(this.#failure.action, this.firing, result, this.#failure.cause);
  }
}

export class Run {
  halted = false;
  count = 0;
  readonly #limit: number;
  readonly #collects: boolean;
  /** Whether it goes on when a firing fails. */
  readonly goesOn: boolean;
  // Made when there is something to keep: many runs keep nothing.
  #fired: Fired[] | undefined = undefined;
  #effects: Effect[] | undefined = undefined;
  #decisions: Decision[] | undefined = undefined;
  #conflicts: Conflict[] | undefined = undefined;
  #failures: (HeldFiring | RunLimitError | RestlessError)[] | undefined = undefined;
  readonly #activity: Activity;
  readonly #outcomes: AtRestOutcomes;
  readonly #inspector: Inspector;
  /** How often outcomes or flows changed since something fired, or the clock moved. */
  #rounds = 0;
  /** The instant to which the run has moved the clock; undefined while it has not. */
  #instant: string | undefined = undefined;

  constructor(limit: number, collects: boolean, goesOn: boolean, { activity, outcomes, inspector }: RunContext) {
    this.#limit = limit;
    this.#collects = collects;
    this.goesOn = goesOn;
    this.#activity = activity;
    this.#outcomes = outcomes;
    this.#inspector = inspector;
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

  /** Whether a firing failed, and the run went on. Then nothing is judged or decided: what the firing would write is missing. */
  get hasFailed(): boolean {
    return this.#failures !== undefined;
  }

  /** Adds what failed in a run that does not throw it. It counts for the limit. */
  addFailure(failure: HeldFiring | RunLimitError | RestlessError): void {
    (this.#failures ??= []).push(failure);
    this.#rounds = 0;
  }

  /** Notes that the run has moved the clock: what changes now changes because of it, and not because outcomes read each other. */
  movedClock(to: string | undefined): void {
    this.#instant = to;
    this.#rounds = 0;
  }

  decided(decisions: readonly Decision[]): void {
    for (const decision of decisions) (this.#decisions ??= []).push(decision);
  }

  /** Throws E512 when outcomes changed more often, without a firing, than stable gates and flows can. */
  refuseRestless(): void {
    this.#rounds += 1;
    const outcomes = this.#outcomes;
    if (this.#rounds <= outcomes.maxRounds()) return;
    this.#activity.stop("E512");
    throw new RestlessError(outcomes.lastChanged(), this.result(), this.#instant);
  }

  /** Throws E510 when the limit of firings is reached. */
  refuseBeyondLimit(): void {
    if (this.count + (this.#conflicts?.length ?? 0) + (this.#failures?.length ?? 0) < this.#limit) return;
    this.#activity.stop("E510");
    const fired = this.#fired ?? [];
    const cycle = findCycle(fired.map(({ rule }) => rule));
    throw new RunLimitError(this.#limit, this.result(), fired.slice(-SHOWN_AT_LIMIT), cycle, this.#instant);
  }

  /** Returns what to throw when an action failed: the error for the caller of the run, or what is held back. Any other error is returned as it is. */
  failed(error: unknown, bound: Bound, effects: readonly Effect[]): unknown {
    if (!isThrown(error, ActionFailure)) return error;
    this.#activity.stop(codeOfFailure(error.cause));
    const firing = { rule: bound.production.name, bindings: bindingsOf(bound), effects };
    if (this.goesOn) return new HeldFiring(error, firing);
    return new ActionError(error.action, firing, this.result(), error.cause, this.#instant);
  }

  /** Returns what the run has done. After an error, outcomes are those of now, and unknown where rules that wait could change them. */
  result(): RunResult {
    const fired = (this.#collects ? this.#fired : undefined) ?? EMPTY;
    const { halted, count } = this;
    const effects = this.#effects ?? EMPTY;
    const decisions = this.#decisions ?? EMPTY;
    // An object with a getter takes long to make, so only a run that may have gates gives one.
    if (this.#outcomes.isEmpty) {
      const result = { fired, effects, gates: EMPTY, verdicts: EMPTY, decisions, halted, count };
      return this.#withTrouble(result, this.#inspector.problems);
    }
    const { gates: standing, verdicts } = this.#judged();
    let gates: RunResult["gates"] | undefined;
    const result = {
      fired,
      effects,
      get gates() {
        return (gates ??= standing());
      },
      verdicts,
      decisions,
      halted,
      count,
    };
    return this.#withTrouble(result, [...this.#inspector.problems, ...this.#outcomes.problems()]);
  }

  #judged(): { readonly gates: () => RunResult["gates"]; readonly verdicts: RunResult["verdicts"] } {
    const outcomes = this.#outcomes;
    if (this.#activity.stopped === undefined) return { gates: outcomes.gates(), verdicts: outcomes.verdicts() };
    return { gates: outcomes.gatesNow(), verdicts: outcomes.verdictsNow() };
  }

  /** Adds the parts that most results do not have. */
  #withTrouble(result: Mutable<RunResult>, problems: readonly Problem[]): RunResult {
    if (problems.length > 0) result.problems = problems;
    if (this.#conflicts !== undefined) result.conflicts = this.#conflicts;
    if (this.#failures !== undefined) result.failed = this.#failures.map((one) => failureOf(one, result));
    return result;
  }
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** Returns a failure as results show it: plain data, and the error beside it. */
function failureOf(failure: HeldFiring | RunLimitError | RestlessError, result: RunResult): RunFailure {
  const error = failure instanceof HeldFiring ? failure.error(result) : failure;
  const { code, message, hint } = error;
  const firing = error instanceof ActionError ? { action: error.action, ...error.firing } : {};
  const data = { code, message, ...(hint !== undefined && { hint }), ...firing };
  return Object.defineProperty(data, "error", { value: error }) as RunFailure;
}
