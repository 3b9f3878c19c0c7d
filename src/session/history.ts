/**
 * What a session remembers to answer why: which firing made each fact, who removed it, and the facts as they were before the
 * last changes.
 *
 * It keeps a bounded number of changes and firings, and for live facts who made and changed them. A fact that the host
 * asserted and nobody changed costs nothing.
 */
import { LateMap } from "../base/late.ts";
import { emptied, empty } from "../base/empty.ts";
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

/** A fact that was removed. */
export interface RemovedFact {
  /** The fact as it was last. */
  readonly fact: PastFact;
  /** The number of the change that removed it. */
  readonly change: number;
  /** Who removed it: `host`, `engine`, `rule NAME`, or `support` when a logical fact lost its last support. */
  readonly by: string;
  /** The firing that it was removed in; undefined when the host or the engine removed it. */
  readonly fired: Fired | undefined;
  readonly origin: FactOrigin;
  /** The firings that inserted it logically, oldest first, as far as they are known. */
  readonly supporters: readonly Fired[];
}

/** One change of a fact, by its number. */
export interface PastChange {
  readonly op: "assert" | "update" | "retract";
  readonly id: string;
  /** Who made it, as in {@link RemovedFact.by}. */
  readonly by: string;
  readonly fired: Fired | undefined;
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

/** How a version ended. */
interface Ending {
  readonly by: string;
  readonly fired: Fired | undefined;
  /** For a fact that was removed, its origin; undefined for an update. */
  readonly origin: Origin | undefined;
}

/** The origin of a fact, with the later firings that inserted it logically as well. */
interface Origin extends FactOrigin {
  readonly others?: readonly Fired[];
}

interface Moment {
  readonly fired: Fired;
  /** The last change before the firing. */
  readonly change: number;
}

const UNKNOWN_ORIGIN: FactOrigin = { made: undefined, changed: undefined };
const UPDATED_BY_HOST: Ending = { by: "host", fired: undefined, origin: undefined };

/** The most later firings that are kept for a fact that many matches support. */
const MAX_SUPPORTERS = 8;

export class History {
  readonly #limit: number;
  readonly #origins = new LateMap<string, Origin>();
  #versions: Version[] = [];
  /** The number of the change that ended each version. */
  #taken: number[] = [];
  #endings: Ending[] = [];
  /** The ending that the last update by a firing or by the engine has got. */
  #lastUpdate: Ending = UPDATED_BY_HOST;
  #moments: Moment[] = [];
  /** The last change before each time that the engine wrote outcomes, verdicts or stages. */
  #writes: number[] = [];
  /** Versions that ended up to this change may be dropped. */
  #forgotten = 0;

  /** Whether it knows all that happened to the facts of the session. */
  #complete: boolean;

  /**
   * Keeps `limit` changes and `limit` firings, at most twice as many between two cuts. `fromStart` is false for a session
   * that continues another one.
   */
  constructor(limit: number, fromStart: boolean) {
    this.#limit = limit;
    this.#complete = fromStart && limit > 0;
  }

