/** Measures how long work takes, with clocks of the host that may stand still, step back or fail. */
import { thrownWords } from "./host-result.ts";

/** A clock in milliseconds. */
export type Clock = () => number;

/**
 * So far apart two clocks may be before the slower one is moved up: a coarse clock ticks every 15.6 ms. Without this, a clock
 * that once jumped ahead and then stands still would hide the time that the other one measures.
 */
const APART = 16;

/**
 * Reads two clocks, and the longer of the two times counts: a host's clock that stands still cannot hold a deadline open. A
 * measurement during which a clock fails, gives no number or steps back is NaN, which is in time for no deadline.
 */
export class Stopwatch {
  readonly #hands: readonly Hand[];
  #faults = 0;
  #fault: string | undefined;

  constructor(clocks: readonly Clock[]) {
    this.#hands = clocks.map((clock) => new Hand(clock));
  }

  /** What is wrong with a clock, in words: the latest fault. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Begins a measurement; the function that it returns gives the milliseconds since then. */
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
    for (const hand of this.#hands) {
      const fault = hand.read();
      if (fault !== undefined) {
        this.#fault = fault;
        this.#faults += 1;
        latest = Number.NaN;
        break;
      }
      latest = Number.isNaN(latest) ? hand.time : Math.max(latest, hand.time);
    }
    for (const hand of this.#hands) hand.moveUp(latest - APART);
    return latest;
  }
}

/** One clock, as the time that has passed since it was first read. */
class Hand {
  readonly #clock: Clock;
  #last: number | undefined;
  time = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Gives what is wrong with the clock, if anything is. */
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

/** Times for a record: never negative, and 0 where the clock fails. They decide nothing. */
export function recordedTime(clock: Clock): () => number {
  const stopwatch = new Stopwatch([clock]);
  const elapsed = stopwatch.start();
  return () => {
    const time = elapsed();
    return Number.isNaN(time) ? 0 : time;
  };
}

/** A clock that never runs backwards; one that fails stands still. */
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
