/** Lets matches pass for which a test is true. */
import type { Match } from "./match.ts";
import { childrenOf, removeMatch } from "./match-tree.ts";
import { RevaluedNode, type RevaluedSpec } from "./revalued-node.ts";

export type MatchTest = (match: Match) => boolean;

export interface FilterSpec extends RevaluedSpec {
  readonly test: MatchTest;
}

export class FilterNode extends RevaluedNode<FilterSpec> {
  leftAdded(match: Match): void {
    if (this.spec.test(match)) this.emit(match, undefined, undefined);
  }

  retract(match: Match): void {
    for (const passed of childrenOf(match, this)) removeMatch(passed);
  }

  protected askAgain(match: Match): void {
    const passed = childrenOf(match, this);
    const passes = this.spec.test(match);
    if (passes && passed.length === 0) this.emit(match, undefined, undefined);
    if (!passes) for (const one of passed) removeMatch(one);
  }
}
