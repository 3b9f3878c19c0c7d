/**
 * What a session remembers of the past, so that it can be asked why: who made each fact, and how the last changes can be
 * undone in thought.
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

/** A fact as it was before a change. One that is gone stays as it was: it is its own last version. */
interface Version {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
  readonly order: number;
  /** The change that gave it these values. */
  readonly tag: number;
}

interface Moment {
  readonly fired: Fired;
  /** The last change before the firing. */
  readonly change: number;
}

const UNTOLD: FactOrigin = { made: undefined, changed: undefined };

export class History {
  readonly #limit: number;
  readonly #origins = new Map<string, FactOrigin>();
  #versions: Version[] = [];
  /** For each of them the change that took it. */
  #taken: number[] = [];
  #moments: Moment[] = [];
  /** Changes up to this one may be forgotten. */
  #forgotten = 0;

  /** `limit` is how many changes, and how many firings, are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  fired(fired: Fired, change: number): void {
    if (this.#limit === 0) return;
    // Firings that were not collected leave a gap, and what was before it cannot be told from what came after.
    if (this.#moments.at(-1)?.fired.n !== fired.n - 1) this.#moments = [];
    this.#moments.push({ fired, change });
    if (this.#moments.length > 2 * this.#limit) this.#moments = this.#moments.slice(-this.#limit);
  }

  /** `by` is the firing that asserted the fact, undefined for the host. */
  asserted(fact: Fact, by: Fired | undefined): void {
    if (by !== undefined && this.#limit > 0) this.#origins.set(fact.id, { made: by, changed: undefined });
  }

  /** To be told before the values change. */
  updating(fact: Fact, change: number, by: Fired | undefined): void {
    if (this.#limit === 0) return;
    const before = this.#origins.get(fact.id);
    this.#origins.set(fact.id, { made: before?.made, changed: by ?? "host" });
    const { id, shape, order, tag } = fact;
    this.#keep({ id, shape, values: fact.values.slice(), order, tag }, change);
  }

  retracted(fact: Fact, change: number): void {
    if (this.#limit === 0) return;
    if (this.#origins.size > 0) this.#origins.delete(fact.id);
    this.#keep(fact, change);
  }

  originOf(id: string): FactOrigin {
    return this.#origins.get(id) ?? UNTOLD;
  }

  firing(n: number): Fired | undefined {
    return this.#momentOf(n)?.fired;
  }

  changeBefore(n: number): number {
    return this.#momentOf(n)?.change ?? Infinity;
  }

  /** The kept firings of a rule, the newest first. */
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

  /** The facts that a firing saw, of one type or of all, made from those that are there now. */
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

  /** One fact as a firing saw it. */
  factBefore(n: number, id: string, now: Fact | undefined): FactView | undefined {
    const change = this.changeBefore(n);
    if (now !== undefined && now.tag <= change) return factView(now);
    const version = this.#since(change).find((one) => one.id === id);
    return version === undefined || version.tag > change ? undefined : factView(version);
  }

  /** The ids of facts that came after a firing and have gone or changed since. */
  passingSince(n: number): string[] {
    const change = this.changeBefore(n);
    return this.#since(change)
      .filter(({ tag }) => tag > change)
      .map(({ id }) => id);
  }

  /** What was kept after a change, oldest first; the newest are at the end, and usually few. */
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
