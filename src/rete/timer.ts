/**
 * Adds whether the clock is inside a span of time to each match: `now >= i.due + 30 days`. The value turns by itself when the clock
 * reaches an end of the span.
 *
 * Invariant: after a flush, every match above has one match here, with the value at the clock's instant; while its value can still
 * turn it has one timer. A value that turns changes in place, so that what stands on a test that stays as it was goes on.
 */
import type { Truth } from "../base/truth.ts";
import type { Clock, Timer } from "./clock.ts";
import type { FlushQueue } from "./flush-queue.ts";
import type { Match } from "./match.ts";
import { firstChild, removeMatch } from "./match-tree.ts";
import { revalue } from "./node.ts";
import { RevaluedNode, type RevaluedSpec } from "./revalued-node.ts";
import type { Tally } from "./tally.ts";

/** Returns the first instant at or after an end of the span; infinite where it is beyond all times; undefined when it is unknown. */
export type SpanEnd = (match: Match) => number | undefined;

export interface TimerSpec extends RevaluedSpec {
  /** The first instant inside the span. */
  readonly from: SpanEnd;
  /** The first instant after the span; undefined for a span without end. */
  readonly until: SpanEnd | undefined;
  readonly inside: Truth;
  readonly outside: Truth;
  /** Returns why an end is unknown for a match above. */
  readonly unknown: (match: Match) => string;
  /** Returns which function failed in an end for a match above; undefined when none did. */
  readonly threw: (match: Match) => string | undefined;
  /** Returns until when the value is unknown although the ends are known, in words; undefined where it is not. */
  readonly waits: ((match: Match) => string) | undefined;
}

/** The timer of a match of the node. */
class MatchTimer implements Timer {
  due: number = NOT_SET;
  place: number = -1;
  readonly #node: TimerNode;
  readonly #match: Match;

  constructor(node: TimerNode, match: Match) {
    this.#node = node;
    this.#match = match;
  }

  turn(): void {
    this.#node.turn(this.#match, this.due === NOT_SET);
  }
}

/** The instant of a timer that waits until the clock is set. */
const NOT_SET = -Infinity;

export class TimerNode extends RevaluedNode<TimerSpec> {
  readonly #clock: Clock;
  /** The timers of the matches whose values can still turn. */
  readonly #timers = new Map<Match, MatchTimer>();

  constructor(spec: TimerSpec, clock: Clock, flushQueue: FlushQueue, tally: Tally) {
    super(spec, flushQueue, tally);
    this.#clock = clock;
    clock.follow(this);
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return super.otherEntries(ignore) + [...this.#timers.keys()].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    const { value, next } = this.#at(match);
    const made = this.emit(match, undefined, value);
    if (made?.alive === true) this.#wait(made, next);
  }

  override forget(match: Match): void {
    this.#cancel(match);
    super.forget(match);
  }

  /** Forgets all timers, when the node is taken out of the network. */
  cancelAll(): void {
    for (const timer of this.#timers.values()) this.#clock.cancel(timer);
    this.#timers.clear();
    this.#clock.unfollow(this);
  }

  protected askAgain(match: Match): void {
    const below = firstChild(match, this);
    if (below === undefined) return;
    this.turn(below);
    for (const level of this.spec.values) revalue(below, level);
  }

  retract(match: Match): void {
    const below = firstChild(match, this);
    if (below !== undefined) removeMatch(below);
  }

  /** Gives a match of the node the value of the clock's instant. When the clock was `set`, a value that stays unknown has another reason. */
  turn(match: Match, set: boolean = false): void {
    this.#cancel(match);
    if (match.parent === undefined) return;
    const { value, next } = this.#at(match.parent);
    this.#wait(match, next);
    if (match.held === value && (value !== undefined || !set)) return;
    match.held = value;
    revalue(match, this.level);
  }

  /** Returns why the value of a match is unknown; undefined when it is known. */
  whyUnknown(match: Match): string | undefined {
    if (match.held !== undefined || match.parent === undefined) return undefined;
    if (this.#clock.now === undefined) return "the clock is not set";
    const failed = this.threw(match);
    if (failed !== undefined) return failed;
    const { from, waits, unknown } = this.spec;
    return waits === undefined || from(match.parent) === undefined ? unknown(match.parent) : waits(match.parent);
  }

  /** Returns which function failed, so that the value of a match is unknown; undefined when none did. */
  threw(match: Match): string | undefined {
    if (match.held !== undefined || match.parent === undefined || this.#clock.now === undefined) return undefined;
    return this.spec.threw(match.parent);
  }

  /** Returns the value for a match above now, and the instant at which it is computed again: undefined when it stays. */
  #at(match: Match): { readonly value: Truth; readonly next: number | undefined } {
    const { now } = this.#clock;
    const { from: begins, until: ends, inside, outside } = this.spec;
    if (now === undefined) return { value: undefined, next: undefined };
    const from = begins(match);
    const until = ends === undefined ? Infinity : ends(match);
    const isOutside = (from !== undefined && now < from) || (until !== undefined && now >= until);
    const isKnown = from !== undefined && until !== undefined;
    const value = isOutside ? outside : isKnown ? inside : undefined;
    const next = Math.min(comingAfter(now, from), comingAfter(now, until));
    const stays = next === Infinity || (isKnown && from >= until);
    return { value, next: stays ? undefined : next };
  }

  #wait(match: Match, next: number | undefined): void {
    if (next === undefined && this.#clock.now !== undefined) return;
    const timer = new MatchTimer(this, match);
    this.#timers.set(match, timer);
    if (next === undefined) {
      this.#clock.whenSet(timer);
      return;
    }
    timer.due = next;
    this.#clock.schedule(timer);
  }

  #cancel(match: Match): void {
    const timer = this.#timers.get(match);
    if (timer === undefined) return;
    this.#timers.delete(match);
    this.#clock.cancel(timer);
  }
}

/** Returns an instant that is still to come; infinite when it has come, or is unknown. */
function comingAfter(now: number, instant: number | undefined): number {
  return instant === undefined || instant <= now ? Infinity : instant;
}
