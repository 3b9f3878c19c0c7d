/**
 * What nodes have in common that ask something of each match above: a test (filter.ts), a value (computed-node.ts), the clock (timer.ts).
 *
 * One change can make several of the values others that the answer depends on. So a match is asked again when the change has been
 * flushed, and what is the same before and after does not flicker in between.
 */
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Match } from "./match.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, type Slots, type ValueReader } from "./node.ts";
import type { Tally } from "./tally.ts";

export interface RevaluedSpec {
  readonly name: string;
  readonly left: BetaNode;
  /** The slots that the answer reads. */
  readonly reads: Reads;
  /** The levels whose values the answer uses. */
  readonly values: ReadonlySet<number>;
}

export abstract class RevaluedNode<Spec extends RevaluedSpec>
  extends BetaNode
  implements MatchReader, ValueReader, Flushable
{
  readonly spec: Spec;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #revalued = new Set<Match>();

  constructor(spec: Spec, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.spec = spec;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#revalued].filter((match) => !ignore(match)).length;
  }

  abstract leftAdded(match: Match): void;

  leftRemoved(match: Match): void {
    this.#revalued.delete(match); // what was made of the match went with it
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

  flush(): void {
    const revalued = [...this.#revalued];
    this.#revalued.clear();
    for (const match of revalued) if (match.alive) this.askAgain(match);
  }

  /** Asks again about a match above of which a value became another one. */
  protected abstract askAgain(match: Match): void;

  abstract retract(match: Match): void;

  reassert(match: Match): void {
    this.leftAdded(match);
  }
}
