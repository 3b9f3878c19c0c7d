/**
 * Lets the matches pass whose fact is among the last ones: `over last 20` of an account's payments. The facts are counted for each match
 * further up, in the order of a key and then of assertion, and what falls out comes back when a newer one goes.
 *
 * Each group keeps its matches in a balanced tree: a change costs O(log n), and a flush looks at no more matches than the window holds,
 * and those in doubt. Where something is judged, a match that may be among the last ones passes as unknown: it is in doubt itself, or
 * those that are in doubt may be newer, or it is not known how many count.
 *
 * Invariant: after a flush, every match above that is or may be among the last of its group has one match here, which says which.
 */
import { type Entry, entryAt, entryOf, insert, remove, sizeOf, type Tree } from "../base/ordered-list.ts";
import type { Truth } from "../base/truth.ts";
import type { Maybe } from "../base/value.ts";
import type { MatchTruth } from "./doubtful.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Match } from "./match.ts";
import { firstChild, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, revalue, type Slots, type ValueReader } from "./node.ts";
import type { Tally } from "./tally.ts";

export interface LastSpec {
  readonly name: string;
  readonly left: BetaNode;
  /** The level of the matches for which facts are counted. */
  readonly from: number;
  /** Returns how many facts count; anything but an integer above zero is unknown. */
  readonly count: (match: Match) => Maybe;
  /** Returns what orders a fact; undefined where facts are in the order in which they were asserted. */
  readonly key: ((match: Match) => Maybe) | undefined;
  /** Decides whether a match is counted; undefined where all are. */
  readonly fits: MatchTruth | undefined;
  /** True to send on matches that may be among the last ones. */
  readonly passUnknown: boolean;
  /** The slots that the number, the key and `fits` read. */
  readonly reads: Reads;
  /** The levels whose values they use. */
  readonly values: ReadonlySet<number>;
  /** Returns why the number of facts is unknown for a match. */
  readonly unknownCount: (match: Match) => string;
  /** Returns why the key of a match is unknown. */
  readonly unknownKey: (match: Match) => string;
}

/** A match above that is or may be counted. */
interface Member {
  /** Its place in the order; undefined where its key is unknown. */
  readonly entry: Entry | undefined;
  /** False where it is unknown whether it is counted. */
  readonly sure: boolean;
}

interface Group {
  readonly members: Map<Match, Member>;
  /** The members whose keys are unknown: they may come before any other. */
  readonly unkeyed: Set<Match>;
  /** The members with a key, the newest last. */
  ordered: Tree;
  /** The members that were passed on. */
  readonly passed: Set<Match>;
}

export class LastNode extends BetaNode implements MatchReader, ValueReader, Flushable {
  readonly #spec: LastSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #groups = new Map<Match, Group>();
  /** The matches whose groups changed since the last flush. */
  readonly #changed = new Set<Match>();
  readonly #revalued = new Set<Match>();

