/**
 * How many steps a piece of work may take. Steps are counted, not time, so the same work stops at the same place on every
 * machine. What a step is, the one who counts says.
 */

/** Ends work whose steps are used up; whoever asked for it says what is known by then. */
export class OutOfSteps extends Error {
  constructor(limit: number) {
    super(stoppedAfter(limit, "steps"));
    this.name = "OutOfSteps";
  }
}

export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Throws `OutOfSteps` once more than the limit is spent. */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new OutOfSteps(this.limit);
  }
}

/** `stopped after 5,000,000 steps`. */
export function stoppedAfter(count: number, what: string): string {
  return `stopped after ${count.toLocaleString("en-US")} ${what}`;
}
