/** Contracts of the nodes that extend matches, and what they have in common. */
import { LateMap } from "../base/late.ts";
import type { Held } from "../base/accumulator.ts";
import type { Fact } from "./fact.ts";
import type { Item } from "./item.ts";
import { Match } from "./match.ts";
import { MatchList } from "./match-list.ts";
import type { Tally } from "./tally.ts";
import { childrenOf, firstChild, link } from "./match-tree.ts";

/** The slots that changed in an update. */
export type Slots = ReadonlySet<number>;

/** A node that receives the matches of a node above. */
export interface MatchInput {
  /** Adds a match; the node above has stored it. */
  leftAdded(match: Match): void;
  /** Removes a match; matches that extended it are gone already. Absent on nodes that keep nothing per match. */
  leftRemoved?(match: Match): void;
}

/** A node that works on matches alone. Nodes that pair them with facts hear of updates through their entries: alpha-memory.ts. */
export interface MatchReader extends MatchInput {
  /** Returns whether the result for a match depends on these slots of the fact at a level. */
  reads(level: number, slots: Slots): boolean;
  /** Removes everything this node made of the match before its values changed. */
  retract(match: Match): void;
  /** Matches again with the new values, after `retract`. */
  reassert(match: Match): void;
}

/** A node that uses the values of aggregates. */
export interface ValueReader extends MatchInput {
  /** Returns whether this node uses the value at a level. */
  readsValue(level: number): boolean;
  /** Called when a value changed; removes only what no longer holds. */
  revalued(match: Match): void;
}

/** A reader that keeps state for a match further up, and must hear of a new value only once for all matches below it. */
interface OnceReader extends ValueReader {
  /** Returns whether a match of a level belongs to a match it keeps state for. */
  hearsFrom(level: number): boolean;
  revaluedAbove(match: Match): void;
}

/** Which nodes below use the value at a level. */
interface ValueUse {
  /** True when some nodes must hear of it for each of their matches. */
  readonly each: boolean;
  readonly once: readonly OnceReader[];
}

function valueUseOf(children: readonly MatchInput[], level: number): ValueUse {
  let each = false;
  const once: OnceReader[] = [];
  for (const child of children) {
    if (isValueReader(child) && child.readsValue(level)) {
      if (isOnceReader(child) && child.hearsFrom(level)) once.push(child);
      else each = true;
    } else if (child instanceof BetaNode) {
      const below = child.valueUse(level);
      each ||= below.each;
      once.push(...below.once);
    }
  }
  return { each, once };
}

function isOnceReader(input: ValueReader): input is OnceReader {
  return "revaluedAbove" in input;
}

export function isMatchReader(input: MatchInput): input is MatchReader {
  return "retract" in input;
}

function isValueReader(input: MatchInput): input is ValueReader {
  return "revalued" in input;
}

/** The slots that an expression reads, by level. */
export type Reads = ReadonlyMap<number, Slots>;

/** Stands for every slot, where the type of the fact is not known in advance. */
export const ANY_SLOT = -1;

export function readsAny(reads: Reads, level: number, slots: Slots): boolean {
  const read = reads.get(level);
  return read !== undefined && (read.has(ANY_SLOT) || touches(slots, read));
}

/** Returns whether two sets of slots have one in common. */
export function touches(slots: Slots, others: Slots): boolean {
  for (const slot of slots) if (others.has(slot)) return true;
  return false;
}

/** A node whose output is matches, which it remembers. */
export abstract class BetaNode {
  readonly name: string;
  /** The length of the longest path from the root: inputs of a node have a smaller rank. */
  readonly rank: number;
  /** The level of its matches. */
  readonly level: number;
  readonly matches: MatchList = new MatchList();
  readonly children: MatchInput[] = [];
  /** The children that implement `leftRemoved`. */
  readonly #hearers: MatchInput[] = [];
  readonly tally: Tally;
  /** Its number in the program; -1 for the root and for nodes of a question. */
  number: number = -1;
  /** True until its first match: the nodes below are made then, because each of them is about to get it. */
  asleep: boolean = false;
  /** True after the node was switched off at the match limit. */
  overflowed: boolean = false;
  /** True when matches are linked as children of what they extend. Not needed below the root, which is never removed. */
  protected linksChildren: boolean = true;
  /** The number of the update that last retracted what this node made of a fact (rematch.ts). */
  updated: number = 0;
  /** The cache of `valueUse`, valid until nodes are attached or detached. */
  readonly #valueUse = new LateMap<number, ValueUse>();
  #wiring = 0;

