/**
 * Long work in short slices. The work is a generator that yields after each step: a fact, a match, a statement. Who is in no
 * hurry runs it to its end at once; a server runs it in slices, and serves others between them.
 */

/** Work that can pause after each step. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The most steps in a slice, and the time after which a slice ends earlier, in milliseconds. */
const MAX_STEPS = 1_000;
const MAX_MS = 5;

/** Small steps, of which only every 32nd is a place to pause: a pause costs as much as a small step. */
export class SmallSteps {
  #count = 0;

  /** Counts a small step. Returns whether to pause. */
  isDue(): boolean {
    this.#count = (this.#count + 1) & 31;
    return this.#count === 0;
  }
}

/** Does something with each item; every 32nd is a place to pause. For small steps. */
export function* eachSmall<Item>(items: Iterable<Item>, work: (item: Item) => void): Steps<void> {
  const small = new SmallSteps();
  for (const item of items) {
    work(item);
    if (small.isDue()) yield;
  }
}

/** Returns what is made of each item, in order; one step for each. */
export function* mapped<Item, Result>(items: Iterable<Item>, make: (item: Item) => Result): Steps<Result[]> {
  const made: Result[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Does work in slices, and lets other work of the event loop run between them. */
export class Slices {
  readonly #pause: () => Promise<void>;
  #steps = 0;
  #since: number | undefined = undefined;

  /** Takes a function that lets others work (`pause`). Default: one turn of the event loop. */
  constructor(pause: () => Promise<void> = nextTurn) {
    this.#pause = pause;
  }

  /** Does the work: at most 1,000 steps, and as a rule at most 5 ms, before the next pause. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    try {
      for (;;) {
        this.#since ??= performance.now();
        const next = steps.next();
        if (next.done === true) return next.value;
        this.#steps += 1;
        if (this.#steps >= MAX_STEPS || performance.now() - this.#since >= MAX_MS) await this.pause();
      }
    } finally {
      steps.return(undefined as Result);
    }
  }

  /** Lets others work now. */
  async pause(): Promise<void> {
    this.#steps = 0;
    this.#since = undefined;
    await this.#pause();
  }
}

/** Waits for one turn of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** The number of items that are sorted at once; larger lists are merged step by step. */
const SORTED_AT_ONCE = 1_000;

/** Returns the items in order, sorted by merging; one step for each item that is moved. The list itself does not change. */
export function* sorted<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Steps<readonly Item[]> {
  if (yield* isInOrder(items, compare)) return items;
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    runs.push(items.slice(at, at + SORTED_AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [first = [], second = []] = [runs[at], runs[at + 1]];
      merged.push(second.length === 0 ? first : yield* mergedInOrder(first, second, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* isInOrder<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Steps<boolean> {
  for (let at = 1; at < items.length; at++) {
    if (at % SORTED_AT_ONCE === 0) yield;
    if (compare(items[at - 1] as Item, items[at] as Item) > 0) return false;
  }
  return true;
}

function* mergedInOrder<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Steps<readonly Item[]> {
  const merged: Item[] = [];
  let right = 0;
  for (const item of first) {
    while (right < second.length && compare(second[right] as Item, item) < 0) merged.push(second[right++] as Item);
    merged.push(item);
    yield;
  }
  for (; right < second.length; right++) merged.push(second[right] as Item);
  return merged;
}
