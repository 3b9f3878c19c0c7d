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

/** Who made a fact, and who changed it last. */
export interface FactOrigin {
  /** Undefined: the program, the host, or a session before this one. */
  readonly made: Fired | undefined;
  readonly changed: Fired | "host" | undefined;
}

/** A fact as it was before a change. */
interface Version {
  readonly id: string;
  readonly shape: Shape;
  readonly values: readonly Maybe[];
  readonly order: number;
  /** The change that gave it these values. */
  readonly tag: number;
  /** The change that took them. */
  readonly change: number;
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
  #moments: Moment[] = [];
  /** Changes up to this one may be forgotten. */
  #forgotten = 0;

  /** `limit` is how many changes, and how many firings, are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  fired(fired: Fired, change: number): void {
    if (this.#limit === 0) return;
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
    this.#keep(fact, fact.values.slice(), change);
  }

  retracted(fact: Fact, change: number): void {
    if (this.#limit === 0) return;
    this.#origins.delete(fact.id);
    this.#keep(fact, fact.values, change);
  }

  originOf(id: string): FactOrigin {
    return this.#origins.get(id) ?? UNTOLD;
  }

  firing(n: number): Fired | undefined {
    return this.#momentOf(n)?.fired;
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

  /** The facts as a firing saw them, made from those that are there now. */
  before(n: number, now: Iterable<Fact>): FactView[] {
    const change = this.#momentOf(n)?.change ?? Infinity;
    const then: { readonly order: number; readonly view: FactView }[] = [];
    for (const fact of now) if (fact.tag <= change) then.push({ order: fact.order, view: factView(fact) });
    const seen = new Set<string>();
    for (const version of this.#versions) {
      if (version.change <= change || seen.has(version.id)) continue;
      seen.add(version.id);
      if (version.tag <= change) then.push({ order: version.order, view: factView(version) });
    }
    return then.sort((a, b) => a.order - b.order).map(({ view }) => view);
  }

  #momentOf(n: number): Moment | undefined {
    const first = this.#moments[0]?.fired.n ?? 0;
    const moment = this.#moments[n - first];
    return moment?.fired.n === n ? moment : undefined;
  }

  #keep(fact: Fact, values: readonly Maybe[], change: number): void {
    const { id, shape, order, tag } = fact;
    this.#versions.push({ id, shape, values, order, tag, change });
    if (this.#versions.length <= 2 * this.#limit) return;
    this.#forgotten = this.#versions.at(-this.#limit - 1)?.change ?? this.#forgotten;
    this.#versions = this.#versions.slice(-this.#limit);
  }
}
