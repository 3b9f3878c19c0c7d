/**
 * What a session remembers to answer why: which firing made each fact, and the facts as the last firings saw them.
 *
 * It keeps a bounded number of changes and firings, and for live facts who made and changed them. A fact that the host
 * asserted and nobody changed costs nothing.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact, Shape } from "../rete/fact.ts";
import type { FactView, Fired } from "./results.ts";
import { factView } from "./views.ts";

/** Which firings made and changed a fact. */
export interface FactOrigin {
  /** The firing that made it; undefined when the program or the host did, or a session before this one. */
  readonly made: Fired | undefined;
  /** The firing that changed it last, or `host`; undefined when nobody changed it. */
  readonly changed: Fired | "host" | undefined;
}

/** A fact with its place among the others: when it was asserted, and when it was last changed. */
export interface PastFact extends FactView {
  readonly order: number;
  readonly tag: number;
}

/** A fact as it was before a change. A fact that was removed is its own last version. */
interface Version {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
  readonly order: number;
  /** The number of the change that gave it these values. */
  readonly tag: number;
}

interface Moment {
  readonly fired: Fired;
  /** The last change before the firing. */
  readonly change: number;
}

const UNKNOWN_ORIGIN: FactOrigin = { made: undefined, changed: undefined };

export class History {
  readonly #limit: number;
  readonly #origins = new Map<string, FactOrigin>();
  #versions: Version[] = [];
  /** The number of the change that ended each version. */
  #taken: number[] = [];
  #moments: Moment[] = [];
  /** Versions that ended up to this change may be dropped. */
  #forgotten = 0;

  /** Keeps `limit` changes and `limit` firings, at most twice as many between two cuts. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes a firing. */
  fired(fired: Fired, change: number): void {
    if (this.#limit === 0) return;
    // Firings without a record leave a gap, and numbers before it no longer find their place in the list.
    if (this.#moments.at(-1)?.fired.n !== fired.n - 1) this.#moments = [];
    this.#moments.push({ fired, change });
    if (this.#moments.length > 2 * this.#limit) this.#moments = this.#moments.slice(-this.#limit);
  }

  /** Notes a new fact; `by` is the firing that asserted it, undefined for the host. */
  asserted(fact: Fact, by: Fired | undefined): void {
    if (by !== undefined && this.#limit > 0) this.#origins.set(fact.id, { made: by, changed: undefined });
  }

  /** Notes an update, before the values change. */
  updating(fact: Fact, change: number, by: Fired | undefined): void {
    if (this.#limit === 0) return;
    const before = this.#origins.get(fact.id);
    this.#origins.set(fact.id, { made: before?.made, changed: by ?? "host" });
    const { id, shape, order, tag } = fact;
    this.#keep({ id, shape, values: fact.values.slice(), order, tag }, change);
  }

  /** Notes that a fact was removed. */
  retracted(fact: Fact, change: number): void {
    if (this.#limit === 0) return;
    if (this.#origins.size > 0) this.#origins.delete(fact.id);
    this.#keep(fact, change);
  }

  originOf(id: string): FactOrigin {
    return this.#origins.get(id) ?? UNKNOWN_ORIGIN;
  }

  firing(n: number): Fired | undefined {
    return this.#momentOf(n)?.fired;
  }

  changeBefore(n: number): number {
    return this.#momentOf(n)?.change ?? Infinity;
  }

  /** Returns the kept firings of a rule, newest first. */
  firings(rule: string): Fired[] {
    return this.#moments
      .filter(({ fired }) => fired.rule === rule)
      .map(({ fired }) => fired)
      .toReversed();
  }

  /** Whether the facts that a firing saw are still known. */
  knows(n: number): boolean {
    const moment = this.#momentOf(n);
    return moment !== undefined && moment.change >= this.#forgotten;
  }

  /** Returns the facts that a firing saw, of one type or of all. `now` are the facts of now. */
  before(n: number, now: Iterable<Fact>, type?: string): PastFact[] {
    const change = this.changeBefore(n);
    const then: PastFact[] = [];
    for (const fact of now) if (fact.tag <= change) then.push(pastFact(fact));
    const seen = new Set<string>();
    for (const version of this.#since(change)) {
      if ((type !== undefined && version.shape.type !== type) || seen.has(version.id)) continue;
      seen.add(version.id);
      if (version.tag <= change) then.push(pastFact(version));
    }
    return then.sort((a, b) => a.order - b.order);
  }

  /** Returns one fact as a firing saw it. `now` is the fact of now. */
  factBefore(n: number, id: string, now: Fact | undefined): FactView | undefined {
    const change = this.changeBefore(n);
    if (now !== undefined && now.tag <= change) return factView(now);
    const version = this.#since(change).find((one) => one.id === id);
    return version === undefined || version.tag > change ? undefined : factView(version);
  }

  /** Returns the ids of facts that came after a firing and were removed or changed since. */
  passingSince(n: number): string[] {
    const change = this.changeBefore(n);
    return this.#since(change)
      .filter(({ tag }) => tag > change)
      .map(({ id }) => id);
  }

  /** Returns the versions that ended after a change, oldest first. O(n) in their number. */
  #since(change: number): readonly Version[] {
    let from = this.#versions.length;
    while (from > 0 && (this.#taken[from - 1] ?? 0) > change) from -= 1;
    return this.#versions.slice(from);
  }

  #momentOf(n: number): Moment | undefined {
    const first = this.#moments[0]?.fired.n ?? 0;
    const moment = this.#moments[n - first];
    return moment?.fired.n === n ? moment : undefined;
  }

  #keep(version: Version, change: number): void {
    this.#versions.push(version);
    this.#taken.push(change);
    if (this.#versions.length <= 2 * this.#limit) return;
    this.#forgotten = this.#taken.at(-this.#limit - 1) ?? this.#forgotten;
    this.#versions = this.#versions.slice(-this.#limit);
    this.#taken = this.#taken.slice(-this.#limit);
  }
}

function pastFact(fact: Fact | Version): PastFact {
  return { ...factView(fact), order: fact.order, tag: fact.tag };
}
