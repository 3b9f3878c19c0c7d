/** The contract between a session and its network. */
import type { Steps } from "../base/slices.ts";
import type { Clock } from "./clock.ts";
import type { Changes, Fact } from "./fact.ts";
import type { DirectTerminal } from "./direct-terminal.ts";
import type { Match } from "./match.ts";
import type { Deferred } from "./deferred-pairs.ts";
import type { Production } from "./production.ts";
import type { Standing } from "./rule-matches.ts";
import type { Ending, TerminalNode } from "./terminal.ts";

export interface NetworkPort {
  /** Announces how many facts of each type are about to be added. */
  foresee?(coming: ReadonlyMap<string, number>): void;
  /** Adds a fact, which must already be in working memory. */
  add(fact: Fact): void;
  /** Removes a fact, which must no longer be in working memory. */
  remove(fact: Fact): void;
  /** Changes values in place (by slot) and re-matches what reads them. */
  update(fact: Fact, changes: Changes): void;
  /**
   * Returns the matches of a rule, in no particular order. A lookup keeps an index, where the rule has a single pattern that
   * names the value of a field.
   */
  matches(rule: string, isLookup?: boolean): Iterable<Standing>;
  /** Returns the facts that match the rules with a single pattern, by direct terminal. Nothing may change meanwhile. */
  directMatches(): Steps<ReadonlyMap<DirectTerminal, readonly Fact[]>>;
  /** Returns the direct terminal of a rule; undefined when it has none. */
  directTerminal(rule: string): DirectTerminal | undefined;
  /** Returns the direct terminal of the program now for one of the program before; undefined when its rule is gone or another one. */
  successor?(end: DirectTerminal): DirectTerminal | undefined;
  /** Forgets the program before, when everything that waits was given its successor. */
  programContinued?(): void;
  /** What the clock shows, and when something turns next. */
  readonly clock: Pick<Clock, "now" | "next" | "waiting" | "steps" | "schedule" | "whenSet" | "cancel">;
  /**
   * Moves the clock to an instant that is not after the next one at which something turns. The facts that expire there go in the
   * same change; they must no longer be in working memory when `expired` returns them.
   */
  advance(to: number, expired?: () => readonly Fact[]): void;
  /** Removes facts in one change. */
  removeAll(facts: readonly Fact[]): void;
  /** Makes the clock unset again, in a session without facts. */
  unsetClock(): boolean;
  /** Makes all matches that were deferred. */
  makeDeferred?(): void;
  /** Returns how much is stored; everything is 0 when there are no facts. */
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

/** Receives the facts that begin or stop to match rules with a single pattern. */
export interface FactListener {
  /** Adds a fact for terminals of one salience, in the order of their rules. The list is never changed. */
  factPassed(ends: readonly DirectTerminal[], fact: Fact): void;
  factLeft(end: DirectTerminal, fact: Fact): void;
}

/** Receives matches as they are added and removed. One change may add and remove the same match. */
export interface MatchListener extends FactListener {
  /** Adds a match; returns what the listener keeps for it, if anything. */
  matchAdded(production: Production, match: Match, terminal?: TerminalNode): Ending | undefined;
  matchRemoved(ending: Ending): void;
  /** Another way to a match with items takes the place of the one that was announced: the items have other places there. */
  wayChanged?(ending: Ending, terminal: TerminalNode, match: Match): void;
  /** Items changed places in a list: matches that stay are in another order. */
  itemsMoved?(): void;
  /** Offers pairs with a control fact to be made later; returns false to have them made now. */
  pairsDeferred(deferred: Deferred): boolean;
  /** Removes pairs that were made or are no longer wanted. */
  pairsDropped(deferred: Deferred): void;
  /** The change that completed the pair, while a deferred pair is made. */
  late: number | undefined;
}

/** Finds live facts, for references and for rules that are added later than facts. */
export interface FactLookup {
  get(id: string): Fact | undefined;
  facts(type?: string): Iterable<Fact>;
  /** Returns the number of facts of a type. */
  count(type: string): number;
}
