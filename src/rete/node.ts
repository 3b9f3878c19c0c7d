/** Contracts of the nodes that extend matches, and what they have in common. */
import type { Held } from "../base/accumulator.ts";
import type { Fact } from "./fact.ts";
import { Match } from "./match.ts";
import { MatchList } from "./match-list.ts";
import type { Tally } from "./tally.ts";
import { childrenOf, firstChild, link } from "./match-tree.ts";

/** The slots that changed in an update. */
export type Slots = ReadonlySet<number>;

/** A node that stands below another and hears of its matches. */
export interface MatchInput {
  /** The match is remembered above. */
  leftAdded(match: Match): void;
  /** The match is gone, and so are the matches that extended it. Left out by nodes that keep nothing about it. */
  leftRemoved?(match: Match): void;
}

/** A node that works on matches alone. (What pairs them with facts is told of changes by its entries: alpha-memory.ts.) */
export interface MatchReader extends MatchInput {
  /** Whether what this node does with a match depends on these slots of the fact at a level. */
  reads(level: number, slots: Slots): boolean;
  /** Values changed: takes back everything this node made of the match, from what is remembered. */
  retract(match: Match): void;
  /** Then: takes the match again. */
  reassert(match: Match): void;
}

/** A node that uses the values of folds. */
export interface ValueReader extends MatchInput {
  /** Whether this node uses the value at a level. */
  readsValue(level: number): boolean;
  /** The value at a level changed: only what is no longer so is taken back. */
  revalued(match: Match): void;
}

/** A reader that keeps something for a match further up, and need hear of a new value above its matches only once. */
interface OnceReader extends ValueReader {
  /** Whether a match of a level leads to what it keeps something for. */
  hearsFrom(level: number): boolean;
  revaluedAbove(match: Match): void;
}

/** Who uses the value at a level below a node. */
interface ValueUse {
  /** Whether some must hear of it for each of their matches. */
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

/** What an expression reads: the slots at each level. */
export type Reads = ReadonlyMap<number, Slots>;

/** Stands for every slot, where the type of the fact is not known beforehand. */
export const ANY_SLOT = -1;

export function readsAny(reads: Reads, level: number, slots: Slots): boolean {
  const read = reads.get(level);
  return read !== undefined && (read.has(ANY_SLOT) || touches(slots, read));
}

/** Whether some slots are among others. */
export function touches(slots: Slots, others: Slots): boolean {
  for (const slot of slots) if (others.has(slot)) return true;
  return false;
}

/** A node whose output is matches, which it remembers. */
export abstract class BetaNode {
  readonly name: string;
  /** Longest way from the root: what a node stands on has a smaller rank. */
  readonly rank: number;
  /** The level of its matches. */
  readonly level: number;
  readonly matches: MatchList = new MatchList();
  readonly children: MatchInput[] = [];
  /** Those of the children that want to hear of matches that go. */
  readonly #hearers: MatchInput[] = [];
  readonly tally: Tally;
  /** Switched off after it made too many matches. */
  overflowed: boolean = false;
  /** Whether a match is among the children of the one it extends. The matches of the root, which never goes, need not be. */
  protected linksChildren: boolean = true;
  /** The number of the update that last took back what this node made of a fact (withdrawal.ts). */
  updated: number = 0;
  /** What `valueUse` found, as long as the network is wired as it was then. */
  readonly #valueUse = new Map<number, ValueUse>();
  #wiring = 0;

  constructor(name: string, rank: number, level: number, tally: Tally) {
    this.name = name;
    this.rank = rank;
    this.level = level;
    this.tally = tally;
  }

  /** Makes a match, remembers it, and tells everyone below. */
  protected emit(parent: Match | undefined, fact: Fact | undefined, value: Held): Match | undefined {
    if (this.overflowed) return undefined;
    const { tally, children } = this;
    if (tally.matches >= tally.limit) {
      tally.overflow();
      if (this.overflowed || parent?.alive === false) return undefined;
    }
    const match = new Match(parent, fact, value, this);
    link(match, this.linksChildren);
    this.matches.add(match);
    this.remember(match);
    tally.matches += 1;
    for (let at = 0; at < children.length && match.alive; at++) children[at]?.leftAdded(match);
    return match;
  }

  /** For nodes that keep more about their matches; called before anyone below hears of the match. */
  protected remember(_match: Match): void {
    // most nodes keep nothing more
  }

  /** One of its matches was withdrawn, after its children were. */
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

  /** Mostly the newest one. */
  detach(child: MatchInput): void {
    this.tally.wiring += 1;
    this.children.splice(this.children.lastIndexOf(child), 1);
    if (child.leftRemoved !== undefined) this.#hearers.splice(this.#hearers.lastIndexOf(child), 1);
  }

  /** What below uses the value at a level; worked out again when nodes come or go. */
  valueUse(level: number): ValueUse {
    if (this.#wiring !== this.tally.wiring) this.#valueUse.clear();
    this.#wiring = this.tally.wiring;
    let use = this.#valueUse.get(level);
    if (use === undefined) this.#valueUse.set(level, (use = valueUseOf(this.children, level)));
    return use;
  }

  /** How many matches are kept in tables of its own, without those that `ignore` names. */
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

// ---------------------------------------------------------------- the values of folds

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
