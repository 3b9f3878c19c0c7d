/**
 * The tree of matches: what extends a match, grouped by the node that made it, so that a node finds its own without looking at
 * those of others.
 */
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import type { BetaNode } from "./node.ts";
import { endAll } from "./terminal.ts";

/** Links a new match to its parent and to its fact. */
export function link(match: Match, asChild: boolean): void {
  const { parent, fact } = match;
  if (asChild && parent !== undefined) linkChild(match, parent);
  if (fact !== undefined) {
    match.nextOfFact = fact.matches;
    if (fact.matches !== undefined) fact.matches.previousOfFact = match;
    fact.matches = match;
  }
}

function linkChild(match: Match, parent: Match): void {
  const first = firstChild(parent, match.owner);
  match.nextSibling = first;
  if (first !== undefined) first.previousSibling = match;
  if (parent.child === first) parent.child = match;
  else (parent.kin ??= new Map()).set(match.owner, match);
}

/** Returns the newest match that a node made of one match; the others are linked as its siblings. */
export function firstChild(match: Match, owner: BetaNode): Match | undefined {
  const { child, kin } = match;
  return child !== undefined && child.owner === owner ? child : kin?.get(owner);
}

/** Returns the matches that a node made of one match. */
export function childrenOf(match: Match, owner: BetaNode): Match[] {
  const children: Match[] = [];
  for (let child = firstChild(match, owner); child !== undefined; child = child.nextSibling) children.push(child);
  return children;
}

/** Removes a match and everything that extends it, the deepest first. */
export function removeMatch(match: Match): void {
  if (!match.alive) return;
  match.alive = false;
  while (match.child !== undefined) removeMatch(match.child);
  if (match.kin !== undefined) removeKin(match, match.kin);
  unlink(match);
  for (let entry = match.entries; entry !== undefined; entry = entry.nextOfMatch) entry.input.dropEntry(entry);
  match.entries = undefined;
  if (match.endings !== undefined) endAll(match);
  match.owner.forget(match);
}

function removeKin(match: Match, kin: ReadonlyMap<BetaNode, Match>): void {
  for (const owner of kin.keys()) {
    for (let child = kin.get(owner); child !== undefined; child = kin.get(owner)) removeMatch(child);
  }
  match.kin = undefined;
}

/**
 * Takes a match out of the lists of its parent and of its fact. It forgets its neighbours: its node may keep it for a long time, and
 * whatever came and went since would hang on it, one neighbour on the other.
 */
function unlink(match: Match): void {
  const { parent, fact } = match;
  if (parent !== undefined) unlinkChild(match, parent);
  if (fact !== undefined) unlinkFromFact(match, fact);
}

function unlinkFromFact(match: Match, fact: Fact): void {
  const { nextOfFact, previousOfFact } = match;
  if (fact.matches === match) fact.matches = nextOfFact;
  else if (previousOfFact !== undefined) previousOfFact.nextOfFact = nextOfFact;
  if (nextOfFact !== undefined) nextOfFact.previousOfFact = previousOfFact;
  match.nextOfFact = undefined;
  match.previousOfFact = undefined;
}

function unlinkChild(match: Match, parent: Match): void {
  const { nextSibling, previousSibling, owner } = match;
  if (nextSibling !== undefined) nextSibling.previousSibling = previousSibling;
  if (previousSibling !== undefined) previousSibling.nextSibling = nextSibling;
  else if (parent.child === match) parent.child = nextSibling;
  else if (parent.kin?.get(owner) === match) {
    if (nextSibling === undefined) parent.kin.delete(owner);
    else parent.kin.set(owner, nextSibling);
  }
  match.nextSibling = undefined;
  match.previousSibling = undefined;
}
