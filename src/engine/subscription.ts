/// <reference lib="esnext.disposable" preserve="true" />
/** A subscription as the host holds it: with a listener, or as an async iterator. */
import { isEmptyDelta, mergedDelta, type RowDelta } from "./row-delta.ts";
import type { RowSource, Subscriber } from "./row-source.ts";

/** The number of deltas that wait for an async iterator before further ones are merged. */
const DEFAULT_BUFFER = 16;

/** How an async iterator of deltas waits for its consumer. */
export interface SubscribeOptions {
  /**
   * The number of deltas that wait for a slow consumer, at least 1. Default: 16. Further ones are merged into the last of
   * them, row by row: nothing is lost, and a row that came and went is left out.
   */
  readonly buffer?: number;
}

/** Rows that are kept up to date until the subscription is closed. */
export abstract class Subscription<Row> implements Subscriber {
  readonly #source: RowSource;
  readonly #leave: (subscriber: Subscriber) => void;
  #closed = false;

  /**
   * Creates a subscription. Use {@link Session.subscribe} instead.
   *
   * @internal
   */
  constructor(source: RowSource, leave: (subscriber: Subscriber) => void) {
    this.#source = source;
    this.#leave = leave;
  }

  /** Whether it has ended: by `close`, or by the session. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Returns the rows after the last change, in the order in which a query returns them; none when it is closed. */
  rows(): Row[] {
    return this.#closed ? [] : this.#source.rows().map(({ row }) => row as Row);
  }

  /** Ends the subscription. What waits to be delivered to it is dropped, and what stands for it alone is taken down. */
  close(): void {
    if (this.#closed) return;
    this.#leave(this);
    this.#closed = true;
    this.closing();
  }

  /** Ends the subscription at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Hands a delta to the subscriber.
   *
   * @internal
   */
  readonly receive = (delta: RowDelta<unknown>): unknown => {
    if (this.#closed) return undefined;
    if (delta.ended !== undefined) this.#closed = true;
    return this.take(delta as RowDelta<Row>);
  };

  /** Takes a delta. */
  protected abstract take(delta: RowDelta<Row>): unknown;

  /** Is called when the host ends the subscription. */
  protected closing(): void {
    // a listener is not called again
  }

  /** Returns one delta for two that follow each other. */
  protected merge(first: RowDelta<Row>, second: RowDelta<Row>): RowDelta<Row> {
    return mergedDelta(first, second, this.#source.isSame);
  }
}

/** A subscription that calls a listener. */
export class ListenerSubscription<Row> extends Subscription<Row> {
  readonly #listener: (delta: RowDelta<Row>) => unknown;

  constructor(source: RowSource, leave: (subscriber: Subscriber) => void, listener: (delta: RowDelta<Row>) => unknown) {
    super(source, leave);
    this.#listener = listener;
  }

  protected take(delta: RowDelta<Row>): unknown {
    return this.#listener(delta);
  }
}

type Waiting<Row> = (result: IteratorResult<RowDelta<Row>, undefined>) => void;

/** A subscription whose deltas are awaited one after the other. `return()`, and leaving a `for await` loop, closes it. */
export class SubscriptionIterator<Row> extends Subscription<Row> implements AsyncIterableIterator<RowDelta<Row>> {
  readonly #buffer: number;
  readonly #deltas: RowDelta<Row>[] = [];
  readonly #waiting: Waiting<Row>[] = [];
  /** Whether the first delta, with all rows, was taken. */
  #begun = false;

  /**
   * Creates an iterator. Use {@link Session.subscribe} instead.
   *
   * @internal
   */
  constructor(
    source: RowSource,
    leave: (subscriber: Subscriber) => void,
    { buffer = DEFAULT_BUFFER }: SubscribeOptions,
  ) {
    super(source, leave);
    this.#buffer = Math.max(1, buffer);
  }

  /** Returns the next delta, as soon as there is one. Done when the subscription is closed. */
  async next(): Promise<IteratorResult<RowDelta<Row>, undefined>> {
    const delta = this.#deltas.shift();
    if (delta !== undefined) {
      this.#begun = true;
      return { done: false, value: delta };
    }
    if (this.closed) return { done: true, value: undefined };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Closes the subscription. */
  async return(): Promise<IteratorResult<RowDelta<Row>, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Returns the iterator itself, for `for await`. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Closes the subscription at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  protected take(delta: RowDelta<Row>): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#keep(delta);
      return;
    }
    this.#begun = true;
    next({ done: false, value: delta });
    if (this.closed) this.#finish();
  }

  protected override closing(): void {
    this.#deltas.length = 0;
    this.#finish();
  }

  /** Keeps a delta for later. The last of a full buffer takes it in; when nothing is left of both, none waits. */
  #keep(delta: RowDelta<Row>): void {
    const last = this.#deltas.at(-1);
    if (last === undefined || this.#deltas.length < this.#buffer) {
      this.#deltas.push(delta);
      return;
    }
    const merged = this.merge(last, delta);
    const isFirst = !this.#begun && this.#deltas.length === 1;
    if (isEmptyDelta(merged) && !isFirst) this.#deltas.pop();
    else this.#deltas[this.#deltas.length - 1] = merged;
  }

  #finish(): void {
    for (const next of this.#waiting.splice(0)) next({ done: true, value: undefined });
  }
}