  constructor(name: string, rank: number, level: number, tally: Tally) {
    this.name = name;
    this.rank = rank;
    this.level = level;
    this.tally = tally;
  }

  /** Makes a match, stores it, and sends it to all nodes below. */
  protected emit(parent: Match | undefined, fact: Fact | undefined, value: Held | Item): Match | undefined {
    if (this.overflowed) return undefined;
    const { tally, children } = this;
    if (tally.matches >= tally.limit) {
      tally.overflow();
      if (this.overflowed || parent?.alive === false) return undefined;
    }
    if (this.asleep) tally.wakeBelow?.(this);
    const match = new Match(parent, fact, value, this);
    link(match, this.linksChildren);
    this.matches.add(match);
    this.remember(match);
    tally.matches += 1;
    for (let at = 0; at < children.length && match.alive; at++) children[at]?.leftAdded(match);
    return match;
  }

  /** Called for a new match before nodes below receive it, for nodes that keep more about it. */
  protected remember(_match: Match): void {
    // most nodes keep nothing more
  }

  /** Removes a match whose children are removed already. */
  forget(match: Match): void {
    this.matches.removed();
    this.tally.matches -= 1;
    const hearers = this.#hearers;
    for (let at = 0; at < hearers.length; at++) hearers[at]?.leftRemoved?.(match);
  }

  attach(child: MatchInput): void {
    this.tally.wiring += 1;
    this.children.push(child);
    if (child.leftRemoved !== undefined) this.#hearers.push(child);
  }

  /** Removes a child. O(1) for the child that was added last, which is the usual case. */
  detach(child: MatchInput): void {
    this.tally.wiring += 1;
    this.children.splice(this.children.lastIndexOf(child), 1);
    if (child.leftRemoved !== undefined) this.#hearers.splice(this.#hearers.lastIndexOf(child), 1);
  }

  /** Returns which nodes below use the value at a level; cached until nodes are attached or detached. */
  valueUse(level: number): ValueUse {
    if (this.#wiring !== this.tally.wiring) this.#valueUse.clear();
    this.#wiring = this.tally.wiring;
    let use = this.#valueUse.get(level);
    if (use === undefined) this.#valueUse.set(level, (use = valueUseOf(this.children, level)));
    return use;
  }

  /** Returns how many entries its own tables hold, without matches that `ignore` accepts. */
  otherEntries(_ignore: (match: Match) => boolean): number {
    return 0;
  }
}

/** The empty match that every chain begins with. */
export class RootNode extends BetaNode {
  constructor(tally: Tally) {
    super("root", 0, 0, tally);
    this.emit(undefined, undefined, undefined);
  }
}

// ---------------------------------------------------------------- the values of aggregates

/**
 * Tells the nodes below that the value of a match became another one. A test that was true and still is keeps its match:
 * the rule does not fire again because a count inside a test changed.
 */
export function revalue(match: Match, level: number): void {
  for (const child of match.owner.children) {
    if (!match.alive) return;
    if (isValueReader(child) && child.readsValue(level)) child.revalued(match);
    else if (child instanceof BetaNode) revalueBelow(match, child, level);
  }
}

function revalueBelow(match: Match, owner: BetaNode, level: number): void {
  const { each, once } = owner.valueUse(level);
  for (const reader of once) reader.revaluedAbove(match);
  if (!each) return;
  const first = firstChild(match, owner);
  if (first === undefined) return;
  // Mostly there is one match below: a list is made only for more, because what hears of it may take matches away.
  if (first.nextSibling === undefined) revalue(first, level);
  else for (const below of childrenOf(match, owner)) revalue(below, level);
}
