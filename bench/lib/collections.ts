/** How long garbage was collected, as Node reports it. */
import { PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

interface Collection {
  readonly startTime: number;
  readonly duration: number;
}

export class Collections {
  readonly #seen: Collection[] = [];
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) this.#seen.push({ startTime, duration });
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  /** Returns the milliseconds of the collections that began between two instants of `performance.now`. Forgets all before. */
  async within(start: number, end: number): Promise<number> {
    await setTimeout(1); // Node reports collections only when the event loop turns
    const collections = this.#seen.splice(0);
    return collections
      .filter(({ startTime }) => startTime >= start && startTime < end)
      .reduce((sum, { duration }) => sum + duration, 0);
  }

  stop(): void {
    this.#observer.disconnect();
  }
}
