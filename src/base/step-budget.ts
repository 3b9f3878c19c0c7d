/**
 * The most steps that a piece of work may take. Steps are counted, not time, so the same work stops at the same place
 * on every machine. The caller decides what a step is.
 */

/** Ends work whose steps are used up; the caller reports what is known by then. */
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

/** Returns the note of an early stop, `stopped after 5,000,000 steps`. */
export function stoppedAfter(count: number, what: string): string {
  return `stopped after ${count.toLocaleString("en-US")} ${what}`;
}
