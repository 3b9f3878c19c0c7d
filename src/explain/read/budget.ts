/**
 * Ends a question whose steps are used up. A step is a fact that is read, a state that a search visits, or a fact that
 * is copied for a trial.
 */
import { OutOfSteps } from "../../base/step-budget.ts";

/**
 * Returns the result of the work, or of `stopped` with the reason: its steps are used up, or it recursed too deeply for
 * the stack.
 */
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
