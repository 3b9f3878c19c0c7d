/**
 * What the functions of a network ask of the session that they work for.
 *
 * The tests, keys and values of nodes are compiled once for a program and shared by its sessions. So a function that needs more
 * than a match and a fact finds it through them: every fact and every match belongs to one session.
 */
import type { Clock } from "./clock.ts";
import type { Fact } from "./fact.ts";
import type { Match } from "./match.ts";
import type { FactLookup } from "./port.ts";

/** A session, as its facts and matches know it. Whoever compiles functions says what else they find here. */
export interface Site {
  readonly facts: FactLookup;
  readonly clock: Clock;
}

/** Returns the session that a match or a fact belongs to. */
export function siteOf(match: Match | undefined, fact: Fact | undefined): Site {
  const site = match === undefined ? fact?.shape.home.site : match.owner.tally.site;
  if (site === undefined) throw new Error("a function is called for a match or a fact of a session");
  return site;
}
