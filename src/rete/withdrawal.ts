/**
 * What is taken back while the values of a fact change, and done again afterwards.
 *
 * Only what reads a changed slot is touched: the memories that the fact enters or leaves, the nodes that read the slot of the
 * fact itself, and below every match of the fact the nodes that read the slot at its level.
 */
import type { BlockEntry } from "./absence.ts";
import type { AlphaNode } from "./alpha.ts";
import { type AlphaMemory, type LeftEntry, removeEntries, type RightInput } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import type { Match, MatchOwner } from "./match.ts";
import { BetaNode, isMatchReader, type MatchReader, removeMatch, type Slots } from "./node.ts";

export class Withdrawal {
  readonly #fact: Fact;
  readonly #slots: Slots;
  readonly #before: readonly AlphaNode[];
  readonly #staying: ReadonlySet<AlphaNode>;
  /** What must meet the fact again. */
  readonly #meet = new Set<RightInput>();
  /** Matches that waited on the fact and must look for another one, which it may be again. */
  readonly #released: BlockEntry[] = [];
  readonly #inputs = new Map<MatchReader, Set<Match>>();
  readonly #entries = new Set<LeftEntry>();
  /** The matches that have the fact at their own level, and those that wait on it, by their nodes. */
  readonly #own = new Map<MatchOwner, Match[]>();
  readonly #blocked = new Map<RightInput, BlockEntry[]>();

  constructor(fact: Fact, slots: Slots, before: readonly AlphaNode[], after: ReadonlySet<AlphaNode>) {
    this.#fact = fact;
    this.#slots = slots;
    this.#before = before;
    this.#staying = new Set(before.filter((node) => after.has(node)));
    for (let match = fact.matches; match !== undefined; match = match.nextOfFact) put(this.#own, match.owner, match);
    for (let entry = fact.blocked; entry !== undefined; entry = entry.nextBlocked) {
      put(this.#blocked, entry.absence, entry);
    }
    for (const node of before) {
      if (node.memory === undefined) continue;
      if (after.has(node)) this.#stay(node.memory);
      else this.#leave(node.memory);
    }
    for (const matches of this.#own.values()) for (const match of matches) this.#visit(match, match.level);
  }

  /** Facts before matches: a fact meets only matches that are not being changed, and a match then meets all facts. */
  redo(after: ReadonlySet<AlphaNode>): void {
    for (const node of after) if (node.memory !== undefined) this.#enter(node.memory, this.#staying.has(node));
    for (const input of [...this.#meet].sort((a, b) => b.rank - a.rank)) input.rightAdded(this.#fact);
    for (const entry of this.#released) {
      if (entry.match.alive && !this.#entries.has(entry)) entry.absence.lost(entry);
    }
    for (const [input, matches] of this.#inputs) for (const match of matches) if (match.alive) input.redo(match);
    for (const entry of this.#entries) if (entry.match.alive) entry.input.redoEntry(entry);
  }

  /** A rule with a single pattern that reads what changed starts anew. */
  tellEnds(after: ReadonlySet<AlphaNode>): void {
    for (const node of this.#before) {
      if (this.#staying.has(node) && !this.#touches(node.reads)) continue;
      for (const end of node.ends.groups.flat()) end.listener.factLeft(end, this.#fact);
    }
    for (const node of after) {
      if (this.#staying.has(node) && !this.#touches(node.reads)) continue;
      node.ends.tell(this.#fact);
    }
  }

  #leave(memory: AlphaMemory): void {
    removeEntries(this.#fact, (entry) => entry.index.memory === memory);
    for (const input of memory.inputs) this.#takeBack(input);
  }

  #stay(memory: AlphaMemory): void {
    removeEntries(this.#fact, ({ index }) => index.memory === memory && this.#touches(index.reads));
    const tested = this.#touches(memory.reads);
    for (const input of memory.inputs) {
      if (!tested && !input.readsRight(this.#slots)) continue;
      this.#takeBack(input);
      this.#meet.add(input);
    }
  }

  #enter(memory: AlphaMemory, staying: boolean): void {
    if (staying) {
      for (const index of memory.indexes.values()) if (this.#touches(index.reads)) index.add(this.#fact);
    } else {
      memory.insert(this.#fact);
      for (const input of memory.inputs) this.#meet.add(input);
    }
  }

  /** What the node made of the fact, with the old values. */
  #takeBack(input: RightInput): void {
    for (const match of this.#own.get(input) ?? []) removeMatch(match);
    for (const entry of this.#blocked.get(input) ?? []) {
      entry.absence.withdrawEntry(entry);
      this.#released.push(entry);
    }
  }

  /** Goes down from a match that stays, to the nodes that read the changed fields at its level. */
  #visit(match: Match, level: number): void {
    if (!match.alive || !(match.owner instanceof BetaNode)) return;
    for (let entry = match.entries; entry !== undefined; entry = entry.nextOfMatch) {
      if (!entry.input.reads(level, this.#slots) || this.#entries.has(entry)) continue;
      this.#entries.add(entry);
      entry.input.withdrawEntry(entry);
    }
    for (const child of match.owner.children) {
      if (isMatchReader(child) && child.reads(level, this.#slots)) this.#withdraw(child, match);
    }
    for (let child = match.child; child !== undefined;) {
      const next: Match | undefined = child.nextSibling;
      this.#visit(child, level);
      child = next;
    }
  }

  #withdraw(input: MatchReader, match: Match): void {
    const withdrawn = this.#inputs.get(input);
    if (withdrawn?.has(match) === true) return;
    if (withdrawn === undefined) this.#inputs.set(input, new Set([match]));
    else withdrawn.add(match);
    input.withdraw(match);
  }

  #touches(reads: ReadonlySet<number>): boolean {
    for (const slot of this.#slots) if (reads.has(slot)) return true;
    return false;
  }
}

function put<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
