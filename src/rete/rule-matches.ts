/**
 * The matches of one rule, as the session hears of them.
 *
 * A rule with `or` between elements has a terminal for each alternative, and two alternatives can find the same match. The
 * session hears of it once. What a change did is decided when the change is done, so that the order inside it does not
 * matter: a match goes on as long as one of the ways that found it before is left, or another one takes its place. Only an
 * update of one of its own facts ends it and starts it anew.
 */
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import type { MatchListener } from "./port.ts";
import type { Production } from "./production.ts";
import type { Settler, Settling } from "./settle.ts";

export interface RuleMatches {
  production: Production;
  added(match: Match): void;
  removed(match: Match): void;
  all(): Iterable<Match>;
}

export class OneWay implements RuleMatches {
  production: Production;
  readonly #listener: MatchListener;
  readonly #matches: () => Iterable<Match>;

  /** `matches` gives those of the only terminal. */
  constructor(production: Production, listener: MatchListener, matches: () => Iterable<Match>) {
    this.production = production;
    this.#listener = listener;
    this.#matches = matches;
  }

  added(match: Match): void {
    this.#listener.matchAdded(this.production, match);
  }

  removed(match: Match): void {
    this.#listener.matchRemoved(this.production, match);
  }

  all(): Iterable<Match> {
    return this.#matches();
  }
}

interface Found {
  readonly identity: string;
  /** The match that the session was told of. */
  told: Match | undefined;
  /** The ways that find it, each with whether the session was told while it was there. */
  readonly ways: Map<Match, "old" | "new">;
}

export class SeveralWays implements RuleMatches, Settling {
  production: Production;
  /** Later than every terminal. */
  readonly rank: number;
  readonly #listener: MatchListener;
  readonly #settler: Settler;
  readonly #updated: () => Fact | undefined;
  readonly #found = new Map<string, Found>();
  readonly #byMatch = new Map<Match, Found>();
  readonly #touched = new Set<Found>();

  /** `updated` gives the fact that is being updated, while one is. */
  constructor(
    production: Production,
    rank: number,
    listener: MatchListener,
    settler: Settler,
    updated: () => Fact | undefined,
  ) {
    this.production = production;
    this.rank = rank;
    this.#listener = listener;
    this.#settler = settler;
    this.#updated = updated;
  }

  added(match: Match): void {
    const identity = this.production.identity(match);
    const known = this.#found.get(identity);
    const found: Found = known ?? { identity, told: undefined, ways: new Map() };
    if (known === undefined) this.#found.set(identity, found);
    found.ways.set(match, "new");
    this.#byMatch.set(match, found);
    this.#touch(found);
  }

  removed(match: Match): void {
    const found = this.#byMatch.get(match);
    if (found === undefined) return;
    this.#byMatch.delete(match);
    found.ways.delete(match);
    this.#touch(found);
  }

  settle(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const found of touched) this.#decide(found);
  }

  *all(): Iterable<Match> {
    for (const { told } of this.#found.values()) if (told !== undefined) yield told;
  }

  /** The match that was told of may have let go; its chain names the same facts as the others', so it still can be read. */
  #decide(found: Found): void {
    if (!this.#goesOn(found)) {
      if (found.told !== undefined) this.#listener.matchRemoved(this.production, found.told);
      [found.told] = found.ways.keys();
      if (found.told !== undefined) this.#listener.matchAdded(this.production, found.told);
    }
    for (const way of found.ways.keys()) found.ways.set(way, "old");
    if (found.ways.size === 0) this.#found.delete(found.identity);
  }

  #goesOn({ told, ways }: Found): boolean {
    if (told === undefined || ways.size === 0) return false;
    if ([...ways.values()].includes("old")) return true;
    const updated = this.#updated();
    return updated === undefined || !this.production.facts(told).includes(updated);
  }

  #touch(found: Found): void {
    this.#touched.add(found);
    this.#settler.wake(this);
  }
}
