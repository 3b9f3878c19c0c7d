import { normalForm } from "./normal.ts";

/** Returns the known name that a mistyped name probably means; undefined when none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (typeof name !== "string" || name.length > MAX_NAME_LENGTH) return undefined; // a host can pass anything
  const wanted = fold(name);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (!mayBeMeant(wanted, candidate)) continue;
    const distance = editDistance(wanted, fold(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Folds a name so that letters that look the same are equal, whatever characters they are made of. */
function fold(name: string): string {
  return normalForm(name).toLowerCase();
}

/** The longest name that is compared, in characters: comparing takes the square of the length. */
const MAX_NAME_LENGTH = 64;

/** Returns whether two names share a beginning or an end; most others need not be compared letter by letter. */
function mayBeMeant(wanted: string, candidate: string): boolean {
  if (candidate.length > MAX_NAME_LENGTH) return false;
  const folded = fold(candidate);
  return wanted[0] === folded[0] || wanted.at(-1) === folded.at(-1) || wanted.length <= 3;
}

/** Returns the edits (insert, delete, replace, swap of neighbours) between two words, at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(replace, at(previous, column) + 1, at(current, column - 1) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** Returns the hint for a mistyped name: `did you mean "age"?`; undefined when no name is near. */
export function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean "${name}"?`;
}
