/**
 * The matches of one rule, as the session hears of them.
 *
 * A rule with `or` between elements has a terminal for each alternative, and two alternatives can find the same match. The
 * session hears of it once. What a change did is decided when the change is done, so that the order inside it does not
 * matter: a match goes on as long as one of the ways that found it before is left, or another one takes its place. Only an
 * update of one of its own facts ends it and starts it again.
 */
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import type { MatchListener } from "./port.ts";
import type { Production } from "./production.ts";
import type { FlushQueue, Flushable } from "./flush-queue.ts";
import type { Ending, TerminalNode } from "./terminal.ts";

/** A match of a rule with its production. A rule with a direct terminal has the fact instead of a match. */
export interface Bound {
  readonly production: Production;
  readonly match: Match | undefined;
  readonly fact: Fact | undefined;
}

/** A current match of a rule, with what the session keeps for it; a direct terminal keeps nothing. */
export interface Standing extends Bound {
  readonly ending: Ending | undefined;
}

export interface RuleMatches {
  /** The number of terminals that hand their matches to it. Written by whoever makes them. */
  terminals: number;
  added(terminal: TerminalNode, match: Match): void;
  removed(ending: Ending, match: Match): void;
  all(): Iterable<Standing>;
}

export class SingleAlternative implements RuleMatches {
  terminals = 0;
  readonly #listener: MatchListener;
  readonly #terminal: () => TerminalNode;

  /** Takes a function that returns the only terminal. */
  constructor(listener: MatchListener, terminal: () => TerminalNode) {
    this.#listener = listener;
    this.#terminal = terminal;
  }

  added(terminal: TerminalNode, match: Match): void {
    hang(match, this.#listener.matchAdded(terminal.production, match, terminal));
  }

  removed(ending: Ending): void {
    this.#listener.matchRemoved(ending);
  }

  *all(): Iterable<Standing> {
    const terminal = this.#terminal();
    const { left, production } = terminal;
    for (const match of left.matches) {
      yield { production, match, fact: undefined, ending: endingAt(match, terminal) };
    }
  }
}

/** Links what the session keeps for a match to the match. */
function hang(match: Match, ending: Ending | undefined): void {
  if (ending === undefined) return;
  ending.nextOfMatch = match.endings;
  match.endings = ending;
}

function endingAt(match: Match, terminal: TerminalNode): Ending | undefined {
  let ending = match.endings;
  while (ending !== undefined && ending.terminal !== terminal) ending = ending.nextOfMatch;
  return ending;
}

/** One of the ways to find a match; linked to it, so that its removal is noticed. */
class Way implements Ending {
  readonly terminal: TerminalNode;
  readonly match: Match;
  readonly found: Found;
  nextOfMatch: Ending | undefined = undefined;
  /** True when the way existed at the last announcement to the session. */
  old = false;

  constructor(terminal: TerminalNode, match: Match, found: Found) {
    this.terminal = terminal;
    this.match = match;
    this.found = found;
  }
}

interface Found {
  readonly identity: string;
  /** The way that was announced to the session, and what the session keeps for it. */
  told: Way | undefined;
  ending: Ending | undefined;
  readonly ways: Set<Way>;
}

/** Returns the way that is announced: any, as all have the same facts; with items the first alternative that found them. */
function wayToTell({ ways }: Found): Way | undefined {
  let first: Way | undefined;
  for (const way of ways) {
    const { orderLevels, alternative = 0 } = way.terminal.production;
    if (first === undefined) first = way;
    else if (orderLevels === undefined) return first;
    else if (alternative < (first.terminal.production.alternative ?? 0)) first = way;
  }
  return first;
}

export class SeveralAlternatives implements RuleMatches, Flushable {
  terminals = 0;
  /** A rank higher than that of every terminal. */
  readonly rank: number;
  readonly #listener: MatchListener;
  readonly #flushQueue: FlushQueue;
  scheduled: boolean = false;
  readonly #updated: () => Fact | undefined;
  readonly #found = new Map<string, Found>();
  readonly #touched = new Set<Found>();

  /** Takes a function that returns the fact that is being updated, if any (`updated`). */
  constructor(rank: number, listener: MatchListener, flushQueue: FlushQueue, updated: () => Fact | undefined) {
    this.rank = rank;
    this.#listener = listener;
    this.#flushQueue = flushQueue;
    this.#updated = updated;
  }

  added(terminal: TerminalNode, match: Match): void {
    const identity = terminal.production.identity(match);
    const known = this.#found.get(identity);
    const found: Found = known ?? { identity, told: undefined, ending: undefined, ways: new Set() };
    if (known === undefined) this.#found.set(identity, found);
    const way = new Way(terminal, match, found);
    found.ways.add(way);
    hang(match, way);
    this.#touch(found);
  }

  removed(ending: Ending): void {
    if (!(ending instanceof Way)) return;
    ending.found.ways.delete(ending);
    this.#touch(ending.found);
  }

  flush(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const found of touched) this.#decide(found);
  }

  *all(): Iterable<Standing> {
    for (const { told, ending } of this.#found.values()) {
      if (told === undefined) continue;
      yield { production: told.terminal.production, match: told.match, fact: undefined, ending };
    }
  }

  /** Announces what changed. The announced way may be gone; its chain has the same facts as the others, so it can still be read. */
  #decide(found: Found): void {
    if (this.#goesOn(found)) this.#tellPlace(found);
    else {
      if (found.ending !== undefined) this.#listener.matchRemoved(found.ending);
      found.told = wayToTell(found);
      const { told } = found;
      found.ending =
        told === undefined ? undefined : this.#listener.matchAdded(told.terminal.production, told.match, told.terminal);
    }
    for (const way of found.ways) way.old = true;
    if (found.ways.size === 0) this.#found.delete(found.identity);
  }

  /** Announces another way to a match with items: where they are is read off the way, and one that is gone no longer knows. */
  #tellPlace(found: Found): void {
    const { told, ending } = found;
    if (told?.terminal.production.orderLevels === undefined || ending === undefined) return;
    const way = wayToTell(found);
    if (way === undefined || way === told) return;
    found.told = way;
    this.#listener.wayChanged?.(ending, way.terminal, way.match);
  }

  #goesOn({ told, ways }: Found): boolean {
    if (told === undefined || ways.size === 0) return false;
    for (const way of ways) if (way.old) return true;
    const updated = this.#updated();
    return updated === undefined || !told.terminal.production.facts(told.match).includes(updated);
  }

  #touch(found: Found): void {
    this.#touched.add(found);
    this.#flushQueue.schedule(this);
  }
}
