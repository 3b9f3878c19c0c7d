/** What one run has done so far, and how it ends early. */
import { ActionFailure, type Firing } from "./actions.ts";
import type { Activation } from "./activation.ts";
import { findCycle } from "./cycle.ts";
import { ActionError, RestlessError, RunLimitError } from "./errors.ts";
import type { Keeper } from "../rete/keeper.ts";
import type { Decision, Effect, Fired, RunResult } from "./results.ts";
import { bindingsOf } from "./views.ts";

const LAST_SHOWN = 10;

export class Run {
  halted = false;
  readonly #limit: number;
  readonly #fired: Fired[] = [];
  readonly #effects: Effect[] = [];
  readonly #decisions: Decision[] = [];
  readonly #keeper: Keeper | undefined;
  /** How often gates or flows moved since something fired. */
  #rounds = 0;

  constructor(limit: number, keeper: Keeper | undefined) {
    this.#limit = limit;
    this.#keeper = keeper;
  }

  add({ fired, effects, decisions, halts }: Pick<Firing, "fired" | "effects" | "decisions" | "halts">): void {
    this.#rounds = 0;
    this.#fired.push(fired);
    for (const decision of decisions) this.#decisions.push(decision);
    for (const effect of effects) this.#effects.push(effect);
    if (halts) this.halted = true;
  }

  decided(decisions: readonly Decision[]): void {
    for (const decision of decisions) this.#decisions.push(decision);
  }

  /** Gates and flows come to rest after so many rounds, or never. */
  refuseRestless(keeper: Keeper): void {
    this.#rounds += 1;
    if (this.#rounds > keeper.patience()) throw new RestlessError(keeper.last(), this.result());
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
    const stuck = this.#keeper?.stuck() ?? [];
    const standing = this.#keeper?.standing();
    let gates: RunResult["gates"] | undefined;
    return {
      fired: this.#fired,
      effects: this.#effects,
      get gates() {
        return (gates ??= standing?.() ?? []);
      },
      verdicts: this.#keeper?.verdicts() ?? [],
      decisions: this.#decisions,
      halted,
      ...(stuck.length === 0 ? {} : { problems: stuck }),
    };
  }
}
