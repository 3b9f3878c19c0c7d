/** The terminal of a rule: it receives the matches of one alternative of the rule's `or`s. */
import type { Match } from "./match.ts";
import type { BetaNode, MatchInput } from "./node.ts";
import type { Production } from "./production.ts";
import type { RuleMatches } from "./rule-matches.ts";

export class TerminalNode implements MatchInput {
  readonly left: BetaNode;
  readonly rule: RuleMatches;
  /** Reads the matches of this alternative. Replaced when the program is replaced and the rule stays. */
  production: Production;

  constructor(left: BetaNode, rule: RuleMatches, production: Production) {
    this.left = left;
    this.rule = rule;
    this.production = production;
  }

  leftAdded(match: Match): void {
    this.rule.added(this, match);
  }
}

/**
 * What the session keeps for a match of a rule. All that end at one match hang on it, so that they go when it goes.
 */
export interface Ending {
  readonly terminal: TerminalNode | undefined;
  nextOfMatch: Ending | undefined;
}

/** Removes everything that ended at a match that is gone. */
export function endAll(match: Match): void {
  let ending = match.endings;
  match.endings = undefined;
  while (ending !== undefined) {
    const next = ending.nextOfMatch;
    ending.terminal?.rule.removed(ending, match);
    ending = next;
  }
}