  constructor(spec: LastSpec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.#spec = spec;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    const members = [...this.#groups.values()].flatMap((group) => [...group.members.keys()]);
    return [...members, ...this.#changed, ...this.#revalued].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    const { fits, key } = this.#spec;
    const truth = fits === undefined ? true : fits.test(match).truth;
    if (truth === false) return;
    const rank = key === undefined ? undefined : key(match);
    const isKeyed = key === undefined || typeof rank === "number";
    if (!isKeyed && !this.#spec.passUnknown) return;
    const group = this.#groupOf(match);
    const order = typeof rank === "number" ? ({ key: rank, direction: 1 } as const) : undefined;
    const entry = isKeyed ? entryOf(match, 0, 0, order) : undefined;
    group.members.set(match, { entry, sure: truth === true });
    if (entry === undefined) group.unkeyed.add(match);
    else group.ordered = insert(group.ordered, entry);
    this.#schedule(match);
  }

  leftRemoved(match: Match): void {
    this.#revalued.delete(match);
    this.#leave(match);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#spec.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.#spec.values.has(level);
  }

  revalued(match: Match): void {
    this.#revalued.add(match);
    this.#flushQueue.schedule(this);
  }

  retract(match: Match): void {
    const below = firstChild(match, this);
    if (below !== undefined) removeMatch(below);
    this.#leave(match);
  }

  reassert(match: Match): void {
    this.leftAdded(match);
  }

  override forget(match: Match): void {
    const { parent } = match;
    if (parent !== undefined) this.#groups.get(parent.at(this.#spec.from))?.passed.delete(parent);
    super.forget(match);
  }

  flush(): void {
    const revalued = [...this.#revalued].filter(({ alive }) => alive);
    this.#revalued.clear();
    for (const match of revalued) {
      this.#leave(match);
      this.leftAdded(match);
      this.#schedule(match);
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const match of changed) this.#update(match);
    for (const match of revalued) {
      const below = match.alive ? firstChild(match, this) : undefined;
      for (const level of this.#spec.values) if (below?.alive === true) revalue(below, level);
    }
  }

  /** Returns why it is unknown whether a match is among the last ones; undefined when it is known. */
  whyUnknown(match: Match): string | undefined {
    const { parent: member } = match;
    if (match.held !== undefined || member === undefined) return undefined;
    const { fits, unknownCount, unknownKey, from } = this.#spec;
    const group = this.#groups.get(member.at(from));
    const known = group?.members.get(member);
    if (known?.sure === false) return undefined; // the tests that leave it in doubt say why
    if (this.#countFor(member) === undefined) return unknownCount(member);
    if (known?.entry === undefined) return unknownKey(member);
    const newer = group === undefined ? undefined : doubtfulAfter(group, member);
    if (newer === undefined) return undefined;
    const isUnclear = group?.members.get(newer)?.sure === false && fits !== undefined;
    return isUnclear ? fits.words(newer, fits.test(newer).threw) : unknownKey(newer);
  }

  /** Returns which function failed, so that it is unknown whether a match is among the last ones; undefined when none did. */
  threw(match: Match): string | undefined {
    const { fits } = this.#spec;
    const { parent: member } = match;
    if (match.held !== undefined || fits === undefined || member === undefined) return undefined;
    for (const [one, { sure }] of this.#groups.get(member.at(this.#spec.from))?.members ?? []) {
      const threw = sure ? undefined : fits.test(one).threw;
      if (threw !== undefined) return threw;
    }
    return undefined;
  }

  #groupOf(match: Match): Group {
    const above = match.at(this.#spec.from);
    let group = this.#groups.get(above);
    if (group === undefined) {
      group = { members: new Map(), unkeyed: new Set(), ordered: undefined, passed: new Set() };
      this.#groups.set(above, group);
    }
    return group;
  }

  #schedule(match: Match): void {
    this.#changed.add(match.at(this.#spec.from));
    this.#flushQueue.schedule(this);
  }

  /** Takes a match out of its group; does nothing for one that is not counted. */
  #leave(match: Match): void {
    const above = match.at(this.#spec.from);
    const group = this.#groups.get(above);
    const member = group?.members.get(match);
    if (group === undefined || member === undefined) return;
    group.members.delete(match);
    group.unkeyed.delete(match);
    if (member.entry !== undefined) group.ordered = remove(group.ordered, member.entry);
    if (above.alive) this.#schedule(match);
    else this.#changed.delete(above);
    if (group.members.size === 0 && group.passed.size === 0) this.#groups.delete(above);
  }

  /** Passes on what is among the last ones now, and takes back what is not. What comes is first, so that nothing flickers below. */
  #update(above: Match): void {
    const group = this.#groups.get(above);
    if (group === undefined) return;
    const last = this.#lastOf(group);
    const passed = [...group.passed];
    for (const [match, truth] of last) this.#pass(match, truth, group);
    for (const match of passed) {
      const below = last.has(match) ? undefined : firstChild(match, this);
      if (below !== undefined) removeMatch(below);
    }
    if (group.members.size === 0) this.#groups.delete(above);
  }

  #pass(match: Match, truth: Truth, group: Group): void {
    if (!match.alive) return;
    const below = firstChild(match, this);
    if (below === undefined) {
      group.passed.add(match);
      if (this.emit(match, undefined, truth) === undefined) group.passed.delete(match);
    } else if (below.held !== truth) {
      below.held = truth;
      revalue(below, this.level);
    }
  }

  /** Returns the members that are among the last ones, true, and those that may be. */
  #lastOf({ members, unkeyed, ordered }: Group): Map<Match, Truth> {
    const last = new Map<Match, Truth>();
    const [first] = members.keys();
    if (first === undefined) return last;
    const count = this.#countFor(first);
    if (count === undefined) {
      if (this.#spec.passUnknown) for (const match of members.keys()) last.set(match, undefined);
      return last;
    }
    for (const match of unkeyed) last.set(match, undefined);
    let newer = 0;
    let doubtful = unkeyed.size;
    for (let place = sizeOf(ordered) - 1; place >= 0 && newer < count; place--) {
      const match = entryAt(ordered, place)?.member as Match;
      const isSure = members.get(match)?.sure === true;
      last.set(match, isSure && newer + doubtful < count ? true : undefined);
      if (isSure) newer += 1;
      else doubtful += 1;
    }
    return last;
  }

  #countFor(match: Match): number | undefined {
    const count = this.#spec.count(match);
    return typeof count === "number" && Number.isInteger(count) && count > 0 ? count : undefined;
  }
}

/** Returns the newest member in doubt that may come after another one. */
function doubtfulAfter({ members, ordered, unkeyed }: Group, member: Match): Match | undefined {
  for (let place = sizeOf(ordered) - 1; place >= 0; place--) {
    const match = entryAt(ordered, place)?.member as Match;
    if (match === member) break;
    if (members.get(match)?.sure !== true) return match;
  }
  const [first] = unkeyed;
  return first;
}
