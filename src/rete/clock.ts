/**
 * The clock of a session, and what turns when it moves.
 *
 * Time is an input: only `Network.advance` moves the clock, and nothing here asks what time it is. A timer is kept for each match
 * whose value will turn, so the next instant at which anything turns is known without looking at matches.
 */

import { LateSet } from "../base/late.ts";

/** Something that turns at an instant. */
export interface Timer {
  /** The instant, in milliseconds since 1970. */
  due: number;
  /** Its place in the queue; -1 while it is not in it. Written by the queue. */
  place: number;
  /** Turns. The clock shows the instant, and the timer is out of the queue. */
  turn(): void;
}

/** A node whose matches have values of the clock. */
interface ClockReader {
  readonly matches: { readonly size: number };
}

/** The children of a place of the heap. Four keep it flat: a timer that is cancelled moves over few levels. */
const WIDTH = 4;

/** A heap of timers that know their places: the first is found in O(1), adding and cancelling take O(log n). */
class TimerQueue {
  readonly #timers: Timer[] = [];
  /** The timers that were moved so far, for tests that count steps. */
  steps: number = 0;

  get size(): number {
    return this.#timers.length;
  }

  get first(): Timer | undefined {
    return this.#timers[0];
  }

  add(timer: Timer): void {
    this.#rise(timer, this.#timers.length);
  }

  remove(timer: Timer): void {
    const { place } = timer;
    timer.place = -1;
    const last = this.#timers.pop();
    if (last === undefined || last === timer) return;
    const above = this.#timers[(place - 1) >> 2];
    if (place > 0 && above !== undefined && above.due > last.due) this.#rise(last, place);
    else this.#sink(last, place);
  }

  #rise(timer: Timer, from: number): void {
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 2;
      const above = this.#timers[up] as Timer;
      if (above.due <= timer.due) break;
      this.#put(above, at);
      at = up;
    }
    this.#put(timer, at);
  }

  #sink(timer: Timer, from: number): void {
    const { length } = this.#timers;
    let at = from;
    for (;;) {
      const begin = at * WIDTH + 1;
      if (begin >= length) break;
      let least = begin;
      const end = Math.min(begin + WIDTH, length);
      for (let one = begin + 1; one < end; one++) if (this.#due(one) < this.#due(least)) least = one;
      if (this.#due(least) >= timer.due) break;
      this.#put(this.#timers[least] as Timer, at);
      at = least;
    }
    this.#put(timer, at);
  }

  #due(place: number): number {
    return (this.#timers[place] as Timer).due;
  }

  #put(timer: Timer, place: number): void {
    this.steps += 1;
    this.#timers[place] = timer;
    timer.place = place;
  }
}

export class Clock {
  /** The instant that the clock shows, in milliseconds since 1970; undefined until it is set. */
  now: number | undefined = undefined;
  /** The timers that turned so far. */
  turned: number = 0;
  readonly #queue = new TimerQueue();
  /** What turns when the clock is set: until then no instant is known to have come. */
  readonly #unset = new Set<Timer>();

  readonly #readers = new LateSet<ClockReader>();

  /** The next instant at which something turns; undefined when nothing will. */
  get next(): number | undefined {
    return this.#queue.first?.due;
  }

  /** The number of timers that wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** The timers that were moved in the queue so far. */
  get steps(): number {
    return this.#queue.steps;
  }

  /** Has a timer turn at an instant that is still to come. */
  schedule(timer: Timer): void {
    this.#queue.add(timer);
  }

  /** Has a timer turn when the clock is set. */
  whenSet(timer: Timer): void {
    this.#unset.add(timer);
  }

  /** Notes a node whose matches have values of the clock. */
  follow(node: ClockReader): void {
    this.#readers.add(node);
  }

  /** Forgets a node that was taken out of the network. */
  unfollow(node: ClockReader): void {
    this.#readers.delete(node);
  }

  /** Returns whether a match has a value of the clock: an instant that the clock showed is remembered in it. */
  get isRemembered(): boolean {
    return this.now !== undefined && [...this.#readers].some(({ matches }) => matches.size > 0);
  }

  /** Forgets a timer, wherever it waits. */
  cancel(timer: Timer): void {
    if (timer.place >= 0) this.#queue.remove(timer);
    else this.#unset.delete(timer);
  }

  /** Moves the clock to an instant that is not after the next one, and turns what is due. */
  move(to: number): void {
    const isFirst = this.now === undefined;
    this.now = to;
    if (isFirst) this.#turnUnset();
    for (let first = this.#queue.first; first !== undefined && first.due <= to; first = this.#queue.first) {
      this.#queue.remove(first);
      this.turned += 1;
      first.turn();
    }
  }

  /** Makes the clock unset again, in a session without facts. */
  reset(): void {
    this.now = undefined;
  }

  #turnUnset(): void {
    const timers = [...this.#unset];
    this.#unset.clear();
    for (const timer of timers) timer.turn();
  }
}
