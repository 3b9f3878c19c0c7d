/**
 * How many steps one question may cost. A step is a fact that is looked at, a state that a search visits, or a fact that is
 * copied for a trial. Steps are counted, not time, so the same question stops at the same place on every machine.
 */
import { DEFAULT_BUDGETS } from "../base/limits.ts";

/** Ends a question whose steps are used up; whoever asked it says what is known by then. */
class OutOfSteps extends Error {
  constructor(words: string) {
    super(words);
    this.name = "OutOfSteps";
  }
}

export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number = DEFAULT_BUDGETS.explainSteps) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new OutOfSteps(stoppedAfter(this.limit, "steps"));
  }
}

/** `stopped after 5,000,000 steps`. */
export function stoppedAfter(count: number, what: string): string {
  return `stopped after ${count.toLocaleString("en-US")} ${what}`;
}

/** Does the work, or says what stopped it: its steps are used up, or it went too deep for the stack. */
export function unlessStopped<Result>(work: () => Result, stopped: (words: string) => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfSteps) return stopped(error.message);
    if (isTooDeep(error)) return stopped("stopped: the conditions are nested too deeply to follow");
    throw error;
  }
}

function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/iu.test(error.message);
}
