/**
 * Follows a reference: adds to each match the fact that its reference leads to, or nothing when there is none.
 *
 * Invariant: after a flush, every match above has exactly one match here.
 */
import type { Maybe } from "../base/value.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchReader, type Reads, readsAny, type Slots } from "./node.ts";
import type { FactLookup } from "./port.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Tally } from "./tally.ts";

export interface LookupSpec {
  readonly name: string;
  readonly left: BetaNode;
  /** Returns the id that a match refers to. */
  readonly reference: (match: Match) => Maybe;
  readonly reads: Reads;
  /** The type of the reference; facts of other types are not found. */
  readonly type: string | undefined;
}

export class LookupNode extends BetaNode implements MatchReader, Flushable {
  readonly #spec: LookupSpec;
  readonly #facts: FactLookup;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  /** The id that each match refers to, and the matches by id. */
  readonly #referred = new Map<Match, string>();
  readonly #referring = new Map<string, Set<Match>>();
  /** Matches whose fact was removed. */
  readonly #bereft = new Set<Match>();

  constructor(spec: LookupSpec, facts: FactLookup, flushQueue: FlushQueue, tally: Tally) {
    super(spec.name, spec.left.rank + 1, spec.left.level + 1, tally);
    this.#spec = spec;
    this.#facts = facts;
    this.#flushQueue = flushQueue;
  }

  override otherEntries(ignore: (match: Match) => boolean): number {
    return [...this.#referred.keys(), ...this.#bereft].filter((match) => !ignore(match)).length;
  }

  leftAdded(match: Match): void {
    const id = this.#spec.reference(match);
    if (typeof id === "string") {
      this.#referred.set(match, id);
      const referring = this.#referring.get(id);
      if (referring === undefined) this.#referring.set(id, new Set([match]));
      else referring.add(match);
    }
    this.emit(match, this.#find(match), undefined);
  }

  leftRemoved(match: Match): void {
    const id = this.#referred.get(match);
    this.#bereft.delete(match);
    if (id === undefined) return;
    this.#referred.delete(match);
    const referring = this.#referring.get(id);
    referring?.delete(match);
    if (referring?.size === 0) this.#referring.delete(id);
  }

  factAdded(fact: Fact): void {
    for (const match of this.#referring.get(fact.id) ?? []) {
      const [found] = childrenOf(match, this);
      if (found?.fact === fact || !this.#fits(fact)) continue;
      if (found !== undefined) removeMatch(found);
      this.#bereft.delete(match);
      this.emit(match, fact, undefined);
    }
  }

  override forget(match: Match): void {
    super.forget(match);
    if (match.parent?.alive !== true || match.fact === undefined) return;
    this.#bereft.add(match.parent);
    this.#flushQueue.schedule(this);
  }

  flush(): void {
    const bereft = [...this.#bereft];
    this.#bereft.clear();
    for (const match of bereft) {
      if (match.alive && childrenOf(match, this).length === 0) this.emit(match, this.#find(match), undefined);
    }
  }

  reads(level: number, slots: Slots): boolean {
    return readsAny(this.#spec.reads, level, slots);
  }

  retract(match: Match): void {
    for (const found of childrenOf(match, this)) removeMatch(found);
    this.leftRemoved(match);
  }

  reassert(match: Match): void {
    this.leftAdded(match);
  }

  #find(match: Match): Fact | undefined {
    const id = this.#referred.get(match);
    const fact = id === undefined ? undefined : this.#facts.get(id);
    return fact !== undefined && this.#fits(fact) ? fact : undefined;
  }

  #fits(fact: Fact): boolean {
    return this.#spec.type === undefined || fact.shape.type === this.#spec.type;
  }
}
