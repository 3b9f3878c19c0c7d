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
import type { LightTable } from "./light-table.ts";
import type { Match, MatchOwner } from "./match.ts";
import { BetaNode, isMatchReader, type MatchReader, removeMatch, type Slots, touches } from "./node.ts";

/** The matches that have the fact at their own level, or the entries that wait on it, by their nodes. */
type ByNode<Item> = Map<MatchOwner, Item[]>;

export class Withdrawal {
  readonly #fact: Fact;
  readonly #slots: Slots;
  readonly #before: readonly AlphaNode[];
  readonly #after: readonly AlphaNode[];
  readonly #wasThere: (node: AlphaNode) => boolean;
  readonly #willBeThere: (node: AlphaNode) => boolean;
  // Made when first needed: most updates touch few of these.
  /** What must meet the fact again. */
  #meet: Set<RightInput> | undefined;
  /** Matches that waited on the fact and must look for another one, which it may be again. */
  #released: BlockEntry[] | undefined;
  #inputs: Map<MatchReader, Set<Match>> | undefined;
  #entries: Set<LeftEntry> | undefined;
  #own: ByNode<Match> | undefined;
  #blocked: ByNode<BlockEntry> | undefined;

  /**
   * `before` and `after` are the alpha nodes that the fact passes with the old and with the new values, `lookups` the nodes
   * that follow references to it.
   */
  constructor(
    fact: Fact,
    slots: Slots,
    before: readonly AlphaNode[],
    after: readonly AlphaNode[],
    lookups: readonly BetaNode[],
  ) {
    this.#fact = fact;
    this.#slots = slots;
    this.#before = before;
    this.#after = after;
    this.#wasThere = among(before);
    this.#willBeThere = among(after);
    this.#meet = undefined;
    this.#released = undefined;
    this.#inputs = undefined;
    this.#entries = undefined;
    this.#own = undefined;
    this.#blocked = undefined;
    for (const node of before) {
      if (node.memory === undefined) continue;
      if (this.#willBeThere(node)) this.#stay(node.memory);
      else this.#leave(node.memory);
    }
    if (fact.matches === undefined || !this.#isReadBelow(lookups)) return;
    for (const matches of this.#ownMatches().values()) for (const match of matches) this.#visit(match, match.level);
  }

  /** Whether anything below the matches of the fact reads what changes; if not, none of them needs to be looked at. */
  #isReadBelow(lookups: readonly BetaNode[]): boolean {
    if (lookups.some((node) => readsBelow(node, this.#slots))) return true;
    for (const { memory } of this.#before) {
      for (const input of memory?.inputs ?? []) {
        if (input instanceof BetaNode && readsBelow(input, this.#slots)) return true;
      }
    }
    return false;
  }

  #ownMatches(): ByNode<Match> {
    this.#own ??= ownOf(this.#fact);
    return this.#own;
  }

  #blockedEntries(): ByNode<BlockEntry> {
    this.#blocked ??= blockedOn(this.#fact);
    return this.#blocked;
  }

  /** Facts before matches: a fact meets only matches that are not being changed, and a match then meets all facts. */
  redo(): void {
    for (const node of this.#after) if (node.memory !== undefined) this.#enter(node.memory, this.#wasThere(node));
    for (const input of deepestFirst(this.#meet)) input.rightAdded(this.#fact);
    for (const entry of this.#released ?? []) {
      if (entry.match.alive && this.#entries?.has(entry) !== true) entry.absence.lost(entry);
    }
    for (const [input, matches] of this.#inputs ?? []) for (const match of matches) if (match.alive) input.redo(match);
    for (const entry of this.#entries ?? []) if (entry.match.alive) entry.input.redoEntry(entry);
  }

  /** A rule with a single pattern that reads what changed starts anew. */
  tellEnds(table: LightTable): void {
    for (const node of this.#before) {
      if (node.ends === undefined || (this.#willBeThere(node) && !this.#touches(node.reads))) continue;
      for (const end of node.ends.all) end.listener.factLeft(end, this.#fact);
    }
    for (const node of this.#after) {
      if (node.ends === undefined || (this.#wasThere(node) && !this.#touches(node.reads))) continue;
      table.tellOne(node, this.#fact);
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
      (this.#meet ??= new Set()).add(input);
    }
  }

  #enter(memory: AlphaMemory, staying: boolean): void {
    if (staying) {
      for (const index of memory.indexes) if (this.#touches(index.reads)) index.add(this.#fact);
    } else {
      memory.insert(this.#fact);
      for (const input of memory.inputs) (this.#meet ??= new Set()).add(input);
    }
  }

  /** What the node made of the fact, with the old values. */
  #takeBack(input: RightInput): void {
    for (const match of this.#ownMatches().get(input) ?? []) removeMatch(match);
    input.leaving?.(this.#fact);
    for (const entry of this.#blockedEntries().get(input) ?? []) {
      entry.absence.withdrawEntry(entry);
      (this.#released ??= []).push(entry);
    }
  }

  /** Goes down from a match that stays, to the nodes that read the changed fields at its level. */
  #visit(match: Match, level: number): void {
    if (!match.alive || !(match.owner instanceof BetaNode)) return;
    for (let entry = match.entries; entry !== undefined; entry = entry.nextOfMatch) {
      if (!entry.input.reads(level, this.#slots) || this.#entries?.has(entry) === true) continue;
      (this.#entries ??= new Set()).add(entry);
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
    this.#inputs ??= new Map();
    const withdrawn = this.#inputs.get(input);
    if (withdrawn?.has(match) === true) return;
    if (withdrawn === undefined) this.#inputs.set(input, new Set([match]));
    else withdrawn.add(match);
    input.withdraw(match);
  }

  #touches(reads: Slots): boolean {
    return touches(this.#slots, reads);
  }
}

/** Whether a node below reads these slots of the fact that the matches of a node added. */
function readsBelow({ children, matches }: BetaNode, slots: Slots, level = matches.first?.level): boolean {
  if (level === undefined) return false;
  for (const child of children) {
    if ("reads" in child && (child as MatchReader).reads(level, slots)) return true;
    if (child instanceof BetaNode && readsBelow(child, slots, level)) return true;
  }
  return false;
}

function ownOf(fact: Fact): ByNode<Match> {
  const own: ByNode<Match> = new Map();
  for (let match = fact.matches; match !== undefined; match = match.nextOfFact) put(own, match.owner, match);
  return own;
}

function blockedOn(fact: Fact): ByNode<BlockEntry> {
  const blocked: ByNode<BlockEntry> = new Map();
  for (let entry = fact.blocked; entry !== undefined; entry = entry.nextBlocked) put(blocked, entry.absence, entry);
  return blocked;
}

/** Few nodes are quicker looked through than put into a set. */
function among(nodes: readonly AlphaNode[]): (node: AlphaNode) => boolean {
  if (nodes.length <= 16) return (node) => nodes.includes(node);
  const all = new Set(nodes);
  return (node) => all.has(node);
}

function deepestFirst(inputs: Iterable<RightInput> | undefined): readonly RightInput[] {
  return inputs === undefined ? [] : [...inputs].sort((a, b) => b.rank - a.rank);
}

function put<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
