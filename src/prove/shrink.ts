/** Shrinks a history that shows a difference, as long as it still shows one. */
import type { History } from "./history.ts";
import type { Difference } from "./trial.ts";

export interface Shrunk {
  readonly history: History;
  readonly difference: Difference;
}

/**
 * Returns the smallest history found. `differs` plays a history. Changes are left out first, then facts, until none can
 * be.
 */
export function shrink(found: Shrunk, differs: (history: History) => Difference | undefined): Shrunk {
  let best = cut(found);
  for (;;) {
    const smaller = firstThat(smallerHistories(best.history), differs);
    if (smaller === undefined) return best;
    best = cut(smaller);
  }
}

/** Returns the history without the changes after the difference. */
function cut({ history, difference }: Shrunk): Shrunk {
  return { history: { ...history, changes: history.changes.slice(0, difference.changes) }, difference };
}

function firstThat(
  histories: Iterable<History>,
  differs: (history: History) => Difference | undefined,
): Shrunk | undefined {
  for (const history of histories) {
    const difference = differs(history);
    if (difference !== undefined) return { history, difference };
  }
  return undefined;
}

function* smallerHistories({ facts, changes }: History): Iterable<History> {
  for (const fewer of fewerOf(changes)) yield { facts, changes: fewer };
  for (const fewer of fewerOf(facts)) yield { facts: fewer, changes };
}

/** Yields shorter lists, larger cuts first. */
function* fewerOf<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let size = items.length >> 1; size > 1; size >>= 1) {
    for (let start = 0; start < items.length; start += size) yield items.toSpliced(start, size);
  }
  for (let index = items.length - 1; index >= 0; index--) yield items.toSpliced(index, 1);
}