  /** Forgets everything, for a session that begins again: without facts, or as one that continues another. */
  clear(fromStart: boolean): void {
    empty(this.#origins);
    this.#versions = emptied(this.#versions);
    this.#taken = emptied(this.#taken);
    this.#endings = emptied(this.#endings);
    this.#moments = emptied(this.#moments);
    this.#writes = emptied(this.#writes);
    this.#forgotten = 0;
    this.#complete = fromStart && this.#limit > 0;
  }

  /** Whether no change was forgotten since the session began without facts. */
  get isComplete(): boolean {
    return this.#complete;
  }

  /** Notes a firing. */
  fired(fired: Fired, change: number): void {
    if (this.#limit === 0) return;
    // Firings without a record leave a gap, and numbers before it no longer find their place in the list.
    if (this.#moments.at(-1)?.fired.n !== fired.n - 1) this.#moments = [];
    this.#moments.push({ fired, change });
    if (this.#moments.length > 2 * this.#limit) this.#moments = this.#moments.slice(-this.#limit);
  }

  /** Notes that the engine is about to write facts; `change` is the last change before. */
  writing(change: number): void {
    if (this.#limit === 0) return;
    this.#writes.push(change);
    if (this.#writes.length > 2 * this.#limit) this.#writes = this.#writes.slice(-this.#limit);
  }

  /** Notes a new fact; `by` is the firing that asserted it, undefined for the host. */
  asserted(fact: Fact, by: Fired | undefined): void {
    if (by !== undefined && this.#limit > 0) this.#origins.set(fact.id, { made: by, changed: undefined });
  }

  /** Notes that another firing inserted a fact logically, too. */
  supported(fact: Fact, by: Fired | undefined): void {
    if (by === undefined || this.#limit === 0) return;
    const before: Origin = this.#origins.get(fact.id) ?? UNKNOWN_ORIGIN;
    const others = [...(before.others ?? []), by].slice(-MAX_SUPPORTERS);
    this.#origins.set(fact.id, { ...before, others });
  }

  /** Notes an update, before the values change. */
  updating(fact: Fact, change: number, by: string, fired: Fired | undefined): void {
    if (this.#limit === 0) return;
    this.#origins.set(fact.id, changedBy(this.#origins.get(fact.id) ?? UNKNOWN_ORIGIN, fired ?? "host"));
    const { id, shape, order, tag } = fact;
    this.#keep({ id, shape, values: fact.values.slice(), order, tag }, change, this.#endingByUpdate(by, fired));
  }

  /** Returns the ending of a version that was updated: one for all updates of a firing, and one for those of the host. */
  #endingByUpdate(by: string, fired: Fired | undefined): Ending {
    if (by === "host" && fired === undefined) return UPDATED_BY_HOST;
    const last = this.#lastUpdate;
    if (last.fired === fired && last.by === by) return last;
    return (this.#lastUpdate = { by, fired, origin: undefined });
  }

  /** Notes that a fact was removed. */
  retracted(fact: Fact, change: number, by: string, fired: Fired | undefined): void {
    if (this.#limit === 0) return;
    const origin = this.#origins.get(fact.id);
    if (origin !== undefined) this.#origins.delete(fact.id);
    this.#keep(fact, change, endingOf(by, fired, origin));
  }

  /** Forgets everything before a migration but who made each fact: facts as they were then no longer fit their types. */
  migrated(change: number, renamed: ReadonlyMap<string, string>): void {
    this.#versions = [];
    this.#taken = [];
    this.#endings = [];
    this.#lastUpdate = UPDATED_BY_HOST;
    this.#moments = [];
    this.#writes = [];
    this.#forgotten = change;
    this.#complete = false;
    const moved = Array.from(renamed, ([before, now]) => [before, now, this.#origins.get(before)] as const);
    for (const [before] of moved) this.#origins.delete(before);
    for (const [, now, origin] of moved) if (origin !== undefined) this.#origins.set(now, origin);
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
    return moment !== undefined && this.knowsChange(moment.change);
  }

  /** Whether the facts as they were after a change are still known. */
  knowsChange(change: number): boolean {
    return change >= this.#forgotten;
  }

  /** Returns the number of the last kept firing before a change; undefined when none is kept. */
  firingBefore(change: number): number | undefined {
    return this.#moments.findLast((moment) => moment.change < change)?.fired.n;
  }

  /** Returns the last change before the engine wrote a fact that has this tag; undefined when that is not kept. */
  writeBefore(tag: number): number | undefined {
    return this.#writes.findLast((change) => change < tag);
  }

  /** Returns the facts as they were after a change, of one type or of all. `now` are the facts of now. */
  after(change: number, now: Iterable<Fact>, type?: string): PastFact[] {
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

  /** Returns one fact as it was after a change. `now` is the fact of now. */
  factAfter(change: number, id: string, now: Fact | undefined): FactView | undefined {
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

  /** Returns the kept facts that were removed, of one type or of all, newest first. */
  *removed(type?: string): Iterable<RemovedFact> {
    for (let index = this.#versions.length - 1; index >= 0; index--) {
      if (type !== undefined && this.#versions[index]?.shape.type !== type) continue;
      const removed = this.#removedAt(index);
      if (removed !== undefined) yield removed;
    }
  }

  /** Returns the change with a number; undefined when it is not kept. `live` are the facts of now. */
  changeAt(change: number, live: Iterable<Fact>): PastChange | undefined {
    const index = this.#taken.lastIndexOf(change);
    const ending = this.#endings[index];
    const version = this.#versions[index];
    if (ending !== undefined && version !== undefined) {
      const op = ending.origin === undefined ? "update" : "retract";
      return { op, id: version.id, by: ending.by, fired: ending.fired };
    }
    const gone = this.#versions.findIndex(({ tag }) => tag === change);
    const id = this.#versions[gone]?.id;
    if (id !== undefined) return assertOf(id, this.#makerFrom(id, gone));
    for (const fact of live) if (fact.tag === change) return assertOf(fact.id, this.#origins.get(fact.id)?.made);
    return undefined;
  }

  /** Returns the firing that made a fact, which has the version at an index. */
  #makerFrom(id: string, index: number): Fired | undefined {
    const removed = this.#endings.find(
      ({ origin }, at) => at >= index && origin !== undefined && this.#versions[at]?.id === id,
    );
    return (removed?.origin ?? this.#origins.get(id))?.made;
  }

  #removedAt(index: number): RemovedFact | undefined {
    const version = this.#versions[index];
    const ending = this.#endings[index];
    if (version === undefined || ending?.origin === undefined) return undefined;
    const { by, fired, origin } = ending;
    const { made, changed, others = [] } = origin;
    const supporters = made === undefined ? others : [made, ...others];
    const change = this.#taken[index] ?? 0;
    return { fact: pastFact(version), change, by, fired, origin: { made, changed }, supporters };
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

  #keep(version: Version, change: number, ending: Ending): void {
    this.#versions.push(version);
    this.#taken.push(change);
    this.#endings.push(ending);
    if (this.#versions.length <= 2 * this.#limit) return;
    this.#complete = false;
    this.#forgotten = this.#taken.at(-this.#limit - 1) ?? this.#forgotten;
    this.#versions = this.#versions.slice(-this.#limit);
    this.#taken = this.#taken.slice(-this.#limit);
    this.#endings = this.#endings.slice(-this.#limit);
  }
}

/** Written out, because it is called for every update. */
function changedBy({ made, others }: Origin, changed: Fired | "host"): Origin {
  return others === undefined ? { made, changed } : { made, changed, others };
}

function assertOf(id: string, made: Fired | undefined): PastChange {
  return { op: "assert", id, by: made === undefined ? "host" : `rule ${made.rule}`, fired: made };
}

const BY_HOST: Ending = { by: "host", fired: undefined, origin: UNKNOWN_ORIGIN };

/** Returns the ending of a fact that was removed; the most frequent one is shared. */
function endingOf(by: string, fired: Fired | undefined, origin: Origin | undefined): Ending {
  return by === "host" && origin === undefined ? BY_HOST : { by, fired, origin: origin ?? UNKNOWN_ORIGIN };
}

function pastFact(fact: Fact | Version): PastFact {
  return { ...factView(fact), order: fact.order, tag: fact.tag };
}
