/** A log of events for windows: one arrives each second, of a key; some of them are late, and some come before their time. */
import { below, SEED, seeded } from "./random.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds, and numbers of keys and events. */
export const LENGTH = { window: 10 * MINUTE, expiry: 15 * MINUTE, keys: 100, most: 7 } as const;

const LATE = 0.05;
const LATEST = 5 * MINUTE;
const EARLY = 0.01;
const EARLIEST = 60 * MINUTE;

export interface LogEvent {
  readonly id: number;
  readonly key: number;
  /** When it happened, in milliseconds. */
  readonly time: number;
  /** When it arrives. */
  readonly clock: number;
}

/** Returns the events one by one, so that the log takes no memory. */
export function* eventsOf(count: number): Generator<LogEvent, void, undefined> {
  const random = seeded(SEED);
  for (let id = 0; id < count; id++) {
    const clock = (id + 3600) * SECOND;
    const roll = random();
    const apart = roll < LATE ? -below(random, LATEST) : roll < LATE + EARLY ? below(random, EARLIEST) : 0;
    yield { id, key: below(random, LENGTH.keys), time: clock + apart, clock };
  }
}
