/**
 * The clock of a session: moved by the host alone, never back.
 *
 * Everything that turns at one instant is one change, so moving the clock in one step or in many gives the same facts.
 */
import { hostTimeText } from "../base/host-time.ts";
import { isInRange, readTime, timeText } from "../base/time.ts";
import type { Changes } from "./changes/changes.ts";
import { SessionError } from "./errors.ts";
import type { ProgramPort } from "./ports.ts";
import type { SessionState } from "./state.ts";

/** An instant as hosts have it: ISO 8601 text with a zone or `Z`, a `Date`, or a Temporal object. */
export type InstantInput = string | object;

export class SessionClock {
  readonly #state: SessionState;
  readonly #changes: Changes;
  readonly #program: ProgramPort;

  constructor(state: SessionState, changes: Changes, program: ProgramPort) {
    this.#state = state;
    this.#changes = changes;
    this.#program = program;
  }

  /** The instant that the clock shows, as text; undefined until it is set. */
  get text(): string | undefined {
    return clockText(this.#program.network.clock.now);
  }

  /** The next instant at which something turns, as text; undefined when nothing will. */
  get nextText(): string | undefined {
    return clockText(this.next);
  }

  /** The next instant at which something turns; undefined when nothing will before the end of the calendar, which no clock goes beyond. */
  get next(): number | undefined {
    const { next } = this.#program.network.clock;
    return next === undefined || !isInRange("instant", next) ? undefined : next;
  }

  /** Moves the clock, from instant to instant; fires nothing. While a handler is awaited, it is a change of its own, as those of facts are. */
  advance(to: InstantInput): void {
    const { activity } = this.#state;
    const instant = this.instantOf(to);
    activity.refuseUnlessAwaiting("move the clock");
    if (instant === this.#program.network.clock.now) return;
    for (let next = this.next; next !== undefined && next < instant; next = this.next) this.step(next);
    this.step(instant);
    this.#state.listeners.deliver();
  }

  /** Moves the clock to an instant that is not after the next one. */
  step(instant: number): void {
    this.#changes.moveClock(instant);
  }

  /** Returns an instant of the host; throws E534 when it is none, or before the clock. */
  instantOf(to: InstantInput): number {
    const instant = instantOf(to);
    const { now } = this.#program.network.clock;
    if (now === undefined || instant >= now) return instant;
    const message = `the clock is at ${timeText("instant", now)} and cannot go back to ${timeText("instant", instant)}`;
    throw new SessionError("E534", message, "open a session from a snapshot of that time");
  }
}

/** Returns an instant as text. */
export function clockText(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : timeText("instant", instant);
}

/** Returns an instant of the host as milliseconds; throws E534 when it is none. */
export function instantOf(given: unknown): number {
  const text = typeof given === "object" && given !== null ? hostTimeText(given) : given;
  const read = typeof text === "string" ? readTime("instant", text) : undefined;
  if (read !== undefined && "value" in read && isInRange("instant", read.value)) return read.value;
  const found = typeof given === "string" ? JSON.stringify(given) : `a value of type ${typeof given}`;
  const hint = 'write an ISO 8601 instant such as "2026-11-16T09:30:00Z", or pass a Date';
  throw new SessionError("E534", `the clock needs an instant, found ${found}`, hint);
}
