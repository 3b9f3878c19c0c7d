/**
 * The facts of types that expire: each is retracted by the clock, some time after its own time.
 *
 * Invariant: between changes, a live fact of such a type with a known time has one timer, and its end is still to come; while the
 * clock is not set, nothing expires. A fact whose end has come when it is asserted never enters.
 */
import { DAY } from "../base/time.ts";
import type { Maybe } from "../base/value.ts";
import { zoneNamed } from "../base/zone.ts";
import type { Timer } from "../rete/clock.ts";
import type { Fact, Shape } from "../rete/fact.ts";
import type { NetworkPort } from "../rete/port.ts";
import type { ExpirySchema, Schema } from "./admission/schema.ts";

/** The timer of a fact. */
class FactTimer implements Timer {
  due = 0;
  place = -1;
  readonly #expiry: Expiry;
  readonly #fact: Fact;

  constructor(expiry: Expiry, fact: Fact) {
    this.#expiry = expiry;
    this.#fact = fact;
  }

  turn(): void {
    this.#expiry.ended(this.#fact);
  }
}

export class Expiry {
  #types: ReadonlyMap<string, ExpirySchema>;
  #clock: NetworkPort["clock"] | undefined = undefined;
  readonly #timers = new Map<Fact, FactTimer>();
  /** The facts whose ends have come, and that are not retracted yet. */
  readonly #due = new Set<Fact>();
  /** The number of facts so far that had expired when they were asserted. */
  refused = 0;

  constructor(schema: Schema) {
    this.#types = expiring(schema);
  }

  /** Uses the clock of the network, which is made later than the state. */
  use(clock: NetworkPort["clock"]): void {
    this.#clock = clock;
  }

  /** Continues with the types of another program; `added` is called again for the facts. */
  declare(schema: Schema): void {
    this.clear();
    this.#types = expiring(schema);
  }

  /** Returns the facts of types that expire, of all that there are. */
  concerned(facts: Iterable<Fact>): Fact[] {
    if (this.#types.size === 0) return [];
    return [...facts].filter(({ shape }) => this.#types.has(shape.type));
  }

  /** Forgets all facts. */
  clear(): void {
    for (const timer of this.#timers.values()) this.#clock?.cancel(timer);
    this.#timers.clear();
    this.#due.clear();
  }

  /** Returns whether the end of a new fact has come. */
  isOver(shape: Shape, values: readonly Maybe[]): boolean {
    const now = this.#clock?.now;
    if (this.#types.size === 0 || now === undefined) return false;
    const end = this.#endOf(shape, values);
    return end !== undefined && end <= now;
  }

  /** Waits for the end of a fact that is in working memory. */
  added(fact: Fact): void {
    if (this.#types.size === 0 || this.#clock === undefined) return;
    const end = this.#endOf(fact.shape, fact.values);
    if (end === undefined) return;
    const timer = new FactTimer(this, fact);
    const { now } = this.#clock;
    if (now !== undefined && end <= now) {
      this.#due.add(fact);
      return;
    }
    timer.due = end;
    this.#timers.set(fact, timer);
    if (now === undefined) this.#clock.whenSet(timer);
    else this.#clock.schedule(timer);
  }

  /** Forgets a fact that is gone. */
  removed(fact: Fact): void {
    this.#due.delete(fact);
    const timer = this.#timers.get(fact);
    if (timer === undefined) return;
    this.#timers.delete(fact);
    this.#clock?.cancel(timer);
  }

  /** Waits for the end that a fact has with its new values. */
  changed(fact: Fact): void {
    if (this.#types.size === 0 || !this.#types.has(fact.shape.type)) return;
    this.removed(fact);
    this.added(fact);
  }

  /** Notes that a timer has turned: the end of its fact has come, or the clock was set, and the end may be still to come. */
  ended(fact: Fact): void {
    this.#timers.delete(fact);
    this.added(fact);
  }

  /** Returns the facts whose ends have come, in the order in which they were asserted, and forgets them. */
  takeDue(): readonly Fact[] {
    if (this.#due.size === 0) return NONE;
    const due = [...this.#due];
    this.#due.clear();
    return due.sort((a, b) => a.order - b.order);
  }

  /** Returns the instant at which a fact expires; undefined when it does not, or its time is missing. */
  #endOf(shape: Shape, values: readonly Maybe[]): number | undefined {
    const expiry = this.#types.get(shape.type);
    const slot = expiry === undefined ? undefined : shape.find(expiry.field);
    const time = slot === undefined ? undefined : values[slot];
    if (expiry === undefined || typeof time !== "number") return undefined;
    if (expiry.zone === undefined) return Math.ceil(time + expiry.after);
    return zoneNamed(expiry.zone)?.startOf(time + Math.ceil(expiry.after / DAY));
  }
}

const NONE: readonly Fact[] = [];

function expiring({ types }: Schema): ReadonlyMap<string, ExpirySchema> {
  return new Map([...types].flatMap(([name, { expires }]) => (expires === undefined ? [] : [[name, expires]])));
}
