/** Measures how long work takes, with host clocks that may stand still, go backwards or fail. */
import { thrownWords } from "./host-result.ts";

/** Returns the time in milliseconds. */
export type Clock = () => number;

/**
 * The milliseconds by which two clocks may differ before the slower one is moved up: a coarse clock ticks every 15.6
 * ms. Without this, a clock that once jumped ahead and then stands still would hide the time that the other one
 * measures.
 */
const MAX_APART_MS = 16;

/**
 * Reads two clocks, and the longer of the two times counts: a host's clock that stands still cannot hold a deadline
 * open. A measurement during which a clock fails, returns no number or goes backwards is NaN, which meets no deadline.
 */
export class Stopwatch {
  readonly #clocks: readonly ClockReading[];
  #faults = 0;
  #fault: string | undefined;

  constructor(clocks: readonly Clock[]) {
    this.#clocks = clocks.map((clock) => new ClockReading(clock));
  }

  /** Returns what is wrong with a clock, in words: the latest fault. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Starts a measurement; the returned function returns the milliseconds since then. */
  start(): () => number {
    const began = this.#read();
    const faults = this.#faults;
    return () => {
      const ended = this.#read();
      return this.#faults === faults ? ended - began : Number.NaN;
    };
  }

  #read(): number {
    let latest = Number.NaN;
    for (const clock of this.#clocks) {
      const fault = clock.read();
      if (fault !== undefined) {
        this.#fault = fault;
        this.#faults += 1;
        latest = Number.NaN;
        break;
      }
      latest = Number.isNaN(latest) ? clock.time : Math.max(latest, clock.time);
    }
    for (const clock of this.#clocks) clock.moveUp(latest - MAX_APART_MS);
    return latest;
  }
}

/** One clock, read as the time since its first reading. */
class ClockReading {
  readonly #clock: Clock;
  #last: number | undefined;
  time = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the clock; returns what is wrong with it, if anything. */
  read(): string | undefined {
    let now: unknown;
    try {
      now = this.#clock();
    } catch (error) {
      return `the clock failed: ${thrownWords(error)}`;
    }
    if (typeof now !== "number" || !Number.isFinite(now)) return "the clock did not return a number";
    const last = this.#last ?? now;
    this.#last = now;
    if (now < last) return "the clock went backwards";
    this.time += now - last;
    return undefined;
  }

  moveUp(time: number): void {
    if (this.time < time) this.time = time;
  }
}

/** Returns a measurement for records: never negative, and 0 when the clock fails. No decision depends on it. */
export function recordedTime(clock: Clock): () => number {
  const stopwatch = new Stopwatch([clock]);
  const elapsed = stopwatch.start();
  return () => {
    const time = elapsed();
    return Number.isNaN(time) ? 0 : time;
  };
}

/** Returns a clock that never goes backwards; while the given clock fails, it stands still. */
export function steadyClock(clock: Clock): Clock {
  let latest: number | undefined;
  return () => {
    let now: unknown;
    try {
      now = clock();
    } catch {
      now = undefined;
    }
    if (typeof now === "number" && Number.isFinite(now)) latest = Math.max(latest ?? now, now);
    return latest ?? 0;
  };
}
