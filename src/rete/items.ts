/**
 * Extends each match by the items of a list: `l in o.lines`. A list that is unknown has none, or, where something is judged, one
 * item of which everything is unknown.
 *
 * Invariant: after a flush, every match above has one match here for each item of its list. They are distinguished by value and,
 * among equal items, by how many come before. So an update leaves the match of every item that it leaves, wherever the item is now.
 */
import { type Maybe, plainKey, same, type Value } from "../base/value.ts";
import { ComputedNode, type ComputedSpec } from "./computed-node.ts";
import { Item } from "./item.ts";
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { BetaNode, type MatchInput } from "./node.ts";
import { SeveralAlternatives } from "./rule-matches.ts";
import { TerminalNode } from "./terminal.ts";

export interface ItemsSpec extends ComputedSpec {
  /** True to send a match with a missing value on when the list is unknown. */
  readonly passUnknown: boolean;
}

/** Where a list has an item now, and the match that it had before. */
interface Place {
  readonly value: Value;
  readonly nth: number;
  readonly known: Match | undefined;
}

/** No match had an item before. */
const NONE: ReadonlyMap<string, Match> = new Map();

/** An input that hears when an item of a match changes its place. */
interface MoveReader {
  moved(match: Match): void;
}

export class ItemsNode extends ComputedNode<ItemsSpec> {
  /** Whether a rule with alternatives is below: its matches are compared by items of several lists. */
  #mixes = false;
  /** Whether something below hears of items that change their places. */
  #isHeard = false;
  #wiring = -1;

  leftAdded(match: Match): void {
    const items = itemsIn(this.compute(match));
    if (items !== undefined) this.#add(match, placesOf(items, NONE));
    else if (this.spec.passUnknown) this.emit(match, undefined, undefined);
  }

  /** Takes away the matches of items that are gone, moves those that stay, and adds those of new items; returns those that stay. */
  protected computeAgain(match: Match): readonly Match[] {
    const before = childrenOf(match, this);
    const thrown = this.thrownFor(match);
    const items = itemsIn(this.compute(match));
    if (items === undefined) return this.#becomeUnknown(match, before, thrown);
    if (areAt(before, items)) return before;
    const places = placesOf(items, byItem(before));
    const kept = places.flatMap((place) => place.known ?? []);
    const stay = new Set(kept);
    for (const one of before) if (!stay.has(one)) removeMatch(one);
    this.#move(places);
    this.#add(match, places);
    return kept;
  }

  #becomeUnknown(match: Match, before: readonly Match[], thrown: string | undefined): readonly Match[] {
    const wasUnknown = before.length === 1 && before[0]?.held === undefined;
    if (wasUnknown && thrown === this.thrownFor(match)) return before;
    for (const one of before) removeMatch(one);
    if (this.spec.passUnknown) this.emit(match, undefined, undefined);
    return [];
  }

  #add(match: Match, places: readonly Place[]): void {
    for (let position = 0; position < places.length && match.alive; position++) {
      const { value, nth, known: stays } = places[position] as Place;
      if (stays === undefined) this.emit(match, undefined, new Item(value, nth, position));
    }
  }

  /** Writes down where items are now. What waits in an order that they changed is put in order again. */
  #move(places: readonly Place[]): void {
    let last = -1;
    let isReordered = false;
    const moved: Match[] = [];
    for (const [position, { known: stays }] of places.entries()) {
      if (!(stays?.held instanceof Item)) continue;
      const { held } = stays;
      if (held.position !== position) moved.push(stays);
      isReordered ||= held.position < last;
      last = held.position;
      held.position = position;
    }
    if (moved.length === 0) return;
    this.#lookBelow();
    if (isReordered || this.#mixes) this.tally.itemsMoved?.();
    if (this.#isHeard) for (const one of moved) tellMoved(one);
  }

  /** Finds out who needs to hear of items that move; again when nodes came or went. */
  #lookBelow(): void {
    if (this.#wiring === this.tally.wiring) return;
    this.#wiring = this.tally.wiring;
    this.#mixes = this.children.some(endsMixed);
    this.#isHeard = this.children.some(isHeard);
  }
}

function endsMixed(child: MatchInput): boolean {
  if (child instanceof TerminalNode) return child.rule instanceof SeveralAlternatives;
  return child instanceof BetaNode && child.children.some(endsMixed);
}

function isHeard(child: MatchInput): boolean {
  return hearsMoves(child) || (child instanceof BetaNode && child.children.some(isHeard));
}

function hearsMoves(child: MatchInput): child is MatchInput & MoveReader {
  return "moved" in child;
}

function tellMoved(match: Match): void {
  for (const child of match.owner.children) {
    if (hearsMoves(child)) child.moved(match);
    else if (child instanceof BetaNode) for (const below of childrenOf(match, child)) tellMoved(below);
  }
}

function itemsIn(list: Maybe): readonly Value[] | undefined {
  return Array.isArray(list) ? (list as readonly Value[]) : undefined;
}

/** Returns whether the matches are those of the items, each in its place. */
function areAt(matches: readonly Match[], items: readonly Value[]): boolean {
  return (
    matches.length === items.length &&
    matches.every(({ held }) => held instanceof Item && same(held.value, items[held.position]))
  );
}

/** Returns matches by their items. */
function byItem(matches: readonly Match[]): Map<string, Match> {
  const found = new Map<string, Match>();
  for (const match of matches) {
    if (match.held instanceof Item) found.set(`${match.held.nth} ${textOf(match.held.value)}`, match);
  }
  return found;
}

/** Returns the places of a list, each with the match that its item had before. */
function placesOf(items: readonly Value[], before: ReadonlyMap<string, Match>): Place[] {
  const counts = new Map<string, number>();
  return items.map((value) => {
    const text = textOf(value);
    const nth = counts.get(text) ?? 0;
    counts.set(text, nth + 1);
    return { value, nth, known: before.get(`${nth} ${text}`) };
  });
}

/** Returns a text that is equal for two values exactly when they are. */
function textOf(value: Value): string {
  return `${typeof value} ${String(plainKey(value))}`;
}
