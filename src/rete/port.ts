/** What the session sees of a network, and what the network tells the session. */
import type { Changes, Fact } from "./fact.ts";
import type { DirectTerminal } from "./direct-terminal.ts";
import type { Match } from "./match.ts";
import type { Deferred } from "./deferred-pairs.ts";
import type { Production } from "./production.ts";
import type { Standing } from "./rule-matches.ts";
import type { Ending, TerminalNode } from "./terminal.ts";

export interface NetworkPort {
  /** Many facts are about to come, so many of each type. */
  foresee?(coming: ReadonlyMap<string, number>): void;
  /** The fact must be findable in working memory before this is called. */
  add(fact: Fact): void;
  /** The fact must no longer be findable in working memory. */
  remove(fact: Fact): void;
  /** Changes values in place (by slot) and re-matches what reads them. */
  update(fact: Fact, changes: Changes): void;
  /** The matches that a rule has now, in no particular order. */
  matches(rule: string): Iterable<Standing>;
  /** The direct terminal of a rule, if it has one. */
  directTerminal(rule: string): DirectTerminal | undefined;
  /** Makes all matches that were deferred. */
  makeDeferred?(): void;
  /** How much is remembered: everything is 0 when there is no fact. */
  counters(): Counters;
}

export interface Counters {
  /** The number of facts in memories. */
  readonly facts: number;
  /** The number of live matches, partial ones included. */
  readonly matches: number;
  /** The number of entries in hash indexes. */
  readonly indexEntries: number;
}

/** Hears of facts that begin or cease to match a rule with a single pattern. */
export interface FactListener {
  /** The ends have one salience and are in the order of their rules; the list is never changed. */
  factPassed(ends: readonly DirectTerminal[], fact: Fact): void;
  factLeft(end: DirectTerminal, fact: Fact): void;
}

/** Hears of matches as they come and go; a change may add and remove the same match before it is done. */
export interface MatchListener extends FactListener {
  /** Gives back what it keeps for the match, if anything. */
  matchAdded(production: Production, match: Match, terminal?: TerminalNode): Ending | undefined;
  matchRemoved(ending: Ending): void;
  /** Pairs with a control fact could wait until one of them is to fire; false when they cannot. */
  pairsDeferred(deferred: Deferred): boolean;
  /** They are made, or no longer wanted. */
  pairsDropped(deferred: Deferred): void;
  /** While such a pair is made: the change that completed it. */
  late: number | undefined;
}

/** Finds live facts: for following references, and for rules that come when facts are there. */
export interface FactLookup {
  get(id: string): Fact | undefined;
  facts(type?: string): Iterable<Fact>;
  /** How many facts of a type there are. */
  count(type: string): number;
}
