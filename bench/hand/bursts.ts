/**
 * When a key has more events in a window than it may have, by hand: what enters and what leaves at each instant is sorted once, and
 * counted.
 */
import { LENGTH, type LogEvent } from "../data/event-log.ts";

/** A change of a count: at an instant of the clock, or by the event that arrives at that instant. */
interface Edge {
  readonly instant: number;
  readonly key: number;
  readonly by: number;
}

/** Calls `fire` when a count went above the limit and is still above it when the next event has arrived. */
export function findBursts(events: Iterable<LogEvent>, fire: (key: number, event: number) => void): void {
  const arrivals = [...events];
  const edges = edgesOf(arrivals);
  const counts = new Counts();
  let next = 0;
  for (const { id, key, time, clock } of arrivals) {
    for (let edge = edges[next]; edge !== undefined && edge.instant <= clock; edge = edges[next]) {
      counts.change(edge.key, edge.by);
      next += 1;
      if (edges[next]?.instant !== edge.instant) counts.settle();
    }
    if (time <= clock) counts.change(key, 1);
    counts.settle();
    for (const burst of counts.waiting) fire(burst, id);
    counts.waiting.clear();
  }
}

/** Returns what the clock does, in order. */
function edgesOf(events: readonly LogEvent[]): Edge[] {
  const edges = events.flatMap(({ key, time, clock }): Edge[] => {
    const leaves = { instant: time + LENGTH.window, key, by: -1 };
    return time > clock ? [{ instant: time, key, by: 1 }, leaves] : [leaves];
  });
  return edges.sort((a, b) => a.instant - b.instant);
}

class Counts {
  readonly #counts = Array.from({ length: LENGTH.keys }, () => 0);
  readonly #above = new Set<number>();
  readonly #changed = new Set<number>();
  /** The keys that went above the limit, and are above it. */
  readonly waiting: Set<number> = new Set();

  change(key: number, by: number): void {
    this.#counts[key] = (this.#counts[key] ?? 0) + by;
    this.#changed.add(key);
  }

  /** Looks at the counts that changed, when all has changed that changes at an instant. */
  settle(): void {
    for (const key of this.#changed) {
      const isAbove = (this.#counts[key] ?? 0) > LENGTH.most;
      if (!isAbove) {
        this.waiting.delete(key);
        this.#above.delete(key);
      } else if (!this.#above.has(key)) {
        this.waiting.add(key);
        this.#above.add(key);
      }
    }
    this.#changed.clear();
  }
}
