/**
 * Where the rows of subscriptions come from: one source for all subscriptions that ask the same.
 *
 * A source notes which of its rows a change touches. When the change is committed, it compares these with what it delivered
 * last, and all subscribers get the difference.
 */
import { byOrder, deltaOf, type LiveRow, type RowDelta, type SameRow, type SubscriptionEnd } from "./row-delta.ts";

/** What receives the deltas of a source. */
export interface Subscriber {
  /** Takes a delta. One function for all of them, so that its failures are known to be its own. */
  readonly receive: (delta: RowDelta<unknown>) => unknown;
  close(): void;
}

/** Hears of sources whose rows may have changed. An object and no function: each session has one, also without subscriptions. */
export interface TouchListener {
  touched(source: RowSource): void;
}

export abstract class RowSource {
  /** What tells it from other sources. */
  readonly key: string;
  readonly subscribers: Set<Subscriber> = new Set();
  /** The rows as they were delivered last. */
  readonly #rows = new Map<string, LiveRow<unknown>>();
  readonly #touched = new Set<string>();
  readonly #listener: TouchListener;
  /** Why no more rows come; undefined while they do. */
  ended: SubscriptionEnd | undefined = undefined;

  constructor(key: string, listener: TouchListener) {
    this.key = key;
    this.#listener = listener;
  }

  /** Begins to listen to the network of the program that runs now. Throws when the program has no such question. */
  abstract attach(): void;

  /** Stops listening and takes down what stands for it alone. */
  abstract detach(): void;

  /** Returns whether two rows with the same key show the same. */
  abstract readonly isSame: SameRow<unknown>;

  /** Returns the row with a key as it is now; undefined when it is not there. */
  protected abstract current(key: string): LiveRow<unknown> | undefined;

  /** Notes that a row may have changed. */
  protected touch(key: string): void {
    this.#touched.add(key);
    this.#listener.touched(this);
  }

  /** Notes that every row may have changed. */
  touchAll(): void {
    for (const key of this.#rows.keys()) this.#touched.add(key);
    this.#listener.touched(this);
  }

  /** Ends the source: its rows are no longer known. */
  end(why: SubscriptionEnd): void {
    this.ended ??= why;
    this.touchAll();
  }

  /** Returns the rows, in order. */
  rows(): LiveRow<unknown>[] {
    return [...this.#rows.values()].sort(byOrder);
  }

  /** Returns what the touched rows are now, against what was delivered last. Costs what was touched. */
  takeDelta(): RowDelta<unknown> {
    const { ended } = this;
    const transitions = Array.from(this.#touched, (key) => {
      const before = this.#rows.get(key);
      const after = ended === undefined ? this.current(key) : undefined;
      if (after === undefined) this.#rows.delete(key);
      else this.#rows.set(key, after);
      return { before, after };
    });
    this.#touched.clear();
    const delta = deltaOf(transitions, this.isSame);
    return ended === undefined ? delta : { ...delta, ended };
  }
}
