/**
 * A partial match: the match it extends, and what was added at this level.
 *
 * The empty match at the root has level 0, and every node below adds one: the level of a match is that of its node. A level
 * adds a fact (pattern, followed reference), a value (aggregate, item of a list), or nothing (a passed `not`).
 *
 * Matches are linked in three ways: with the other matches of the same fact and with the others that the same node
 * made of the same parent, which each can leave in constant time, and in the memory of the node that made them.
 */
import type { Held } from "../base/accumulator.ts";
import { ListVersion } from "../base/ordered-list.ts";
import type { Maybe } from "../base/value.ts";
import type { LeftEntry } from "./alpha-memory.ts";
import type { Fact } from "./fact.ts";
import { Item } from "./item.ts";
import type { BetaNode } from "./node.ts";
import type { Ending } from "./terminal.ts";

export class Match {
  readonly parent: Match | undefined;
  readonly fact: Fact | undefined;
  /** The value of this level. Changed only by an aggregate inside a test, see revalue in node.ts. */
  held: Held | Item;
  /** The node that made this match and remembers it. */
  readonly owner: BetaNode;
  /** False after the match was removed. */
  alive: boolean;

  /** The newest child that one of the nodes below made; for the other nodes see `kin`. */
  child: Match | undefined;
  /** The newest child of each further node; undefined for most matches. */
  kin: Map<BetaNode, Match> | undefined;
  nextSibling: Match | undefined;
  previousSibling: Match | undefined;
  /** The next and previous match with the same fact at their own level. */
  nextOfFact: Match | undefined;
  previousOfFact: Match | undefined;
  /** The next match of the same node, which may be gone already. */
  nextInNode: Match | undefined;
  /** The list of entries by which the match waits for facts, one for each join below. */
  entries: LeftEntry | undefined;
  /** The list of rules that end at this match, with what the session keeps for them. */
  endings: Ending | undefined;

  constructor(parent: Match | undefined, fact: Fact | undefined, held: Held | Item, owner: BetaNode) {
    this.parent = parent;
    this.fact = fact;
    this.held = held;
    this.owner = owner;
    this.alive = true;
    this.child = undefined;
    this.kin = undefined;
    this.nextSibling = undefined;
    this.previousSibling = undefined;
    this.nextOfFact = undefined;
    this.previousOfFact = undefined;
    this.nextInNode = undefined;
    this.entries = undefined;
    this.endings = undefined;
  }

  get value(): Maybe {
    const { held } = this;
    if (held instanceof ListVersion) return held.values;
    return held instanceof Item ? held.value : held;
  }

  /** Returns the match at a level of this chain. */
  at(level: number): Match {
    // oxlint-disable-next-line typescript/no-this-alias, unicorn/no-this-assignment -- a walk up the chain
    let match: Match = this;
    for (let up = this.owner.level - level; up > 0 && match.parent !== undefined; up--) match = match.parent;
    return match;
  }
}

/**
 * Compares two matches by what they have at these levels, in order: facts by when they were asserted, the newest first where that is
 * asked for, and items by their places in the list.
 */
export function compareMatches(levels: readonly number[], a: Match, b: Match, newestFirst: boolean): number {
  for (let at = 0; at < levels.length; at++) {
    const level = levels[at] as number;
    const difference = comparePlaces(a.at(level), b.at(level), newestFirst);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares the matches of two alternatives, whose facts and items are at other levels; where one has fewer, it is first. */
export function compareAlternatives(
  levelsOfA: readonly number[],
  a: Match,
  levelsOfB: readonly number[],
  b: Match,
  newestFirst: boolean,
): number {
  for (const [at, level] of levelsOfA.entries()) {
    const other = levelsOfB[at];
    if (other === undefined) return 1;
    const difference = comparePlaces(a.at(level), b.at(other), newestFirst);
    if (difference !== 0) return difference;
  }
  return levelsOfA.length - levelsOfB.length;
}

/** Compares what two matches add at one level. A fact is before an item. */
export function comparePlaces(a: Match, b: Match, newestFirst: boolean): number {
  if (a.fact !== undefined && b.fact !== undefined) {
    return newestFirst ? b.fact.order - a.fact.order : a.fact.order - b.fact.order;
  }
  if (a.fact !== undefined || b.fact !== undefined) return a.fact === undefined ? 1 : -1;
  return positionOf(a) - positionOf(b);
}

/** Returns the place of what a match adds: of a fact, of which assertion it is; of an item, where it stands in its list. */
export function placeOf(match: Match): number {
  return match.fact?.order ?? positionOf(match);
}

function positionOf({ held }: Match): number {
  return held instanceof Item ? held.position : 0;
}
