/**
 * Adds a value with a name to each match: `let net = o.qty * o.price`. An unknown value is a value too: the match goes on.
 *
 * Invariant: after a flush, every match above has exactly one match here, with the value of its expression. An update that leaves
 * the value as it is leaves the match, and with it everything below.
 */
import { type Maybe, same } from "../base/value.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Match } from "./match.ts";
import { firstChild, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, revalue, type Slots, type ValueReader } from "./node.ts";
import type { Tally } from "./tally.ts";

export interface LetSpec {
  readonly name: string;
  readonly left: BetaNode;
  /** Returns the value, and what a function of the host threw while it was computed. */
  readonly value: (match: Match) => { readonly value: Maybe; readonly threw: string | undefined };
  readonly reads: Reads;
  /** The levels whose values the value uses. */
  readonly values: ReadonlySet<number>;
  /** Returns why the value is unknown for a match above. */
  readonly unknown: (match: Match) => string;
  /** The name that the author gave the value. */
  readonly words: string;
}

export class LetNode extends BetaNode implements MatchReader, ValueReader, Flushable {
  readonly spec: LetSpec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #revalued = new Set<Match>();
  /** What was thrown while the value of a match above was computed. */
  readonly #threw = new Map<Match, string>();

  constructor(spec: LetSpec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#revalued, ...this.#threw.keys()].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    this.emit(match, undefined, this.#compute(match));
  }

  leftRemoved(match: Match): void {
    this.#revalued.delete(match);
    this.#threw.delete(match);
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.spec.reads, level, slots);
  }

  readsValue(level: number): boolean {
    return this.spec.values.has(level);
  }

  revalued(match: Match): void {
    this.#revalued.add(match);
    this.#flushQueue.schedule(this);
  }

  /** Hears of values that changed above. Nodes below may use them as well, and hear of them when the match stays. */
  flush(): void {
    const revalued = [...this.#revalued];
    this.#revalued.clear();
    for (const match of revalued) {
      if (!match.alive) continue;
      const below = this.#computeAgain(match);
      if (below === undefined) continue;
      for (const level of this.spec.values) revalue(below, level);
    }
  }

  /** Leaves what is below: whether the value becomes another one is known when it is computed again. */
  retract(): void {
    // see reassert
  }

  reassert(match: Match): void {
    this.#computeAgain(match);
  }

  /** Returns what was thrown while the value of a match of this node was computed; undefined when nothing was. */
  threw(match: Match): string | undefined {
    return match.parent === undefined ? undefined : this.#threw.get(match.parent);
  }

  /** Makes another match when the value is another one; returns the match when it stays. */
  #computeAgain(match: Match): Match | undefined {
    const below = firstChild(match, this);
    const before = this.#threw.get(match);
    const value = this.#compute(match);
    if (below !== undefined && same(below.value, value) && before === this.#threw.get(match)) return below;
    if (below !== undefined) removeMatch(below);
    this.emit(match, undefined, value);
    return undefined;
  }

  #compute(match: Match): Maybe {
    const { value, threw } = this.spec.value(match);
    if (threw === undefined || value !== undefined) this.#threw.delete(match);
    else this.#threw.set(match, threw);
    return value;
  }
}
