/** Finds the rules that fire again and again at the end of a run. */

/** The number of repetitions at the end of the list that make a cycle. */
const REPEATS = 3;
/** The number of firings that are searched; cycles longer than a third of it are not found. */
const WINDOW = 3000;

/** Returns the shortest sequence of rules that the firings end with three times in a row; empty when there is none. */
export function findCycle(rules: readonly string[]): readonly string[] {
  const tail = rules.slice(-WINDOW);
  for (let period = 1; period * REPEATS <= tail.length; period++) {
    if (repeats(tail, period)) return tail.slice(-period);
  }
  return [];
}

function repeats(tail: readonly string[], period: number): boolean {
  const start = tail.length - period * (REPEATS - 1);
  for (let index = tail.length - 1; index >= start; index--) if (tail[index] !== tail[index - period]) return false;
  return true;
}
