/** A question while its nodes are made and it is answered. */
import { LateMap } from "../base/late.ts";
import type { MatchListener } from "../rete/port.ts";
import type { RuleMatches } from "../rete/rule-matches.ts";
import type { Live } from "./live-node.ts";

/** Hears of matches that concern nobody: those of a question that is answered at once. */
export const SILENT: MatchListener = {
  matchAdded: () => undefined,
  matchRemoved: () => undefined,
  factPassed: () => undefined,
  factLeft: () => undefined,
  pairsDeferred: () => false,
  pairsDropped: () => undefined,
  late: undefined,
};

/** A question that is being answered, or whose nodes are made. */
export interface Asking {
  /** Hears of its matches. */
  readonly listener: MatchListener;
  /** Whether its nodes stand when the question is answered: they hear of facts that come. */
  readonly stands: boolean;
  /** Where its matches became too many. */
  tooManyAt: string | undefined;
  /** The nodes that are made for it, by number. */
  readonly made: Map<number, Live>;
  readonly ruleMatches: LateMap<string, RuleMatches>;
}

/** Returns a question for which nothing is made yet. */
export function newAsking(listener: MatchListener, stands: boolean): Asking {
  return { listener, stands, tooManyAt: undefined, made: new Map(), ruleMatches: new LateMap() };
}
