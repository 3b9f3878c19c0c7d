/** The end of a rule: what arrives here are matches of the rule, one terminal for each alternative of its `or`s. */
import type { Match } from "./match.ts";
import { BetaNode, type MatchInput } from "./node.ts";
import type { RuleMatches } from "./rule-matches.ts";
import type { Tally } from "./tally.ts";

export class TerminalNode extends BetaNode implements MatchInput {
  /** Which of the rule's layouts the matches have. */
  readonly layout: number;
  readonly #rule: RuleMatches;

  constructor(name: string, left: BetaNode, layout: number, rule: RuleMatches, tally: Tally) {
    super(name, left.rank + 1, tally);
    this.layout = layout;
    this.#rule = rule;
  }

  leftAdded(match: Match): void {
    this.emit(match, undefined, undefined);
  }

  override forget(match: Match): void {
    super.forget(match);
    this.#rule.removed(match);
  }

  protected override remember(match: Match): void {
    this.#rule.added(match);
  }
}
