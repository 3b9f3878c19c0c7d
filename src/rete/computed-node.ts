/**
 * What nodes have in common that add what is computed of a match: a value with a name (let.ts), the items of a list (items.ts).
 *
 * An update retracts nothing here: whether the result becomes another one is known when it is computed again.
 */
import type { Maybe } from "../base/value.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Match } from "./match.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, revalue, type Slots, type ValueReader } from "./node.ts";
import type { Tally } from "./tally.ts";

export interface ComputedSpec {
  readonly name: string;
  readonly left: BetaNode;
  /** Returns the value, and what a function of the host threw while it was computed. */
  readonly value: (match: Match) => { readonly value: Maybe; readonly threw: string | undefined };
  readonly reads: Reads;
  /** The levels whose values the value uses. */
  readonly values: ReadonlySet<number>;
  /** Returns why the value is unknown for a match above. */
  readonly unknown: (match: Match) => string;
  /** The name that the author gave it. */
  readonly words: string;
}

export abstract class ComputedNode<Spec extends ComputedSpec = ComputedSpec>
  extends BetaNode
  implements MatchReader, ValueReader, Flushable
{
  readonly spec: Spec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #revalued = new Set<Match>();
  /** What was thrown while the value of a match above was computed. */
  readonly #threw = new Map<Match, string>();

  constructor(spec: Spec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#revalued, ...this.#threw.keys()].filter((match) => !ignore(match)).length;
  }

  abstract leftAdded(match: Match): void;

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

  /** Hears of values that changed above. Nodes below may use them as well, and hear of them for what stays. */
  flush(): void {
    const revalued = [...this.#revalued];
    this.#revalued.clear();
    for (const match of revalued) {
      if (!match.alive) continue;
      for (const kept of this.computeAgain(match)) {
        for (const level of this.spec.values) revalue(kept, level);
      }
    }
  }

  retract(): void {
    // see reassert
  }

  reassert(match: Match): void {
    this.computeAgain(match);
  }

  /** Returns what was thrown while the value of a match of this node was computed; undefined when nothing was. */
  threw(match: Match): string | undefined {
    return match.parent === undefined ? undefined : this.#threw.get(match.parent);
  }

  /** Makes other matches of a match where there is something else now; returns those that stay. */
  protected abstract computeAgain(match: Match): readonly Match[];

  /** Returns the value for a match above, and keeps what was thrown. */
  protected compute(match: Match): Maybe {
    const { value, threw } = this.spec.value(match);
    if (threw === undefined || value !== undefined) this.#threw.delete(match);
    else this.#threw.set(match, threw);
    return value;
  }

  /** Returns what was thrown when the value of a match above was computed last. */
  protected thrownFor(match: Match): string | undefined {
    return this.#threw.get(match);
  }
}
